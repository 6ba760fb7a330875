package tui

import (
	"context"
	"fmt"
	"math"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/prometheus/common/model"

	"github.com/capdoctor/capdoctor/rules"
	"github.com/capdoctor/capdoctor/series"
)

// The moment of most tests: ten minutes into a collapse.
var (
	noon  = time.Date(2026, 7, 2, 9, 11, 0, 0, time.UTC)
	onset = noon.Add(-10*time.Minute - 10*time.Second)
)

const every = 15 * time.Second

// A world is a store with half an hour of signals, and the report of its end.
type world struct {
	store  *series.Store
	report *rules.Report
	source map[string]series.SourceID
}

func newWorld() *world {
	return &world{
		store:  series.New(series.Options{}),
		report: &rules.Report{At: noon, Window: rules.Window{Start: noon.Add(-30 * time.Minute), End: noon, Short: time.Minute, Events: 5 * time.Minute, Baseline: 30 * time.Minute}},
		source: map[string]series.SourceID{},
	}
}

// target adds an input that answers.
func (w *world) target(name, service string) {
	w.source[name] = w.store.AddSource(series.Source{Instance: name, Service: service, Interval: every})
	w.report.Inputs = append(w.report.Inputs, rules.Input{
		Name: name, Kind: "scrape", Origin: "http://" + name + ":3000/metrics", Scrapes: 121, Interval: every,
		First: noon.Add(-30 * time.Minute), Last: noon, Bytes: 482_000, Duration: 3 * time.Second,
	})
	for t := noon.Add(-30 * time.Minute); !t.After(noon); t = t.Add(every) {
		w.store.Ingest(series.Batch{Source: w.source[name], Time: t.UnixMilli()})
	}
	w.flat(name, service, "cap:scrape_up", 1, "system", "scrape")
}

// flat records a signal that did not change.
func (w *world) flat(name, service, signal string, v float64, labels ...string) {
	w.line(name, service, signal, func(time.Time) float64 { return v }, labels...)
}

// fall records a signal that changed at the onset.
func (w *world) fall(name, service, signal string, before, after float64, labels ...string) {
	w.line(name, service, signal, func(t time.Time) float64 {
		if t.Before(onset) {
			return before
		}
		return after
	}, labels...)
}

func (w *world) line(name, service, signal string, value func(time.Time) float64, labels ...string) {
	set := append([]string{"__name__", signal, "instance", name}, labels...)
	if service != "" {
		set = append(set, "service", service)
	}
	l := series.FromStrings(set...)
	for t := noon.Add(-30 * time.Minute); !t.After(noon); t = t.Add(every) {
		if v := value(t); !math.IsNaN(v) {
			w.store.Record(&series.Slot{}, w.source[name], l, t.UnixMilli(), v)
		}
	}
}

// server adds the signals of a server with a pool of threads.
func (w *world) server(name string) {
	w.target(name, "")
	bus := []string{"system", "evento", "resource", "bus", "kind", "threads"}
	w.flat(name, "", "cap:pool_size", 16, bus...)
	w.flat(name, "", "cap:pool_core", 16, bus...)
	w.flat(name, "", "cap:pool_max", 64, bus...)
	w.flat(name, "", "cap:queue_capacity", 1024, bus...)
	w.flat(name, "", "cap:deadline_seconds", 30, bus...)
	hikari := []string{"system", "hikaricp", "resource", "HikariPool-1", "kind", "connections"}
	w.flat(name, "", "cap:pool_size", 10, hikari...)
	w.flat(name, "", "cap:pool_max", 10, hikari...)
	w.flat(name, "", "cap:pool_busy", 5, hikari...)
	w.flat(name, "", "cap:waiting", 0, hikari...)
	w.flat(name, "", "cap:baseline_rate", 16, bus...)
}

