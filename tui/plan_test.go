package tui

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/common/model"

	"github.com/capdoctor/capdoctor/rules"
)

// The plan on the screen is the one of rules, with steps that keep their names
// from frame to frame, and a word for what each left out step stands against.
func TestPlan(t *testing.T) {
	at := func(name string) model.Metric { return model.Metric{"instance": model.LabelValue(name)} }
	less := []rules.Turn{{Knob: "clients", Direction: rules.Down}}
	more := []rules.Turn{{Knob: "clients", Direction: rules.Up}}
	longer := []rules.Turn{{Knob: "queue", Direction: rules.Up}}
	a := &rules.Finding{ID: "a", Subject: at("x"), Steps: []rules.Step{{Do: "Cut them.", Turns: less}, {Do: "Stop."}}, Avoid: []rules.Advice{{Do: "Enlarge it.", Turns: longer}}}
	b := &rules.Finding{ID: "b", Subject: at("y"), Steps: []rules.Step{{Do: "Start more.", Turns: more}, {Do: "Make it 512.", Turns: longer}, {Do: "Stop."}, {Do: "Look."}}}
	p := planFor([]*rules.Finding{a, b})
	var steps, out []string
	for _, s := range p.steps {
		steps = append(steps, s.key.finding.id+" "+s.step.Do)
	}
	for _, d := range p.dropped {
		out = append(out, d.step.Do+" "+d.against)
	}
	want := [][]string{{"a Cut them.", "a Stop.", "b Look."}, {"Start more. Cut them.", "Make it 512. do not enlarge it."}}
	if diff := cmp.Diff(want, [][]string{steps, out}); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]int{1, 2}, p.steps[1].causes); diff != "" || p.steps[2].key.index != 3 {
		t.Errorf("causes %v, index %d", p.steps[1].causes, p.steps[2].key.index)
	}
}

func TestCausesText(t *testing.T) {
	for _, c := range []struct {
		list []int
		of   int
		want string
	}{
		{[]int{2}, 3, "For cause 2."}, {[]int{1, 3}, 3, "For causes 1 and 3."},
		{[]int{1, 2, 4}, 5, "For causes 1, 2 and 4."}, {[]int{1, 2, 3}, 3, "For all causes."},
	} {
		if got := causesText(c.list, c.of); got != c.want {
			t.Errorf("%v of %d: %q, want %q", c.list, c.of, got, c.want)
		}
	}
}
