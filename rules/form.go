package rules

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql/parser"
)

// A form is an expression of a diagnosis taken apart:
// C1 and on (L) C2 ... unless on (L) Cn.
type form struct {
	conditions []*condition // the first one carries the subject
}

// A condition is one comparison, or several of which one must hold.
type condition struct {
	unless      bool
	on          labelSet // the labels that it shares with the subject; none for the first condition
	comparisons []*comparison
	pos         span
}

// A span is where a part of an expression stands in it, in bytes.
type span struct{ start, length int }

func spanOf(node parser.Node) span {
	pos := node.PositionRange()
	return span{int(pos.Start), int(pos.End - pos.Start)}
}

// A comparison is observed op factor × threshold, or observed op number.
type comparison struct {
	number    int    // the same for the same text in the whole catalogue
	text      string // as it is printed
	op        string
	observed  operand
	threshold operand // its text is empty when the threshold is a number
	factor    float64 // the number, or what the threshold is multiplied by
}

// An operand is a term: one signal, perhaps over time, perhaps aggregated.
type operand struct {
	windowed
	number   int               // the same for the same text in the whole catalogue
	text     string            // as it is printed, with the windows of the rule
	signal   string            // cap:waiting
	matchers map[string]string // equality matchers of the selector
	asked    []*labels.Matcher // all matchers of the selector, without its name
	by       []string          // labels it is aggregated by
	grouped  bool              // it is aggregated
	overTime string            // max_over_time: the function over its window; empty for the present value
	over     time.Duration     // the window as the rule writes it
	pos      span              // of the selector
}

// crossTarget tells whether the operand aggregates over instances.
func (o operand) crossTarget() bool { return o.grouped && !slices.Contains(o.by, "instance") }

// formError is a departure from the form: what, where, and how to write it.
type formError struct {
	node      parser.Node
	msg, hint string
}

func (e *formError) Error() string { return e.msg }

func refuse(node parser.Node, hint, format string, args ...any) error {
	return &formError{node, fmt.Sprintf(format, args...), hint}
}

// parseForm takes an expression apart, or says what in it is not of the form.
func parseForm(expr parser.Expr) (form, error) {
	var f form
	for {
		b, ok := expr.(*parser.BinaryExpr)
		if !ok || (b.Op != parser.LAND && b.Op != parser.LUNLESS) {
			break
		}
		c, err := parseJoin(b)
		if err != nil {
			return form{}, err
		}
		f.conditions = append(f.conditions, c)
		expr = b.LHS
	}
	if b, ok := expr.(*parser.BinaryExpr); ok && b.Op == parser.LOR {
		return form{}, refuse(b, "write a second alert in the same file: a variant", "or at the top of a diagnosis")
	}
	first, err := parseCondition(expr)
	if err != nil {
		return form{}, err
	}
	f.conditions = append(f.conditions, first)
	slices.Reverse(f.conditions)
	return f, nil
}

func parseJoin(b *parser.BinaryExpr) (*condition, error) {
	if !b.VectorMatching.On {
		return nil, refuse(b.RHS, "write "+b.Op.String()+" on (instance) …: the identity labels that both sides share", "%s without on", b.Op)
	}
	c, err := parseCondition(b.RHS)
	c.unless = b.Op == parser.LUNLESS
	c.on = newLabelSet(slices.Clone(b.VectorMatching.MatchingLabels))
	return c, err
}

func parseCondition(expr parser.Expr) (*condition, error) {
	c := &condition{pos: spanOf(expr)}
	err := eachAlternative(expr, func(e parser.Expr) error {
		cmp, err := parseComparison(e)
		c.comparisons = append(c.comparisons, cmp)
		return err
	})
	return c, err
}

// eachAlternative calls f for the sides of a parenthesised or.
func eachAlternative(expr parser.Expr, f func(parser.Expr) error) error {
	p, ok := expr.(*parser.ParenExpr)
	if !ok {
		return f(expr)
	}
	inner := p.Expr
	var sides []parser.Expr
	for {
		b, ok := inner.(*parser.BinaryExpr)
		if !ok || b.Op != parser.LOR {
			break
		}
		if b.VectorMatching.On || len(b.VectorMatching.MatchingLabels) > 0 {
			return refuse(b, "leave out on and ignoring: alternatives have the same labels", "or with label matching")
		}
		sides = append(sides, b.RHS)
		inner = b.LHS
	}
	sides = append(sides, inner)
	for _, s := range slices.Backward(sides) {
		if err := f(s); err != nil {
			return err
		}
	}
	return nil
}

