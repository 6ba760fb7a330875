package lab

import (
	"fmt"
	"math/rand/v2"
	"time"
)

// A CoordinatorConfig is everything a Coordinator can be told.
type CoordinatorConfig struct {
	Seed              uint64
	Workers, Capacity int           // slots are their product
	Limit             int           // active jobs beyond which submissions are refused
	JobTime           time.Duration // of a job in its slot, evenly varied by ±Jitter
	Jitter            float64
	Dispatch          time.Duration // from the coordinator to a worker, and back

	// An attempt that takes longer than TaskTimeout is given up and the job tried
	// again, MaxAttempts times in all; its worker does not know and works on. 0:
	// the coordinator's own 10 minutes never come.
	TaskTimeout time.Duration

	// At RestartAt the coordinator is stopped and starts again after RestartDown
	// with another limit. It recovers every job that is not done. 0: it is not.
	RestartAt, RestartDown time.Duration
	RestartLimit           int

	// What its one thread does, and the durable write that every change of a
	// job's state costs on that thread; 0 keeps jobs in memory only.
	Submit, Assign, Complete, Status time.Duration
	Write                            time.Duration

	// The load: a benchmark, repeated when BenchEvery is set; and a client that
	// submits a job each JobEvery, when that is set.
	Bench      Bench
	BenchAt    time.Duration
	BenchEvery time.Duration
	JobEvery   time.Duration
	Task       string // SLEEP or SHA256, as log lines call it
}

// TaskCoordinator returns the coordinator of the published measurements: 3
// workers of 4 slots, jobs of 0.5 s, states kept in a file. The costs of its
// thread follow from the measurements: 4,843 jobs a second in memory are 0.206
// ms a job, 896 in a file 0.91 ms more, in three writes.
func TaskCoordinator() CoordinatorConfig {
	return CoordinatorConfig{
		Seed:     1,
		Workers:  3,
		Capacity: 4,
		Limit:    10000,
		JobTime:  500 * time.Millisecond,
		Dispatch: 500 * time.Microsecond,
		Submit:   70 * time.Microsecond,
		Assign:   55 * time.Microsecond,
		Complete: 55 * time.Microsecond,
		Status:   25 * time.Microsecond,
		Write:    303 * time.Microsecond,
		Task:     "SLEEP",
	}
}

// A Coordinator is a model of a task coordinator with one thread, its workers,
// and the clients that load it. It has no metrics page: its log and the
// benchmark's report are all there is.
type Coordinator struct {
	clock
	cfg    CoordinatorConfig
	ids    *rand.Rand
	times  *rand.Rand
	core   core
	life   *life // of the process
	log    journal
	bench  journal
	runs   []*benchRun
	queue  fifo[*job]
	free   []int // slots of each worker
	next   int   // worker to be given a job
	active int
	open   []*job // accepted and not done, in the order accepted, and some that are done
	counts CoordinatorStats

	inSystem level // jobs accepted and not done
	inSlots  level // attempts that hold a slot
}

// CoordinatorStats is what a coordinator has done so far.
// Submitted = Completed + Failed + Active.
type CoordinatorStats struct {
	Submitted, Rejected, Completed, Failed, Active, Running int
	Retried, Stale                                          int // attempts given up and tried again; results of such attempts

	// Seconds since the start: of jobs that ended from their acceptance on, of
	// jobs in the system, of attempts until their slot was free, of slots in use.
	JobSeconds, ActiveSeconds, AttemptSeconds, SlotSeconds float64
}

// A job is one accepted submission.
type job struct {
	id       string
	sent     time.Duration // when its client sent it
	accepted time.Duration
	done     bool
	attempts int
	attempt  string        // id of the present attempt; empty while it waits
	worker   int           // of that attempt
	began    time.Duration // that attempt
}

// The names of the coordinator's logs.
const (
	CoordinatorLog = "coordinator"
	BenchLog       = "bench"
)

