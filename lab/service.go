package lab

import (
	"math/rand/v2"
	"time"
)

// A ServiceConfig is everything a Service can be told. Times are virtual.
type ServiceConfig struct {
	Seed uint64

	// The load: Rate calls a second on average, at random times, Burst of them
	// together (0 is one by one, each SpreadBurst after the last); and what is
	// different for a while.
	Rate        float64
	Burst       int
	SpreadBurst time.Duration
	Surge       Surge

	// A caller tries once and Retries times more, waiting up to Backoff, twice as
	// long each time, before the next try. A try ends after TryTimeout and the
	// whole call after Deadline; nobody tells the service.
	Deadline   time.Duration
	TryTimeout time.Duration // 0: the deadline alone
	Retries    int
	Backoff    time.Duration

	// A proxy before the service keeps MaxConnections tries on the way, lets
	// MaxPending wait, and has MaxRetries retries at once; more are refused. 0
	// connections: there is none.
	MaxConnections, MaxPending, MaxRetries int

	// The pool of threads, a Java ThreadPoolExecutor that refuses what it cannot
	// take. An idle thread takes HandOver to find what was queued; 0: it is handed
	// over at once.
	Core, Max, Queue int
	HandOver         time.Duration

	// A call holds its thread for Time, evenly varied by ±Jitter, and uses Cost of
	// processor time. With a Quota the time is that of the processors alone: as
	// many as there are, but no more than Quota in each period of 100 ms.
	Time   time.Duration
	Jitter float64
	Cost   time.Duration
	Cores  int
	Quota  float64 // processors; 0 is none

	// The machine stands still for a while, and its clock is right afterwards.
	StopAt, StopFor time.Duration
}

// A Surge is a while in which things are different; For 0: there is none.
type Surge struct {
	From, For time.Duration
	Load      float64 // times the rate; 0 is as before
	Slow      float64 // times the time of a call; 0 is as before
}

// at tells whether the surge is on.
func (s Surge) at(now time.Duration) bool { return now >= s.From && now < s.From+s.For }

// A Service is a model of a pool of threads that serves calls from outside: an
// open load, a queue, deadlines, retries, a proxy with limits before it, and a
// quota of processor time. What its pages and logs are called is its front's.
type Service struct {
	clock
	cfg   ServiceConfig
	front front
	gaps  *rand.Rand // times between calls
	times *rand.Rand // times of calls

	exec   *executor
	cpu    *cpu
	quota  *quota
	proxy  *proxy
	log    journal
	counts ServiceStats

	inFlight level // calls that their callers wait for
	recent   history
}

// ServiceStats is what a Service has done so far.
// Calls = Completed + Expired + Refused + InFlight.
type ServiceStats struct {
	Calls, Completed, Expired, Refused, InFlight int64

	Tries, Retried int64 // tries at the pool or the proxy; of these, again
	Served         int64 // by a thread, for anybody or nobody
	Dead           int64 // of Served, begun after their caller's try had ended
	Turned         int64 // tries that the pool did not take
	Busy, Waiting  int   // threads, queued tries

	// Seconds since the start: of calls until they ended, of calls in flight, of
	// threads that were held, and of threads at work.
	CallSeconds, InFlightSeconds, HeldSeconds, BusySeconds float64
	CPUSeconds                                             float64
	Periods, Throttled                                     int64 // of the quota
}

// newService returns a service that starts at start.
func newService(c ServiceConfig, f front, start time.Time) *Service {
	s := &Service{cfg: c, front: f, clock: clock{start: start}}
	s.gaps, s.times = rand.New(rand.NewPCG(c.Seed, 5)), rand.New(rand.NewPCG(c.Seed, 6))
	s.exec = &executor{core: c.Core, max: c.Max, capacity: c.Queue, now: func() time.Duration { return s.agenda.now }}
	if c.HandOver > 0 {
		s.exec.handOver = func(look func()) { s.inside(s.vary(c.HandOver), look) }
	}
	s.cpu = newCPU(Config{Cores: c.Cores, IdleCPU: 0.02})
	if c.Quota > 0 {
		s.quota = newQuota(s, c.Quota)
	}
	s.proxy = &proxy{s: s}
	s.agenda.every(time.Second, nil, func() { s.recent.keep(s.agenda.now, int64(s.cpuUsed())) })
	f.begin(s)
	s.arrive()
	return s
}

func (s *Service) seed() uint64 { return s.cfg.Seed }

