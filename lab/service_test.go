package lab

import (
	"strings"
	"testing"
	"time"
)

// Mean number in flight = rate x mean time, for calls at the callers' side and
// for threads. The left side comes from each call's own times, the right side is
// the integral of a counter; what had not ended makes the small difference.
func TestServiceLittlesLaw(t *testing.T) {
	for _, s := range serviceScenarios() {
		t.Run(s.Name, func(t *testing.T) {
			m := s.begin(epoch).(*Service)
			m.RunTo(epoch.Add(time.Minute))
			a := m.Stats()
			m.RunTo(epoch.Add(s.Length))
			b := m.Stats()
			longest := float64(b.InFlight) * m.cfg.Deadline.Seconds()
			if got, want := b.CallSeconds-a.CallSeconds, b.InFlightSeconds-a.InFlightSeconds; !near(got, want, 0.01) && want-got > longest {
				t.Errorf("calls: %.1f s of their own times, %.1f s in flight", got, want)
			}
			if got, want := b.HeldSeconds-a.HeldSeconds, b.BusySeconds-a.BusySeconds; !near(got, want, 0.01) {
				t.Errorf("threads: %.1f s held, %.1f s busy", got, want)
			}
			if ends := b.Completed + b.Expired + b.Refused + b.InFlight; ends != b.Calls {
				t.Errorf("%d calls, %d ended or in flight", b.Calls, ends)
			}
		})
	}
}

// What the scenarios promise, as figures of their last two minutes.
func TestServicePromises(t *testing.T) {
	for name, keeps := range map[string]func(f serviceFigures) bool{
		"envoy-overflow": func(f serviceFigures) bool {
			return near(f.completed, 56, 0.03) && near(f.refused, 44, 0.1) && f.tries == f.calls
		},
		"envoy-metastable": func(f serviceFigures) bool { return f.completed < 1 && near(f.tries, 4*f.calls, 0.05) && f.dead > 100 },
		"envoy-healthy": func(f serviceFigures) bool {
			return near(f.completed, 100, 0.03) && near(f.busy, 6, 0.05) && f.tries == f.calls
		},
		"executor-dead-work":  func(f serviceFigures) bool { return near(f.dead, 40, 0.03) && f.Waiting > 3000 && f.cpu < 0.25 },
		"executor-healthy":    func(f serviceFigures) bool { return near(f.completed, 34, 0.05) && f.Expired == 0 },
		"bulkhead-premature":  func(f serviceFigures) bool { return near(f.refused/f.calls, 2./3, 0.05) && f.busy < 1 },
		"bulkhead-healthy":    func(f serviceFigures) bool { return near(f.completed, 18, 0.1) && f.Refused == 0 },
		"container-throttled": func(f serviceFigures) bool { return f.throttled > 0.5 && near(f.cpu*8, 1.5, 0.05) && f.latency > 0.1 },
		"container-healthy":   func(f serviceFigures) bool { return f.throttled < 0.1 && near(f.cpu*8, 1.5, 0.05) && f.latency < 0.06 },
	} {
		t.Run(name, func(t *testing.T) {
			if f := figuresOf(t, name); !keeps(f) {
				t.Errorf("does not keep its promise: %+v", f)
			}
		})
	}
}

// serviceFigures are per second, times in seconds.
type serviceFigures struct {
	calls, completed, refused, tries, dead, busy, cpu, throttled, latency float64
	ServiceStats
}

func figuresOf(t *testing.T, name string) serviceFigures {
	t.Helper()
	s, err := Find(name)
	if err != nil {
		t.Fatal(err)
	}
	m := s.begin(epoch).(*Service)
	const span = 2 * time.Minute
	m.RunTo(epoch.Add(s.Length - span))
	a := m.Stats()
	m.RunTo(epoch.Add(s.Length))
	b := m.Stats()
	per := func(before, after int64) float64 { return float64(after-before) / span.Seconds() }
	f := serviceFigures{
		calls: per(a.Calls, b.Calls), completed: per(a.Completed, b.Completed), refused: per(a.Refused, b.Refused),
		tries: per(a.Tries, b.Tries), dead: per(a.Dead, b.Dead), busy: (b.BusySeconds - a.BusySeconds) / span.Seconds(),
		cpu: (b.CPUSeconds - a.CPUSeconds) / span.Seconds() / float64(m.cfg.Cores), ServiceStats: b,
	}
	f.latency = (b.CallSeconds - a.CallSeconds) / span.Seconds() / f.completed
	if b.Periods > a.Periods {
		f.throttled = float64(b.Throttled-a.Throttled) / float64(b.Periods-a.Periods)
	}
	return f
}

// A service that is slow for a while recovers by itself without retries.
func TestServiceMetastableNeedsRetries(t *testing.T) {
	c := stock()
	c.Surge = Surge{From: time.Minute, For: 20 * time.Second, Slow: 6}
	c.TryTimeout, c.MaxConnections, c.MaxPending = time.Second, 1000, 1000
	for retries, recovers := range map[int]bool{0: true, 3: false} {
		c.Retries, c.Backoff = retries, 25*time.Millisecond
		m := newService(c, envoyFront(), epoch)
		m.RunTo(epoch.Add(4 * time.Minute))
		a := m.Stats()
		m.RunTo(epoch.Add(5 * time.Minute))
		if rate := float64(m.Stats().Completed-a.Completed) / 60; (rate > 90) != recovers {
			t.Errorf("%d retries: %.1f/s two and a half minutes after the slow time, recovers %v", retries, rate, recovers)
		}
	}
}

// Under a quota work takes no less processor time and the budget of a period is
// never exceeded.
func TestQuota(t *testing.T) {
	c := api()
	c.Quota = 2
	m := newService(c, containerFront(), epoch)
	last := 0.0
	for i := range 600 {
		m.RunTo(epoch.Add(time.Duration(i+1) * quotaPeriod))
		used := m.Stats().CPUSeconds
		if used-last > c.Quota*quotaPeriod.Seconds()+1e-6 {
			t.Fatalf("period %d: %.4f s of processor time, the budget is %.4f", i, used-last, c.Quota*quotaPeriod.Seconds())
		}
		last = used
	}
	st := m.Stats()
	if want := float64(st.Completed) * c.Cost.Seconds(); !near(last, want, 0.02) {
		t.Errorf("%.2f s of processor time for %d calls, want %.2f", last, st.Completed, want)
	}
}

// The housekeeper tells how long the machine stood still, and only then.
func TestLeap(t *testing.T) {
	for name, want := range map[string]int{"executor-leap": 1, "executor-healthy": 0} {
		s, err := Find(name)
		if err != nil {
			t.Fatal(err)
		}
		m := s.begin(epoch)
		m.RunTo(epoch.Add(s.Length))
		log := text(m.Logs(springTarget))
		if n := strings.Count(log, "clock leap detected (housekeeper delta=1m44s213ms)"); n != want {
			t.Errorf("%s: %d lines about a leap, want %d:\n%s", name, n, want, log)
		}
	}
}

func TestHikariTime(t *testing.T) {
	for d, want := range map[time.Duration]string{
		59871330 * time.Microsecond: "59s871ms330\u00b5s", time.Hour + time.Nanosecond: "1h1ns", 26 * time.Hour: "1d2h",
	} {
		if got := hikariTime(d); got != want {
			t.Errorf("%v: %s, want %s", d, got, want)
		}
	}
}
