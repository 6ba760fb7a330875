package lab

import "time"

// Scenarios returns all scenarios, the incident first.
func Scenarios() []Scenario {
	return []Scenario{collapse()}
}

// writers changes the number of writers, all at once.
func writers(n int) func(*Model) {
	return func(m *Model) {
		m.Set(func(c *Config) { c.Writers, c.StartEvery = n, 0 })
	}
}

func collapse() Scenario {
	c := Evento()
	c.Writers = 8
	return Scenario{
		Name:   "collapse",
		Title:  "20 writers stop an idle server",
		Story:  "An import runs with 8 writers for 40 minutes, 25 writes a second. Then somebody starts 12 more.",
		Config: c,
		Steps:  []Step{{40 * time.Minute, "20 writers instead of 8", writers(20)}},
		Until:  Stats.Stuck,
		Length: 5 * time.Minute,
	}
}
