package rules

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/promql/parser"
)

// On a server every series carries what service discovery knows of its target:
// job, namespace, pod. Rules that aggregate by instance must keep these labels,
// because two signals of one thing are compared only when all their labels are
// equal.

// parsed is the expression of a rule, to be changed at will.
func parsed(text string) parser.Expr {
	expr, err := newParser().ParseExpr(text)
	if err != nil {
		panic(err) // it was parsed when the catalogue was loaded
	}
	return expr
}

// fillWindows gives the windows of a rule the lengths that they have for an
// input which has been watched for long; all else stays as it stands.
func (w *exportWriter) fillWindows(r fileRule) string {
	text := strings.TrimSpace(r.Expr.Value)
	var spans []rangeSpan
	parser.Inspect(parsed(text), func(node parser.Node, path []parser.Node) error {
		if m, ok := node.(*parser.MatrixSelector); ok {
			from := strings.LastIndexByte(text[:m.PositionRange().End], '[')
			to := from + strings.IndexByte(text[from:], ']') + 1 // an offset may follow
			spans = append(spans, rangeSpan{from, to, w.windows.length(functionAbove(path), m.Range)})
		}
		return nil
	})
	slices.SortFunc(spans, func(a, b rangeSpan) int { return cmp.Compare(b.from, a.from) })
	for _, s := range spans {
		text = text[:s.from] + "[" + model.Duration(s.length).String() + "]" + text[s.to:]
	}
	return text
}

// A rangeSpan is where a window stands in a text, with its brackets.
type rangeSpan struct {
	from, to int
	length   time.Duration
}

// systemExpr is the expression of a system rule on a server: it keeps the labels
// of targets, and is silent where Go would not evaluate it. own are the labels
// that the system's metrics have themselves.
func (w *exportWriter) systemExpr(r *recording, own map[string]bool) string {
	text := w.fillWindows(r.rule)
	expr := parsed(text)
	before := expr.String()
	borrowed := !slices.Contains(w.options.TargetLabels, "service") && mentions(expr, exportedService)
	if borrowed {
		renameLabel(expr, "service", w.options.service())
		renameLabel(expr, exportedService, "service")
		groupOnce(expr)
	} else if w.options.ServiceLabel != "" {
		renameLabel(expr, "service", w.options.ServiceLabel)
	}
	w.keepIdentity(expr, own)
	if expr.String() != before {
		text = pretty(expr)
	}
	text = withoutNaN(expr, w.gated(r, expr, text))
	if borrowed {
		text = labelReplace(text, exportedService, "$1", "service", "(.*)")
	}
	return w.withService(text, borrowed)
}

// exportedService is what a label service of a metric's own is called when its
// target has one too. The catalogue always calls it so.
const exportedService = "exported_service"

// withService sets the label service from the label that stands for it.
func (w *exportWriter) withService(text string, borrowed bool) string {
	switch label := w.options.ServiceLabel; {
	case label != "" && label != "service":
		return labelReplace(text, "service", "$1", label, "(.*)")
	case borrowed:
		return labelReplace(text, "service", "", "", "")
	}
	return text
}

func labelReplace(text, to, with, from, pattern string) string {
	return "label_replace(\n" + indented(text) + ",\n  " + strconv.Quote(to) + ", " + strconv.Quote(with) + ", " + strconv.Quote(from) + ", " + strconv.Quote(pattern) + ")"
}

// gated leaves out targets whose rules Go does not evaluate: those that show the
// meters of another system which this one repeats, and those whose last scrape
// failed, where range functions would go on to answer.
func (w *exportWriter) gated(r *recording, expr parser.Expr, text string) string {
	var gates []string
	if s := w.catalog.systems[r.labels["system"]]; s != nil {
		for _, id := range s.Repeats {
			if other := w.catalog.systems[id]; other != nil && len(other.markerNames()) > 0 {
				gates = append(gates, "unless on (instance) "+namesSelector(other.markerNames()))
			}
		}
	}
	if len(r.ranges) > 0 && !r.wide {
		gates = append(gates, "unless on ("+strings.Join(w.gateLabels(), ", ")+") up == 0")
	}
	if len(gates) == 0 {
		return text
	}
	if _, ok := expr.(*parser.BinaryExpr); ok {
		text = "(\n" + indented(text) + "\n)"
	}
	return text + "\n" + strings.Join(gates, "\n")
}

// gateLabels tell a scrape from another one of the same instance.
func (w *exportWriter) gateLabels() []string {
	if slices.Contains(w.options.TargetLabels, "job") {
		return []string{"instance", "job"}
	}
	return []string{"instance"}
}

