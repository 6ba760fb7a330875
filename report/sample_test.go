package report_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/common/model"

	"github.com/capdoctor/capdoctor/rules"
)

// The reports below are written by hand: what a judged incident looks like, and
// the shapes that are hard to print.

var judgedAt = time.Date(2026, 7, 2, 9, 11, 0, 0, time.UTC)

func collapse() *rules.Report {
	lead := collapseFinding()
	never := neverGrows(lead.Since)
	dead := deadWork(lead.Since)
	lead.Explains = []*rules.Finding{never, dead}
	return &rules.Report{
		At: judgedAt,
		Window: rules.Window{
			Start: judgedAt.Add(-30 * time.Minute), End: judgedAt,
			Short: 67500 * time.Millisecond, Events: 5*time.Minute + 7500*time.Millisecond, Baseline: 11 * time.Minute,
		},
		Inputs: collapseInputs(),
		Findings: []*rules.Finding{
			lead, never, dead,
		},
		NotJudged: []rules.NotJudged{
			{ID: "cpu-throttled", Title: "CPU throttled", Severity: rules.Warning, Instance: "evento-server", Missing: []rules.Missing{cgroupMissing("cpu-throttled")}},
			{ID: "disk-full", Title: "Disk full", Severity: rules.Warning, Instance: "evento-server", Missing: []rules.Missing{diskMissing("disk-full")}},
		},
		Cleared: cleared(16), NotApplicable: 19,
		Limits: collapseLimits(),
		Ledger: rules.Ledger{Indeterminate: 100, Refused: 0, Since: lead.Since, Types: map[string]float64{"CatalogProductAddCommand": 100}},
		Facts: []rules.Fact{
			{Instance: "evento-server", Name: "deadline_seconds", Value: 30, Origin: "Evento's default"},
			{Instance: "evento-server", Name: "queue_capacity", Value: 1024, Origin: "evento-server.log:1"},
			{Instance: "evento-server", Name: "pool_core", Value: 16, Origin: "evento-server.log:1"},
		},
		Notes: []string{"20 writers = 5 waiting (10/min x 30 s) + 15 pausing (x 90 s)."},
	}
}

func collapseFinding() *rules.Finding {
	bus := model.Metric{"instance": "evento-server", "system": "evento", "resource": "bus", "kind": "threads"}
	return &rules.Finding{
		ID: "congestion-collapse", Title: "Congestion collapse", State: rules.Firing, Severity: rules.Critical,
		Subject: bus, Since: judgedAt.Add(-610 * time.Second),
		Summary: "Writes fell from 16.0/s to 0.07/s. 68 requests wait for 16 threads, 44 expired in 5 min (CatalogProductAddCommand 40), yet CPU is at 0.7 % and the database is idle.",
		Meaning: "Expired work is still done, for nobody: this does not end by itself.",
		Evidence: []rules.Evidence{
			{Signal: "cap:goodput_rate", Title: "writes completed", Labels: bus, Observed: 4.0 / 60, Op: "<", Threshold: 3.2, Unit: "1/s", Role: rules.Required, State: rules.Holds, More: "4 in 60 s; 20 % of 16.0/s"},
			{Signal: "cap:waiting", Title: "requests waiting", Labels: bus, Observed: 68, Op: ">", Threshold: 0, Unit: "requests", Role: rules.Required, State: rules.Holds, More: "4 before the fall; +7/min"},
			{Signal: "cap:expired_rate", Title: "requests expired, 5 min", Labels: model.Metric{"instance": "catalog-bundle"}, Observed: 44, Op: ">", Threshold: 0, Unit: "requests", Role: rules.Required, State: rules.Holds, More: "CatalogProductAddCommand 40", Lines: expiryLines()},
			{Signal: "cap:cpu_busy_ratio", Title: "CPU busy", Labels: bus, Observed: 0.007, Op: "<", Threshold: 0.3, Unit: "ratio", Role: rules.Required, State: rules.Holds, More: "20.3 % before the fall"},
			{Signal: "cap:gc_ratio", Title: "time in GC", Labels: bus, Observed: 0.0002, Op: ">", Threshold: 0.1, Unit: "ratio", Role: rules.Excluded, State: rules.Fails, More: "12 ms in 60 s"},
		},
		RuledOut: []rules.Look{
			look("cpu-saturated", 0.007, "ratio"), look("gc-thrash", 0.0002, "ratio"), look("no-demand", 20, "writers"),
			look("database-lock-wait", 0, "blocked"), look("database-unreachable", 0, "timeouts"),
		},
		NotRuledOut: []rules.Missing{cgroupMissing("cpu-throttled"), diskMissing("disk-full")},
		Affected:    []string{"catalog-bundle"},
		Steps: []rules.Step{
			{Do: "Cut the writers of catalog-import from 20 to 8.", Why: "A write holds one of 16 threads and needs a second: 16 / 2 = 8.", Verify: rules.Verify{Signal: "cap:goodput_rate", Reaches: 16, Text: "writes at 16.0/s within 1 min"}, Within: time.Minute, Risk: "low", Reversible: true},
			{Do: "Stop automatic retries of expired requests.", Why: "A retry adds work while the first copy is still queued.", Verify: rules.Verify{Signal: "cap:expired_rate", Text: "0 expired within 5 min"}, Within: 5 * time.Minute, Risk: "low", Reversible: true},
			{Do: "Update evento-server to 2.4.0 or later (pool grows before it queues).", Why: "With the old pool thread 17 starts only when 1024 requests wait.", Verify: rules.Verify{Signal: "cap:pool_size", Direction: "up", By: 1, Reaches: math.NaN(), Text: "more than 16 threads under load"}, Risk: "medium"},
		},
		Avoid: []rules.Advice{
			{Do: "Enlarge the queue.", Why: "66 of 68 queued are already too late to be of use."},
			{Do: "Raise the 30 s deadline.", Why: "the 16 threads would be held longer."},
			{Do: "Add writers or bundles.", Why: "they would wait too."},
			{Do: "Restart all at once.", Why: "the callers return together, as a burst."},
		},
	}
}

