package rules

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/prometheus/common/model"
)

// rows writes evidence in a line each: what, observed, threshold, state, and the
// words beside it.
func rows(f *Finding) []string {
	var all []string
	for _, e := range f.Evidence {
		all = append(all, fmt.Sprintf("%s: %s %s %s %s, %s; %s; %s", e.Title, Number(e.Observed), e.Op, Number(e.Threshold), e.Role, e.State, e.More, e.Origin))
	}
	return all
}

func TestEvidence(t *testing.T) {
	a, b := `{resource="a", system="s", kind="threads"}`, `{resource="b", system="s", kind="threads"}`
	tests := []struct {
		name  string
		expr  string
		lines string
		want  []string
	}{
		{"a number", "cap:waiting > 3", "cap:waiting" + a + " 9",
			[]string{"requests waiting: 9 > 3 required, holds; ; "}},
		{"relative to another signal", "cap:pool_busy >= 0.5 * cap:pool_max", "cap:pool_busy" + a + " 9\ncap:pool_max" + a + " 10",
			[]string{"in use: 9 >= 5 required, holds; 50 % of 10; "}},
		{"the row that decides", "cap:cpu_busy_ratio < 0.3\nand on (instance) cap:waiting > 3", "cap:cpu_busy_ratio 0.1\ncap:waiting" + a + " 1\ncap:waiting" + b + " 7",
			[]string{"CPU busy: 0.1 < 0.3 required, holds; ; ", "requests waiting: 7 > 3 required, holds; ; "}},
		{"alternatives that hold", "(cap:waiting > 3 or cap:pool_busy > 3 or cap:pool_size > 3)", "cap:waiting" + a + " 9\ncap:pool_busy" + a + " 1\ncap:pool_size" + a + " 8",
			[]string{"requests waiting: 9 > 3 required, holds; ; ", "pool size: 8 > 3 required, holds; ; "}},
		{"an exclusion that fails", "cap:waiting > 3\nunless on (instance) (cap:gc_ratio > 0.1 or cap:cpu_busy_ratio > 0.8)", "cap:waiting" + a + " 9\ncap:cpu_busy_ratio 0.2",
			[]string{"requests waiting: 9 > 3 required, holds; ; ", "CPU busy: 0.2 > 0.8 excluded, fails; ; "}},
		{"what is taken over time says so", "max_over_time(cap:waiting[5m]) > 3\nand on (instance, system, resource) cap:waiting{kind=\"threads\"} > 3", "cap:waiting" + a + " 9",
			[]string{"requests waiting, most in 5 min: 9 > 3 required, holds; ; ", "requests waiting: 9 > 3 required, holds; ; "}},
		{"equal titles are told apart", "cap:waiting > 3\nand on (instance, system, resource) cap:waiting{kind=\"threads\"} > 2", "cap:waiting" + a + " 9",
			[]string{"requests waiting: 9 > 3 required, holds; ; ", "requests waiting (threads): 9 > 2 required, holds; ; "}},
		{"but not by what they say", "cap:waiting > 3\nand on (instance, system, resource) cap:waiting{kind=\"requests\"} > 2\nand on (instance) max by (instance) (cap:waiting{kind=\"correlations\"}) > 1",
			"cap:waiting" + strings.Replace(a, "threads", "requests", 1) + " 9\ncap:waiting" + strings.Replace(b, "threads", "correlations", 1) + " 8",
			[]string{"requests waiting: 9 > 3 required, holds; ; ", "requests waiting: 9 > 2 required, holds; ; ", "correlations waiting: 8 > 1 required, holds; ; "}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newScenario(t, oneDiagnosis(t, tt.expr), feed{lines: tt.lines}).run()
			if diff := cmp.Diff(tt.want, rows(s.finding("x"))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// Few events are told as a count within the time they were counted in.
func TestEvidenceCountsFewEvents(t *testing.T) {
	c := testCatalog(t, map[string]string{
		"systems/app.yaml": `groups:
- name: app
  rules:
  - {record: "cap:completed_rate", expr: "rate(done_total[1m])", labels: {system: app}}
  - {record: "cap:expired_rate", expr: "rate(late_total[5m])", labels: {system: app}}
`,
		"diagnoses/x": "cap:completed_rate > 0\nand on (instance, system, resource) cap:expired_rate > 0",
	})
	s := newScenario(t, c, feed{lines: "done_total 7x29 8 9 10 11\nlate_total 7x5 8x27"}).run()
	want := []string{"completions: 0.07 > 0 required, holds; 4 in 60 s; ", "requests expired: 0.003 > 0 required, holds; 1 in 5 min; "}
	if diff := cmp.Diff(want, rows(s.finding("x"))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	s = newScenario(t, c, feed{lines: "done_total 7 8 10\nlate_total 7 8 8"}).run()
	want = []string{"completions: 0.15 > 0 required, holds; 3 in 20 s; ", "requests expired: 0.05 > 0 required, holds; 1 in 20 s; "}
	if diff := cmp.Diff(want, rows(s.finding("x"))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// The origin of a baseline is the alternative that it equals; that of a fact is
// who stated it, and a meter of its own has none.
func TestEvidenceOrigin(t *testing.T) {
	c := testCatalog(t, map[string]string{
		"systems/own.yaml": "groups:\n- name: own\n  rules:\n  - {record: \"cap:deadline_seconds\", expr: own_deadline, labels: {system: own}}\n  - {record: \"cap:waiting\", expr: own_waiting, labels: {system: own}}\n",
		"derived.yaml": `groups:
- name: derived
  rules:
  - {record: "cap:deadline_seconds", expr: "cap:waiting{system!=\"own\"} * 0 + on (instance) group_left () max by (instance) (cap:fact{fact=\"deadline_seconds\"})"}
  - {record: "cap:baseline_rate", expr: "cap:history_rate >= cap:lifetime_rate or cap:lifetime_rate or cap:history_rate"}
`,
		"diagnoses/x": "cap:waiting < cap:deadline_seconds\nand on (instance) max by (instance) (cap:completed_rate) < max by (instance) (cap:baseline_rate)",
	})
	s := newScenario(t, c, feed{lines: "cap:waiting{system=\"s\"} 1\nown_waiting 1\nown_deadline 7\ncap:completed_rate 1\ncap:history_rate 5\ncap:lifetime_rate 8"})
	s.judge.AddFact(Fact{Name: "deadline_seconds", Value: 30, Origin: "--fact", Rank: FromFlag})
	var got [][]string
	for _, f := range s.run().report().Findings {
		got = append(got, rows(f))
	}
	rate := "completions: 1 < 8 required, holds; ; lifetime average"
	want := [][]string{
		{"requests waiting: 1 < 7 required, holds; ; ", rate},
		{"requests waiting: 1 < 30 required, holds; ; --fact", rate},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Lines of a log stand under what was read from them, newest last, three at most.
func TestEvidenceQuotesLines(t *testing.T) {
	c := testCatalog(t, map[string]string{
		"systems/log.yaml": `groups:
- name: log
  rules:
  - {record: "cap:expired_rate", expr: "sum by (instance, service) (rate(capdoctor_log_events_total{event=~\"expired|gone\"}[5m]))", labels: {system: log}}
`,
		"diagnoses/x": "sum by (service) (cap:expired_rate) > 0",
	})
	s := newScenario(t, c, feed{instance: "a", lines: `capdoctor_log_events_total{event="expired"} 0 1 2`}, feed{instance: "b", lines: `capdoctor_log_events_total{event="gone"} 0 0 0`}).run()
	var asked []string
	s.judge.SetQuotes(func(instance, name string, _ map[string]string, from, to time.Time, most int) []Line {
		asked = append(asked, fmt.Sprintf("%s %s %s %d", instance, name, to.Sub(from), most))
		var lines []Line
		for n := range int64(2) {
			lines = append(lines, Line{File: name, Number: n, Time: to.Add(time.Duration(n-2) * time.Second)})
		}
		return lines
	})
	var got []string
	for _, l := range s.finding("x").Evidence[0].Lines {
		got = append(got, fmt.Sprintf("%s:%d", l.File, l.Number))
	}
	if diff := cmp.Diff([]string{"gone:0", "expired:1", "gone:1"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"a expired 5m0s 3", "a gone 5m0s 3"}, asked); diff != "" {
		t.Errorf("asked (-want +got):\n%s", diff)
	}
}

// What is looked for first is told also when nothing fires.
func TestVitals(t *testing.T) {
	s := newScenario(t, oneDiagnosis(t, "cap:waiting > 10"),
		feed{instance: "b", lines: "cap:waiting{resource=\"q\"} 3"}, feed{instance: "a", lines: "cap:cpu_busy_ratio 0.5\ncap:completed_rate NaN"}).run()
	want := []Vital{
		{Instance: "a", Signal: "cap:completed_rate", Title: "completions", Value: math.NaN(), Unit: "1/s"},
		{Instance: "a", Signal: "cap:cpu_busy_ratio", Title: "CPU busy", Value: 0.5, Unit: "ratio"},
		{Instance: "b", Resource: "q", Signal: "cap:waiting", Title: "requests waiting", Value: 3, Unit: "requests"},
	}
	if diff := cmp.Diff(want, s.report().Vitals, cmpopts.EquateNaNs()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Label names that are no words of PromQL are quoted.
func TestSelectorQuotes(t *testing.T) {
	got := selector("cap:x", model.Metric{"pool": "a\"\n{{b}}\\", "host.name": "h"})
	if want := `cap:x{"host.name"="h",pool="a\"\n{{b}}\\"}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if _, err := newParser().ParseExpr(got); err != nil {
		t.Error(err)
	}
}
