package tui

import (
	"testing"

	"github.com/capdoctor/capdoctor/rules"
)

func TestPace(t *testing.T) {
	work := func(pairs ...any) *rules.Report {
		r := &rules.Report{}
		for i := 0; i < len(pairs); i += 2 {
			r.Vitals = append(r.Vitals, rules.Vital{Instance: pairs[i].(string), Signal: "cap:completed_rate", Value: pairs[i+1].(float64)})
		}
		return r
	}
	own := work("a", 25.0)
	own.Vitals = append(own.Vitals, rules.Vital{Instance: "b", Signal: "cap:goodput_rate", Value: 1})
	for _, c := range []struct {
		name   string
		before []*rules.Report
		now    *rules.Report
		want   bool
	}{
		{"half", []*rules.Report{work("a", 20.0)}, work("a", 10.0), false},
		{"less than half", []*rules.Report{work("a", 20.0)}, work("a", 9.9), true},
		{"of the mean", []*rules.Report{work("a", 30.0), work("a", 10.0)}, work("a", 9.9), true},
		{"of all", []*rules.Report{work("a", 20.0, "b", 20.0)}, work("a", 0.0, "b", 21.0), false},
		{"one is unknown now", []*rules.Report{work("a", 20.0, "b", 90.0)}, work("a", 20.0), false},
		{"one was unknown", []*rules.Report{work("a", 20.0), work("a", 20.0, "b", 90.0)}, work("a", 20.0, "b", 80.0), false},
		{"nothing known", []*rules.Report{work("a", 20.0)}, work(), false},
		{"nothing before", nil, work("a", 0.0), false},
		{"idle all along", []*rules.Report{work("a", 0.0)}, work("a", 0.0), false},
		{"the user's own counter", []*rules.Report{own}, work("a", 25.0), false},
	} {
		var before []Pace
		for _, r := range c.before {
			before = append(before, PaceOf(r))
		}
		if got := PaceOf(c.now).Fell(before); got != c.want {
			t.Errorf("%s: fell %v, want %v", c.name, got, c.want)
		}
	}
	if p := PaceOf(own); len(p) != 1 || p[worker{"b", ""}] != 1 {
		t.Errorf("pace with a counter of the user's own: %v", p)
	}
}