// healthy is a calm hour.
func healthy() *world {
	w := newWorld()
	w.server("evento-server")
	bus := []string{"system", "evento", "resource", "bus", "kind", "threads"}
	w.flat("evento-server", "", "cap:completed_rate", 25, bus...)
	w.flat("evento-server", "", "cap:pool_busy", 6, bus...)
	w.flat("evento-server", "", "cap:waiting", 0, bus...)
	w.flat("evento-server", "", "cap:cpu_busy_ratio", 0.184, "system", "jvm")
	w.target("catalog-bundle", "")
	w.flat("catalog-bundle", "", "cap:cpu_busy_ratio", 0.03, "system", "jvm")
	w.target("db", "")
	w.report.Cleared = cleared("congestion-collapse", "cpu-saturated", "gc-thrash", "pool-exhausted", "dead-work-queue")
	w.report.NotJudged = unknownDiagnoses()
	w.report.NotApplicable = 19
	w.report.Vitals = []rules.Vital{{Instance: "evento-server", Resource: "bus", Signal: "cap:completed_rate", Title: "completions", Value: 25, Unit: "1/s"}}
	return w
}

func cleared(ids ...string) []rules.Cleared {
	var out []rules.Cleared
	for _, id := range ids {
		out = append(out, rules.Cleared{ID: id, Subjects: 1})
	}
	return out
}

func unknownDiagnoses() []rules.NotJudged {
	return []rules.NotJudged{
		{ID: "cpu-throttled", Title: "CPU throttled", Severity: rules.Warning, Instance: "evento-server",
			Missing: []rules.Missing{{ID: "cpu-throttled", Instance: "evento-server", Signal: "cap:cpu_throttled_ratio", Meter: "container_cpu_cfs_*", Enable: "scrape cAdvisor as a target"}}},
		{ID: "disk-full", Title: "Disk full", Severity: rules.Warning, Instance: "evento-server",
			Missing: []rules.Missing{{ID: "disk-full", Instance: "evento-server", Signal: "cap:disk_free_ratio", Meter: "disk_free_bytes", Enable: "management.metrics.enable.disk=true"}}},
	}
}

// collapse is the incident: work waits and expires, nothing is busy.
func collapse() *world {
	w := newWorld()
	w.server("evento-server")
	bus := []string{"system", "evento", "resource", "bus", "kind", "threads"}
	w.fall("evento-server", "", "cap:completed_rate", 16, 0.0667, bus...)
	w.fall("evento-server", "", "cap:pool_busy", 6, 16, bus...)
	w.line("evento-server", "", "cap:waiting", func(t time.Time) float64 {
		if t.Before(onset) {
			return 4
		}
		return 4 + math.Round(t.Sub(onset).Minutes()*6.4)
	}, bus...)
	w.fall("evento-server", "", "cap:cpu_busy_ratio", 0.203, 0.007, "system", "jvm")
	w.fall("evento-server", "", "cap:gc_ratio", 0.02, 0.0002, "system", "jvm")
	w.target("catalog-bundle", "")
	w.fall("catalog-bundle", "", "cap:expired_count", 0, 44, "system", "evento", "resource", "calls", "kind", "requests")
	w.fall("catalog-bundle", "", "cap:cpu_busy_ratio", 0.02, 0.003, "system", "jvm")
	w.target("db", "")
	w.report.Inputs = append(w.report.Inputs, rules.Input{Name: "evento-server", Kind: "log", Origin: "server.log", Lines: 213, Records: 98, Last: noon})
	w.report.Findings = collapseFindings()
	w.report.Cleared = cleared("cpu-saturated", "gc-thrash", "no-demand")
	w.report.NotJudged = unknownDiagnoses()
	w.report.Limits = collapseLimits()
	w.report.Ledger = rules.Ledger{Indeterminate: 100, Refused: 0, Since: onset, Types: map[string]float64{"CatalogProductAddCommand": 90, "EventFetchRequest": 10}}
	w.report.Vitals = []rules.Vital{{Instance: "evento-server", Resource: "bus", Signal: "cap:completed_rate", Title: "completions", Value: 0.0667, Unit: "1/s"}}
	return w
}

