package series

import (
	"math"
	"slices"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql/parser"
	"github.com/prometheus/prometheus/schema"
)

// An operator joins two values. keep is what a comparison comes to; arithmetic
// keeps everything.
type operator func(a, b float64) (v float64, keep bool)

func operatorOf(op parser.ItemType) (operator, bool) {
	arithmetic := func(f func(a, b float64) float64) (operator, bool) {
		return func(a, b float64) (float64, bool) { return f(a, b), true }, true
	}
	switch op {
	case parser.ADD:
		return arithmetic(func(a, b float64) float64 { return a + b })
	case parser.SUB:
		return arithmetic(func(a, b float64) float64 { return a - b })
	case parser.MUL:
		return arithmetic(func(a, b float64) float64 { return a * b })
	case parser.DIV:
		return arithmetic(func(a, b float64) float64 { return a / b })
	case parser.POW:
		return arithmetic(math.Pow)
	case parser.MOD:
		return arithmetic(math.Mod)
	case parser.EQLC:
		return func(a, b float64) (float64, bool) { return a, a == b }, true
	case parser.NEQ:
		return func(a, b float64) (float64, bool) { return a, a != b }, true
	case parser.GTR:
		return func(a, b float64) (float64, bool) { return a, a > b }, true
	case parser.LSS:
		return func(a, b float64) (float64, bool) { return a, a < b }, true
	case parser.GTE:
		return func(a, b float64) (float64, bool) { return a, a >= b }, true
	case parser.LTE:
		return func(a, b float64) (float64, bool) { return a, a <= b }, true
	}
	return nil, false
}

func compileBinary(e *parser.BinaryExpr) (vector, bool) {
	left, right := e.LHS.Type() == parser.ValueTypeVector, e.RHS.Type() == parser.ValueTypeVector
	switch {
	case left && right:
		return compileMatched(e)
	case left:
		return compileWithScalar(e, e.LHS, e.RHS, false)
	}
	return compileWithScalar(e, e.RHS, e.LHS, true)
}

// A withScalar joins each element of a vector with one number.
type withScalar struct {
	in         vector
	number     scalar
	op         operator
	swapped    bool // the number stands on the left
	comparison bool
	returnBool bool
	names      lookup[LabelSet, LabelSet]
	seen       map[LabelSet]bool
	out        []Element
}

func compileWithScalar(e *parser.BinaryExpr, in, number parser.Expr, swapped bool) (vector, bool) {
	v, okV := compileVector(in)
	n, okN := compileScalar(number)
	op, ok := operatorOf(e.Op)
	return &withScalar{
		in: v, number: n, op: op, swapped: swapped, comparison: e.Op.IsComparisonOperator(), returnBool: e.ReturnBool,
		names: newLookup(withoutName), seen: map[LabelSet]bool{},
	}, ok && okV && okN
}

func (w *withScalar) eval(m *moment) ([]Element, error) {
	in, err := w.in.eval(m)
	if err != nil {
		return nil, err
	}
	number := w.number(m)
	w.out = w.out[:0]
	for i, e := range in {
		if v, keep := w.join(e.Value, number); w.comparison && !w.returnBool {
			if keep {
				w.out = append(w.out, e)
			}
		} else if w.returnBool {
			w.out = append(w.out, Element{w.names.at(i, e.Set), oneIf(keep)})
		} else {
			w.out = append(w.out, Element{w.names.at(i, e.Set), v})
		}
	}
	if w.comparison && !w.returnBool {
		return w.out, nil
	}
	return w.out, distinct(w.out, w.seen)
}

func (w *withScalar) join(v, number float64) (float64, bool) {
	if w.swapped {
		return w.op(number, v)
	}
	return w.op(v, number)
}

// A matched joins the elements of two vectors that share some labels.
type matched struct {
	left, right vector
	op          operator
	returnBool  bool
	group       string // the side that may have several elements for one: "left", "right", or ""
	signatures
	sets lookup[[2]LabelSet, LabelSet]
	seen map[LabelSet]bool
	out  []Element
}

func compileMatched(e *parser.BinaryExpr) (vector, bool) {
	l, okL := compileVector(e.LHS)
	r, okR := compileVector(e.RHS)
	match := e.VectorMatching
	if !okL || !okR || match == nil || match.FillValues.LHS != nil || match.FillValues.RHS != nil {
		return nil, false
	}
	if e.Op.IsSetOperator() {
		return &combined{left: l, right: r, op: e.Op, signatures: newSignatures(match)}, true
	}
	op, ok := operatorOf(e.Op)
	if !ok {
		return nil, false
	}
	m := &matched{left: l, right: r, op: op, returnBool: e.ReturnBool, signatures: newSignatures(match), seen: map[LabelSet]bool{}}
	switch match.Card {
	case parser.CardManyToOne:
		m.group = "left"
	case parser.CardOneToMany:
		m.group = "right"
	}
	dropName := e.ReturnBool || !e.Op.IsComparisonOperator()
	own := *match
	own.MatchingLabels, own.Include = slices.Clone(match.MatchingLabels), slices.Clone(match.Include)
	m.sets = newLookup(func(pair [2]LabelSet) LabelSet { return joinedSet(pair[0].Value(), pair[1].Value(), &own, dropName) })
	return m, true
}

// joinedSet is the label set of the result for an element of the many side and
// one of the one side.
func joinedSet(many, one Labels, match *parser.VectorMatching, dropName bool) LabelSet {
	b := labels.NewBuilder(many)
	if dropName {
		schema.Metadata{}.SetToLabels(b) // empty: deletes
	}
	if match.Card == parser.CardOneToOne {
		if match.On {
			b.Keep(match.MatchingLabels...)
		} else {
			b.Del(match.MatchingLabels...)
		}
	}
	for _, name := range match.Include {
		b.Set(name, one.Get(name)) // empty: deletes
	}
	return LabelSetOf(b.Labels())
}

func (b *matched) eval(m *moment) ([]Element, error) {
	many, err := b.left.eval(m)
	if err != nil {
		return nil, err
	}
	one, err := b.right.eval(m)
	if err != nil {
		return nil, err
	}
	b.out = b.out[:0]
	if len(many) == 0 || len(one) == 0 {
		return b.out, nil
	}
	if b.group == "right" {
		many, one = one, many
	}
	b.next()
	for i, e := range one {
		if s := b.rights.at(i, e.Set); !s.claim(b.turn, i) {
			return nil, errEngine // many-to-many
		}
	}
	clear(b.seen)
	for i, e := range many {
		s := b.lefts.at(i, e.Set)
		if s.turn != b.turn {
			continue
		}
		if b.group == "" && s.used == b.turn {
			return nil, errEngine // many-to-one without group_left
		}
		s.used = b.turn
		other := one[s.at]
		set := b.sets.at(i, [2]LabelSet{e.Set, other.Set})
		if b.group != "" && b.seen[set] {
			return nil, errEngine // grouping labels that are not unique
		} else if b.group != "" {
			b.seen[set] = true
		}
		if v, keep := b.join(e.Value, other.Value); b.returnBool {
			b.out = append(b.out, Element{set, oneIf(keep)})
		} else if keep {
			b.out = append(b.out, Element{set, v})
		}
	}
	return b.out, nil
}

func (b *matched) join(many, one float64) (float64, bool) {
	if b.group == "right" {
		return b.op(one, many)
	}
	return b.op(many, one)
}
