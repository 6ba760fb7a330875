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
// instance or joins without it, so that it speaks of more than one target.
func aggregatesInstances(expr parser.Expr) bool {
	found := false
	parser.Inspect(expr, func(node parser.Node, _ []parser.Node) error {
		switch n := node.(type) {
		case *parser.AggregateExpr:
			found = found || n.Without == slices.Contains(n.Grouping, "instance")
		case *parser.BinaryExpr:
			m := n.VectorMatching
			found = found || m != nil && m.On != slices.Contains(m.MatchingLabels, "instance")
		}
		return nil
	})
	return found
}

// possible tells whether the expression can have a result, given which metric
// names exist. It saves evaluating the rules of systems that are not there.
func possible(expr parser.Expr, exists func(*parser.VectorSelector) bool) bool {
	switch e := expr.(type) {
	case *parser.VectorSelector:
		return exists(e)
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

// Metrics lists the raw metric names that the catalogue asks for, sorted: what
// its system rules read, and what recognises a system. Names that a rule gives
// by a pattern are told by MatchesMetric.
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

// Alternatives maps every metric name of a system rule's or to the names of its
// other branches: an older and a newer name of one meter, of which a target has
// one.
func (c *Catalog) Alternatives() map[string][]string {
	all := map[string][]string{}
	for _, r := range c.fromSystems {
		branches := branchNames(r.expr)
		for i, names := range branches {
			for k, others := range branches {
				if i == k {
					continue
				}
				for _, name := range names {
					all[name] = append(all[name], others...)
				}
			}
		}
	}
	for name, others := range all {
		slices.Sort(others)
		all[name] = slices.Compact(others)
	}
	return all
}

// branchNames lists the metric names in each branch of the ors of an expression.
func branchNames(expr parser.Expr) [][]string {
	var branches [][]string
	for {
		b, ok := expr.(*parser.BinaryExpr)
		if !ok || b.Op != parser.LOR {
			break
		}
		branches = append(branches, namesIn(b.RHS))
		expr = b.LHS
	}
	return append(branches, namesIn(expr))
}

func namesIn(expr parser.Expr) []string {
	var names []string
	for _, s := range selectors(expr) {
		if s.Name != "" {
			names = append(names, s.Name)
		}
	}
	return names
}