// keepIdentity adds the labels of targets to every aggregation that keeps the
// service, but for those that the system's metrics have themselves.
func (w *exportWriter) keepIdentity(expr parser.Expr, own map[string]bool) {
	parser.Inspect(expr, func(node parser.Node, _ []parser.Node) error {
		a, ok := node.(*parser.AggregateExpr)
		if !ok || a.Without || !slices.Contains(a.Grouping, w.options.service()) {
			return nil
		}
		for _, name := range w.identity[1:] {
			if !own[name] && !slices.Contains(a.Grouping, name) {
				a.Grouping = append(a.Grouping, name)
			}
		}
		return nil
	})
}

// groupOnce takes labels out of an aggregation that it names already.
func groupOnce(expr parser.Expr) {
	parser.Inspect(expr, func(node parser.Node, _ []parser.Node) error {
		if a, ok := node.(*parser.AggregateExpr); ok {
			seen := map[string]bool{}
			a.Grouping = slices.DeleteFunc(a.Grouping, func(name string) bool {
				again := seen[name]
				seen[name] = true
				return again
			})
		}
		return nil
	})
}

// ownLabels are the labels of targets that the rules of a system speak of: its
// metrics have them themselves, as cAdvisor's have namespace and pod.
func (w *exportWriter) ownLabels(id string) map[string]bool {
	own := map[string]bool{}
	for _, r := range w.selected.systems {
		if r.labels["system"] != id {
			continue
		}
		for _, name := range w.options.TargetLabels {
			own[name] = own[name] || mentions(r.expr, name)
		}
	}
	delete(own, "service")
	return own
}

// mentions tells whether an expression speaks of a label.
func mentions(expr parser.Expr, label string) bool {
	found := false
	eachLabel(expr, func(name *string) { found = found || *name == label })
	return found
}

func renameLabel(expr parser.Expr, from, to string) {
	eachLabel(expr, func(name *string) {
		if *name == from {
			*name = to
		}
	})
}

// eachLabel calls do for every place of an expression that names a label.
func eachLabel(expr parser.Expr, do func(name *string)) {
	parser.Inspect(expr, func(node parser.Node, _ []parser.Node) error {
		switch n := node.(type) {
		case *parser.VectorSelector:
			for _, m := range n.LabelMatchers {
				do(&m.Name)
			}
		case *parser.AggregateExpr:
			for i := range n.Grouping {
				do(&n.Grouping[i])
			}
		case *parser.BinaryExpr:
			if n.VectorMatching != nil {
				for i := range n.VectorMatching.MatchingLabels {
					do(&n.VectorMatching.MatchingLabels[i])
				}
				for i := range n.VectorMatching.Include {
					do(&n.VectorMatching.Include[i])
				}
			}
		case *parser.Call:
			for _, arg := range labelArguments(n) {
				do(&arg.Val)
			}
		}
		return nil
	})
}

// labelArguments are the arguments of a call that name labels to read.
func labelArguments(call *parser.Call) []*parser.StringLiteral {
	var all []*parser.StringLiteral
	from := map[string][]int{"label_replace": {3}}[call.Func.Name]
	if call.Func.Name == "label_join" {
		for i := 3; i < len(call.Args); i++ {
			from = append(from, i)
		}
	}
	for _, i := range from {
		if s, ok := call.Args[i].(*parser.StringLiteral); ok {
			all = append(all, s)
		}
	}
	return all
}

// withoutNaN leaves results out that are no number, as a Judge does: in an `or`
// they would stand in front of what is one.
func withoutNaN(expr parser.Expr, text string) string {
	if !canBeNaN(expr) {
		return text
	}
	return "(\n" + indented(text) + "\n) >= -Inf"
}

// canBeNaN tells whether an expression over numbers can give something else.
func canBeNaN(expr parser.Expr) bool {
	switch e := expr.(type) {
	case *parser.BinaryExpr:
		switch {
		case e.Op.IsComparisonOperator():
			return false
		case e.Op == parser.DIV, e.Op == parser.MOD:
			return true
		case e.Op == parser.LAND, e.Op == parser.LUNLESS:
			return canBeNaN(e.LHS)
		}
		return canBeNaN(e.LHS) || canBeNaN(e.RHS)
	case *parser.Call:
		return e.Func.Name == "histogram_quantile" || slices.ContainsFunc(e.Args, canBeNaN)
	case *parser.AggregateExpr:
		return canBeNaN(e.Expr)
	case *parser.ParenExpr:
		return canBeNaN(e.Expr)
	case *parser.UnaryExpr:
		return canBeNaN(e.Expr)
	}
	return false
}

// pretty prints an expression over several lines where it is long.
func pretty(expr parser.Expr) string { return strings.TrimSpace(parser.Prettify(expr)) }

// indented sets every line of a text in by two spaces.
func indented(text string) string { return "  " + strings.ReplaceAll(text, "\n", "\n  ") }
