package tui

import (
	"context"
	"math"
	"testing"
	"time"

	"github.com/prometheus/common/model"

	"github.com/capdoctor/capdoctor/rules"
	"github.com/capdoctor/capdoctor/series"
)

func TestEvidenceChart(t *testing.T) {
	bus := model.Metric{"instance": "a", "resource": "bus"}
	for _, c := range []struct {
		e    rules.Evidence
		want string
	}{
		{rules.Evidence{Signal: "cap:waiting", Expr: "cap:waiting > 0", Op: ">", Labels: bus}, `cap:waiting{instance="a", resource="bus"}`},
		{rules.Evidence{Signal: "cap:waiting", Expr: "max by (instance) (cap:waiting) > 0", Op: ">", Labels: model.Metric{"instance": "a"}}, `max by (instance) (cap:waiting{instance="a"})`},
		{rules.Evidence{Signal: "cap:completed_rate", Expr: `max_over_time(cap:completed_rate{kind!="connections"}[5m]) > 0`, Op: ">", Labels: bus}, `max_over_time(cap:completed_rate{instance="a", resource="bus",kind!="connections"}[5m])`},
		{rules.Evidence{Signal: "cap:goodput_rate", Expr: "sum by (service) (cap:goodput_rate) < 3", Op: "<"}, "sum by (service) (cap:goodput_rate)"},
	} {
		if got := evidenceChart(c.e); got.expr != c.want {
			t.Errorf("%s: got %s, want %s", c.e.Expr, got.expr, c.want)
		}
	}
}

func TestChartOfEvidence(t *testing.T) {
	w := collapse()
	r := reader{store: w.store}
	for _, e := range w.report.Findings[0].Evidence {
		values := r.chart(context.Background(), evidenceChart(e), noon.Add(-30*time.Minute), noon)
		if len(values) != chartPoints || math.IsNaN(values[chartPoints-1]) {
			t.Errorf("%s: %d values, the last %v", e.Signal, len(values), values)
		}
	}
	if got := r.chart(context.Background(), chartKey{expr: "cap:nowhere"}, noon.Add(-time.Hour), noon); got != nil {
		t.Errorf("a chart of nothing has %d values", len(got))
	}
	if got := r.chart(context.Background(), chartKey{expr: "not ( promql"}, noon.Add(-time.Hour), noon); got != nil {
		t.Errorf("a chart of nonsense has %d values", len(got))
	}
}

func TestChartOfOddNames(t *testing.T) {
	w := newWorld()
	w.target("a", "")
	w.flat("a", "", "http.server.requests", 7, "uri", `/x"\ {}`)
	r := reader{store: w.store}
	got := r.of(context.Background(), "a", noon, []string{"http.server.requests"})
	if len(got) != 1 || got[0].now != 7 || got[0].ago != 7 {
		t.Fatalf("read %+v", got)
	}
	if values := r.chart(context.Background(), signalChart(got[0]), noon.Add(-time.Minute), noon); len(values) == 0 {
		t.Error("no chart")
	}
}

func TestVitals(t *testing.T) {
	w := collapse()
	v := reader{store: w.store}.fleet(context.Background(), noon)["evento-server"]
	if v.done.now != 0.0667 || v.was.now != 16 || v.waiting.now != 69 || v.busy.now != 16 || v.size.now != 16 || v.cpu.now != 0.007 || !v.read.Equal(noon) {
		t.Errorf("vitals %+v", v)
	}
	if v := (reader{store: w.store}).fleet(context.Background(), noon.Add(-20*time.Minute))["evento-server"]; v.done.now != 16 || v.waiting.now != 4 {
		t.Errorf("vitals of before the collapse %+v", v)
	}
}

func TestOwnCounterComesFirst(t *testing.T) {
	w := collapse()
	w.flat("evento-server", "", "cap:goodput_rate", 3)
	if v := (reader{store: w.store}).fleet(context.Background(), noon)["evento-server"]; v.done.now != 3 {
		t.Errorf("done %v, want the user's own counter", v.done.now)
	}
}

func TestTrend(t *testing.T) {
	for _, c := range []struct {
		m    measure
		want string
	}{
		{measure{2, 1}, "↑"}, {measure{1, 2}, "↓"}, {measure{1.01, 1}, "="}, {measure{0, 0}, "="},
		{measure{1, math.NaN()}, " "}, {unknown, " "},
	} {
		if got := c.m.trend(); got != c.want {
			t.Errorf("%v: got %q, want %q", c.m, got, c.want)
		}
	}
}

func TestReachOfAPool(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		name    string
		r       resource
		reach   float64
		binding bool
	}{
		{"at its core while its queue has room", resource{size: 16, core: 16, most: 64, busy: 16, waiting: 68, capacity: 1024}, 16, true},
		{"queue full: it grows", resource{size: 16, core: 16, most: 64, busy: 16, waiting: 1024, capacity: 1024}, 64, false},
		{"no core known", resource{size: 10, core: nan, most: 10, busy: 10, waiting: 5, capacity: nan}, 10, true},
		{"grown above its core", resource{size: 40, core: 16, most: 64, busy: 40, waiting: 0, capacity: 1024}, 40, false},
		{"no maximum known", resource{size: 8, core: nan, most: nan, busy: 3, waiting: 0, capacity: nan}, 8, false},
	} {
		if got := c.r.reach(); got != c.reach {
			t.Errorf("%s: reach %v, want %v", c.name, got, c.reach)
		}
		if got := c.r.binding(); got != c.binding {
			t.Errorf("%s: binding %v, want %v", c.name, got, c.binding)
		}
	}
}

func TestReadersAreSafeBesideAWriter(t *testing.T) {
	w := collapse()
	m := watching(t, w, Options{})
	done := make(chan struct{})
	go func() {
		defer close(done)
		for i := range 200 {
			w.store.Ingest(series.Batch{Source: w.source["db"], Time: noon.UnixMilli() + int64(i+1)*1000})
		}
	}()
	for range 20 {
		_ = m.reader.read(context.Background(), m.want())
	}
	<-done
}
