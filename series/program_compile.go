package series

import (
	"slices"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/promql/parser"
)

// compileVector makes a part of a program of an expression; ok is false where
// the engine must be asked.
func compileVector(expr parser.Expr) (v vector, ok bool) {
	switch e := expr.(type) {
	case *parser.ParenExpr:
		return compileVector(e.Expr)
	case *parser.VectorSelector:
		return compileSelector(e)
	case *parser.Call:
		return compileCall(e)
	case *parser.AggregateExpr:
		return compileAggregate(e)
	case *parser.BinaryExpr:
		return compileBinary(e)
	case *parser.UnaryExpr:
		if e.Op != parser.SUB {
			return compileVector(e.Expr)
		}
		in, ok := compileVector(e.Expr)
		return newApplied(in, func(*moment) func(float64) float64 { return negative }), ok
	}
	return nil, false
}

func negative(v float64) float64 { return -v }

func compileSelector(e *parser.VectorSelector) (vector, bool) {
	s, ok := newSelection(e)
	return &present{selection: s}, ok
}

// newSelection takes selectors that name a metric and look at the present.
func newSelection(e *parser.VectorSelector) (selection, bool) {
	if e.OriginalOffset != 0 || e.OriginalOffsetExpr != nil || e.Timestamp != nil || e.StartOrEnd != 0 || e.Anchored || e.Smoothed {
		return selection{}, false
	}
	var s selection
	for _, m := range e.LabelMatchers {
		switch {
		case m.Name != model.MetricNameLabel:
			s.matchers = append(s.matchers, m)
		case m.Type == labels.MatchEqual && s.name == "":
			s.name = m.Value
		default:
			return selection{}, false
		}
	}
	return s, s.name != ""
}

// overRange are the functions of a range vector alone that drop the metric name.
var overRange = []string{
	"rate", "increase", "delta", "irate", "idelta", "deriv", "changes", "resets",
	"count_over_time", "sum_over_time", "avg_over_time", "min_over_time", "max_over_time",
	"stddev_over_time", "stdvar_over_time", "present_over_time",
}

func compileCall(e *parser.Call) (vector, bool) {
	switch name := e.Func.Name; {
	case slices.Contains(overRange, name):
		return compileRange(e, e.Args[0], nil)
	case name == "quantile_over_time":
		q, ok := compileScalar(e.Args[0])
		if !ok {
			return nil, false
		}
		return compileRange(e, e.Args[1], q)
	case name == "label_replace":
		return compileLabelReplace(e)
	case name == "label_join":
		return compileLabelJoin(e)
	case elementwise[name] != nil:
		return compileElementwise(e, elementwise[name])
	}
	return nil, false
}

func compileRange(e *parser.Call, arg parser.Expr, param scalar) (vector, bool) {
	m, ok := arg.(*parser.MatrixSelector)
	if !ok || m.RangeExpr != nil {
		return nil, false
	}
	s, ok := newSelection(m.VectorSelector.(*parser.VectorSelector))
	if !ok {
		return nil, false
	}
	own := *m
	args := slices.Clone(e.Args)
	args[slices.Index(args, arg)] = &own
	return &overWindow{
		selection: s, function: e.Func.Name, length: m.Range, window: &own, args: args, param: param,
		call: promql.FunctionCalls[e.Func.Name], names: newLookup(withoutName),
	}, true
}

// compileScalar makes a part of a program of a scalar expression.
func compileScalar(expr parser.Expr) (scalar, bool) {
	switch e := expr.(type) {
	case *parser.ParenExpr:
		return compileScalar(e.Expr)
	case *parser.NumberLiteral:
		return func(*moment) float64 { return e.Val }, true
	case *parser.UnaryExpr:
		s, ok := compileScalar(e.Expr)
		if !ok || e.Op != parser.SUB {
			return s, ok
		}
		return func(m *moment) float64 { return -s(m) }, true
	case *parser.Call:
		if e.Func.Name == "time" {
			return func(m *moment) float64 { return float64(m.t) / 1000 }, true
		}
	case *parser.BinaryExpr:
		a, okA := compileScalar(e.LHS)
		b, okB := compileScalar(e.RHS)
		op, ok := operatorOf(e.Op)
		if !okA || !okB || !ok {
			return nil, false
		}
		return func(m *moment) float64 {
			v, keep := op(a(m), b(m))
			if e.Op.IsComparisonOperator() {
				return oneIf(keep)
			}
			return v
		}, true
	}
	return nil, false
}

func oneIf(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
