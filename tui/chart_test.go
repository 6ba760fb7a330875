package tui

import (
	"math"
	"testing"
	"time"
)

// TestChartsKeepTheirWidth draws readings that no program should give.
func TestChartsKeepTheirWidth(t *testing.T) {
	th := newTheme(noColour, false, true)
	s := &scene{theme: &th, clock: clock{zone: time.UTC}}
	end := time.Date(2026, 7, 2, 9, 0, 0, 0, time.UTC)
	for _, values := range [][]float64{
		{1, 1.03e306}, {math.Inf(1), 2, math.NaN()}, {math.MaxFloat64, math.SmallestNonzeroFloat64}, {-5, math.Inf(-1)}, {math.NaN()},
	} {
		for _, columns := range []int{20, 50, 120} {
			for i, r := range s.plotRows(plot{values: values, unit: "1/s", from: end.Add(-time.Hour), to: end}, columns, 6) {
				if r.width > columns || width(r.text) > columns {
					t.Errorf("%v in %d columns: row %d has %d: %q", values, columns, i, width(r.text), r.text)
				}
			}
		}
	}
}
