package series

import (
	"time"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/promql/parser"
)

// A selection is the series of one metric name that fit some matchers. It
// remembers them until a series of that name comes or goes.
type selection struct {
	name     string
	matchers []*labels.Matcher // without the name
	family   *family
	version  int
	found    []*memSeries
}

// series lists the series that fit, sorted by labels, whoever supplies them.
func (s *selection) series(m *moment) []*memSeries {
	f := m.store.byName[s.name]
	if f == nil {
		return nil
	}
	if f != s.family || f.version != s.version {
		s.family, s.version, s.found = f, f.version, nil
		for _, series := range f.candidates(s.matchers) {
			if matches(series.labels, s.matchers) {
				s.found = append(s.found, series)
			}
		}
	}
	return s.found
}

// A present is a selector of an instant vector.
type present struct {
	selection
	out []Element
}

func (s *present) eval(m *moment) ([]Element, error) {
	s.out = s.out[:0]
	for _, series := range s.series(m) {
		if m.view.Contains(series.source) {
			if i, ok := series.presentAt(m.t); ok {
				s.out = append(s.out, Element{series.set, series.values[i]})
			}
		}
	}
	return s.out, nil
}

// An overWindow is a function of the points of each series in a window. The
// function is the engine's own.
type overWindow struct {
	selection
	function string
	length   time.Duration          // as it is written
	window   *parser.MatrixSelector // as it is evaluated; one of args
	args     parser.Expressions
	param    scalar // the number before the window; nil where the function takes none
	call     promql.FunctionCall
	names    lookup[LabelSet, LabelSet]

	helper promql.EvalNodeHelper
	points promql.Matrix // one series
	out    []Element
}

func (w *overWindow) eval(m *moment) ([]Element, error) {
	w.window.Range = m.length(w.function, w.length)
	w.helper.Ts = m.t
	if w.points == nil {
		w.points = make(promql.Matrix, 1)
	}
	var params []promql.Vector
	if w.param != nil {
		params = []promql.Vector{{{F: w.param(m)}}}
	}
	w.out = w.out[:0]
	after := m.t - w.window.Range.Milliseconds()
	for _, series := range w.series(m) {
		if !m.view.Contains(series.source) {
			continue
		}
		floats := w.points[0].Floats[:0]
		times, values := series.between(after+1, m.t)
		for i, v := range values {
			if !IsStale(v) {
				floats = append(floats, promql.FPoint{T: times[i], F: v})
			}
		}
		w.points[0].Floats = floats
		if len(floats) == 0 {
			continue
		}
		w.points[0].Metric = series.labels
		result, _ := w.call(params, w.points, w.args, &w.helper)
		if len(result) > 0 {
			w.out = append(w.out, Element{w.names.at(len(w.out), series.set), result[0].F})
		}
		w.helper.Out = result[:0]
	}
	return w.out, nil
}
