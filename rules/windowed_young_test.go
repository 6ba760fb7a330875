package rules

import (
	"math"
	"testing"

	"github.com/capdoctor/capdoctor/series"
)

// The rate of a counter is exact from its second sample on, but for one that
// began at 0 within the window: that one reads low by what WindowsFor says.
func TestRateOfAYoungCounter(t *testing.T) {
	c := testCatalog(t, map[string]string{
		"systems/app.yaml": "groups:\n- name: app\n  rules:\n  - {record: \"cap:completed_rate\", expr: \"rate(done_total[1m])\", labels: {system: app}}\n",
		"diagnoses/x":      "cap:completed_rate > 0",
	})
	for name, tt := range map[string]struct {
		lines string
		want  []float64 // of the true rate of 1/s, from the second sample on
	}{
		"that ran before": {"done_total 1000 1010 1020 1030 1040", []float64{1, 1, 1, 1}},
		"from 0":          {"done_total 0 10 20 30 40", []float64{1 / 1.5, 2 / 2.5, 3 / 3.5, 4 / 4.5}},
	} {
		t.Run(name, func(t *testing.T) {
			var got []float64
			s := newScenario(t, c, feed{lines: tt.lines})
			s.run(func(tick int64) {
				found, err := s.store.Instant(t.Context(), series.View{}, "cap:completed_rate", tick)
				if err != nil {
					t.Fatal(err)
				}
				for _, f := range found {
					got = append(got, f.Value)
				}
			})
			if len(got) != len(tt.want) {
				t.Fatalf("got %v, want %v", got, tt.want)
			}
			for i := range got {
				if math.Abs(got[i]-tt.want[i]) > 1e-6 {
					t.Errorf("sample %d: %v, want %v", i+2, got[i], tt.want[i])
				}
			}
		})
	}
}
