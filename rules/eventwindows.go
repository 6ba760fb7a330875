package rules

import (
	"time"

	"github.com/capdoctor/capdoctor/series"
)

// eventWindows is, by signal, the time that events were counted over.
type eventWindows map[string]*countedOver

// countedOver is the time that one signal was counted over: the shortest of all,
// and by instance and system.
type countedOver struct {
	shortest   time.Duration
	byInstance map[string]map[string]time.Duration
}

func (w eventWindows) note(signal string, l series.Labels, d time.Duration) {
	c := w[signal]
	if c == nil {
		c = &countedOver{shortest: d, byInstance: map[string]map[string]time.Duration{}}
		w[signal] = c
	}
	c.shortest = min(c.shortest, d)
	instance := l.Get("instance")
	if c.byInstance[instance] == nil {
		c.byInstance[instance] = map[string]time.Duration{}
	}
	c.byInstance[instance][l.Get("system")] = d
}

// of is the time that a signal was counted over on an instance and system; an
// empty name stands for all, of which the shortest counts.
func (w eventWindows) of(signal, instance, system string) (time.Duration, bool) {
	c := w[signal]
	if c == nil {
		return 0, false
	}
	if instance == "" {
		return c.shortest, true
	}
	if d, ok := c.byInstance[instance][system]; ok || system != "" {
		return d, ok
	}
	var shortest time.Duration
	for _, d := range c.byInstance[instance] {
		if shortest == 0 || d < shortest {
			shortest = d
		}
	}
	return shortest, shortest > 0
}
