package lab

import "time"

// A semaphore gives out permits in the order they were asked for: the fair
// semaphore of the event store, and the database's connections.
type semaphore struct {
	permits int
	used    int
	waiters fifo[func()]
}

// acquire calls got as soon as there is a permit, at once if there is one.
func (s *semaphore) acquire(got func()) {
	if s.used >= s.permits {
		s.waiters.push(got)
		return
	}
	s.used++
	got()
}

func (s *semaphore) release() {
	s.used--
	s.admit()
}

// admit serves waiters while there are permits.
func (s *semaphore) admit() {
	for s.used < s.permits && s.waiters.len() > 0 {
		s.used++
		s.waiters.pop()()
	}
}

// A hikari is the server's database pool: connections that requests take for a
// moment, and some that locks keep for life.
type hikari struct {
	free    semaphore
	total   int
	pinned  int
	now     func() time.Duration
	acquire timer
	usage   timer
}

func newHikari(c Config, now func() time.Duration) *hikari {
	return &hikari{
		free:   semaphore{permits: c.Connections - c.Pinned},
		total:  c.Connections,
		pinned: c.Pinned,
		now:    now,
	}
}

// take calls use with a function that gives the connection back.
func (h *hikari) take(use func(giveBack func())) {
	asked := h.now()
	h.free.acquire(func() {
		got := h.now()
		h.acquire.see(got, got-asked+acquireTime)
		use(func() {
			h.usage.see(h.now(), h.now()-got)
			h.free.release()
		})
	})
}

// acquireTime is what taking a free connection costs.
const acquireTime = 15 * time.Microsecond
