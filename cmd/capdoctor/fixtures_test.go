package main

import (
	"context"
	"fmt"
	"io/fs"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/capdoctor/capdoctor/incident"
	"github.com/capdoctor/capdoctor/logparse"
	"github.com/capdoctor/capdoctor/rules"
)

// TestFixtures holds that every case and every truth test has its right answer,
// and that together they exercise the whole catalogue: each diagnosis is found
// in one and stays silent, with its signal there, in another, and the same in
// cases that a model made or that were recorded from a real program; each alert
// speaks at least once.
func TestFixtures(t *testing.T) {
	catalog, err := rules.Default()
	if err != nil {
		t.Fatal(err)
	}
	results := fixtureResults(t, catalog)
	use := newUse()
	for _, c := range results {
		t.Run(c.Name, func(t *testing.T) { passes(t, c) })
		if c.Report != nil {
			use.add(c)
			if made(t, c.Path) {
				use.addMade(c)
			}
		}
	}
	for _, id := range catalog.IDs() {
		if !use.found[id] {
			t.Errorf("%s is found in no case and no truth test", id)
		}
		if !use.silent[id] {
			t.Errorf("%s stays silent with its signal there in no case and no truth test", id)
		}
	}
	for _, id := range catalog.IDs() {
		if !use.made[id] {
			t.Errorf("%s is found in no case that the lab made or that was recorded", id)
		}
		if !use.madeSilent[id] {
			t.Errorf("%s is judged and clear in no such case that must not have it", id)
		}
	}
	if diff := cmp.Diff(alerts(t), use.speaking()); diff != "" {
		t.Errorf("alerts that speak in a case or a truth test (-all of the catalogue +those that do):\n%s", diff)
	}
}

// fixtureResults judges all cases and runs the truth tests, as many at once as
// there are processors.
func fixtureResults(t *testing.T, catalog *rules.Catalog) []rules.CaseResult {
	t.Helper()
	cases, err := incident.Find("../../fixtures")
	if err != nil {
		t.Fatal(err)
	}
	truths, err := testFiles([]string{"../../fixtures/truth"})
	if err != nil {
		t.Fatal(err)
	}
	patterns := loadedOnce(nil)
	results := make([][]rules.CaseResult, len(cases)+len(truths))
	sideBySide(len(results), func(i int) {
		if i < len(cases) {
			o := checkOptions{catalog: catalog, patterns: patterns, answered: map[string]bool{}}
			results[i] = []rules.CaseResult{o.checkCase(t.Context(), cases[i])}
			return
		}
		truth, err := runRuleTests(t.Context(), catalog, truths[i-len(cases):][:1])
		if err != nil {
			t.Error(err)
		}
		results[i] = truth.Cases
	})
	return slices.Concat(results...)
}

// sideBySide calls do for 0 to n-1, as many at once as there are processors.
func sideBySide(n int, do func(i int)) {
	var wait sync.WaitGroup
	free := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i := range n {
		wait.Go(func() {
			free <- struct{}{}
			defer func() { <-free }()
			do(i)
		})
	}
	wait.Wait()
}

// passes holds that a case was judged and has its right answer.
func passes(t *testing.T, c rules.CaseResult) {
	switch {
	case c.Err != "":
		t.Fatal(c.Err)
	case c.NotJudged():
		t.Error("nothing could be judged")
	}
	for _, m := range c.Mismatches {
		t.Errorf("%s %s: expected %s, got %s; %s", m.Where, m.Field, m.Expected, m.Got, m.Evidence)
	}
}

// use is what cases exercise of the catalogue.
type use struct {
	found  map[string]bool // ids that a case expects and that fire
	silent map[string]bool // ids that a case names as wrong and that were judged, or could have been, and do not fire
	alerts map[string]bool // that speak in some finding that fires
	// The same of cases that are no compositions: made by the lab, or recorded.
	// What is silent there was judged and is clear.
	made, madeSilent map[string]bool
}

func newUse() use {
	return use{
		found: map[string]bool{}, silent: map[string]bool{}, alerts: map[string]bool{},
		made: map[string]bool{}, madeSilent: map[string]bool{},
	}
}

func (u use) add(c rules.CaseResult) {
	fires := map[string]bool{}
	for _, f := range c.Report.Findings {
		if f.State == rules.Firing {
			u.alerts[f.Alert], fires[f.ID] = true, true
		}
	}
	for _, w := range c.Expect.Find {
		u.found[w.ID] = u.found[w.ID] || fires[w.ID]
	}
	for _, id := range c.Expect.Not {
		u.silent[id] = u.silent[id] || !fires[id] && couldFire(c.Report, id)
	}
}

// addMade notes what a case exercises that a model made or that was recorded.
func (u use) addMade(c rules.CaseResult) {
	fires := map[string]bool{}
	for _, f := range c.Report.Findings {
		fires[f.ID] = fires[f.ID] || f.State == rules.Firing
	}
	for _, w := range c.Expect.Find {
		u.made[w.ID] = u.made[w.ID] || fires[w.ID]
	}
	for _, clear := range c.Report.Cleared {
		wrong := len(c.Expect.Find) == 0 || slices.Contains(c.Expect.Not, clear.ID)
		u.madeSilent[clear.ID] = u.madeSilent[clear.ID] || wrong && !fires[clear.ID]
	}
}