func neverGrows(since time.Time) *rules.Finding {
	return &rules.Finding{
		ID: "pool-never-grows", Title: "Thread pool never grows", State: rules.Firing, Severity: rules.Warning, Since: since,
		Subject:     model.Metric{"instance": "evento-server", "system": "evento", "resource": "bus", "kind": "threads"},
		Summary:     "16 of 64 threads, core 16 since start. Thread 17 starts when 1024 wait; 68 wait, +7/min: 137 min away.",
		Meaning:     "The pool starts a thread above its core size only when its queue is full.",
		ExplainedBy: []string{"congestion-collapse"},
	}
}

func deadWork(since time.Time) *rules.Finding {
	return &rules.Finding{
		ID: "dead-work-queue", Title: "Queue of dead work", State: rules.Firing, Severity: rules.Warning, Since: since,
		Subject:     model.Metric{"instance": "evento-server", "system": "evento", "resource": "bus", "kind": "threads"},
		Summary:     "68 waiting at one per 15 s is 17 min; deadline 30 s. 2 in time, 66 not. Useful depth: 30 (30 s / 1 s), 464 (16 x (30 - 1) / 1), now 2.",
		ExplainedBy: []string{"congestion-collapse"},
	}
}

func expiryLines() []rules.Line {
	line := func(n int64, at time.Duration, text string) rules.Line {
		return rules.Line{File: "catalog-bundle.log", Number: n, Time: judgedAt.Add(at), Instance: "catalog-bundle", Event: "bundle_correlation_expired", Text: text}
	}
	return []rules.Line{
		line(78, -101*time.Second, "2026-07-02 09:09:19.751  WARN 1 --- [expirer] event=bundle_correlation_expired count=12 pending=8 byType={CatalogProductAddCommand=11, EventFetchRequest=1}"),
		line(84, -86*time.Second, "2026-07-02 09:09:34.732  WARN 1 --- [expirer] event=bundle_correlation_expired count=7 pending=3 byType={CatalogProductAddCommand=7}"),
		line(86, -69*time.Second, "2026-07-02 09:09:51.289  WARN 1 --- [expirer] event=bundle_correlation_expired count=3 pending=0 byType={CatalogProductAddCommand=3}"),
	}
}

