package series

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/util/teststorage"
)

// The store answers like Prometheus' own storage: the same points in both, a
// few hundred random questions, equal answers.
func TestAnswersLikePrometheus(t *testing.T) {
	const rounds, questions = 120, 400
	rng := rand.New(rand.NewPCG(1, 2))
	ours := randomStore(rng, rounds)
	theirs := copyToPrometheus(t, ours)
	engine := newEngine()
	answered := 0
	for range questions {
		expr := randomExpr(rng, 3)
		at := rng.Int64N(rounds*10_000+300_000) - 20_000
		got, err := ours.Instant(t.Context(), View{}, expr, at)
		want, wantErr := askPrometheus(t, engine, theirs, expr, at)
		if (err == nil) != (wantErr == nil) {
			t.Fatalf("%s at %d: got error %v, Prometheus has %v", expr, at, err, wantErr)
		}
		if diff := cmp.Diff(want, got, sameNumbers, sameLabels); diff != "" {
			t.Fatalf("%s at %d (-Prometheus +ours):\n%s", expr, at, diff)
		}
		end, step := at+rng.Int64N(600_000), 1+rng.Int64N(60_000)
		gotRange, err := ours.Range(t.Context(), View{}, expr, at, end, step)
		wantRange, wantErr := askPrometheusRange(t, engine, theirs, expr, at, end, step)
		if (err == nil) != (wantErr == nil) {
			t.Fatalf("%s: got error %v, Prometheus has %v", expr, err, wantErr)
		}
		if diff := cmp.Diff(wantRange, gotRange, sameNumbers, sameLabels); diff != "" {
			t.Fatalf("%s from %d to %d by %d (-Prometheus +ours):\n%s", expr, at, end, step, diff)
		}
		if len(gotRange) > 0 {
			answered++
		}
	}
	if answered < questions/2 {
		t.Errorf("only %d of %d questions had an answer", answered, questions)
	}
}

var (
	sameLabels = cmp.Comparer(labels.Equal)
	// Prometheus' storage gives series in any order, and so an aggregation may
	// differ in its last bits.
	sameNumbers = cmp.Comparer(func(a, b float64) bool {
		return a == b || math.IsNaN(a) && math.IsNaN(b) || math.Abs(a-b) <= 1e-12*math.Abs(a)
	})
)

// randomStore holds gauges, counters that are reset and histogram buckets of
// three inputs with absent series, failed rounds and gaps.
func randomStore(rng *rand.Rand, rounds int) *Store {
	s := New(Options{})
	for n := range 3 {
		id := s.AddSource(Source{Instance: fmt.Sprint(n), Kind: Log, Interval: interval})
		counters := map[string]float64{}
		for i := range rounds {
			if rng.IntN(10) == 0 || i > 60 && i < 66 {
				continue
			}
			b := Batch{Source: id, Time: int64(i)*10_000 + rng.Int64N(200), Failed: rng.IntN(25) == 0}
			for _, name := range []string{"a", "b", "c_total", "d_total"} {
				for _, pool := range []string{"x", "y"} {
					if rng.IntN(12) > 0 {
						b.Samples = append(b.Samples, Sample{Labels: FromStrings("__name__", name, "instance", fmt.Sprint(n), "pool", pool), Value: randomValue(rng, name, counters)})
					}
				}
			}
			for k, le := range []string{"0.1", "1", "+Inf"} {
				b.Samples = append(b.Samples, Sample{Labels: FromStrings("__name__", "h_bucket", "instance", fmt.Sprint(n), "le", le), Value: float64(i * (k + 1))})
			}
			s.Ingest(b)
		}
	}
	return s
}

func randomValue(rng *rand.Rand, name string, counters map[string]float64) float64 {
	if !strings.HasSuffix(name, "_total") {
		return []float64{0, 1, float64(rng.IntN(7)), rng.Float64() * 1e6, -3, math.NaN(), math.Inf(1)}[rng.IntN(7)]
	}
	if rng.IntN(20) == 0 {
		counters[name] = 0
	}
	counters[name] += float64(rng.IntN(50))
	return counters[name]
}

