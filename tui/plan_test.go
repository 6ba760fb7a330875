package tui

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/common/model"

	"github.com/capdoctor/capdoctor/rules"
)

// cause is a finding with steps and advice.
func cause(id string, do []string, avoid ...string) *rules.Finding {
	f := &rules.Finding{ID: id, State: rules.Firing, Severity: rules.Warning, Subject: model.Metric{"instance": model.LabelValue(id)}}
	for _, d := range do {
		f.Steps = append(f.Steps, rules.Step{Do: d})
	}
	for _, a := range avoid {
		f.Avoid = append(f.Avoid, rules.Advice{Do: a})
	}
	return f
}

func TestPlan(t *testing.T) {
	for _, c := range []struct {
		name    string
		causes  []*rules.Finding
		steps   []string
		dropped []string
		avoid   []string
	}{
		{name: "nothing"},
		{
			name:   "in the order of the causes, the same step once",
			causes: []*rules.Finding{cause("a", []string{"Cut the clients to 8.", "Stop retries."}), cause("b", []string{"Stop retries.", "Raise the CPU quota."})},
			steps:  []string{"Cut the clients to 8.", "Stop retries.", "Raise the CPU quota."},
		},
		{
			name:    "no knob both ways",
			causes:  []*rules.Finding{cause("a", []string{"Cut the number of concurrent clients by half."}), cause("b", []string{"Start more consumers.", "Add memory."})},
			steps:   []string{"Cut the number of concurrent clients by half.", "Add memory."},
			dropped: []string{"Start more consumers."},
		},
		{
			name:    "not what a higher cause warns of",
			causes:  []*rules.Finding{cause("a", []string{"Stop retries."}, "Enlarge the queue."), cause("b", []string{"Raise the queue capacity to 512."})},
			steps:   []string{"Stop retries."},
			dropped: []string{"Raise the queue capacity to 512."},
			avoid:   []string{"Enlarge the queue."},
		},
		{
			name:   "no advice against what a higher cause asks for",
			causes: []*rules.Finding{cause("a", []string{"Raise the pool to 32 threads."}), cause("b", nil, "Enlarge the pool.", "Restart everything at once.")},
			steps:  []string{"Raise the pool to 32 threads."},
			avoid:  []string{"Restart everything at once."},
		},
		{
			name:   "one cause may do both, in its order",
			causes: []*rules.Finding{cause("a", []string{"Cut the clients.", "Then add clients one by one.", "Add clients again."})},
			steps:  []string{"Cut the clients.", "Then add clients one by one.", "Add clients again."},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := planFor(c.causes)
			var steps, out, avoid []string
			for _, s := range p.steps {
				steps = append(steps, s.step.Do)
			}
			for _, d := range p.dropped {
				out = append(out, d.step.Do)
			}
			for _, a := range p.avoid {
				avoid = append(avoid, a.Do)
			}
			if diff := cmp.Diff([][]string{c.steps, c.dropped, c.avoid}, [][]string{steps, out, avoid}); diff != "" {
				t.Errorf("plan (-want +got):\n%s", diff)
			}
		})
	}
}

func TestPlanNumbersItsCauses(t *testing.T) {
	p := planFor([]*rules.Finding{cause("a", []string{"Stop retries."}), cause("b", []string{"Stop retries."})})
	if diff := cmp.Diff([]int{1, 2}, p.steps[0].causes); diff != "" {
		t.Errorf("causes (-want +got):\n%s", diff)
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

func TestTurns(t *testing.T) {
	for text, want := range map[string]turn{
		"Cut the writers of catalog-import from 20 to 8.":        {"clients", -1},
		"Reduce the number of concurrent clients to about 8.":    {"clients", -1},
		"Stop the retry storm: switch off automatic retries.":    {"retries", -1},
		"Bound what each bundle may have in flight: maxInFlight": {"clients", -1},
		"Enlarge the queue.":                {"queue", 1},
		"Use longer timeouts.":              {"deadline", 1},
		"Raise max_connections.":            {"connections", 1},
		"Raise the CPU quota by half.":      {"quota", 1},
		"Allow 9 requests at once for now.": {"clients", -1},
		"Allow more requests at once.":      {"clients", 1},
		"Lower the queue capacity to 256.":  {"queue", -1},
		"Take a thread dump.":               {},
		"Restart everything at once.":       {},
		"Cut corners.":                      {},
	} {
		if got := turnOf(text); got != want {
			t.Errorf("%q turns %+v, want %+v", text, got, want)
		}
	}
}
