package lab

// A consumer keeps a read model up to date: it fetches events, waits a little,
// and fetches again, whatever became of the last fetch.
type consumer struct {
	b      *bundle
	number int
	here   bool
}

func (c *consumer) next() {
	if c.number >= c.b.m.cfg.Consumers {
		c.here = false
		return
	}
	r := c.b.tracker.send(EventFetch, c.again, c.again)
	c.b.m.server.bundleIO.deliver(r)
}

func (c *consumer) again() {
	c.b.m.agenda.after(c.b.m.vary(c.b.m.cfg.ConsumerDelay), nil, c.next)
}

// consumerStats are what the read model's executor last told the server: its
// meters there are as old as that.
type consumerStats struct {
	admitted, completed int64
}

// pushStats tells the server how many events the read model has handled: every
// product written is one.
func (b *bundle) pushStats() {
	b.stats = consumerStats{admitted: b.written, completed: b.written}
}
