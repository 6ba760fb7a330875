package lab

import "time"

// A call is a write that the server has handed to the bundle's handler. Its
// thread waits for the handler's answer, for at most one deadline counted from
// here: what the request has waited before does not count, and nothing asks
// whether its caller is still there.
type call struct {
	s     *server
	r     *request
	w     *worker
	over  bool // the thread has gone on to other work
	asked bool // waits for a request of its own
	parts int  // of the handler's own work still to come
	step  int
}

// write begins a write on thread w.
func (s *server) write(r *request, w *worker) {
	s.begin(r)
	s.answers.open++
	c := &call{s: s, r: r, w: w, parts: s.m.cfg.Nested + 1}
	s.after(s.m.cfg.Deadline, c.timeOut)
	c.next()
}

// next does one part of the handler's own work, then asks for what the next
// part needs.
func (c *call) next() {
	cfg := &c.s.m.cfg
	all := time.Duration(cfg.Nested + 1)
	c.s.work(c.s.m.vary(cfg.OwnTime)/all, cfg.OwnCPU/all, func() {
		c.parts--
		if c.parts <= 0 {
			c.finish()
			return
		}
		payload := nestedPayload(c.step)
		c.step++
		c.park(true)
		r := c.s.m.bundle.tracker.send(payload, c.proceed, nil)
		r.expired = func() { c.s.m.bundle.logHandlerThrew(c.r, r) }
		c.s.bundleIO.deliver(r)
	})
}

// proceed goes on with the answer to its own request.
func (c *call) proceed() {
	c.park(false)
	c.next()
}

// park notes whether a thread of the pool waits for the answer to a request
// that needs another thread.
func (c *call) park(asked bool) {
	if c.over || c.asked == asked || !c.w.pooled {
		return
	}
	c.asked = asked
	if asked {
		c.s.parked++
	} else {
		c.s.parked--
	}
}

// finish publishes what the handler decided, unless the thread that would have
// done it has given up.
func (c *call) finish() {
	if c.over {
		return
	}
	c.over = true
	c.s.answers.open--
	c.s.m.bundle.applied(c.r)
	c.s.m.bundle.tracker.answer(c.r)
	c.w.free()
}

// timeOut gives the thread back. The handler is not told and works on.
func (c *call) timeOut() {
	if c.over {
		return
	}
	c.park(false)
	c.over = true
	c.s.answers.late++
	c.s.logHandlerThrew(c.w.name, c.r, timeoutTrace())
	c.w.free()
}

// serve answers a nested request or a fetch on thread w.
func (s *server) serve(r *request, w *worker) {
	s.begin(r)
	if r.payload == EventFetch {
		s.fetch.acquire(func() { s.fetchEvents(r, w) })
		return
	}
	s.relays.open++
	s.use(s.m.cfg.QueryTime, func(rest, cost time.Duration) {
		s.work(rest, cost, func() {
			s.relays.done()
			s.answer(r, w)
		})
	})
}

// fetchEvents reads events with a permit held. A fetch that is too old by the
// time it has its permit is thrown away.
func (s *server) fetchEvents(r *request, w *worker) {
	age, limit := s.m.agenda.now-r.sent, s.m.cfg.FetchMaxAge
	if limit > 0 && age > limit {
		s.logHandlerThrew(w.name, r, tooOldTrace(age, limit))
		s.fetch.release()
		w.free()
		return
	}
	s.use(s.m.cfg.FetchTime, func(rest, cost time.Duration) {
		s.fetch.release()
		s.work(rest, cost, func() { s.answer(r, w) })
	})
}

// use takes a connection for about hold of a request's time, then calls then
// with what is left of that time and of its processor time.
func (s *server) use(hold time.Duration, then func(rest, cost time.Duration)) {
	all := max(s.m.vary(s.m.cfg.ServiceTime), hold)
	cost := s.m.cfg.NestedCPU
	part := cost * hold / all
	s.db.take(func(giveBack func()) {
		s.work(hold, part, func() {
			giveBack()
			then(all-hold, cost-part)
		})
	})
}

func (s *server) answer(r *request, w *worker) {
	s.served++
	s.m.bundle.tracker.answer(r)
	w.free()
}

// begin notes that a thread has taken a request up.
func (s *server) begin(r *request) {
	if !r.open {
		s.dead++
	}
}