func collapseInputs() []rules.Input {
	gap := []rules.Gap{{From: judgedAt.Add(-630 * time.Second), To: judgedAt.Add(-60 * time.Second)}}
	scraped := func(name string, gaps []rules.Gap) rules.Input {
		return rules.Input{Name: name, Kind: "scrape", Origin: "http://" + name + ":3000/actuator/prometheus", Scrapes: 8, Interval: 15 * time.Second,
			First: judgedAt.Add(-30 * time.Minute), Last: judgedAt, Gaps: gaps, Systems: []string{"evento", "jvm"}, Bytes: 128000, Duration: 40 * time.Millisecond}
	}
	return []rules.Input{
		scraped("catalog-bundle", nil), scraped("db", nil), scraped("evento-server", gap),
		{Name: "catalog-bundle", Kind: "log", Origin: "catalog-bundle.log", Lines: 90, Records: 90},
		{Name: "evento-server", Kind: "log", Origin: "evento-server.log", Lines: 213, Records: 80},
	}
}

func collapseLimits() []rules.Limit {
	return []rules.Limit{
		{Instance: "evento-server", Resource: "client", Title: "client in-flight", InUse: 5, Max: 2048},
		{Instance: "evento-server", Resource: "bus", Title: "bus threads in reach", InUse: 16, Max: 16, Binding: true},
		{Instance: "evento-server", Resource: "bus", Title: "bus threads, max", InUse: 16, Max: 64, Note: "out of reach"},
		{Instance: "evento-server", Resource: "bus", Title: "bus queue", InUse: 68, Max: 1024, Note: "only 2 of it useful"},
		{Instance: "evento-server", Resource: "fetch", Title: "event fetch", InUse: math.NaN(), Max: 4, Note: "no meter; 4 from log"},
		{Instance: "evento-server", Resource: "HikariPool-1", Title: "HikariPool-1", InUse: 5, Max: 10, Note: "5 held by locks"},
	}
}

func look(id string, observed float64, unit string) rules.Look {
	return rules.Look{ID: id, Instance: "evento-server", Evidence: rules.Evidence{Observed: observed, Threshold: math.NaN(), Unit: unit, Role: rules.Required, State: rules.Fails}}
}

func cgroupMissing(id string) rules.Missing {
	return rules.Missing{ID: id, Instance: "evento-server", Signal: "cap:cpu_throttled_ratio", Meter: "container_cpu_cfs_*", Enable: "scrape cAdvisor"}
}

func diskMissing(id string) rules.Missing {
	return rules.Missing{ID: id, Instance: "evento-server", Signal: "cap:disk_free_ratio", Meter: "disk_free_bytes", Enable: "switch on the disk meter"}
}

func cleared(n int) []rules.Cleared {
	var out []rules.Cleared
	for i := range n {
		near := &rules.Near{Alert: fmt.Sprintf("Diagnosis%02d", i+1), Subject: model.Metric{"instance": "evento-server"}, Failed: []rules.Evidence{
			{Signal: "cap:cpu_busy_ratio", Title: "CPU busy", Expr: "cap:cpu_busy_ratio > 0.8", Observed: 0.04, Op: ">", Threshold: 0.8, Unit: "ratio", Role: rules.Required, State: rules.Fails},
		}}
		out = append(out, rules.Cleared{ID: fmt.Sprintf("diagnosis-%02d", i+1), Subjects: 1, Nearest: near})
	}
	return out
}

func healthy() *rules.Report {
	r := collapse()
	r.At = time.Date(2026, 7, 2, 11, 1, 0, 0, time.UTC)
	r.Window.Start, r.Window.End = r.At.Add(-12*time.Minute), r.At
	r.Findings, r.Ledger, r.Limits = nil, rules.Ledger{Indeterminate: math.NaN(), Refused: math.NaN()}, nil
	r.Cleared = cleared(19)
	r.Inputs[2].Gaps = nil
	r.Vitals = []rules.Vital{
		{Instance: "db", Signal: "cap:db_sessions", Title: "sessions active", Value: 0, Unit: "sessions"},
		{Instance: "evento-server", Signal: "cap:goodput_rate", Title: "writes completed", Value: 25, Unit: "1/s"},
		{Instance: "evento-server", Signal: "cap:waiting", Title: "requests waiting", Value: 0, Unit: "requests"},
		{Instance: "evento-server", Resource: "bus", Signal: "cap:pool_busy", Title: "threads busy", Value: 6, Unit: "threads"},
		{Instance: "evento-server", Signal: "cap:cpu_busy_ratio", Title: "CPU busy", Value: 0.184, Unit: "ratio"},
	}
	r.Notes = []string{"threads at core 16 of max 64: a fault only while work waits."}
	return r
}

