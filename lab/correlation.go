package lab

import "time"

// correlations are the requests that the server has sent to bundles: every
// write in progress is one.
type correlations struct {
	open int // answer still awaited
	late int // of these, given up by their thread and not yet swept
}

const correlationSweep = time.Second

func newCorrelations(s *server) *correlations {
	c := &correlations{}
	s.m.agenda.every(correlationSweep, s.life, func() {
		if c.late == 0 {
			return
		}
		swept := c.late
		c.open -= swept
		c.late = 0
		s.logCorrelationsExpired(swept, c.open)
	})
	return c
}

// relays are the queries passed on from bundle to bundle whose answer has not
// come back.
type relays struct {
	open      int
	forwarded int64 // messages passed on: a request and its answer are two
}

func newRelays(s *server) *relays {
	r := &relays{}
	s.m.agenda.every(relaySweep, s.life, func() {
		if r.open > 0 {
			s.logRelaysPruned(0, r.open)
		}
	})
	return r
}

const relaySweep = 30 * time.Second

func (r *relays) done() {
	r.open--
	r.forwarded += 2
}
