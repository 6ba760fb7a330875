package lab

// A proxy is what the callers' side of a Service counts, and the limits that it
// keeps, as an Envoy cluster with HTTP/1 connections does: a try needs a
// connection, waits for one, or is refused. What was given up closes its
// connection; the service works on.
type proxy struct {
	s           *Service
	active      int
	most        int // active at once so far
	waiting     fifo[*try]
	pending     int // of waiting, still wanted
	connections int64
	overflow    int64 // tries that found the waiting room full
	full        int64 // tries that found all connections in use
	tryTimeouts int64
	retrying    int
	again       int64 // retries that succeeded
	denied      int64 // retries over the limit of retries
	ends        [visitEnds]timer
}

// take gives a try a connection, lets it wait, or refuses it.
func (p *proxy) take(t *try) {
	c := &p.s.cfg
	if p.active < c.MaxConnections {
		p.connect(t)
		return
	}
	p.full++
	if p.pending < c.MaxPending {
		p.pending++
		t.queued = true
		p.waiting.push(t)
		return
	}
	p.overflow++
	t.drop()
	t.v.end(&p.s.counts.Refused, visitRefused) // what overflows is not tried again
}

func (p *proxy) connect(t *try) {
	p.active++
	p.most = max(p.most, p.active)
	p.connections++
	t.send()
}

// drop frees what a try holds.
func (p *proxy) drop(t *try) {
	if t.again {
		p.retrying--
	}
	if t.queued {
		t.queued = false
		p.pending--
		return
	}
	if p.s.cfg.MaxConnections == 0 || !t.sent {
		return
	}
	p.active--
	for p.active < p.s.cfg.MaxConnections && p.waiting.len() > 0 {
		if next := p.waiting.pop(); next.queued {
			next.queued = false
			p.pending--
			p.connect(next)
		}
	}
}

// mayRetry tells whether one more retry may be under way.
func (p *proxy) mayRetry() bool {
	if limit := p.s.cfg.MaxRetries; limit > 0 && p.retrying >= limit {
		p.denied++
		return false
	}
	return true
}

func (p *proxy) ended(v *visit, how visitEnd) {
	if how == visitAnswered && v.tries > 1 {
		p.again++
	}
	p.ends[how].see(p.s.agenda.now, p.s.agenda.now-v.began)
}