func collapseFindings() []*rules.Finding {
	subject := model.Metric{"instance": "evento-server", "system": "evento", "resource": "bus", "kind": "threads"}
	instance := model.Metric{"instance": "evento-server"}
	never := &rules.Finding{ID: "pool-never-grows", Title: "Pool never grows", State: rules.Firing, Severity: rules.Warning, Subject: subject, Since: onset,
		Summary: "16 of 64 threads of bus run, all busy, while 68 wait.", Meaning: "The next thread starts only when the queue is full.", ExplainedBy: []string{"congestion-collapse"}}
	lead := &rules.Finding{
		ID: "congestion-collapse", Title: "Congestion collapse", State: rules.Firing, Severity: rules.Critical, Subject: subject, Since: onset,
		Summary: "Writes are at 0.07/s, were 16.0/s. 68 requests wait for 16 threads, 44 expired within 5 min, yet CPU is at 0.7 %.",
		Meaning: "Work is queued for longer than its callers wait. Nothing takes expired work out of the queue: it is still done, for nobody, and holds the threads that live requests need.",
		First:   "Cut the writers of catalog-import from 20 to 8.",
		Evidence: []rules.Evidence{
			{Signal: "cap:completed_rate", Title: "writes completed", Expr: "cap:completed_rate < 0.2 * cap:baseline_rate", Labels: subject, Observed: 0.0667, Op: "<", Threshold: 3.2, Unit: "1/s", Role: rules.Required, State: rules.Holds, More: "4 in 60 s; 20 % of 16.0/s", Origin: "completions before"},
			{Signal: "cap:waiting", Title: "requests waiting", Expr: "max by (instance) (cap:waiting) > 0", Labels: instance, Observed: 68, Op: ">", Threshold: 0, Unit: "requests", Role: rules.Required, State: rules.Holds},
			{Signal: "cap:expired_count", Title: "requests expired, 5 min", Expr: `sum by (instance) (cap:expired_count{kind="requests"}) > 0`, Labels: model.Metric{"instance": "catalog-bundle"}, Observed: 44, Op: ">", Threshold: 0, Unit: "requests", Role: rules.Required, State: rules.Holds,
				Lines: []rules.Line{{File: "catalog-bundle.log", Number: 78, Time: noon.Add(-100 * time.Second), Instance: "catalog-bundle", Event: "bundle_correlation_expired", Text: "WARN event=bundle_correlation_expired count=12 pending=8 byType={CatalogProductAddCommand=12}"}}},
			{Signal: "cap:cpu_busy_ratio", Title: "CPU busy", Expr: "max by (instance) (cap:cpu_busy_ratio) < 0.3", Labels: instance, Observed: 0.007, Op: "<", Threshold: 0.3, Unit: "ratio", Role: rules.Required, State: rules.Holds},
			{Signal: "cap:gc_ratio", Title: "time in GC", Expr: "max by (instance) (cap:gc_ratio) > 0.1", Labels: instance, Observed: 0.0002, Op: ">", Threshold: 0.1, Unit: "ratio", Role: rules.Excluded, State: rules.Fails},
		},
		RuledOut: []rules.Look{
			{ID: "cpu-saturated", Instance: "evento-server", Evidence: rules.Evidence{Signal: "cap:cpu_busy_ratio", Title: "CPU busy", Observed: 0.007, Op: ">", Threshold: 0.8, Unit: "ratio"}},
			{ID: "database-lock-wait", Instance: "db", Evidence: rules.Evidence{Signal: "cap:db_lock_waiting", Title: "sessions waiting for a lock", Observed: 0, Op: ">", Threshold: 0, Unit: "sessions"}},
			{ID: "no-demand", Instance: "evento-server", Evidence: rules.Evidence{Signal: "cap:offered_rate", Title: "requests offered", Observed: 0.67, Op: "==", Threshold: 0, Unit: "1/s"}},
		},
		NotRuledOut: []rules.Missing{{ID: "cpu-throttled", Instance: "evento-server", Signal: "cap:cpu_throttled_ratio", Meter: "container_cpu_cfs_*"}},
		Explains:    []*rules.Finding{never},
		Affected:    []string{"catalog-bundle"},
		Steps:       collapseSteps(),
		Avoid: []rules.Advice{
			{Do: "Enlarge the queue.", Why: "66 of 68 queued are already too late to be of use.", Turns: []rules.Turn{{Knob: "queue", Direction: rules.Up}}},
			{Do: "Add writers or bundles.", Why: "They would wait too."},
		},
		Sources: []rules.Source{
			{Title: "Evento wiki, Throughput and Capacity, sections 1, 5 to 8", Link: "https://github.com/EventoFramework/evento-framework/wiki/Throughput-and-Capacity"},
			{Title: "RFC 896, Congestion Control in IP/TCP Internetworks", Link: "https://www.rfc-editor.org/rfc/rfc896"},
		},
	}
	return []*rules.Finding{lead, never}
}