func couldNotJudge() *rules.Report {
	r := &rules.Report{
		At:     judgedAt,
		Window: rules.Window{Start: judgedAt.Add(-15 * time.Second), End: judgedAt},
		Inputs: []rules.Input{{Name: "evento-server:3000", Kind: "scrape", Origin: "http://evento-server:3000/actuator/prometheus", Scrapes: 3, Failed: 3,
			Interval: time.Second, Duration: 15 * time.Second, Error: "accepts connections in 1 ms and sent 0 bytes in 5 s: busy or starved, not gone"}},
		Ledger: rules.Ledger{Indeterminate: math.NaN(), Refused: math.NaN()},
	}
	for i := range 21 {
		r.NotJudged = append(r.NotJudged, rules.NotJudged{ID: fmt.Sprintf("diagnosis-%02d", i+1), Severity: rules.Warning, Instance: "evento-server:3000", Why: "no sample yet, so nothing was compared"})
	}
	r.NotJudged = append(r.NotJudged, rules.NotJudged{ID: "scrape-starved", Severity: rules.Warning, Instance: "evento-server:3000", Why: "likely; needs one good scrape, or 1 min of failures"})
	return r
}

func twoCauses() *rules.Report {
	at := time.Date(2026, 7, 2, 14, 9, 30, 0, time.UTC)
	pool := model.Metric{"instance": "orders-1", "service": "orders", "system": "hikaricp", "resource": "HikariPool-1", "kind": "connections"}
	held := &rules.Finding{
		ID: "held-connections", Title: "Connections are held", State: rules.Firing, Severity: rules.Critical, Subject: pool, Since: at.Add(-440 * time.Second),
		Summary: "10 of 10 connections in use, 50 waiting, each held 30.0 s = acquire timeout.",
		Evidence: []rules.Evidence{
			{Signal: "cap:hold_seconds", Title: "connection held", Labels: pool, Observed: 30, Op: ">=", Threshold: 15, Unit: "s", Role: rules.Required, State: rules.Holds, More: "half the acquire timeout", Origin: "Hikari's default"},
			{Signal: "cap:pool_busy", Title: "connections in use", Labels: pool, Observed: 10, Op: ">=", Threshold: 10, Unit: "connections", Role: rules.Required, State: rules.Holds},
		},
		NotRuledOut: []rules.Missing{{ID: "database-lock-wait", Signal: "cap:db_lock_waiting", Meter: "pg_stat_activity_count", Enable: "add the PostgreSQL exporter as a target"}},
		Steps: []rules.Step{
			{Do: "Allow 9 requests at once for now.", Turns: []rules.Turn{{Knob: "clients", Direction: rules.Down}}, Why: "Nested checkouts need one connection more than there are requests.", Verify: rules.Verify{Text: "waiting 0 within 1 min"}, Within: time.Minute, Risk: "low", Reversible: true},
			{Do: "Take one connection per request, not two.", Verify: rules.Verify{Text: "waiting 0 within 1 min"}, Within: time.Minute, Risk: "medium"},
		},
		Avoid: []rules.Advice{{Do: "Raise max_connections.", Why: "10 of 10 are held, not used (CPU 4 %)."}},
	}
	exhausted := &rules.Finding{
		ID: "pool-exhausted", Title: "Pool exhausted", State: rules.Firing, Severity: rules.Warning, Since: held.Since, ExplainedBy: []string{"held-connections"},
		Subject: model.Metric{"instance": "orders-1", "service": "orders", "resource": "http"}, Summary: "50 of 50 request threads wait.",
	}
	held.Explains = []*rules.Finding{exhausted}
	throttled := &rules.Finding{
		ID: "cpu-throttled", Title: "CPU throttled", State: rules.Firing, Severity: rules.Warning, Since: at.Add(-230 * time.Second),
		Subject: model.Metric{"instance": "orders-2", "service": "orders"},
		Summary: "CPU 31 % of quota on average, yet stopped in 212 of 600 periods (35 %).",
		Evidence: []rules.Evidence{
			{Signal: "cap:cpu_throttled_ratio", Title: "periods stopped", Observed: 0.353, Op: ">", Threshold: 0.05, Unit: "ratio", Role: rules.Required, State: rules.Holds, More: "212 of 600"},
		},
		RuledOut: []rules.Look{{ID: "cpu-saturated", Instance: "orders-2", Evidence: rules.Evidence{Observed: 0.31, Unit: "ratio", State: rules.Fails}}},
		Steps: []rules.Step{
			{Do: "Raise the CPU quota of orders-2 by half.", Verify: rules.Verify{Text: "< 5 % stopped within 5 min"}, Within: 5 * time.Minute, Risk: "low", Reversible: true},
			{Do: "Let more requests in at once.", Turns: []rules.Turn{{Knob: "clients", Direction: rules.Up}}, Risk: "low"},
		},
	}
	return &rules.Report{
		At: at, Window: rules.Window{Start: at.Add(-20 * time.Minute), End: at, Short: 65 * time.Second, Events: 305 * time.Second, Baseline: 20 * time.Minute},
		Inputs: []rules.Input{
			{Name: "orders-1", Kind: "scrape", Scrapes: 120, Interval: 10 * time.Second, Bytes: 4_000_000, Duration: 900 * time.Millisecond},
			{Name: "orders-2", Kind: "scrape", Scrapes: 120, Interval: 10 * time.Second, Bytes: 4_000_000, Duration: 900 * time.Millisecond},
		},
		Findings: []*rules.Finding{held, exhausted, throttled},
		Cleared:  cleared(14), NotApplicable: 21,
		Ledger: rules.Ledger{Indeterminate: math.NaN(), Refused: math.NaN()},
	}
}

