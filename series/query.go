package series

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/promql/parser"
	"github.com/prometheus/prometheus/storage"
)

// Lookback is how old the last sample of a series may be and still count, as
// in Prometheus; stale markers end series sooner.
const Lookback = 5 * time.Minute

const (
	maxQuerySamples = 100_000_000
	queryTimeout    = 2 * time.Minute
	subqueryStep    = time.Minute // where a subquery says none, as in Prometheus
)

func newEngine() *promql.Engine {
	return promql.NewEngine(promql.EngineOpts{
		MaxSamples:    maxQuerySamples,
		Timeout:       queryTimeout,
		LookbackDelta: Lookback,
		Parser:        parser.NewParser(parser.Options{}),

		EnableAtModifier:     true, // as Prometheus does
		EnableNegativeOffset: true,

		NoStepSubqueryIntervalFn: func(int64) int64 { return subqueryStep.Milliseconds() },
	})
}

// A View is the part of a store that a query sees: the series of some sources.
// The zero View sees everything.
type View struct {
	sources []bool // by SourceID; nil is all
}

// ViewOf returns the view of the given sources.
func (s *Store) ViewOf(ids ...SourceID) View {
	v := View{sources: make([]bool, s.Sources())}
	for _, id := range ids {
		v.sources[id] = true
	}
	return v
}

// Contains tells whether the view sees the source.
func (v View) Contains(id SourceID) bool {
	return v.sources == nil || int(id) < len(v.sources) && v.sources[id]
}

// Instant evaluates a PromQL expression at t (milliseconds). A scalar comes
// back as one sample without labels. The samples are sorted by labels.
func (s *Store) Instant(ctx context.Context, v View, expr string, t int64) ([]Sample, error) {
	query, err := s.engine.NewInstantQuery(ctx, queryable{s, v}, nil, expr, time.UnixMilli(t))
	if err != nil {
		return nil, fmt.Errorf("query %q: %w", expr, err)
	}
	defer query.Close()
	result := query.Exec(ctx)
	if result.Err != nil {
		return nil, fmt.Errorf("query %q: %w", expr, result.Err)
	}
	switch value := result.Value.(type) {
	case promql.Vector:
		samples := make([]Sample, 0, len(value))
		for _, sample := range value {
			if sample.H == nil {
				samples = append(samples, Sample{Labels: sample.Metric, Time: sample.T, Value: sample.F})
			}
		}
		slices.SortFunc(samples, func(a, b Sample) int { return labels.Compare(a.Labels, b.Labels) })
		return samples, nil
	case promql.Scalar:
		return []Sample{{Time: value.T, Value: value.V}}, nil
	}
	return nil, fmt.Errorf("query %q: want a vector or a scalar, got %s", expr, result.Value.Type())
}

// Range evaluates a PromQL expression at every step from start to end
// (milliseconds, both included). The series are sorted by labels.
func (s *Store) Range(ctx context.Context, v View, expr string, start, end, step int64) ([]Series, error) {
	query, err := s.engine.NewRangeQuery(ctx, queryable{s, v}, nil, expr,
		time.UnixMilli(start), time.UnixMilli(end), time.Duration(step)*time.Millisecond)
	if err != nil {
		return nil, fmt.Errorf("query %q: %w", expr, err)
	}
	defer query.Close()
	result := query.Exec(ctx)
	if result.Err != nil {
		return nil, fmt.Errorf("query %q: %w", expr, result.Err)
	}
	matrix, ok := result.Value.(promql.Matrix)
	if !ok {
		return nil, fmt.Errorf("query %q: want a matrix, got %s", expr, result.Value.Type())
	}
	out := make([]Series, 0, len(matrix))
	for _, m := range matrix {
		points := make([]Point, len(m.Floats))
		for i, p := range m.Floats {
			points[i] = Point{Time: p.T, Value: p.F}
		}
		out = append(out, Series{Labels: m.Metric, Points: points})
	}
	return out, nil
}

// Select returns the stored points from min to max (milliseconds, both
// included) of the series of one metric name, sorted by labels. Stale markers
// are left out.
func (s *Store) Select(name string, min, max int64) []Series {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var out []Series
	for _, m := range s.byName[name].series() {
		times, values := m.between(min, max)
		points := make([]Point, 0, len(times))
		for i, t := range times {
			if !IsStale(values[i]) {
				points = append(points, Point{t, values[i]})
			}
		}
		if len(points) > 0 {
			out = append(out, Series{Labels: m.labels, Points: points})
		}
	}
	return out
}

// SourceOf tells which source supplied a series last.
func (s *Store) SourceOf(l Labels) (SourceID, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if m := s.find(l); m != nil {
		return m.source, true
	}
	return 0, false
}

// find returns the series of these labels or nil. The lock is held by the caller.
func (s *Store) find(l Labels) *memSeries {
	for _, m := range s.byHash[l.Hash()] {
		if labels.Equal(m.labels, l) {
			return m
		}
	}
	return nil
}

// queryable is a view as Prometheus' engine wants it.
type queryable struct {
	store *Store
	view  View
}

var _ storage.Queryable = queryable{}

func (q queryable) Querier(mint, maxt int64) (storage.Querier, error) {
	return querier{queryable: q, mint: mint, maxt: maxt}, nil
}

// Present lists the instances that have a series of that metric name at t:
// one whose last point at or before t is not older than Lookback and is no
// stale marker. It is sorted.
func (s *Store) Present(name string, t int64) []string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var found []string
	for _, m := range s.byName[name].series() {
		if n := len(found); n > 0 && found[n-1] == m.instance {
			continue
		}
		if _, ok := m.presentAt(t); ok {
			found = append(found, m.instance)
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}