func parseComparison(expr parser.Expr) (*comparison, error) {
	for {
		p, ok := expr.(*parser.ParenExpr)
		if !ok {
			break
		}
		expr = p.Expr
	}
	b, ok := expr.(*parser.BinaryExpr)
	if ok && (b.Op == parser.LAND || b.Op == parser.LUNLESS || b.Op == parser.LOR) {
		return nil, refuse(expr, "join conditions at the top, or record the inner part in derived.yaml", "nested %s", b.Op)
	}
	if !ok || !b.Op.IsComparisonOperator() {
		return nil, refuse(expr, "write signal op threshold, such as cap:waiting > 0", "a part without a comparison")
	}
	if b.ReturnBool {
		return nil, refuse(b, "leave out bool", "a comparison with bool")
	}
	if _, ok := literal(b.LHS); ok {
		return nil, refuse(b, "turn it round: signal op number", "the threshold stands on the left")
	}
	c := &comparison{text: b.String(), op: b.Op.String(), factor: 1}
	var err error
	if c.observed, err = parseOperand(b.LHS); err != nil {
		return c, err
	}
	if err = c.parseThreshold(b.RHS); err != nil {
		return c, err
	}
	return c, checkMatching(b, c)
}

// parseThreshold reads a number, a term, or number * term.
func (c *comparison) parseThreshold(expr parser.Expr) error {
	if v, ok := literal(expr); ok {
		c.factor = v
		return nil
	}
	if b, ok := expr.(*parser.BinaryExpr); ok && b.Op == parser.MUL {
		v, ok := literal(b.LHS)
		if !ok {
			return refuse(b, "write number * signal", "the threshold is not a number times a signal")
		}
		c.factor = v
		expr = b.RHS
	}
	var err error
	c.threshold, err = parseOperand(expr)
	return err
}

// literal reads a number, with its sign.
func literal(expr parser.Expr) (float64, bool) {
	switch e := expr.(type) {
	case *parser.NumberLiteral:
		return e.Val, true
	case *parser.ParenExpr:
		return literal(e.Expr)
	case *parser.UnaryExpr:
		v, ok := literal(e.Expr)
		if e.Op == parser.SUB {
			v = -v
		}
		return v, ok
	}
	return 0, false
}

// checkMatching refuses label matching inside a comparison: both sides have the
// same labels or are aggregated by the same ones.
func checkMatching(b *parser.BinaryExpr, c *comparison) error {
	if m := b.VectorMatching; m != nil && (m.On || len(m.MatchingLabels) > 0 || len(m.Include) > 0) {
		return refuse(b, "compare signals of one resource, or aggregate both sides by the same labels", "label matching inside a comparison")
	}
	if c.threshold.text == "" {
		return nil
	}
	if c.observed.grouped != c.threshold.grouped || !slices.Equal(c.observed.by, c.threshold.by) {
		return refuse(b, "aggregate both sides by the same labels", "the sides of the comparison have different labels")
	}
	return nil
}

var aggregations = []string{"sum", "max", "min", "count"}

func parseOperand(expr parser.Expr) (operand, error) {
	o := operand{text: expr.String()}
	var err error
	if o.windowed, err = newWindowed(expr); err != nil {
		return o, refuse(expr, "", "%s", err)
	}
	if p, ok := expr.(*parser.ParenExpr); ok {
		return o, refuse(p, "leave out the parentheses", "a parenthesised operand")
	}
	if a, ok := expr.(*parser.AggregateExpr); ok {
		if a.Without || !slices.Contains(aggregations, a.Op.String()) {
			return o, refuse(a, "write sum, max, min or count by (…)", "aggregation %s in an operand", a.Op)
		}
		o.grouped, o.by = true, slices.Sorted(slices.Values(a.Grouping))
		expr = a.Expr
	}
	if c, ok := expr.(*parser.Call); ok {
		m, isMatrix := lastArg(c).(*parser.MatrixSelector)
		if !strings.HasSuffix(c.Func.Name, "_over_time") || c.Func.Name == "absent_over_time" || !isMatrix {
			return o, refuse(c, "record it as a signal in derived.yaml", "function %s in an operand", c.Func.Name)
		}
		o.overTime, o.over = c.Func.Name, m.Range
		expr = m.VectorSelector
	}
	return o, o.parseSelector(expr)
}

// lastArg is the last argument of a call, nil when it has none.
func lastArg(c *parser.Call) parser.Expr {
	if len(c.Args) == 0 {
		return nil
	}
	return c.Args[len(c.Args)-1]
}

func (o *operand) parseSelector(expr parser.Expr) error {
	s, ok := expr.(*parser.VectorSelector)
	if !ok {
		return refuse(expr, "record ratios and other derived values in derived.yaml", "an operand that is not one signal")
	}
	if s.OriginalOffset != 0 || s.OriginalOffsetExpr != nil || s.Timestamp != nil || s.StartOrEnd != 0 {
		return refuse(s, "leave it out; compare with a recorded signal", "offset or @ in an operand")
	}
	if !isSignalName(s.Name) {
		return refuse(s, "record it as a cap:* signal in systems/", "%q is not a signal", s.Name)
	}
	o.signal, o.pos = s.Name, spanOf(s)
	o.matchers, o.asked = equalities(s), labelMatchers(s)
	return nil
}

// equalities are the equality matchers of a selector, without its name.
func equalities(s *parser.VectorSelector) map[string]string {
	found := map[string]string{}
	for _, m := range s.LabelMatchers {
		if m.Type.String() == "=" && m.Name != "__name__" {
			found[m.Name] = m.Value
		}
	}
	return found
}

func isSignalName(name string) bool {
	return strings.HasPrefix(name, "cap:") || strings.HasPrefix(name, "capdoctor_")
}
