package rules

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/prometheus/prometheus/promql/parser"
)

// A Goodput is the user's own completion counter.
type Goodput struct {
	Instance string // empty: every instance that has it
	Selector string // of a counter: catalog_products_written_total{outcome="ok"}
}

// ParseGoodput reads [NAME:]SELECTOR. NAME is one of the instances given;
// a selector may hold colons itself.
func ParseGoodput(text string, instances []string) (Goodput, error) {
	var g Goodput
	g.Selector = text
	for _, name := range instances {
		if rest, ok := strings.CutPrefix(text, name+":"); ok && name != "" {
			g = Goodput{Instance: name, Selector: rest}
		}
	}
	expr, err := newParser().ParseExpr(g.Selector)
	if err != nil {
		return g, fmt.Errorf("goodput %q: %w", text, err)
	}
	s, ok := expr.(*parser.VectorSelector)
	if !ok || s.Name == "" || s.OriginalOffset != 0 || s.Timestamp != nil {
		return g, fmt.Errorf("goodput %q: want the selector of a counter, such as orders_done_total{outcome=\"ok\"}", text)
	}
	return g, nil
}

// Metric is the metric name of the counter.
func (g Goodput) Metric() string {
	name, _, _ := strings.Cut(g.Selector, "{")
	return strings.TrimSpace(name)
}

// AddGoodput names a completion counter. It is recorded as cap:goodput_rate and
// cap:goodput_total, one series for each instance that has it.
func (j *Judge) AddGoodput(g Goodput) error {
	more, err := g.recordings()
	if err != nil {
		return err
	}
	j.goodput = append(j.goodput, more...)
	slices.SortFunc(j.goodput, func(a, b *recording) int { return strings.Compare(a.signal+a.only, b.signal+b.only) })
	return nil
}

// recordings are the rules that record a completion counter, by signal.
func (g Goodput) recordings() ([]*recording, error) {
	var all []*recording
	for _, rule := range []struct{ signal, format string }{
		{"cap:goodput_rate", "sum by (instance, service) (rate(%s[1m]))"},
		{"cap:goodput_total", "sum by (instance, service) (%s)"},
	} {
		file, problems := readRuleFile(catalogFile{name: "--goodput", shown: "--goodput", data: fmt.Appendf(nil, "groups: [{name: goodput, rules: [{record: %q, expr: %q}]}]", rule.signal, fmt.Sprintf(rule.format, g.Selector))})
		if err := problems.err(); err != nil {
			return nil, err
		}
		r, problems := newRecording(file, file.rules[0])
		if err := problems.err(); err != nil {
			return nil, err
		}
		r.only = g.Instance
		all = append(all, r)
	}
	return all, nil
}

// recordGoodput records the user's completion counters.
func (j *Judge) recordGoodput(ctx context.Context, p plan, ticks []int64) error {
	for _, r := range j.goodput {
		if err := j.record(ctx, r, p.bySource, p, ticks); err != nil {
			return err
		}
	}
	return nil
}
