package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/prometheus/promql/parser"

	"github.com/capdoctor/capdoctor/incident"
	"github.com/capdoctor/capdoctor/rules"
	"github.com/capdoctor/capdoctor/scrape"
	"github.com/capdoctor/capdoctor/series"
)

// readsLow are findings that the exported rules of a short case miss: they rate
// over 5 minutes, of which they have seen one; a Judge's windows fit what it has
// seen.
var readsLow = map[string]string{"pulsar-overshoot": "near-limit"}

// TestExportAgrees evaluates the exported rules on the scrapes of every case, as
// a server would: what fires at the end is what a Judge finds, but for alerts that
// still wait where a Judge shortens `for`, and for what is listed.
func TestExportAgrees(t *testing.T) {
	catalog, err := rules.Default()
	if err != nil {
		t.Fatal(err)
	}
	paths, err := incident.Find("../../fixtures")
	if err != nil {
		t.Fatal(err)
	}
	var exports exports
	all := os.Getenv("EXHAUSTIVE") != ""
	sideBySide(len(paths), func(i int) {
		if i%3 != 0 && !all {
			return
		}
		c, err := incident.Open(paths[i])
		if err != nil {
			t.Error(err)
			return
		}
		defer c.Close()
		c.Logs = nil
		if len(c.Targets) == 0 {
			return
		}
		want := judgedIDs(t, catalog, c)
		got, waiting := exports.idsOf(t, catalog, c, []string{"", "namespace"}[i%2])
		for id := range want {
			hold, waits := waiting[id]
			early := waits && hold > lastScrape(c).Sub(c.Start)/2 // a Judge waits for half the time it has seen
			if !got[id] && (early || readsLow[c.Name] == id) {
				delete(want, id)
			} else if readsLow[c.Name] == id {
				t.Errorf("%s, %s does not read low", c.Name, id)
			}
		}
		if !maps.Equal(want, got) {
			t.Errorf("%s: want %v, got %v", c.Name, slices.Sorted(maps.Keys(want)), slices.Sorted(maps.Keys(got)))
		}
	})
}

// pagesOf opens a case of the fixtures without its logs.
func pagesOf(t *testing.T, name string) *incident.Case {
	t.Helper()
	c, err := incident.Open(filepath.Join("../../fixtures", name))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	c.Logs = nil
	return c
}

// factArgs are the flags that state the facts of a case.
func factArgs(c *incident.Case) []string {
	var args []string
	for _, key := range slices.Sorted(maps.Keys(c.Facts)) {
		args = append(args, "--fact", key+"="+c.Facts[key])
	}
	return args
}

// judgedIDs are the ids that fire at the end of a case.
func judgedIDs(t *testing.T, catalog *rules.Catalog, c *incident.Case) map[string]bool {
	ids := map[string]bool{}
	r, err := judged(t, catalog, c).report(t.Context())
	if err != nil {
		t.Error(err)
		return ids
	}
	for _, f := range r.Findings {
		if f.State == rules.Firing {
			ids[f.ID] = true
		}
	}
	return ids
}

// judged is a session that has judged a case to its end.
func judged(t *testing.T, catalog *rules.Catalog, c *incident.Case) *session {
	s := newSession(catalog, loadedOnce(nil), true)
	if err := s.openCase(c); err != nil {
		t.Error(err)
	}
	if err := s.feedCase(t.Context(), c, time.Time{}, func(time.Time) error { return nil }); err != nil {
		t.Error(err)
	}
	return s
}

// targetLabels are what a server of the test puts on every series.
var targetLabels = map[string]string{"job": "app", "namespace": "prod", "team": "checkout"}

// idsOf are the ids of the alerts that fire at the end of a case, and of
// those that wait until they have held for long enough.
func (exports *exports) idsOf(t *testing.T, catalog *rules.Catalog, c *incident.Case, service string) (firing map[string]bool, waiting map[string]time.Duration) {
	o := rules.ExportOptions{Interval: time.Hour, TargetLabels: slices.Sorted(maps.Keys(targetLabels)), ServiceLabel: service}
	for _, target := range c.Targets {
		o.Interval = min(o.Interval, intervalOf(target.Scrapes))
	}
	for key, value := range c.Facts {
		f, err := rules.ParseFact(key + "=" + value)
		if err != nil {
			t.Error(err)
		}
		o.Facts = append(o.Facts, f)
	}
	server := newRuleServer(exports.of(t, catalog, o))
	from, to := server.load(t, c)
	server.run(t, from, to, o.Interval.Milliseconds())
	return server.active(to)
}

// exports keeps what was exported with the same options.
type exports struct {
	mu   sync.Mutex
	made map[string][]servedRule
}

func (x *exports) of(t *testing.T, catalog *rules.Catalog, o rules.ExportOptions) []servedRule {
	x.mu.Lock()
	defer x.mu.Unlock()
	key := fmt.Sprint(o)
	if x.made[key] != nil {
		return x.made[key]
	}
	e, err := catalog.Export(o)
	if err != nil {
		t.Error(err)
		return nil
	}
	var served []servedRule
	for _, stratum := range e.Strata {
		for _, r := range stratum.Rules {
			expr, err := parser.NewParser(parser.Options{}).ParseExpr(r.Expr)
			if err != nil {
				t.Errorf("%s%s: %v", r.Record, r.Alert, err)
				continue
			}
			served = append(served, servedRule{r, expr})
		}
	}
	if x.made == nil {
		x.made = map[string][]servedRule{}
	}
	x.made[key] = served
	return served
}

