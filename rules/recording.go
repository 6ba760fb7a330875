package rules

import (
	"fmt"
	"slices"

	"github.com/prometheus/prometheus/promql/parser"
)

// A recording is a rule that records a signal.
type recording struct {
	windowed
	signal string
	labels map[string]string // static labels it sets
	expr   parser.Expr
	wide   bool   // it aggregates over instances: evaluated once over all targets
	only   string // the one instance it is recorded for; empty is every instance
	file   *ruleFile
	rule   fileRule
}

func newRecording(file *ruleFile, r fileRule) (*recording, Problems) {
	if r.Record == "" {
		return nil, Problems{file.problemIn(r, fmt.Sprintf("alert %q among recording rules", r.Alert), "alerts stand in diagnoses/")}
	}
	expr, problems := file.parseExpr(newParser(), r)
	if expr == nil {
		return nil, problems
	}
	w, err := newWindowed(expr)
	if err != nil {
		return nil, Problems{file.problemIn(r, err.Error(), "")}
	}
	return &recording{windowed: w, signal: r.Record, labels: r.Labels, expr: expr, wide: aggregatesInstances(expr), file: file, rule: r}, nil
}

// aggregatesInstances tells whether a part of the expression loses the label
// instance, so that it speaks of more than one target.
func aggregatesInstances(expr parser.Expr) bool {
	found := false
	parser.Inspect(expr, func(node parser.Node, _ []parser.Node) error {
		if a, ok := node.(*parser.AggregateExpr); ok && a.Without == slices.Contains(a.Grouping, "instance") {
			found = true
		}
		return nil
	})
	return found
}

// possible tells whether the expression can have a result, given which metric
// names exist. It saves evaluating the rules of systems that are not there.
func possible(expr parser.Expr, exists func(string) bool) bool {
	switch e := expr.(type) {
	case *parser.VectorSelector:
		return e.Name == "" || exists(e.Name)
	case *parser.MatrixSelector:
		return possible(e.VectorSelector, exists)
	case *parser.BinaryExpr:
		switch e.Op {
		case parser.LOR:
			return possible(e.LHS, exists) || possible(e.RHS, exists)
		case parser.LUNLESS:
			return possible(e.LHS, exists)
		}
		return possible(e.LHS, exists) && possible(e.RHS, exists)
	case *parser.Call:
		if e.Func.Name == "absent" || e.Func.Name == "vector" {
			return true
		}
		for _, arg := range e.Args {
			if !possible(arg, exists) {
				return false
			}
		}
		return true
	case *parser.AggregateExpr:
		return possible(e.Expr, exists)
	case *parser.ParenExpr:
		return possible(e.Expr, exists)
	case *parser.UnaryExpr:
		return possible(e.Expr, exists)
	case *parser.StepInvariantExpr:
		return possible(e.Expr, exists)
	}
	return true
}

// selectors lists the series selectors of an expression, in its order.
func selectors(expr parser.Expr) []*parser.VectorSelector {
	var found []*parser.VectorSelector
	parser.Inspect(expr, func(node parser.Node, _ []parser.Node) error {
		if s, ok := node.(*parser.VectorSelector); ok {
			found = append(found, s)
		}
		return nil
	})
	return found
}

// compatible tells whether no label has two values in the two sets.
func compatible(a, b map[string]string) bool {
	for name, v := range a {
		if w, ok := b[name]; ok && v != w {
			return false
		}
	}
	return true
}

// Metrics lists the raw metric names that the catalogue asks for, sorted: what
// its system rules read, and what recognises a system.
func (c *Catalog) Metrics() []string {
	names := map[string]bool{}
	for _, r := range c.fromSystems {
		for _, s := range selectors(r.expr) {
			names[s.Name] = true
		}
	}
	for _, s := range c.Systems {
		for _, m := range s.Markers {
			names[m] = true
		}
	}
	delete(names, "")
	return sortedKeys(names)
}