func collapseSteps() []rules.Step {
	return []rules.Step{
		{Do: "Cut the writers of catalog-import from 20 to 8.", Turns: []rules.Turn{{Knob: "clients", Direction: rules.Down}}, Why: "A write holds one of 16 threads and needs a second: 16 / 2 = 8.", Within: time.Minute, Risk: "low", Reversible: true, From: "congestion-collapse",
			Verify: rules.Verify{Signal: "cap:completed_rate", Reaches: 16, Text: "writes at 16.0/s within 1 min"}},
		{Do: "Stop automatic retries of expired requests.", Turns: []rules.Turn{{Knob: "retries", Direction: rules.Down}}, Why: "A retry adds work while the first copy is still queued.", Within: 5 * time.Minute, Risk: "low", Reversible: true, From: "congestion-collapse",
			Verify: rules.Verify{Signal: "cap:expired_count", Reaches: 0, Text: "0 expired within 5 min"}},
		{Do: "Update evento-server to 2.4.0 or later.", Why: "Its pool grows before it queues.", Within: 10 * time.Minute, Risk: "medium", From: "congestion-collapse",
			Verify: rules.Verify{Signal: "cap:pool_size", Reaches: math.NaN(), Direction: "up", Text: "more than 16 threads under load"}},
	}
}

func collapseLimits() []rules.Limit {
	return []rules.Limit{
		{Instance: "evento-server", Title: "client in-flight", InUse: 5, Max: 2048},
		{Instance: "evento-server", Resource: "bus", Title: "bus threads in reach", InUse: 16, Max: 16, Binding: true},
		{Instance: "evento-server", Resource: "bus", Title: "bus threads, max", InUse: 16, Max: 64, Note: "out of reach"},
		{Instance: "evento-server", Resource: "bus", Title: "bus queue", InUse: 68, Max: 1024, Note: "2 of it useful"},
		{Instance: "evento-server", Title: "event fetch", InUse: math.NaN(), Max: 4, Note: "no meter"},
	}
}

// silent is a watch whose only target never answered.
func silent() *world {
	w := newWorld()
	w.report.Window = rules.Window{Start: noon.Add(-30 * time.Second), End: noon}
	w.report.Inputs = []rules.Input{{Name: "evento-server", Kind: "scrape", Scrapes: 3, Failed: 3, Interval: every, First: noon.Add(-30 * time.Second), Last: noon, Error: "no answer within 5 s; try --timeout 30s"}}
	return w
}