// hostile puts what a target could say to harm a terminal into every name.
func hostile() *rules.Report {
	r := collapse()
	evil := model.LabelValue("pool\n\x1b[2J\x1b]0;owned\x07\u202etxt.exe\xff" + strings.Repeat("long-", 2000))
	f := r.Findings[0]
	f.Subject = model.Metric{"instance": "evento-server", "resource": evil}
	f.Summary = "68 requests wait for " + string(evil) + "."
	f.Evidence[0].Labels = model.Metric{"instance": evil}
	f.Evidence[1].More = string(evil)
	f.Evidence[2].Lines[2].Text = "\x1b[31mred\x1b[0m\r\u2066hidden\u2069 " + strings.Repeat("z\u0301\u0301\u0301\u0301", 500)
	f.Evidence[2].Lines[2].File = string(evil)
	f.Steps[0].Do = "Cut the writers of " + string(evil) + "."
	f.Affected = []string{string(evil), "データベース"}
	f.NotRuledOut[0].Enable = string(evil)
	r.Limits[5].Title = string(evil)
	r.Ledger.Types = map[string]float64{string(evil): 99, "CatalogProductAddCommand": 1}
	r.Inputs[0].Error = "the body starts with \"\x1b[8m<html>\u200b\": not metrics; give the path"
	r.Notes = []string{string(evil)}
	return r
}

func oneScrape() *rules.Report {
	r := collapse()
	f := r.Findings[1]
	f.ExplainedBy, f.SeenOnce, f.Since = nil, true, r.At
	f.Evidence = []rules.Evidence{
		{Signal: "cap:pool_size", Title: "threads started", Labels: f.Subject, Observed: 16, Op: "<", Threshold: 64, Unit: "threads", Role: rules.Required, State: rules.Holds, More: "core 16"},
		{Signal: "cap:waiting", Title: "requests waiting", Labels: f.Subject, Observed: 68, Op: ">", Threshold: 0, Unit: "requests", Role: rules.Required, State: rules.Holds},
	}
	f.Steps = []rules.Step{{Do: "Update evento-server to 2.4.0 or later.", Verify: rules.Verify{Signal: "cap:pool_size", Direction: "up", Reaches: math.NaN()}, Within: 5 * time.Minute, Risk: "medium"}}
	r.Findings = r.Findings[1:2]
	r.Window = rules.Window{Start: r.At, End: r.At}
	r.Inputs = []rules.Input{{Name: "evento-server", Kind: "file", Origin: "evento.prom", Scrapes: 1, First: r.At, Last: r.At, Bytes: 16000}}
	r.Ledger = rules.Ledger{Indeterminate: math.NaN(), Refused: math.NaN()}
	r.NotJudged = nil
	for _, id := range []string{"congestion-collapse", "retry-storm", "throttled", "wedged-pool", "no-demand"} {
		r.NotJudged = append(r.NotJudged, rules.NotJudged{ID: id, Severity: rules.Critical, Instance: "evento-server", Why: "rates need a second scrape"})
	}
	r.Notes = []string{"One scrape shows sizes and queues, not rates: give --for 10s on the live endpoint."}
	return r
}