// made tells whether a case was made by a model or recorded from a real program.
func made(t *testing.T, path string) bool {
	t.Helper()
	c, err := incident.Open(path)
	if err != nil {
		return false // a truth test
	}
	defer c.Close()
	return strings.HasPrefix(c.Source, "made by the lab") || strings.HasPrefix(c.Source, "recorded")
}

// couldFire tells whether a report had the signal that a diagnosis begins with.
func couldFire(r *rules.Report, id string) bool {
	return slices.ContainsFunc(r.Cleared, func(c rules.Cleared) bool { return c.ID == id }) ||
		slices.ContainsFunc(r.NotJudged, func(n rules.NotJudged) bool { return n.ID == id })
}

func (u use) speaking() []string {
	var names []string
	for name := range u.alerts {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// alerts lists the alerts of the catalogue.
func alerts(t *testing.T) []string {
	t.Helper()
	var names []string
	eachFile(t, "diagnoses/*.yaml", func(text string) {
		for _, m := range regexp.MustCompile(`(?m)^  - alert: (\w+)$`).FindAllStringSubmatch(text, -1) {
			names = append(names, m[1])
		}
	})
	slices.Sort(names)
	return names
}

func eachFile(t *testing.T, pattern string, do func(text string)) {
	t.Helper()
	files, err := fs.Glob(rules.DefaultFS(), pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: %d files, %v", pattern, len(files), err)
	}
	for _, name := range files {
		data, err := fs.ReadFile(rules.DefaultFS(), name)
		if err != nil {
			t.Fatal(err)
		}
		do(string(data))
	}
}

// TestEventsOfTheCatalogue holds that every event that a system rule reads is
// the event of a pattern, and that events.yaml lists what feeds what, and which
// events feed nothing: nothing that is observed is dropped unknown.
func TestEventsOfTheCatalogue(t *testing.T) {
	patterns, err := logparse.LoadCatalog()
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, p := range patterns.Patterns() {
		known[p.Event] = true
	}
	var read, used []string
	eachFile(t, "systems/*.yaml", func(text string) {
		for _, rule := range strings.Split(text, "  - record: ")[1:] {
			signal, _, _ := strings.Cut(rule, "\n")
			for _, event := range eventsOf(rule) {
				if !known[event] {
					t.Errorf("%s reads the event %q, which no pattern has", signal, event)
				}
				read = append(read, fmt.Sprintf("{event: %s, feeds: %s}", event, signal))
				used = append(used, event)
			}
		}
	})
	for _, event := range used {
		delete(known, event)
	}
	var listed []string
	eachFile(t, "events.yaml", func(text string) {
		for _, m := range regexp.MustCompile(`(?m)^- \{event: (\w+), .*feeds: "([^"]+)"\}$`).FindAllStringSubmatch(text, -1) {
			listed = append(listed, fmt.Sprintf("{event: %s, feeds: %s}", m[1], m[2]))
		}
	})
	slices.Sort(read)
	slices.Sort(listed)
	if diff := cmp.Diff(slices.Compact(read), listed); diff != "" {
		t.Errorf("events.yaml (-read by the system rules +listed):\n%s", diff)
	}
	eachFile(t, "events.yaml", func(text string) {
		_, text, _ = strings.Cut(text, "observed:")
		for _, m := range regexp.MustCompile(`(?m)^- \{event: (\w+), from: "[^"]+"\}$`).FindAllStringSubmatch(text, -1) {
			if !known[m[1]] {
				t.Errorf("events.yaml lists %q as observed, which is read or is no event", m[1])
			}
			delete(known, m[1])
		}
	})
	for event := range known {
		t.Errorf("no rule reads the event %q, and events.yaml does not list it as observed only", event)
	}
}

// eventsOf lists the events that a recording rule asks for.
func eventsOf(rule string) []string {
	var events []string
	for _, m := range regexp.MustCompile(`event=~?"([\w|]+)"`).FindAllStringSubmatch(rule, -1) {
		events = append(events, strings.Split(m[1], "|")...)
	}
	return events
}

// TestUnaccountedClientTime holds the figures of a bulk import that collapsed:
// 20 clients, 0.07 writes a second and 250 expiries an hour are 143 s for each
// attempt, of which the deadline of 30 s explains 30.
func TestUnaccountedClientTime(t *testing.T) {
	catalog, err := rules.Default()
	if err != nil {
		t.Fatal(err)
	}
	const text = `tests:
- name: 20 clients
  input_series:
  - {series: 'capdoctor_log_workers{instance="bundle",what="writers"}', values: '20x40'}
  - {series: 'capdoctor_log_completed_total{instance="bundle",what="written"}', values: '9000+1.05x40'}
  - {series: 'capdoctor_log_events_total{instance="bundle",event="bundle_correlation_expired",type="CatalogProductAddCommand"}', values: '0+1.041667x40'}
  facts: {deadline_seconds: "30"}
`
	tests, err := rules.ParseRuleTests("unaccounted.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	r, err := tests[0].Run(context.Background(), catalog)
	if err != nil {
		t.Fatal(err)
	}
	const want = "unaccounted client time: 2 min 23 s per attempt, of which the deadline explains 30 s"
	if !slices.ContainsFunc(r.Notes, func(note string) bool { return strings.HasPrefix(note, want) }) {
		t.Errorf("no note begins with %q: %q", want, r.Notes)
	}
}
