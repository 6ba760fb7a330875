package lab

import "time"

// Stats is what goes on in a model at one virtual time. Counts are since the
// model's start: Offered = Completed + Expired + Refused + InFlight.
type Stats struct {
	At time.Time

	// Writes, as their callers see them.
	Writers   int
	Paused    int   // writers that wait after an expiry or a refusal
	Offered   int64 // sent or refused, first tries and retries
	Completed int64
	Expired   int64 // the caller left at its deadline; the write may have been applied
	Refused   int64 // nothing was sent
	Retried   int64 // of Offered, sent again after an expiry
	InFlight  int64

	// Writes, as the aggregate sees them.
	Applied     int64
	AppliedLate int64 // of Applied, after the caller had left

	// The server; all zero but Up while it is down.
	Up           bool
	Uptime       time.Duration
	PoolSize     int
	Core, Max    int
	Busy         int // threads with a task
	Parked       int // of Busy, waiting for an answer that needs another thread
	Waiting      int // queued
	Capacity     int // of the queue
	Backlog      int // in sockets, behind an I/O thread that runs a task itself
	Saturated    int64
	Correlations int
	FetchWaiting int   // event fetches that have a thread and wait for a permit
	DatabaseBusy int   // connections in use, pinned ones too
	Dead         int64 // tasks begun for callers that had gone
	TimedOut     int64 // handlers whose thread gave up waiting for them
	Cores        int
	CPU          float64 // share of all processors in the last seconds, 0 to 1

	// Integrals and sums since the model's start, in seconds: InFlightSeconds
	// over the time is the mean number in flight; CallSeconds is what all ended
	// calls took.
	InFlightSeconds float64
	CallSeconds     float64
	OKSeconds       float64 // of CallSeconds, calls that were answered
	BusySeconds     float64 // threads with a task, since the server's start
	WaitingSeconds  float64 // requests in the queue, since the server's start
	CPUSeconds      float64 // since the server's start
}

// Stuck tells that every thread of the pool waits for something that needs
// another thread, and that no more threads will come.
func (s Stats) Stuck() bool {
	return s.Up && s.PoolSize > 0 && s.Parked >= s.PoolSize && s.Waiting > 0 && s.PoolSize >= s.Core
}

// Stats returns what goes on now.
func (m *Model) Stats() Stats {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.stats()
}

func (m *Model) stats() Stats {
	b, now := m.bundle, m.agenda.now
	s := Stats{
		At:              m.start.Add(now),
		Writers:         m.cfg.Writers,
		Paused:          b.paused(),
		Offered:         b.offered,
		Completed:       b.completed,
		Expired:         b.timedOut,
		Refused:         b.refused,
		Retried:         b.retried,
		InFlight:        b.inFlight.value,
		Applied:         b.written,
		AppliedLate:     b.late,
		InFlightSeconds: float64(b.inFlight.integral(now)) / 1e9,
		CallSeconds:     (b.okTime.sum + b.lateTime.sum).Seconds(),
		OKSeconds:       b.okTime.sum.Seconds(),
	}
	if !m.server.life.over {
		m.server.stats(&s)
	}
	return s
}

func (v *server) stats(s *Stats) {
	now := v.m.agenda.now
	s.Up = true
	s.Uptime = now - v.booted
	s.PoolSize = v.exec.size
	s.Core, s.Max = v.exec.core, v.exec.max
	s.Busy = int(v.exec.busy.value)
	s.Parked = v.parked
	s.Waiting = v.exec.queue.len()
	s.Capacity = v.exec.capacity
	s.Backlog = v.backlog()
	s.Saturated = v.exec.saturated
	s.Correlations = v.answers.open
	s.FetchWaiting = v.fetch.waiters.len()
	s.DatabaseBusy = v.db.pinned + v.db.free.used
	s.Dead = v.dead
	s.Cores = int(v.cpu.cores / oneProcessor)
	s.CPU = v.cpu.busy(now)
	s.BusySeconds = float64(v.exec.busy.integral(now)) / 1e9
	s.WaitingSeconds = float64(v.exec.depth.integral(now)) / 1e9
	s.TimedOut = v.timedOut
	s.CPUSeconds = v.cpu.used(now).Seconds()
}

// Expired returns how many requests have expired so far, by payload type, as
// the senders saw it. Types with none are there with 0.
func (m *Model) Expired() map[string]float64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	counts := make(map[string]float64, len(m.bundle.tracker.expired))
	for t, n := range m.bundle.tracker.expired {
		counts[t] = float64(n)
	}
	return counts
}
