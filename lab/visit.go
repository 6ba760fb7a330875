package lab

import "time"

// A visit is one call from outside: a caller and its tries.
type visit struct {
	s     *Service
	began time.Duration
	tries int
	over  bool
	last  *try
}

// A try is one request of a visit.
type try struct {
	v      *visit
	open   bool // somebody waits for it
	queued bool // it waits for a connection of the proxy
	sent   bool // it is on its way to the pool, or was
	again  bool // it is a retry
}

// begin makes the first try; the whole visit ends at the deadline.
func (v *visit) begin() {
	v.s.counts.Calls++
	v.s.inFlight.add(v.s.agenda.now, 1)
	v.s.agenda.after(v.s.cfg.Deadline, nil, func() {
		if !v.over {
			v.last.drop()
			v.end(&v.s.counts.Expired, visitExpired)
		}
	})
	v.try()
}

func (v *visit) try() {
	t := &try{v: v, open: true, again: v.tries > 0}
	v.tries++
	v.last = t
	v.s.counts.Tries++
	if t.again {
		v.s.counts.Retried++
	}
	if v.s.cfg.MaxConnections > 0 {
		v.s.proxy.take(t)
		return
	}
	t.send()
}

// send brings the try to the pool. A machine that stands still reads it later.
func (t *try) send() {
	s := t.v.s
	t.sent = true
	if s.cfg.TryTimeout > 0 {
		s.agenda.after(s.cfg.TryTimeout, nil, t.timeOut)
	}
	hand := func() {
		if !s.serve(t) && t.open {
			s.counts.Turned++
			t.fail(&s.counts.Refused, visitRefused)
		}
	}
	if s.stopped() > 0 {
		s.inside(0, hand)
		return
	}
	hand()
}

// answered ends the visit, if somebody still waits for this try.
func (t *try) answered() {
	if !t.open {
		return
	}
	t.drop()
	t.v.end(&t.v.s.counts.Completed, visitAnswered)
}

func (t *try) timeOut() {
	if t.open {
		t.v.s.proxy.tryTimeouts++
		t.fail(&t.v.s.counts.Expired, visitExpired)
	}
}

// drop gives the try up: its connection is free, the pool is not told.
func (t *try) drop() {
	if !t.open {
		return
	}
	t.open = false
	t.v.s.proxy.drop(t)
}

// fail ends the try and, when there are no more, the visit.
func (t *try) fail(count *int64, how visitEnd) {
	t.drop()
	v := t.v
	if v.tries > v.s.cfg.Retries || !v.s.proxy.mayRetry() {
		v.end(count, how)
		return
	}
	v.s.proxy.retrying++
	wait := v.s.cfg.Backoff << (v.tries - 1)
	v.s.agenda.after(time.Duration(v.s.gaps.Float64()*float64(wait)), nil, func() {
		if v.over {
			v.s.proxy.retrying--
			return
		}
		v.try()
	})
}

// A visitEnd is how a visit ended.
type visitEnd int

const (
	visitAnswered visitEnd = iota
	visitExpired
	visitRefused
	visitEnds
)

func (v *visit) end(count *int64, how visitEnd) {
	now := v.s.agenda.now
	v.over = true
	*count++
	v.s.inFlight.add(now, -1)
	v.s.counts.CallSeconds += (now - v.began).Seconds()
	v.s.proxy.ended(v, how)
}
