package lab

import (
	"testing"
	"time"
)

// Mean in use = uses a second x time of a use, and the same of those that wait;
// nobody is lost.
func TestPoolLittlesLaw(t *testing.T) {
	for _, s := range poolScenarios() {
		m := s.begin(epoch).(*Pool)
		m.RunTo(epoch.Add(5 * time.Minute)) // before the failover
		if p := m.Stats(); !near(p.HeldSeconds, p.BusySeconds, 0.01) {
			t.Errorf("%s: held for %.1f s, %.1f s in use", s.Name, p.HeldSeconds, p.BusySeconds)
		}
		m.RunTo(epoch.Add(20 * time.Minute)) // the queue is worked off
		p := m.Stats()
		if !near(p.WaitedSeconds, p.WaitingSeconds, 0.01) {
			t.Errorf("%s: waited for %.1f s, %.1f s in the queue", s.Name, p.WaitedSeconds, p.WaitingSeconds)
		}
		if p.Asked != p.Used+p.Broken+p.TimedOut+int64(p.Busy+p.Waiting) || p.Open != p.Busy+p.Idle {
			t.Errorf("%s: %+v does not add up", s.Name, p)
		}
	}
}

func TestPoolPromises(t *testing.T) {
	for name, keeps := range map[string]func(PoolStats) bool{
		"pool-filling":  func(p PoolStats) bool { return p.Open == 6 && p.Busy == 6 && p.Waiting > 300 && p.TimedOut > 1000 },
		"pool-refilled": func(p PoolStats) bool { return p.Open == 20 && p.Busy > 5 && p.Waiting == 0 && p.TimedOut == 0 },
	} {
		s, err := Find(name)
		if err != nil {
			t.Fatal(err)
		}
		m := s.begin(epoch).(*Pool)
		m.RunTo(epoch.Add(s.Length + time.Second))
		if p := m.Stats(); !keeps(p) {
			t.Errorf("%s does not keep its promise: %+v", name, p)
		}
	}
}
