package rules

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/common/model"
)

// turned is a text with the knobs that it turns: "clients down, queue up: Do it."
func turned(text string) (string, []Turn) {
	knobs, do, ok := strings.Cut(text, ": ")
	if !ok {
		return text, nil
	}
	var turns []Turn
	for one := range strings.SplitSeq(knobs, ", ") {
		knob, direction, _ := strings.Cut(one, " ")
		turns = append(turns, Turn{knob, direction})
	}
	return do, turns
}

// advised is a finding with steps and advice.
func advised(id string, steps []string, avoid ...string) *Finding {
	f := &Finding{ID: id, State: Firing, Severity: Warning, Subject: model.Metric{"instance": model.LabelValue(id)}}
	for _, s := range steps {
		do, turns := turned(s)
		f.Steps = append(f.Steps, Step{Do: do, Turns: turns})
	}
	for _, a := range avoid {
		do, turns := turned(a)
		f.Avoid = append(f.Avoid, Advice{Do: do, Turns: turns})
	}
	return f
}

func TestPlaybook(t *testing.T) {
	for _, tt := range []struct {
		name                  string
		causes                []*Finding
		steps, dropped, avoid []string
	}{
		{name: "nothing"},
		{
			name:   "in the order of the causes, the same step once",
			causes: []*Finding{advised("a", []string{"clients down: Cut them.", "retries down: Stop."}), advised("b", []string{"retries down: Stop.", "cpu up: More."})},
			steps:  []string{"[1] Cut them.", "[1 2] Stop.", "[2] More."},
		},
		{
			name:    "no knob both ways",
			causes:  []*Finding{advised("a", []string{"clients down, retries down: Cut them."}), advised("b", []string{"clients up, queue up: Start more.", "memory up: Add memory."})},
			steps:   []string{"[1] Cut them.", "[2] Add memory."},
			dropped: []string{"Start more. against Cut them."},
		},
		{
			name:    "not what a higher cause warns of",
			causes:  []*Finding{advised("a", []string{"retries down: Stop."}, "queue up: Enlarge it."), advised("b", []string{"queue up: Make it 512."})},
			steps:   []string{"[1] Stop."},
			dropped: []string{"Make it 512. against the advice Enlarge it."},
			avoid:   []string{"Enlarge it."},
		},
		{
			name:   "no advice against what a higher cause asks for",
			causes: []*Finding{advised("a", []string{"threads up: 32 threads."}), advised("b", nil, "threads up: More threads.", "Restart everything at once.")},
			steps:  []string{"[1] 32 threads."},
			avoid:  []string{"Restart everything at once."},
		},
		{
			name:   "one cause may do both, in its order",
			causes: []*Finding{advised("a", []string{"clients down: Cut.", "clients up: Then add them one by one."})},
			steps:  []string{"[1] Cut.", "[1] Then add them one by one."},
		},
		{
			name:   "words alone turn nothing",
			causes: []*Finding{advised("a", []string{"Cut the clients."}), advised("b", []string{"Start more clients."})},
			steps:  []string{"[1] Cut the clients.", "[2] Start more clients."},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := PlaybookFor(tt.causes)
			var steps, out, avoid []string
			for _, s := range p.Steps {
				steps = append(steps, fmt.Sprint(s.Causes, " ", s.Do))
			}
			for _, d := range p.Dropped {
				text := d.Do + " against "
				if d.Advised {
					text += "the advice "
				}
				out = append(out, text+d.Against)
			}
			for _, a := range p.Avoid {
				avoid = append(avoid, a.Do)
			}
			if diff := cmp.Diff([][]string{tt.steps, tt.dropped, tt.avoid}, [][]string{steps, out, avoid}); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// No two causes of the catalogue, in whatever order, make a plan that turns a
// knob both ways or does what it warns of, and something of each is left.
func TestPlaybookOfEveryPair(t *testing.T) {
	c, err := Default()
	if err != nil {
		t.Fatal(err)
	}
	var all []*Finding
	for _, d := range c.Diagnoses {
		for _, v := range d.variants {
			x := fill(c, v, usualLabels(""), false)
			all = append(all, &Finding{ID: d.ID, Alert: v.alert, Steps: x.Steps, Avoid: x.Avoid})
		}
	}
	dropped := 0
	for _, a := range all {
		for _, b := range all {
			if a.ID == b.ID {
				continue
			}
			p := PlaybookFor([]*Finding{a, b})
			dropped += len(p.Dropped)
			for i, s := range p.Steps {
				for _, later := range p.Steps[i+1:] {
					if anyAgainst(s.Turns, later.Turns) {
						t.Errorf("%s above %s: %q and then %q", a.Alert, b.Alert, s.Do, later.Do)
					}
				}
				for _, x := range p.Avoid {
					if anySame(s.Turns, x.Turns) {
						t.Errorf("%s above %s: %q, and not %q", a.Alert, b.Alert, s.Do, x.Do)
					}
				}
			}
		}
	}
	if dropped == 0 {
		t.Error("nothing was ever left out: no step of the catalogue turns a knob")
	}
}

func TestReadsAsTurn(t *testing.T) {
	for text, want := range map[string]bool{
		"Cut the writers of catalog-import from 20 to 8.":                                     true,
		"{{ if eq $labels.system \"evento\" }}Bound what each bundle has in flight.{{ end }}": true,
		"Enlarge the queue.":       true,
		"Use longer timeouts.":     true,
		"Raise max_connections.":   true,
		"Allow more requests.":     true,
		"Take a thread dump.":      false,
		"Cut corners.":             false,
		"Additional queues exist.": false,
	} {
		if got := readsAsTurn(text); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}