// NewCoordinator returns a coordinator that starts at start; its workers
// register within three seconds.
func NewCoordinator(c CoordinatorConfig, start time.Time) *Coordinator {
	m := &Coordinator{cfg: c, clock: clock{start: start}, ids: rand.New(rand.NewPCG(c.Seed, 3)), times: rand.New(rand.NewPCG(c.Seed, 9))}
	m.boot()
	if c.RestartAt > 0 {
		m.agenda.after(c.RestartAt, nil, m.restart)
	}
	if c.Bench.Jobs > 0 {
		m.agenda.after(c.BenchAt, nil, m.startBench)
	}
	if c.JobEvery > 0 {
		m.agenda.after(time.Duration(c.Workers+1)*time.Second, nil, m.submitSteadily)
	}
	return m
}

func (m *Coordinator) seed() uint64 { return m.cfg.Seed }

// Targets is empty: a coordinator has no metrics page.
func (m *Coordinator) Targets() []Target { return nil }

// Pages is empty too.
func (m *Coordinator) Pages() map[string][]byte { return nil }

func (m *Coordinator) scrape(string, time.Time) []byte { return nil }

// LogNames lists the coordinator's log and the benchmark's reports.
func (m *Coordinator) LogNames() []string { return []string{CoordinatorLog, BenchLog} }

// Stats returns what it has done so far.
func (m *Coordinator) Stats() CoordinatorStats {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.counts
	now := m.agenda.now
	s.Active = m.active
	s.ActiveSeconds, s.SlotSeconds = float64(m.inSystem.integral(now))/1e9, float64(m.inSlots.integral(now))/1e9
	for _, n := range m.free {
		s.Running += m.cfg.Capacity - n
	}
	return s
}

func (m *Coordinator) register() {
	m.free = append(m.free, m.cfg.Capacity)
	m.logf("INFO", coreThread, coreLogger, "Worker registered: workerId=worker-%d capacity=%d (%d workers online)",
		len(m.free), m.cfg.Capacity, len(m.free))
	m.schedule()
}

// submit asks the coordinator to take a job. then is told the job, or nil when
// it was refused, once the client has its answer.
func (m *Coordinator) submit(then func(*job)) {
	sent := m.agenda.now
	var j *job
	m.core.do(m.cfg.Submit, func() (writes int) {
		if m.active >= m.cfg.Limit {
			m.counts.Rejected++
			m.logf("WARN", coreThread, coreLogger, "Job submission rejected (overloaded): activeJobs=%d limit=%d type=%s",
				m.active, m.cfg.Limit, m.cfg.Task)
			return 0
		}
		m.active++
		m.inSystem.add(m.agenda.now, 1)
		m.counts.Submitted++
		j = &job{id: m.uuid(), sent: sent, accepted: m.agenda.now}
		m.open = append(m.open, j)
		m.logf("INFO", coreThread, coreLogger, "Job submitted: jobId=%s type=%s maxAttempts=3 activeJobs=%d/%d",
			j.id, m.cfg.Task, m.active, m.cfg.Limit)
		return 1
	}, func() {
		if j != nil {
			m.queue.push(j)
			m.schedule()
		}
		then(j)
	})
}

// schedule gives queued jobs to free slots, workers in turn.
func (m *Coordinator) schedule() {
	for m.queue.len() > 0 {
		worker, ok := m.freeWorker()
		if !ok {
			return
		}
		m.free[worker]--
		j := m.queue.pop()
		m.core.do(m.cfg.Assign, func() int {
			m.assign(j, worker)
			return 1
		}, func() { m.work(j, worker) })
	}
}

func (m *Coordinator) freeWorker() (int, bool) {
	for range m.free {
		worker := m.next % len(m.free)
		m.next++
		if m.free[worker] > 0 {
			return worker, true
		}
	}
	return 0, false
}

// submitSteadily is a client that submits a job each JobEvery.
func (m *Coordinator) submitSteadily() {
	if !m.life.over {
		m.submit(func(*job) {})
	}
	m.agenda.after(m.cfg.JobEvery, nil, m.submitSteadily)
}

func (m *Coordinator) uuid() string { return uuid(m.ids) }

// uuid draws a random UUID.
func uuid(r *rand.Rand) string {
	hi, lo := r.Uint64(), r.Uint64()
	return fmt.Sprintf("%08x-%04x-4%03x-%04x-%012x",
		hi>>32, hi>>16&0xffff, hi&0xfff, 0x8000|lo>>48&0x3fff, lo&0xffffffffffff)
}
