package rules

import (
	"cmp"
	"maps"
	"slices"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql/parser"
)

// supplier answers which signals the systems of one target could supply.
type supplier struct {
	catalog *Catalog
	systems []*System
	asking  map[string]bool // signals being asked for: a rule that reads itself supplies nothing
}

func (c *Catalog) supplier(systems []*System) supplier {
	return supplier{catalog: c, systems: systems, asking: map[string]bool{}}
}

// could tells whether a signal whose labels are as asked could be there: from a
// recording rule of a recognised system, from a system that can be added, or
// through derived.yaml.
func (s supplier) could(signal string, asked []*labels.Matcher) bool {
	if signal == "cap:fact" || !isCap(signal) {
		return signal == "cap:fact" || slices.Contains([]string{"capdoctor_observed_seconds", "capdoctor_scrape_interval_seconds", "capdoctor_scrapes_total"}, signal)
	}
	if s.asking[signal] {
		return false
	}
	s.asking[signal] = true
	defer delete(s.asking, signal)
	for _, r := range s.catalog.recordings[signal] {
		if !compatible(r.labels, asked) {
			continue
		}
		if id, ok := r.labels["system"]; ok && r.isSystem() {
			if s.has(id) {
				return true
			}
			continue
		}
		if s.derives(r.expr, without(asked, r.labels)) {
			return true
		}
	}
	return s.addable(signal, asked)
}

func isCap(signal string) bool { return len(signal) > 4 && signal[:4] == "cap:" }

func (r *recording) isSystem() bool { return r.file.path != "derived.yaml" }

func (s supplier) has(id string) bool {
	return slices.ContainsFunc(s.systems, func(sys *System) bool { return sys.ID == id })
}

// addable tells whether a recognised system says that another one supplies the signal.
func (s supplier) addable(signal string, asked []*labels.Matcher) bool {
	for _, sys := range s.systems {
		for _, supply := range sys.Supplies {
			if supply.Signal == signal && compatible(supply.labels(sys), asked) {
				return true
			}
		}
	}
	return false
}

// labels are the static labels of a signal that is supplied this way.
func (s Supply) labels(of *System) map[string]string {
	m := map[string]string{"system": cmp.Or(s.System, of.ID)}
	maps.Copy(m, s.Labels)
	return m
}

// derives tells whether a derived rule could have a result. Labels asked of its
// result are asked of what it reads too, except inside aggregations.
func (s supplier) derives(expr parser.Expr, asked []*labels.Matcher) bool {
	switch e := expr.(type) {
	case *parser.VectorSelector:
		if !compatible(equalities(e), asked) {
			return false
		}
		return s.could(e.Name, slices.Concat(labelMatchers(e), asked))
	case *parser.AggregateExpr:
		return s.derives(e.Expr, nil)
	case *parser.MatrixSelector:
		return s.derives(e.VectorSelector, asked)
	case *parser.ParenExpr:
		return s.derives(e.Expr, asked)
	case *parser.UnaryExpr:
		return s.derives(e.Expr, asked)
	case *parser.Call:
		return !slices.ContainsFunc(e.Args, func(arg parser.Expr) bool { return !s.derives(arg, asked) })
	case *parser.BinaryExpr:
		return s.derivesBinary(e, asked)
	}
	return true
}

func (s supplier) derivesBinary(e *parser.BinaryExpr, asked []*labels.Matcher) bool {
	right := asked
	if e.VectorMatching != nil && (e.VectorMatching.On || len(e.VectorMatching.MatchingLabels) > 0) {
		right = nil
	}
	switch e.Op {
	case parser.LOR:
		return s.derives(e.LHS, asked) || s.derives(e.RHS, right)
	case parser.LUNLESS:
		return s.derives(e.LHS, asked)
	}
	return s.derives(e.LHS, asked) && s.derives(e.RHS, right)
}

// missing follows a signal that is not there to what would have to be supplied:
// the first of what it is derived from that is not there either. It says what
// to switch on: the word of a recognised system, else of the vocabulary.
func (s supplier) missing(signal string, asked []*labels.Matcher, there func(string) bool) (base string, how Supply) {
	if how := s.supply(signal, asked); how.Enable != "" || s.asking[signal] {
		return signal, how
	}
	s.asking[signal] = true
	defer delete(s.asking, signal)
	for _, r := range s.catalog.recordings[signal] {
		if r.isSystem() {
			continue
		}
		for _, sel := range selectors(r.expr) {
			if there(sel.Name) {
				continue
			}
			if base, how := s.missing(sel.Name, labelMatchers(sel), there); how.Enable != "" {
				return base, how
			}
		}
	}
	return signal, s.supply(signal, asked)
}

// supply is what systems.yaml says of a signal for a recognised system, else
// what signals.yaml says, else what any system says of a further one to add.
// Ways that say what to switch on go first; the labels of the signal must be as
// asked.
func (s supplier) supply(signal string, asked []*labels.Matcher) Supply {
	var named Supply
	for _, sys := range s.systems {
		for _, supply := range sys.Supplies {
			if supply.Signal != signal || !compatible(supply.labels(sys), asked) {
				continue
			}
			if supply.Enable != "" {
				return supply
			}
			if named.From == "" {
				named = supply
			}
		}
	}
	if sig := s.catalog.signals[signal]; sig != nil && sig.Enable != "" {
		named.Enable = sig.Enable
		return named
	}
	for _, sys := range s.catalog.Systems {
		for _, supply := range sys.Supplies {
			if supply.Signal == signal && supply.System != "" && supply.Enable != "" && named.From == "" {
				return supply
			}
		}
	}
	return named
}

// compatible tells whether no label of a set is one that is not asked for. A
// label that the set does not have may have any value.
func compatible(set map[string]string, asked []*labels.Matcher) bool {
	for _, m := range asked {
		if v, ok := set[m.Name]; ok && !m.Matches(v) {
			return false
		}
	}
	return true
}

// without is what is asked of labels that are not in the set.
func without(asked []*labels.Matcher, set map[string]string) []*labels.Matcher {
	return slices.DeleteFunc(slices.Clone(asked), func(m *labels.Matcher) bool {
		_, ok := set[m.Name]
		return ok
	})
}

// labelMatchers are the matchers of a selector, without the one on its name.
func labelMatchers(s *parser.VectorSelector) []*labels.Matcher {
	return slices.DeleteFunc(slices.Clone(s.LabelMatchers), func(m *labels.Matcher) bool { return m.Name == model.MetricNameLabel })
}
