package lab

import (
	"slices"
	"sync"
	"time"
)

// A clock is the virtual time of a model and what is still to come. It guards
// the model too.
type clock struct {
	mu     sync.Mutex
	start  time.Time
	agenda agenda
}

// RunTo moves the virtual clock to t and lets everything happen that is due up
// to and including t. A t in the past does nothing.
func (c *clock) RunTo(t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.agenda.runTo(t.Sub(c.start))
}

// Now returns the virtual time.
func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.start.Add(c.agenda.now)
}

// elapsed returns the virtual time since the start.
func (c *clock) elapsed() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.agenda.now
}

// settle makes the present virtual time read as end.
func (c *clock) settle(end time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.start = end.Add(-c.agenda.now)
}

// unanswered is what a reader of a process that is down is told.
func (c *clock) unanswered() string { return "connection refused" }

// springLog is what a Spring program's log has got since the last call; nothing
// where name is none of its names.
func (c *clock) springLog(log *journal, names []string, name string) []LogLine {
	if !slices.Contains(names, name) {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return log.drain(c.start, springLayout)
}
