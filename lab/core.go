package lab

import "time"

// A core is the one thread of a coordinator: it does one thing after the other,
// in the order asked for, and waits for each durable write.
type core struct {
	agenda *agenda
	life   *life         // of the process
	write  time.Duration // one durable write
	queue  fifo[op]
	busy   bool
}

// An op is one thing for a core to do: do, which takes cost and says how many
// durable writes it needs, and then, once these are done.
type op struct {
	cost time.Duration
	do   func() (writes int)
	then func()
}

// do queues an op.
func (c *core) do(cost time.Duration, do func() (writes int), then func()) {
	c.queue.push(op{cost, do, then})
	if !c.busy {
		c.busy = true
		c.serve()
	}
}

func (c *core) serve() {
	if c.queue.len() == 0 {
		c.busy = false
		return
	}
	o := c.queue.pop()
	c.agenda.after(o.cost, c.life, func() {
		writes := o.do()
		c.agenda.after(time.Duration(writes)*c.write, c.life, func() {
			o.then()
			c.serve()
		})
	})
}