func randomExpr(rng *rand.Rand, depth int) string {
	pick := func(choices ...string) string { return choices[rng.IntN(len(choices))] }
	selector := func() string {
		return pick("a", "b", "c_total", "d_total") +
			pick("", "", "", "", `{pool="x"}`, `{instance!="1"}`, `{instance=~"0|2",pool!~"x.*"}`, `{pool=""}`)
	}
	if rng.IntN(4) == 0 {
		return pick("h_bucket", `a{pool="x"}`, `{__name__=~"a|b"}`, `{__name__!="a",pool="y"}`) + pick("", " offset 30s", " @ 300", " offset -20s")
	}
	over := func(window string) string {
		return pick("rate", "increase", "irate", "delta", "idelta", "deriv", "resets", "changes", "avg_over_time", "max_over_time",
			"min_over_time", "sum_over_time", "count_over_time", "last_over_time", "stddev_over_time", "present_over_time", "absent_over_time") +
			"(" + selector() + window + ")"
	}
	if depth == 0 || rng.IntN(3) == 0 {
		switch rng.IntN(4) {
		case 0:
			return selector()
		case 1:
			return "quantile_over_time(0.9, " + selector() + "[2m])"
		case 2:
			return pick("timestamp", "absent") + "(" + selector() + ")"
		}
		return over(pick("[1m]", "[5m]", "[25s]", "[65s]", "[2m] offset 40s"))
	}
	inner := func() string { return randomExpr(rng, depth-1) }
	switch rng.IntN(6) {
	case 0:
		return fmt.Sprintf(pick("sum(%s)", "max(%s)", "count(%s)", "avg(%s)", "stddev(%s)", "topk by (pool) (2, %s)", "sum by (instance) (%s)", "max without (pool) (%s)"), inner())
	case 1:
		return "(" + inner() + ") " + pick("and", "or", "unless") + pick("", " on (instance)", " ignoring (pool)") + " (" + inner() + ")"
	case 2:
		return "(" + inner() + ") " + pick("+", "*", "/", "-", ">", "<=", "== bool") + " " + pick("1", "0.2 * 3", "scalar(sum(a))")
	case 3:
		return "max by (instance, pool) (" + inner() + ") " + pick(">", "/", "-") + " on (instance) group_left () max by (instance) (" + inner() + ")"
	case 4:
		return "histogram_quantile(0.9, rate(h_bucket" + pick("[1m]", "[5m]") + "))"
	}
	return pick("max_over_time", "rate", "count_over_time") + "((" + inner() + ")" + pick("[1m:20s]", "[3m:]") + ")"
}

// copyToPrometheus puts every point of the store, stale markers included, into
// a storage of Prometheus.
func copyToPrometheus(t *testing.T, s *Store) *teststorage.TestStorage {
	t.Helper()
	db := teststorage.New(t)
	app := db.Appender(t.Context())
	for _, name := range s.Names() {
		for _, m := range s.byName[name].series() {
			for i, at := range m.times {
				if _, err := app.Append(0, m.labels, at, m.values[i]); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	if err := app.Commit(); err != nil {
		t.Fatal(err)
	}
	return db
}

func askPrometheus(t *testing.T, e *promql.Engine, db *teststorage.TestStorage, expr string, at int64) ([]Sample, error) {
	t.Helper()
	q, err := e.NewInstantQuery(t.Context(), db, nil, expr, time.UnixMilli(at))
	if err != nil {
		return nil, err
	}
	defer q.Close()
	r := q.Exec(t.Context())
	if r.Err != nil {
		return nil, r.Err
	}
	if scalar, ok := r.Value.(promql.Scalar); ok {
		return []Sample{{Time: scalar.T, Value: scalar.V}}, nil
	}
	samples := []Sample{}
	for _, x := range r.Value.(promql.Vector) {
		samples = append(samples, Sample{Labels: x.Metric, Time: x.T, Value: x.F})
	}
	slices.SortFunc(samples, func(a, b Sample) int { return labels.Compare(a.Labels, b.Labels) })
	return samples, nil
}

func askPrometheusRange(t *testing.T, e *promql.Engine, db *teststorage.TestStorage, expr string, start, end, step int64) ([]Series, error) {
	t.Helper()
	q, err := e.NewRangeQuery(t.Context(), db, nil, expr, time.UnixMilli(start), time.UnixMilli(end), time.Duration(step)*time.Millisecond)
	if err != nil {
		return nil, err
	}
	defer q.Close()
	r := q.Exec(t.Context())
	if r.Err != nil {
		return nil, r.Err
	}
	found := []Series{}
	for _, m := range r.Value.(promql.Matrix) {
		s := Series{Labels: m.Metric}
		for _, p := range m.Floats {
			s.Points = append(s.Points, Point{p.T, p.F})
		}
		found = append(found, s)
	}
	return found, nil
}
