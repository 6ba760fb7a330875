package series

import (
	"context"
	"slices"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/tsdb/chunkenc"
	"github.com/prometheus/prometheus/util/annotations"
)

// querier answers one query of the engine.
type querier struct {
	queryable
	mint, maxt int64
}

var _ storage.Querier = querier{}

// Select returns the matching series with their points as they are now: the
// store may be appended to while the engine works.
func (q querier) Select(_ context.Context, _ bool, hints *storage.SelectHints, matchers ...*labels.Matcher) storage.SeriesSet {
	mint, maxt, one := q.mint, q.maxt, false
	if hints != nil {
		mint, maxt, one = hints.Start, hints.End, hints.Step == 0 && hints.Range == 0
	}
	q.store.mu.RLock()
	defer q.store.mu.RUnlock()
	var found []selected
	q.each(matchers, func(m *memSeries) {
		times, values := m.between(mint, maxt)
		if n := len(times); n > 1 && one { // an instant looks at the last point only
			times, values = times[n-1:], values[n-1:]
		}
		if len(times) > 0 {
			found = append(found, selected{m.labels, times, values})
		}
	})
	return &seriesSet{list: found, at: -1}
}

// each calls f for the series that match and that the view sees, in order of
// labels within one metric name.
func (q querier) each(matchers []*labels.Matcher, f func(*memSeries)) {
	names, rest := q.names(matchers)
	for _, name := range names {
		for _, m := range q.store.byName[name].candidates(rest) {
			if q.view.Contains(m.source) && matches(m.labels, rest) {
				f(m)
			}
		}
	}
}

// names lists the metric names that a selector can match, sorted, and the
// matchers that are left to apply.
func (q querier) names(matchers []*labels.Matcher) ([]string, []*labels.Matcher) {
	for i, m := range matchers {
		if m.Name == model.MetricNameLabel && m.Type == labels.MatchEqual {
			return []string{m.Value}, slices.Delete(slices.Clone(matchers), i, i+1)
		}
	}
	var names []string
	for _, name := range q.store.names {
		if nameMatches(name, matchers) {
			names = append(names, name)
		}
	}
	return names, matchers
}

// nameMatches tells whether a metric name fits the matchers of names.
func nameMatches(name string, matchers []*labels.Matcher) bool {
	for _, m := range matchers {
		if m.Name == model.MetricNameLabel && !m.Matches(name) {
			return false
		}
	}
	return true
}

func matches(l Labels, matchers []*labels.Matcher) bool {
	for _, m := range matchers {
		if !m.Matches(l.Get(m.Name)) {
			return false
		}
	}
	return true
}

// LabelValues returns the values of a label among the matching series, sorted.
func (q querier) LabelValues(_ context.Context, name string, _ *storage.LabelHints, matchers ...*labels.Matcher) ([]string, annotations.Annotations, error) {
	q.store.mu.RLock()
	defer q.store.mu.RUnlock()
	seen := map[string]bool{}
	q.each(matchers, func(m *memSeries) {
		if v := m.labels.Get(name); v != "" {
			seen[v] = true
		}
	})
	return sortedKeys(seen), nil, nil
}

// LabelNames returns the label names of the matching series, sorted.
func (q querier) LabelNames(_ context.Context, _ *storage.LabelHints, matchers ...*labels.Matcher) ([]string, annotations.Annotations, error) {
	q.store.mu.RLock()
	defer q.store.mu.RUnlock()
	seen := map[string]bool{}
	q.each(matchers, func(m *memSeries) {
		m.labels.Range(func(l labels.Label) { seen[l.Name] = true })
	})
	return sortedKeys(seen), nil, nil
}

// Close does nothing: a querier holds nothing.
func (q querier) Close() error { return nil }

func sortedKeys(set map[string]bool) []string {
	keys := make([]string, 0, len(set))
	for k := range set {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// selected is a series of a result.
type selected struct {
	labels Labels
	times  []int64
	values []float64
}

var _ storage.Series = selected{}

func (s selected) Labels() Labels { return s.labels }

func (s selected) Iterator(old chunkenc.Iterator) chunkenc.Iterator {
	if it, ok := old.(*iterator); ok {
		*it = iterator{selected: s, at: -1}
		return it
	}
	return &iterator{selected: s, at: -1}
}

// seriesSet walks over a result.
type seriesSet struct {
	list []selected
	at   int
}

func (s *seriesSet) Next() bool                        { s.at++; return s.at < len(s.list) }
func (s *seriesSet) At() storage.Series                { return s.list[s.at] }
func (s *seriesSet) Err() error                        { return nil }
func (s *seriesSet) Warnings() annotations.Annotations { return nil }