// arrive lets the next calls come, and those after them.
func (s *Service) arrive() {
	burst, rate := max(s.cfg.Burst, 1), s.cfg.Rate
	if s.cfg.Surge.at(s.agenda.now) && s.cfg.Surge.Load > 0 {
		rate *= s.cfg.Surge.Load
	}
	gap := time.Duration(s.gaps.ExpFloat64() * float64(burst) / rate * float64(time.Second))
	s.agenda.after(gap, nil, func() {
		for i := range burst {
			s.agenda.after(time.Duration(i)*s.cfg.SpreadBurst, nil, func() { (&visit{s: s, began: s.agenda.now}).begin() })
		}
		s.arrive()
	})
}

// stopped returns until when the machine stands still; 0 while it runs.
func (s *Service) stopped() time.Duration {
	if now := s.agenda.now; now >= s.cfg.StopAt && now < s.cfg.StopAt+s.cfg.StopFor {
		return s.cfg.StopAt + s.cfg.StopFor
	}
	return 0
}

// inside plans do for d of the machine's own time from now.
func (s *Service) inside(d time.Duration, do func()) {
	now := s.agenda.now
	at := max(now, s.stopped()) + d
	if now < s.cfg.StopAt && at >= s.cfg.StopAt {
		at += s.cfg.StopFor
	}
	s.agenda.after(at-now, nil, do)
}

func (s *Service) vary(d time.Duration) time.Duration {
	return d + time.Duration((2*s.times.Float64()-1)*s.cfg.Jitter*float64(d))
}

// serve gives a try to the pool; false: the pool does not take it.
func (s *Service) serve(t *try) bool {
	return s.exec.submit(func(w *worker) {
		began := s.agenda.now
		s.counts.Served++
		if !t.open {
			s.counts.Dead++
		}
		s.work(func() {
			s.counts.HeldSeconds += (s.agenda.now - began).Seconds()
			w.free()
			t.answered()
		})
	})
}

// work does one call's work.
func (s *Service) work(done func()) {
	if s.quota != nil {
		s.quota.run(s.vary(s.cfg.Cost), done)
		return
	}
	takes := s.vary(s.cfg.Time)
	if s.cfg.Surge.at(s.agenda.now) && s.cfg.Surge.Slow > 0 {
		takes = time.Duration(float64(takes) * s.cfg.Surge.Slow)
	}
	takes, share := s.cpu.start(s.agenda.now, takes, s.cfg.Cost)
	s.inside(takes, func() {
		s.cpu.stop(s.agenda.now, share)
		done()
	})
}

func (s *Service) cpuUsed() time.Duration {
	if s.quota != nil {
		return s.quota.spent(s.agenda.now)
	}
	return s.cpu.used(s.agenda.now)
}

// cpuBusy is the share of all processors in use in the last seconds.
func (s *Service) cpuBusy() float64 {
	return min(1, s.recent.rate(s.agenda.now, int64(s.cpuUsed()))/float64(s.cfg.Cores))
}

// Stats returns what it has done so far.
func (s *Service) Stats() ServiceStats {
	s.mu.Lock()
	defer s.mu.Unlock()
	now, st := s.agenda.now, s.counts
	st.InFlight = s.inFlight.value
	st.Busy, st.Waiting = int(s.exec.busy.value), s.exec.queue.len()
	st.InFlightSeconds = float64(s.inFlight.integral(now)) / 1e9
	st.BusySeconds = float64(s.exec.busy.integral(now)) / 1e9
	st.CPUSeconds = s.cpuUsed().Seconds()
	if s.quota != nil {
		st.Periods, st.Throttled = s.quota.periods, s.quota.throttled
	}
	return st
}

// Targets lists what the service's front shows.
func (s *Service) Targets() []Target { return s.front.targets }

// Pages returns the pages as they would be read now; none while the machine
// stands still.
func (s *Service) Pages() map[string][]byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	pages := map[string][]byte{}
	for _, t := range s.front.targets {
		if s.stopped() == 0 {
			pages[t.Name] = s.front.page(s, t.Name)
		}
	}
	return pages
}

// scrape runs to t and reads one page.
func (s *Service) scrape(target string, t time.Time) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.agenda.runTo(t.Sub(s.start))
	if s.stopped() > 0 {
		return nil
	}
	return s.front.page(s, target)
}

func (s *Service) unanswered() string { return "no answer within 10s" }

// LogNames lists the front's log, if it has one.
func (s *Service) LogNames() []string { return s.front.logs }

// Logs returns the lines that a log has got since the last call.
func (s *Service) Logs(name string) []LogLine { return s.springLog(&s.log, s.front.logs, name) }
