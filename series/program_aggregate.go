package series

import (
	"math"
	"slices"

	"github.com/prometheus/prometheus/promql/parser"
	"github.com/prometheus/prometheus/util/kahansum"
)

// An aggregate joins the elements of each group into one.
type aggregate struct {
	in     vector
	op     parser.ItemType
	groups lookup[LabelSet, *group]
	bySet  map[LabelSet]*group
	turn   int // counts evaluations
	order  []*group
	out    []Element
}

// A group is one element of the result, and the sum so far.
type group struct {
	set     LabelSet
	turn    int // the evaluation that it was seen in last
	value   float64
	carried float64 // what the sum lost to rounding
	count   float64
}

func compileAggregate(e *parser.AggregateExpr) (vector, bool) {
	switch e.Op {
	case parser.SUM, parser.MIN, parser.MAX, parser.COUNT, parser.AVG, parser.GROUP:
	default:
		return nil, false
	}
	in, ok := compileVector(e.Expr)
	if !ok {
		return nil, false
	}
	a := &aggregate{in: in, op: e.Op, bySet: map[LabelSet]*group{}}
	names := slices.Clone(e.Grouping)
	keep := only
	if e.Without {
		keep = without
	}
	a.groups = newLookup(func(s LabelSet) *group { return a.group(keep(s, names)) })
	return a, true
}

// group is the group of a label set: one for all elements that belong to it.
func (a *aggregate) group(set LabelSet) *group {
	g := a.bySet[set]
	if g == nil {
		g = &group{set: set, turn: a.turn - 1}
		a.bySet[set] = g
	}
	return g
}

func (a *aggregate) eval(m *moment) ([]Element, error) {
	in, err := a.in.eval(m)
	if err != nil {
		return nil, err
	}
	a.turn++
	a.order = a.order[:0]
	for i, e := range in {
		g := a.groups.at(i, e.Set)
		if g.turn != a.turn {
			*g = group{set: g.set, turn: a.turn, value: e.Value, count: 1}
			a.order = append(a.order, g)
			continue
		}
		g.add(a.op, e.Value)
	}
	a.out = a.out[:0]
	for _, g := range a.order {
		v, ok := g.result(a.op)
		if !ok {
			return nil, errEngine
		}
		a.out = append(a.out, Element{g.set, v})
	}
	if len(a.bySet) > 2*len(a.order)+1000 { // most groups are gone
		clear(a.bySet)
		clear(a.groups.known)
		a.groups.row = a.groups.row[:0]
	}
	return a.out, nil
}

// add takes one more value into a group, in the way of the engine.
func (g *group) add(op parser.ItemType, v float64) {
	g.count++
	switch op {
	case parser.SUM, parser.AVG:
		g.value, g.carried = kahansum.Inc(v, g.value, g.carried)
	case parser.MAX:
		if g.value < v || math.IsNaN(g.value) {
			g.value = v
		}
	case parser.MIN:
		if g.value > v || math.IsNaN(g.value) {
			g.value = v
		}
	}
}

// result is what a group comes to; ok is false for a mean whose sum is out of
// range, which the engine takes in another way.
func (g *group) result(op parser.ItemType) (v float64, ok bool) {
	switch op {
	case parser.SUM:
		return g.value + g.carried, true
	case parser.AVG:
		if math.IsInf(g.value, 0) {
			return 0, false
		}
		return g.value/g.count + g.carried/g.count, true
	case parser.COUNT:
		return g.count, true
	case parser.GROUP:
		return 1, true
	}
	return g.value, true
}
