package lab

import "time"

// A call is a write that the server has handed to the bundle's handler. Its
// thread waits for the handler's answer, for at most HandlerWait counted from
// here: what the request has waited before does not count, and nothing asks
// whether its caller is still there.
type call struct {
	s     *server
	r     *request
	w     *worker
	over  bool // the thread does not wait any more
	asked bool // waits for a request of its own
	asks  int  // how many requests of its own the handler makes
	step  int  // how many of them it has made
}

// write begins a write on thread w.
func (s *server) write(r *request, w *worker) {
	s.begin(r)
	s.answers.open++
	c := &call{s: s, r: r, w: w, asks: s.m.cfg.Nested}
	s.after(s.m.cfg.handlerWait(), c.timeOut)
	c.next()
}

// next does one part of the handler's own work, and then asks for what the next
// part needs, or publishes. Publishing takes part of the last part's time.
func (c *call) next() {
	cfg := &c.s.m.cfg
	parts := time.Duration(c.asks + 1)
	takes, cost := c.s.m.vary(cfg.OwnTime)/parts, cfg.OwnCPU/parts
	if c.step < c.asks {
		c.s.work(takes, cost, c.ask)
		return
	}
	hold := min(cfg.QueryTime, takes/2)
	c.s.work(takes-hold, cost, func() { c.publish(hold) })
}

// ask sends a request that needs another thread of the pool.
func (c *call) ask() {
	payload := nestedPayload(c.step)
	c.step++
	c.park(true)
	r := c.s.m.bundle.tracker.send(payload, c.proceed, nil)
	r.expired = func() { c.s.m.bundle.logHandlerThrew(c.r, r) }
	c.s.bundleIO.deliver(r)
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

// publish stores what the handler decided, with a connection held for a while,
// unless the thread that would do it has given up.
func (c *call) publish(hold time.Duration) {
	if c.over {
		return
	}
	c.over = true
	c.s.answers.open--
	c.s.db.take(func(giveBack func()) {
		c.s.after(hold, func() {
			giveBack()
			c.s.m.bundle.applied(c.r)
			c.s.m.bundle.tracker.answer(c.r)
			c.w.free()
		})
	})
}

// timeOut gives the thread back. The handler is not told and works on.
func (c *call) timeOut() {
	if c.over {
		return
	}
	c.park(false)
	c.over = true
	c.s.timedOut++
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
