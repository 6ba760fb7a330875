package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/capdoctor/capdoctor/lab"
)

// whatifChange is what would be done.
type whatifChange struct {
	clients, queue, core, max, inFlight int
	growFirst                           bool
	deadline                            time.Duration
	retries                             string // "on", "off" or a number
}

// retry is how often an expired write would be sent again; -1 where that does
// not change.
func (c whatifChange) retry() (int, error) {
	switch c.retries {
	case "":
		return -1, nil
	case "on":
		return alwaysRetry, nil
	case "off":
		return 0, nil
	}
	n, err := strconv.Atoi(c.retries)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("--retries %q: want on, off or a number", c.retries)
	}
	return n, nil
}

// alwaysRetry is a number of retries that never ends.
const alwaysRetry = 1 << 20

// words tells the change; empty when there is none.
func (c whatifChange) words() string {
	var parts []string
	for _, p := range []struct {
		n    int
		form string
	}{{c.clients, "%d clients"}, {c.queue, "queue %d"}, {c.core, "pool core %d"}, {c.max, "pool max %d"}, {c.inFlight, "at most %d in flight"}} {
		if p.n >= 0 {
			parts = append(parts, fmt.Sprintf(p.form, p.n))
		}
	}
	if c.growFirst {
		parts = append(parts, "a pool that grows first")
	}
	if c.deadline > 0 {
		parts = append(parts, "deadline "+c.deadline.String())
	}
	if c.retries != "" {
		parts = append(parts, "retries "+c.retries)
	}
	return strings.Join(parts, ", ")
}

// do changes a model's configuration.
func (c whatifChange) do(m *lab.Config) {
	for _, p := range []struct {
		n  int
		to *int
	}{{c.clients, &m.Writers}, {c.queue, &m.Queue}, {c.core, &m.Core}, {c.max, &m.Max}, {c.inFlight, &m.MaxInFlight}} {
		if p.n >= 0 {
			*p.to = p.n
		}
	}
	m.GrowFirst = m.GrowFirst || c.growFirst
	if c.deadline > 0 {
		m.Deadline = c.deadline
	}
	if n, _ := c.retry(); n >= 0 {
		m.Retries = n
		if n == 0 {
			m.PauseAfterExpiry = max(m.PauseAfterExpiry, 3*m.Deadline)
		}
	}
}
