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
	JobTime           time.Duration // of a job in its slot
	Dispatch          time.Duration // from the coordinator to a worker, and back

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
	core   core
	log    journal
	bench  journal
	runs   []*benchRun
	queue  fifo[*job]
	free   []int // slots of each worker
	next   int   // worker to be given a job
	active int
	counts CoordinatorStats
}

// CoordinatorStats is what a coordinator has done so far.
// Submitted = Completed + Active.
type CoordinatorStats struct {
	Submitted, Rejected, Completed, Active, Running int
}

// A job is one accepted submission.
type job struct {
	id   string
	sent time.Duration // when its client sent it
	done bool
}

// The names of the coordinator's logs.
const (
	CoordinatorLog = "coordinator"
	BenchLog       = "bench"
)

// NewCoordinator returns a coordinator that starts at start; its workers
// register within three seconds.
func NewCoordinator(c CoordinatorConfig, start time.Time) *Coordinator {
	m := &Coordinator{cfg: c, clock: clock{start: start}, ids: rand.New(rand.NewPCG(c.Seed, 3))}
	m.core = core{agenda: &m.agenda, write: c.Write}
	m.logf("INFO", "main", "Coordinator", "Coordinator listening: workers=7070 clients=7071")
	for i := range c.Workers {
		m.agenda.after(time.Duration(i+1)*time.Second, nil, m.register)
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
	s.Active = m.active
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
		m.counts.Submitted++
		j = &job{id: m.uuid(), sent: sent}
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
			m.logf("INFO", coreThread, coreLogger, "Job assigned: jobId=%s workerId=worker-%d attempt=1/3 attemptId=%s",
				j.id, worker+1, m.uuid())
			return 1
		}, func() { m.agenda.after(2*m.cfg.Dispatch+m.cfg.JobTime, nil, func() { m.complete(j, worker) }) })
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

func (m *Coordinator) complete(j *job, worker int) {
	m.core.do(m.cfg.Complete, func() int {
		m.logf("INFO", coreThread, coreLogger, "Job completed: jobId=%s workerId=worker-%d attempts=1", j.id, worker+1)
		return 1
	}, func() {
		j.done = true
		m.active--
		m.counts.Completed++
		m.free[worker]++
		m.schedule()
	})
}

// submitSteadily is a client that submits a job each JobEvery.
func (m *Coordinator) submitSteadily() {
	m.submit(func(*job) {})
	m.agenda.after(m.cfg.JobEvery, nil, m.submitSteadily)
}

func (m *Coordinator) uuid() string { return uuid(m.ids) }

// uuid draws a random UUID.
func uuid(r *rand.Rand) string {
	hi, lo := r.Uint64(), r.Uint64()
	return fmt.Sprintf("%08x-%04x-4%03x-%04x-%012x",
		hi>>32, hi>>16&0xffff, hi&0xfff, 0x8000|lo>>48&0x3fff, lo&0xffffffffffff)
}
