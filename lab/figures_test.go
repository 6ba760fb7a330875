package lab

import (
	"fmt"
	"math"
	"testing"
	"time"
)

var epoch = time.Date(2026, 7, 2, 8, 0, 0, 0, time.UTC)

// near tells whether got is want within a share of it.
func near(got, want, share float64) bool { return math.Abs(got-want) <= share*want }

func TestSteadyState(t *testing.T) {
	for _, c := range []struct {
		writers   int
		growFirst bool
		want      float64
	}{
		{8, false, 25.0},
		{12, false, 27.8},
		{16, false, 18.6},
		{18, false, 13.9},
		{20, false, 9.2},
		{20, true, 62.5},
	} {
		t.Run(fmt.Sprintf("%d growFirst=%v", c.writers, c.growFirst), func(t *testing.T) {
			config := Evento()
			if c.growFirst {
				config = EventoGrowFirst()
			}
			config.Writers = c.writers
			got := SteadyState(config)
			if !near(got.PerSecond, c.want, 0.02) || got.ExpiredPerHour != 0 || got.Stuck {
				t.Errorf("got %+v, want %.1f/s and nothing expired", got, c.want)
			}
		})
	}
}

// The same 20 writers, started at once, take all threads and stay stuck.
func TestSteadyStateStuck(t *testing.T) {
	c := Evento()
	c.StartEvery = 0
	got := SteadyState(c)
	if got.PerSecond > 0.1 || !near(got.ExpiredPerHour, 2400, 0.05) || got.CPU > 0.01 || got.Busy < 15.5 {
		t.Errorf("got %+v, want near 0/s, about 2400 expiries an hour, 16 threads busy, CPU under 1 %%", got)
	}
}

// Every count of writers on either side of the knee makes less.
func TestKnee(t *testing.T) {
	rate := func(writers int) float64 {
		c := Evento()
		c.Writers = writers
		return SteadyState(c).PerSecond
	}
	most := rate(11)
	for _, n := range []int{6, 8, 14, 16, 18} {
		if r := rate(n); r >= most {
			t.Errorf("%d writers make %.1f/s, 11 make %.1f/s: want a knee between", n, r, most)
		}
	}
}

func TestCPUFollowsWork(t *testing.T) {
	c := Evento()
	c.Writers = 8
	if got := SteadyState(c).CPU; got < 0.18 || got > 0.20 {
		t.Errorf("8 writers use %.3f of the processors, want 0.18 to 0.20", got)
	}
}

// Mean number in flight = rate × mean time in flight. The left side is the
// integral of a counter, the right side comes from each call's own times.
func TestLittlesLaw(t *testing.T) {
	for _, c := range []Config{Evento(), EventoGrowFirst(), saturated().Config} {
		m := New(c, epoch)
		m.RunTo(epoch.Add(3 * time.Minute))
		a := m.Stats()
		m.RunTo(epoch.Add(23 * time.Minute))
		b := m.Stats()
		span := b.At.Sub(a.At).Seconds()
		inFlight := (b.InFlightSeconds - a.InFlightSeconds) / span
		product := (b.CallSeconds - a.CallSeconds) / span
		if !near(product, inFlight, 0.01) {
			t.Errorf("grow first %v, %d writers: %.3f in flight, rate times time %.3f", c.GrowFirst, c.Writers, inFlight, product)
		}
	}
}

// Mean threads busy = rate × thread time of a write: 0.3 s for itself and 0.1 s
// for each of its requests.
func TestUtilizationLaw(t *testing.T) {
	c := EventoGrowFirst()
	c.Writers = 16
	s := SteadyState(c)
	if want := s.PerSecond * 0.5; !near(s.Busy, want, 0.01) {
		t.Errorf("%.2f threads busy at %.2f/s, want %.2f", s.Busy, s.PerSecond, want)
	}
}

// The way out of the collapse, and what does not help.
func TestRecovery(t *testing.T) {
	for _, c := range []struct {
		name     string
		change   func(*Config)
		recovers bool
	}{
		{"nothing", func(*Config) {}, false},
		{"8 writers", func(c *Config) { c.Writers = 8 }, true},
		{"a larger queue", func(c *Config) { c.Queue = 4096 }, false},
		{"a longer deadline", func(c *Config) { c.Deadline = 2 * time.Minute }, false},
		{"more writers", func(c *Config) { c.Writers = 30 }, false},
		{"a larger max alone", func(c *Config) { c.Max = 128 }, false},
		{"growing first", func(c *Config) { c.GrowFirst = true }, true},
		{"a larger core", func(c *Config) { c.Core = 64 }, true},
		{"at most 8 in flight", func(c *Config) { c.MaxInFlight = 8 }, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := collapse()
			s.Steps = []Step{{2 * time.Minute, "20 writers", writers(20)}}
			m := s.Roll(epoch)
			m.Set(c.change)
			m.RunTo(m.Now().Add(3 * time.Minute))
			a := m.Stats()
			m.RunTo(m.Now().Add(time.Minute))
			rate := between(a, m.Stats()).PerSecond
			if got := rate > 20; got != c.recovers {
				t.Errorf("%.1f/s three minutes later: recovers %v, want %v", rate, got, c.recovers)
			}
		})
	}
}

func ExampleSteadyState() {
	c := Evento()
	for _, writers := range []int{8, 12, 16, 20} {
		c.Writers = writers
		fmt.Printf("%2d writers %3.0f/s\n", writers, SteadyState(c).PerSecond)
	}
	// Output:
	//  8 writers  25/s
	// 12 writers  28/s
	// 16 writers  19/s
	// 20 writers   9/s
}
