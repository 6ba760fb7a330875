package rules

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql/parser"

	"github.com/capdoctor/capdoctor/series"
)

// Every rule and every operand of the catalogue is answered by its program as
// the engine answers it, on series made up for its selectors, at several ticks
// with growing windows. Rules that give metric names by a pattern are left to
// the engine.
func TestCatalogProgramsAnswerLikeEngine(t *testing.T) {
	c, err := Default()
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(7, 8))
	asked, answered := 0, 0
	for _, w := range c.windowed() {
		if slices.ContainsFunc(selectors(w.expr), func(s *parser.VectorSelector) bool { return s.Name == "" }) {
			continue
		}
		store, last := inventedStore(rng, w.expr)
		program := store.Compile(w.expr)
		if program == nil {
			t.Errorf("%s is left to the engine", w.expr)
			continue
		}
		asked++
		found := 0
		for _, watched := range []time.Duration{20 * time.Second, time.Minute, 3 * time.Minute, 10 * time.Minute} {
			at := min(watched.Milliseconds(), last)
			windows := WindowsFor(inventedInterval, watched)
			got, ok := program.Instant(series.View{}, windows.length, at)
			want, err := store.Instant(t.Context(), series.View{}, w.at(windows), at)
			if err != nil {
				if ok {
					t.Errorf("%s: the engine has %s, the program %d samples", w.at(windows), err, len(got))
				}
				continue
			}
			same := func(e series.Element, s series.Sample) bool {
				return labels.Equal(e.Set.Value(), s.Labels) && (math.Float64bits(e.Value) == math.Float64bits(s.Value) || math.IsNaN(e.Value) && math.IsNaN(s.Value))
			}
			if !ok || !slices.EqualFunc(got, want, same) {
				t.Errorf("%s at %s: the program has %v %v, the engine %v", w.at(windows), watched, ok, got, want)
			}
			found += len(got)
		}
		if found > 0 {
			answered++
		}
	}
	if answered < asked*3/4 {
		t.Errorf("of %d expressions only %d had an answer", asked, answered)
	}
}

// windowed lists what is evaluated at each tick, each expression once.
func (c *Catalog) windowed() []windowed {
	var all []windowed
	known := map[string]bool{}
	add := func(w windowed) {
		if text := w.expr.String(); !known[text] {
			known[text] = true
			all = append(all, w)
		}
	}
	for _, r := range slices.Concat(c.fromSystems, c.derived) {
		add(r.windowed)
	}
	for _, d := range c.Diagnoses {
		for _, v := range d.variants {
			for _, cond := range v.form.conditions {
				for _, cmp := range cond.comparisons {
					add(cmp.observed.windowed)
					if cmp.threshold.text != "" {
						add(cmp.threshold.windowed)
					}
				}
			}
		}
	}
	return all
}

const inventedInterval = 10 * time.Second

// inventedStore holds ten minutes of series that fit the selectors of an
// expression: of two instances and two values of every label it speaks of.
func inventedStore(rng *rand.Rand, expr parser.Expr) (*series.Store, int64) {
	store := series.New(series.Options{})
	names := spokenLabels(expr)
	last := int64(0)
	for _, instance := range []string{"a", "b"} {
		id := store.AddSource(series.Source{Instance: instance, Interval: inventedInterval})
		values := map[string]float64{}
		for round := range 61 {
			b := series.Batch{Source: id, Time: int64(round) * inventedInterval.Milliseconds(), Failed: rng.IntN(30) == 0}
			known := map[string]bool{}
			for _, s := range selectors(expr) {
				for k := range 2 {
					l := inventedLabels(s, names, instance, k)
					if text := l.String(); !known[text] && rng.IntN(20) > 0 {
						known[text] = true
						values[text] = inventedValue(rng, s.Name, values[text])
						b.Samples = append(b.Samples, series.Sample{Labels: l, Value: values[text]})
					}
				}
			}
			store.Ingest(b)
			last = b.Time
		}
	}
	return store, last
}

func inventedValue(rng *rand.Rand, name string, before float64) float64 {
	counts := strings.HasSuffix(name, "_total") || strings.HasSuffix(name, "_count") || strings.HasSuffix(name, "_sum")
	switch {
	case counts && rng.IntN(30) == 0:
		return 0
	case counts:
		return before + float64(rng.IntN(20))
	case rng.IntN(40) == 0:
		return math.NaN()
	}
	return float64(rng.IntN(30)) / 4
}

// spokenLabels are the labels that an expression groups, joins or copies by.
func spokenLabels(expr parser.Expr) []string {
	found := map[string]bool{}
	parser.Inspect(expr, func(node parser.Node, _ []parser.Node) error {
		switch n := node.(type) {
		case *parser.AggregateExpr:
			for _, name := range n.Grouping {
				found[name] = true
			}
		case *parser.BinaryExpr:
			if n.VectorMatching != nil {
				for _, name := range slices.Concat(n.VectorMatching.MatchingLabels, n.VectorMatching.Include) {
					found[name] = true
				}
			}
		case *parser.StringLiteral:
			if !strings.ContainsAny(n.Val, "$/.()") && n.Val != "" {
				found[n.Val] = true
			}
		}
		return nil
	})
	delete(found, "instance")
	delete(found, "resource")
	return sortedKeys(found)
}

// inventedLabels fit a selector; k makes them differ in a label that it leaves
// open.
func inventedLabels(s *parser.VectorSelector, names []string, instance string, k int) series.Labels {
	l := map[string]string{"__name__": s.Name, "instance": instance}
	for _, name := range names {
		l[name] = fmt.Sprint(name, k)
	}
	for _, m := range s.LabelMatchers {
		switch {
		case m.Type == labels.MatchEqual:
			l[m.Name] = m.Value
		case m.Type == labels.MatchRegexp && len(m.SetMatches()) > 0:
			l[m.Name] = m.SetMatches()[k%len(m.SetMatches())]
		}
	}
	return series.FromMap(l)
}
