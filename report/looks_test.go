package report

import (
	"strings"
	"testing"

	"github.com/prometheus/common/model"

	"github.com/capdoctor/capdoctor/rules"
)

func TestAmount(t *testing.T) {
	for _, tt := range []struct {
		e    rules.Evidence
		want string
	}{
		{rules.Evidence{Title: "CPU busy", Observed: 0.021, Unit: "ratio"}, "2.1 %"},
		{rules.Evidence{Title: "requests waiting", Observed: 0, Unit: "requests"}, "(requests waiting 0)"},
		{rules.Evidence{Signal: "cap:pool_busy", Observed: 8, Unit: "1"}, "(pool_busy 8)"},
		{rules.Evidence{Observed: 3, Unit: "timeouts"}, "3 timeouts"},
		{rules.Evidence{Title: "requests waiting", State: rules.Absent, Unit: "requests"}, ""},
	} {
		if got := amount(tt.e); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.e, got, tt.want)
		}
	}
}

// What fires on one part of a target is not said to be unknown of another part.
func TestNotJudgedLeavesOutWhatFires(t *testing.T) {
	r := &rules.Report{
		Findings: []*rules.Finding{{ID: "throttled", State: rules.Firing, Severity: rules.Warning, Title: "Throttled", Subject: model.Metric{"instance": "a", "resource": "x"}}},
		NotJudged: []rules.NotJudged{
			{ID: "throttled", Severity: rules.Warning, Instance: "a", Why: "not seen in the 10 s watched"},
			{ID: "throttled", Severity: rules.Warning, Instance: "b", Why: "the target stopped answering"},
		},
		Inputs: []rules.Input{{Name: "a", Kind: "scrape", Scrapes: 1}, {Name: "b", Kind: "scrape", Scrapes: 1}},
	}
	var b strings.Builder
	if err := Text(&b, r, Options{}); err != nil {
		t.Fatal(err)
	}
	if text := b.String(); strings.Contains(text, "10 s watched") || !strings.Contains(text, "throttled on b: the target stopped answering") {
		t.Errorf("got\n%s", text)
	}
}
