package lab

import (
	"testing"
	"time"
)

// Mean number in flight = rate x mean time, for calls at the callers' side and
// for threads. The left side is the integral of a counter, the right side comes
// from each call's own times.
func TestServiceLittlesLaw(t *testing.T) {
	for _, s := range serviceScenarios() {
		t.Run(s.Name, func(t *testing.T) {
			m := s.begin(epoch).(*Service)
			m.RunTo(epoch.Add(time.Minute))
			a := m.Stats()
			m.RunTo(epoch.Add(s.Length))
			b := m.Stats()
			if got, want := b.CallSeconds-a.CallSeconds, b.InFlightSeconds-a.InFlightSeconds; !near(got, want, 0.01) {
				t.Errorf("calls: %.1f s of their own times, %.1f s in flight", got, want)
			}
			if got, want := b.HeldSeconds-a.HeldSeconds, b.BusySeconds-a.BusySeconds; !near(got, want, 0.01) {
				t.Errorf("threads: %.1f s held, %.1f s busy", got, want)
			}
			if ends := b.Completed + b.Expired + b.Refused + b.InFlight; ends != b.Calls {
				t.Errorf("%d calls, %d ended or in flight", b.Calls, ends)
			}
			t.Logf("%+v", b)
		})
	}
}