// down is the collapse with its server gone silent.
func down() *world {
	w := collapse()
	w.store.Ingest(series.Batch{Source: w.source["evento-server"], Time: noon.UnixMilli() + 1, Failed: true})
	w.report.Inputs[0].Failed, w.report.Inputs[0].Error = 2, "no answer within 5 s; try --timeout 30s"
	w.report.Findings[0].NotJudgedSince = noon.Add(-15 * time.Second)
	w.report.Findings[1].NotJudgedSince = noon.Add(-15 * time.Second)
	return w
}

// two is two causes on two targets.
func two() *world {
	w := newWorld()
	hikari := []string{"system", "hikaricp", "resource", "HikariPool-1", "kind", "connections"}
	for _, name := range []string{"orders-1", "orders-2"} {
		w.target(name, "orders")
		w.flat(name, "orders", "cap:pool_max", 10, hikari...)
		w.flat(name, "orders", "cap:pool_size", 10, hikari...)
	}
	w.fall("orders-1", "orders", "cap:pool_busy", 4, 10, hikari...)
	w.fall("orders-1", "orders", "cap:waiting", 0, 50, hikari...)
	w.flat("orders-2", "orders", "cap:pool_busy", 2, hikari...)
	w.flat("orders-2", "orders", "cap:cpu_busy_ratio", 0.31, "system", "jvm")
	one := model.Metric{"instance": "orders-1", "service": "orders", "system": "hikaricp", "resource": "HikariPool-1", "kind": "connections"}
	other := model.Metric{"instance": "orders-2", "service": "orders", "system": "cadvisor"}
	w.report.Findings = []*rules.Finding{
		{ID: "held-connections", Title: "Connections held, not used", State: rules.Firing, Severity: rules.Critical, Subject: one, Since: noon.Add(-7 * time.Minute),
			Summary: "10 of 10 connections in use, 50 waiting, each held 30.0 s.", Meaning: "Connections are taken and not given back.",
			Evidence: []rules.Evidence{{Signal: "cap:waiting", Title: "requests waiting", Expr: "cap:waiting > 0", Labels: one, Observed: 50, Op: ">", Threshold: 0, Unit: "requests", Role: rules.Required, State: rules.Holds}},
			Steps: []rules.Step{
				{Do: "Allow 9 requests at once for now.", Turns: []rules.Turn{{Knob: "clients", Direction: rules.Down}}, Within: time.Minute, Risk: "low", Reversible: true, Verify: rules.Verify{Signal: "cap:waiting", Reaches: 0, Text: "waiting 0 within 1 min"}},
				{Do: "Take one connection per request, not two.", Within: time.Minute, Risk: "medium", Verify: rules.Verify{Signal: "cap:waiting", Reaches: 0, Text: "waiting 0 within 1 min"}},
			},
			Avoid: []rules.Advice{{Do: "Raise max_connections.", Why: "10 of 10 are held, not used."}}},
		{ID: "cpu-throttled", Title: "CPU throttled", State: rules.Firing, Severity: rules.Warning, Subject: other, Since: noon.Add(-4 * time.Minute),
			Summary: "CPU 31 % of quota on average, yet stopped in 212 of 600 periods.", Meaning: "The quota is used up in bursts.",
			Evidence: []rules.Evidence{{Signal: "cap:cpu_throttled_ratio", Title: "CPU periods throttled", Expr: "cap:cpu_throttled_ratio > 0.05", Labels: other, Observed: 0.353, Op: ">", Threshold: 0.05, Unit: "ratio", Role: rules.Required, State: rules.Holds}},
			Steps: []rules.Step{
				{Do: "Raise the CPU quota of orders-2 by half.", Turns: []rules.Turn{{Knob: "cpu", Direction: rules.Up}}, Within: 5 * time.Minute, Risk: "low", Reversible: true, Verify: rules.Verify{Signal: "cap:cpu_throttled_ratio", Reaches: 0.05, Text: "throttled below 5 % within 5 min"}},
				{Do: "Allow more requests at once.", Turns: []rules.Turn{{Knob: "clients", Direction: rules.Up}}, Within: time.Minute, Risk: "low"},
				{Do: "Increase the concurrency of the workers.", Turns: []rules.Turn{{Knob: "clients", Direction: rules.Up}}, Within: time.Minute, Risk: "low"},
			}},
	}
	w.report.Cleared = cleared("gc-thrash")
	return w
}

