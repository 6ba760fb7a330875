package rules

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/prometheus/promql/parser"
)

func parse(t *testing.T, text string) parser.Expr {
	t.Helper()
	expr, err := newParser().ParseExpr(text)
	if err != nil {
		t.Fatal(err)
	}
	return expr
}

func TestWindowsFor(t *testing.T) {
	const s, m = time.Second, time.Minute
	tests := []struct{ interval, watched, short, events time.Duration }{
		{10 * s, 0, 5 * s, 5 * s}, // one read: no rate yet
		{10 * s, 10 * s, 15 * s, 15 * s},
		{10 * s, 60 * s, 65 * s, 65 * s},
		{10 * s, 2 * m, 65 * s, 125 * s},
		{10 * s, 5 * m, 65 * s, 305 * s},
		{10 * s, time.Hour, 65 * s, 305 * s},
		{15 * s, time.Hour, 67500 * time.Millisecond, 307500 * time.Millisecond},
		{s, time.Hour, 60500 * time.Millisecond, 300500 * time.Millisecond},
		{m, time.Hour, 4*m + 30*s, 5*m + 30*s}, // four intervals where they are longer
		{5 * m, time.Hour, 22*m + 30*s, 22*m + 30*s},
		{5 * m, 10 * m, 12*m + 30*s, 12*m + 30*s},
	}
	for _, tt := range tests {
		if got, want := WindowsFor(tt.interval, tt.watched), (Windows{tt.short, tt.events, tt.events}); got != want {
			t.Errorf("every %s for %s: got %v, want %v", tt.interval, tt.watched, got, want)
		}
	}
}

// rate() is exact from the second read on: neither border of a window
// cuts a step. (Of a counter that was just begun Prometheus assumes less.)
func TestRatesAreExact(t *testing.T) {
	c := testCatalog(t, map[string]string{"systems/app.yaml": `groups:
- name: app
  rules:
  - {record: "cap:completed_rate", expr: "rate(done_total[1m])", labels: {system: app}}
  - {record: "cap:expired_rate", expr: "rate(late_total[5m])", labels: {system: app}}
`})
	for _, interval := range []time.Duration{time.Second, 10 * time.Second, 15 * time.Second, 2 * time.Minute} {
		s := newScenario(t, c, feed{interval: interval, lines: "done_total 1000+30x80\nlate_total 1000+30x80"})
		want := Number(30 / interval.Seconds())
		ticks := 0
		s.run(func(int64) {
			if ticks++; ticks == 1 {
				return
			}
			for _, signal := range []string{"cap:completed_rate", "cap:expired_rate"} {
				if got := s.now(signal); got != `{__name__="`+signal+`", instance="app", system="app"} `+want {
					t.Errorf("every %s, tick %d: got %s, want %s", interval, ticks, got, want)
				}
			}
		})
	}
}

func TestWindowsAreFilledIn(t *testing.T) {
	win := Windows{Short: 67500 * time.Millisecond, Events: 5*time.Minute + 7500*time.Millisecond}
	tests := []struct{ expr, want string }{
		{"cap:waiting > 0", "cap:waiting > 0"},
		{"rate(a[1m])", "rate(a[1m7s500ms])"},
		{"increase(a[5m]) / increase(b{c=\"[1m]\"}[5m])", "increase(a[5m7s500ms]) / increase(b{c=\"[1m]\"}[5m7s500ms])"},
		{"quantile_over_time(0.9, a[30m]) > rate(a[1m])", "quantile_over_time(0.9, a[30m]) > rate(a[1m7s500ms])"},
		{"a offset 5m", "a offset 5m"},
	}
	for _, tt := range tests {
		expr := parse(t, tt.expr)
		w, err := newWindowed(expr)
		if err != nil {
			t.Fatal(err)
		}
		if got := w.at(win); got != tt.want {
			t.Errorf("got %s, want %s", got, tt.want)
		}
		if got := w.at(Windows{}); parse(t, got) == nil {
			t.Error("a window of nothing does not parse")
		}
		if got := expr.String(); got != parse(t, tt.expr).String() {
			t.Errorf("the expression was changed: %s", got)
		}
	}
}

func TestSpeaksOfSeveralTargets(t *testing.T) {
	tests := map[string]bool{
		"a":                                       false,
		"rate(a[1m])":                             false,
		"sum by (instance, pool) (a)":             false,
		"sum without (pool) (a)":                  false,
		"sum by (service) (a)":                    true,
		"sum without (instance) (a)":              true,
		"sum(a)":                                  true,
		"a / on (instance) group_left () b":       false,
		"a / ignoring (pool) group_left () b":     false,
		"a and on (service) b":                    true,
		"a / ignoring (instance) group_left () b": true,
		"a * scalar(max(b))":                      true,
	}
	for expr, want := range tests {
		if got := aggregatesInstances(parse(t, expr)); got != want {
			t.Errorf("%s: got %v", expr, got)
		}
	}
}

func TestPossible(t *testing.T) {
	there := func(s *parser.VectorSelector) bool { return s.Name == "a" || s.Name == "b" }
	tests := map[string]bool{
		"a": true, "x": false, "rate(x[1m])": false, "a + b": true, "a + x": false, "x or b": true, "x or y": false,
		"a unless x": true, "x unless a": false, "a and x": false, "sum(x)": false, "(x)": false, "-x": false,
		"absent(x)": true, "vector(1)": true, "a > 5": true, "label_replace(x, \"a\", \"b\", \"c\", \"d\")": false,
	}
	for expr, want := range tests {
		if got := possible(parse(t, expr), there); got != want {
			t.Errorf("%s: got %v", expr, got)
		}
	}
}

// Two columns that are recorded as one series do not disturb each other when one
// takes over from the other, and a second value at one time is refused.
func TestColumnsOfOneSeries(t *testing.T) {
	c := testCatalog(t, map[string]string{"systems/app.yaml": `groups:
- name: app
  rules:
  - {record: "cap:waiting", expr: "a_waiting or b_waiting", labels: {system: app, host: ""}}
`})
	lines := "a_waiting{host=\"a\"} 1 2 _ _ _ 6\nb_waiting 7 8 9 10 _ 11"
	want := `{__name__="cap:waiting", instance="app", system="app"}: 1 2 9 10 6`
	made := func() *scenario { return newScenario(t, c, feed{lines: lines}) }
	byTick, atOnce := made().run(), made().ingest()
	atOnce.advance(atOnce.ticks()...)
	for name, s := range map[string]*scenario{"tick by tick": byTick, "at once": atOnce} {
		got := ""
		for l, points := range s.recorded() {
			if l == `{__name__="cap:waiting", instance="app", system="app"}` {
				got = l + ":"
				for _, p := range points {
					got += " " + Number(p.Value)
				}
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if n := s.store.Refused().Duplicates; n != 3 {
			t.Errorf("%s: %d duplicates, want 3", name, n)
		}
	}
}
