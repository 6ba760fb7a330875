package lab

import (
	"testing"
	"time"
)

// What holds at every time of every scenario: nothing is lost, pages parse, and
// what counts only grows while its process lives.
func TestInvariants(t *testing.T) {
	for _, s := range eventoScenarios() {
		t.Run(s.Name, func(t *testing.T) {
			seen := counters{last: map[string]float64{}, started: map[string]float64{}}
			m := New(s.Config, epoch)
			s.course(m, func(now time.Duration) {
				if now%(7*time.Second) == 0 {
					checkConservation(t, m.Stats())
				}
				if now%(53*time.Second) == 0 {
					seen.check(t, m.Pages())
				}
			})
			checkLog(t, m, ServerTarget, serverLine)
			checkLog(t, m, BundleTarget, bundleLine)
		})
	}
}

func checkConservation(t *testing.T, s Stats) {
	t.Helper()
	if ends := s.Completed + s.Expired + s.Refused + s.InFlight; ends != s.Offered {
		t.Fatalf("%v: offered %d, ended or in flight %d", s.At, s.Offered, ends)
	}
	if s.Applied < s.Completed || s.AppliedLate > s.Applied {
		t.Fatalf("%v: %d completed, %d applied, %d of them late", s.At, s.Completed, s.Applied, s.AppliedLate)
	}
	if s.Busy > s.PoolSize || s.PoolSize > s.Max || s.Parked > s.Busy || s.Waiting > s.Capacity {
		t.Fatalf("%v: %+v", s.At, s)
	}
}

// counters are the last values of everything that only grows, and when each
// process started.
type counters struct{ last, started map[string]float64 }

func (c *counters) check(t *testing.T, pages map[string][]byte) {
	t.Helper()
	for target, body := range pages {
		families := parsed(t, body)
		started := families["process_start_time_seconds"].Metric[0].GetGauge().GetValue()
		for name, v := range counts(families) {
			key := target + " " + name
			if v < c.last[key] && c.started[target] == started {
				t.Fatalf("%s fell from %v to %v", key, c.last[key], v)
			}
			c.last[key] = v
		}
		c.started[target] = started
	}
}
