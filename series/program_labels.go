package series

import (
	"math"
	"regexp"
	"strings"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql/parser"
)

// A relabelled vector has the values of another one under other labels.
type relabelled struct {
	in   vector
	sets lookup[LabelSet, LabelSet]
	seen map[LabelSet]bool
	out  []Element
}

func newRelabelled(in vector, change func(LabelSet) LabelSet) *relabelled {
	return &relabelled{in: in, sets: newLookup(change), seen: map[LabelSet]bool{}}
}

func (r *relabelled) eval(m *moment) ([]Element, error) {
	in, err := r.in.eval(m)
	if err != nil {
		return nil, err
	}
	r.out = r.out[:0]
	for i, e := range in {
		r.out = append(r.out, Element{r.sets.at(i, e.Set), e.Value})
	}
	return r.out, distinct(r.out, r.seen)
}

func compileLabelReplace(e *parser.Call) (vector, bool) {
	in, ok := compileVector(e.Args[0])
	if !ok {
		return nil, false
	}
	dst, with, src := stringOf(e.Args[1]), stringOf(e.Args[2]), stringOf(e.Args[3])
	pattern, err := regexp.Compile("^(?s:" + stringOf(e.Args[4]) + ")$")
	if err != nil || !model.UTF8Validation.IsValidLabelName(dst) {
		return nil, false
	}
	return newRelabelled(in, func(s LabelSet) LabelSet {
		value := s.Value().Get(src)
		at := pattern.FindStringSubmatchIndex(value)
		if at == nil {
			return s
		}
		result := pattern.ExpandString(nil, with, value, at)
		return LabelSetOf(labels.NewBuilder(s.Value()).Set(dst, string(result)).Labels())
	}), true
}

func compileLabelJoin(e *parser.Call) (vector, bool) {
	in, ok := compileVector(e.Args[0])
	if !ok {
		return nil, false
	}
	dst, separator := stringOf(e.Args[1]), stringOf(e.Args[2])
	var sources []string
	for _, arg := range e.Args[3:] {
		sources = append(sources, stringOf(arg))
		ok = ok && model.UTF8Validation.IsValidLabelName(stringOf(arg))
	}
	if !ok || !model.UTF8Validation.IsValidLabelName(dst) {
		return nil, false
	}
	return newRelabelled(in, func(s LabelSet) LabelSet {
		values := make([]string, len(sources))
		for i, name := range sources {
			values[i] = s.Value().Get(name)
		}
		return LabelSetOf(labels.NewBuilder(s.Value()).Set(dst, strings.Join(values, separator)).Labels())
	}), true
}

// stringOf is the value of a string literal.
func stringOf(expr parser.Expr) string {
	for {
		p, ok := expr.(*parser.ParenExpr)
		if !ok {
			break
		}
		expr = p.Expr
	}
	return expr.(*parser.StringLiteral).Val
}

// An applied vector is a function of each value of another one, without the
// metric name.
type applied struct {
	in    vector
	by    func(*moment) func(float64) float64 // nil: no element is left
	names lookup[LabelSet, LabelSet]
	seen  map[LabelSet]bool
	out   []Element
}

func newApplied(in vector, by func(*moment) func(float64) float64) *applied {
	return &applied{in: in, by: by, names: newLookup(withoutName), seen: map[LabelSet]bool{}}
}

func (a *applied) eval(m *moment) ([]Element, error) {
	in, err := a.in.eval(m)
	if err != nil {
		return nil, err
	}
	a.out = a.out[:0]
	f := a.by(m)
	if f == nil {
		return a.out, nil
	}
	for i, e := range in {
		a.out = append(a.out, Element{a.names.at(i, e.Set), f(e.Value)})
	}
	return a.out, distinct(a.out, a.seen)
}

// elementwise are functions of each value and some numbers.
var elementwise = map[string]func(params []float64) func(float64) float64{
	"abs":       func([]float64) func(float64) float64 { return math.Abs },
	"ceil":      func([]float64) func(float64) float64 { return math.Ceil },
	"floor":     func([]float64) func(float64) float64 { return math.Floor },
	"round":     func(p []float64) func(float64) float64 { return round(append(p, 1)[0]) },
	"clamp":     func(p []float64) func(float64) float64 { return clamp(p[0], p[1]) },
	"clamp_min": func(p []float64) func(float64) float64 { return clamp(p[0], math.Inf(1)) },
	"clamp_max": func(p []float64) func(float64) float64 { return clamp(math.Inf(-1), p[0]) },
}

func round(nearest float64) func(float64) float64 {
	inverse := 1 / nearest // so that 0.1 has no error of its own
	return func(v float64) float64 { return math.Floor(v*inverse+0.5) / inverse }
}

func clamp(low, high float64) func(float64) float64 {
	if high < low {
		return nil
	}
	return func(v float64) float64 { return math.Max(low, math.Min(high, v)) }
}

func compileElementwise(e *parser.Call, of func([]float64) func(float64) float64) (vector, bool) {
	in, ok := compileVector(e.Args[0])
	params := make([]scalar, len(e.Args)-1)
	for i, arg := range e.Args[1:] {
		var known bool
		params[i], known = compileScalar(arg)
		ok = ok && known
	}
	if !ok {
		return nil, false
	}
	return newApplied(in, func(m *moment) func(float64) float64 {
		values := make([]float64, len(params))
		for i, p := range params {
			values[i] = p(m)
		}
		return of(values)
	}), true
}