// onServer gives samples the labels of their target, and back the label service,
// which no target here has.
func onServer(samples []series.Sample) []series.Sample {
	out := make([]series.Sample, len(samples))
	for i, s := range samples {
		m := s.Labels.Map()
		for name, value := range targetLabels {
			if m[name] == "" {
				m[name] = value
			}
		}
		if own := m["exported_service"]; own != "" {
			m["service"] = own
			delete(m, "exported_service")
		}
		s.Labels = series.FromMap(m)
		out[i] = s
	}
	return out
}

// A ruleServer evaluates rules one after the other, as Prometheus does with a
// group; each of them at all times before the next one, which comes to the same.
type ruleServer struct {
	store *series.Store
	rules []servedRule
	own   series.SourceID
	since []alertSince
}

type servedRule struct {
	rules.ExportRule
	expr parser.Expr
}

// An alertSince is since when an alert holds, in milliseconds.
type alertSince struct {
	rules.ExportRule
	since int64
}

func newRuleServer(served []servedRule) *ruleServer {
	s := &ruleServer{store: series.New(series.Options{}), rules: served}
	s.own = s.store.AddSource(series.Source{Kind: series.Rules, Interval: time.Second})
	return s
}

// load stores the scrapes of a case and says from when to when they were made.
func (s *ruleServer) load(t *testing.T, c *incident.Case) (from, to int64) {
	replays, sources := map[string]*scrape.Replay{}, map[string]series.SourceID{}
	for _, target := range c.Targets {
		replays[target.Name] = scrape.NewReplay(scrape.Target{Name: target.Name, Instance: target.Name, Raw: target.Name}, scrape.ParseOptions{})
		sources[target.Name] = s.store.AddSource(series.Source{Instance: target.Name, Interval: intervalOf(target.Scrapes)})
	}
	for target, shot := range c.InOrder() {
		r, err := recorded(c, target, shot, replays[target.Name])
		if err != nil {
			t.Error(err)
			continue
		}
		b := r.Batch(sources[target.Name])
		b.Samples, b.Meta = onServer(b.Samples), onServer(b.Meta)
		s.store.Ingest(b)
		if from == 0 {
			from = b.Time
		}
		to = b.Time
	}
	return from, to
}

// run evaluates all rules every interval, the last time at the end.
func (s *ruleServer) run(t *testing.T, from, to, interval int64) {
	var times []int64
	for at := to - (to-from)/interval*interval; at <= to; at += interval {
		times = append(times, at)
	}
	names := s.store.Names()
	for _, r := range s.rules {
		if !s.mayAnswer(r.expr, names) {
			continue
		}
		found, err := s.store.Range(t.Context(), series.View{}, r.Expr, times[0], to, interval)
		if err != nil {
			t.Errorf("%s%s: %v", r.Record, r.Alert, err)
		}
		for _, column := range found {
			s.give(r, column, times)
		}
	}
}

// mayAnswer tells whether the store has a metric that an expression asks for.
func (s *ruleServer) mayAnswer(expr parser.Expr, scraped []string) bool {
	found := false
	parser.Inspect(expr, func(node parser.Node, _ []parser.Node) error {
		if v, ok := node.(*parser.VectorSelector); ok && !found {
			found = v.Name != "" && s.store.Has(v.Name)
			for _, m := range v.LabelMatchers {
				found = found || v.Name == "" && m.Name == "__name__" && slices.ContainsFunc(scraped, m.Matches)
			}
		}
		return nil
	})
	return found
}

// give records what a rule gave, or since when an alert holds.
func (s *ruleServer) give(r servedRule, column series.Series, times []int64) {
	m := column.Labels.Map()
	maps.Copy(m, r.Labels)
	m["__name__"] = r.Record
	labels, slot, at := series.FromMap(m), series.Slot{}, map[int64]float64{}
	for _, p := range column.Points {
		at[p.Time] = p.Value
	}
	since := int64(0)
	for _, t := range times {
		v, ok := at[t]
		switch {
		case !ok:
			since = 0
		case since == 0:
			since = t
		}
		switch {
		case r.Alert != "":
		case ok:
			s.store.Record(&slot, s.own, labels, t, v)
		default:
			s.store.End(&slot, t)
		}
	}
	if r.Alert != "" && since != 0 {
		s.since = append(s.since, alertSince{r.ExportRule, since})
	}
}

// active are the ids of alerts that fire, and of those that wait.
func (s *ruleServer) active(at int64) (firing map[string]bool, waiting map[string]time.Duration) {
	firing, waiting = map[string]bool{}, map[string]time.Duration{}
	for _, a := range s.since {
		if at-a.since >= a.For.Milliseconds() {
			firing[a.Labels["id"]] = true
		} else {
			waiting[a.Labels["id"]] = a.For
		}
	}
	return firing, waiting
}