// fleet is two hundred targets, a few of them ill.
func fleet() *world {
	w := collapse()
	for i := range 197 {
		name := fmt.Sprintf("orders-%03d", i)
		service := []string{"orders", "payments", "search", "edge"}[i%4]
		w.target(name, service)
		threads := []string{"system", "tomcat", "resource", "http", "kind", "threads"}
		w.flat(name, service, "cap:completed_rate", 50+float64(i%7), threads...)
		w.flat(name, service, "cap:baseline_rate", 52, threads...)
		w.flat(name, service, "cap:waiting", float64(i%3), threads...)
		w.flat(name, service, "cap:pool_busy", 7, threads...)
		w.flat(name, service, "cap:pool_size", 32, threads...)
		w.flat(name, service, "cap:cpu_busy_ratio", 0.2+float64(i%10)/50, "system", "jvm")
	}
	subject := model.Metric{"instance": "orders-017", "service": "orders", "resource": "http"}
	w.report.Findings = append(w.report.Findings, &rules.Finding{ID: "pool-exhausted", Title: "Pool exhausted", State: rules.Pending, Severity: rules.Warning, Subject: subject, Since: noon.Add(-30 * time.Second), Summary: "32 of 32 busy, 2 waiting."})
	last := &w.report.Inputs[len(w.report.Inputs)-1]
	last.Error, last.Failed = "connection refused; is the port right?", 2
	return w
}

// vocabulary is the units and titles of the signals that the worlds use.
func wordCatalog() *rules.Catalog {
	c := &rules.Catalog{}
	for _, s := range [][3]string{
		{"cap:completed_rate", "completions", "1/s"}, {"cap:baseline_rate", "completions before the trouble", "1/s"},
		{"cap:waiting", "requests waiting", "requests"}, {"cap:pool_busy", "in use", "1"}, {"cap:pool_size", "pool size", "1"},
		{"cap:pool_core", "core size", "1"}, {"cap:pool_max", "pool maximum", "1"}, {"cap:queue_capacity", "queue capacity", "requests"},
		{"cap:deadline_seconds", "callers wait", "s"}, {"cap:cpu_busy_ratio", "CPU busy", "ratio"}, {"cap:gc_ratio", "time in GC", "ratio"},
		{"cap:expired_count", "requests expired, 5 min", "requests"}, {"cap:scrape_up", "metrics page read", "1"},
	} {
		c.Signals = append(c.Signals, &rules.Signal{Name: s[0], Title: s[1], Unit: s[2]})
	}
	return c
}

// watching is a dashboard that has seen the report of a world.
func watching(t testing.TB, w *world, o Options) dashboard {
	t.Helper()
	o.Store, o.Start, o.Catalog = w.store, noon.Add(2*time.Second), wordCatalog()
	m := newDashboard(context.Background(), o)
	return feed(m, Frame{Report: w.report, Scrapes: 120})
}

// feed gives a dashboard a frame, and what it then asks the store for.
func feed(m dashboard, f Frame) dashboard {
	m, _ = m.take(frameMsg(f))
	return settle(m)
}

// sized is a dashboard on a terminal of that size.
func sized(m dashboard, width, height int) dashboard {
	m, _ = m.take(tea.WindowSizeMsg{Width: width, Height: height})
	return settle(m)
}

// press types keys, as they are named in the key map.
func press(m dashboard, keys ...string) dashboard {
	for _, k := range keys {
		m, _ = m.take(keyPress(k))
		m = settle(m)
	}
	return m
}