func manyUnknown() *rules.Report {
	r := healthy()
	r.NotJudged = nil
	for i := range 40 {
		for _, instance := range []string{"app-1", "app-2", "app-3"} {
			id := fmt.Sprintf("diagnosis-%02d", i)
			m := rules.Missing{ID: id, Instance: instance, Signal: fmt.Sprintf("cap:signal_%d", i%9), Enable: fmt.Sprintf("switch %d", i%9)}
			r.NotJudged = append(r.NotJudged, rules.NotJudged{ID: id, Severity: rules.Warning, Instance: instance, Missing: []rules.Missing{m}})
		}
	}
	return r
}

// fleet has 200 inputs: a third of them starved alike, some down, each with its
// own limits.
func fleet() *rules.Report {
	r := collapse()
	r.Findings, r.Inputs, r.Limits, r.NotJudged, r.Facts, r.Vitals = nil, nil, nil, nil, nil, nil
	for i := range 200 {
		name := fmt.Sprintf("orders-%03d", i+1)
		in := rules.Input{Name: name, Kind: "scrape", Scrapes: 8, Interval: 15 * time.Second, Bytes: 50000, Duration: 10 * time.Millisecond}
		if i%25 == 24 {
			in.Failed, in.Error = 8, "connection refused: is the port right?"
		}
		r.Inputs = append(r.Inputs, in)
		r.Limits = append(r.Limits, rules.Limit{Instance: name, Title: "HikariPool-1", InUse: 10, Max: 10, Binding: i%3 == 0})
		r.Facts = append(r.Facts, rules.Fact{Instance: name, Name: "acquire_timeout_seconds", Value: 30, Origin: "Hikari's default"})
		r.NotJudged = append(r.NotJudged, rules.NotJudged{ID: "cpu-throttled", Severity: rules.Warning, Instance: name, Missing: []rules.Missing{cgroupMissing("cpu-throttled")}})
		if i%3 != 0 {
			continue
		}
		f := *twoCauses().Findings[0]
		f.Subject = model.Metric{"instance": model.LabelValue(name), "resource": "HikariPool-1"}
		f.Since, f.Explains, f.Evidence = judgedAt.Add(-5*time.Minute), nil, slices.Clone(f.Evidence)
		for i := range f.Evidence {
			f.Evidence[i].Labels = f.Subject
		}
		r.Findings = append(r.Findings, &f)
	}
	r.Ledger = rules.Ledger{Indeterminate: math.NaN(), Refused: math.NaN()}
	return r
}

// unfamiliar is a target of no known system: hardly anything applies to it.
func unfamiliar() *rules.Report {
	return &rules.Report{
		At: judgedAt, Window: rules.Window{Start: judgedAt, End: judgedAt},
		Inputs:  []rules.Input{{Name: "node-1", Kind: "file", Origin: "node.prom", Scrapes: 1, Bytes: 377_000}},
		Cleared: []rules.Cleared{{ID: "scrape-starved", Subjects: 1}}, NotApplicable: 38,
		Ledger: rules.Ledger{Indeterminate: math.NaN(), Refused: math.NaN()},
	}
}

// neverAnswered has a verdict on the scrapes themselves, which is none.
func neverAnswered() *rules.Report {
	r := unfamiliar()
	r.Inputs = []rules.Input{{Name: "srv", Kind: "scrape", Scrapes: 4, Failed: 4, Duration: 8 * time.Millisecond,
		Error: "connection refused: nothing listens there; check host and port, and whether the process runs"}}
	return r
}

func pending() *rules.Report {
	r := collapse()
	r.Findings = r.Findings[:1]
	r.Findings[0].State, r.Findings[0].Explains, r.Findings[0].Since = rules.Pending, nil, r.At.Add(-10*time.Second)
	return r
}

func partlyDown() *rules.Report {
	r := healthy()
	r.Inputs[1].Failed, r.Inputs[1].Error = 8, "connection refused on db:9187: is the exporter running?"
	return r
}
