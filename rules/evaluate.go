package rules

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/capdoctor/capdoctor/series"
)

// A truth is what a condition comes to at one tick.
type truth uint8

const (
	no     truth = iota
	unseen       // false, but the window or the baseline is too short to clear
	gone         // a signal is missing
	yes
)

// A row is one comparison for one observed series, over the ticks of a moment.
type row struct {
	labels    series.Labels // of the observed series
	key       string        // its labels without the name
	observed  []float64
	threshold []float64
	truth     []truth
	short     bool // its events window is shorter than the rules ask for
}

// system is the system of the observed series; empty when it has none. The row
// may be nil.
func (r *row) system() string {
	if r == nil {
		return ""
	}
	return r.labels.Get("system")
}

// A moment is what the ticks of one advance came to.
type moment struct {
	plan     plan
	ticks    []int64
	terms    []*term          // by the number of the operand
	compared []compared       // by the number of the comparison
	rows     map[string][]row // comparison text to its rows
	judged   []judgement      // by diagnosis and subject, for the last tick followed

	eventWindows eventWindows
}

// compared is a comparison for all series that it observes: a row for each
// column of its observed side.
type compared struct {
	observed *term // nil until it was evaluated
	rows     []row
}

// evaluate answers every operand of the catalogue once and compares.
func (j *Judge) evaluate(ctx context.Context, p plan, ticks []int64) (*moment, error) {
	m := &moment{
		plan: p, ticks: ticks, eventWindows: j.eventWindows,
		terms: make([]*term, j.catalog.operands), compared: make([]compared, j.catalog.comparisons), rows: map[string][]row{},
	}
	for _, d := range j.catalog.Diagnoses {
		for _, v := range d.variants {
			for _, c := range v.form.conditions {
				for _, cmp := range c.comparisons {
					if err := j.compare(ctx, m, cmp); err != nil {
						return nil, fmt.Errorf("%s: %w", d.File, err)
					}
				}
			}
		}
	}
	j.identities.forget(m.size())
	return m, nil
}

// size is the number of columns of all operands.
func (m *moment) size() int {
	n := 0
	for _, t := range m.terms {
		if t != nil {
			n += len(t.columns)
		}
	}
	return n
}

// compare fills in the rows of a comparison, once per moment.
func (j *Judge) compare(ctx context.Context, m *moment, c *comparison) error {
	if m.compared[c.number].observed != nil {
		return nil
	}
	observed, err := j.term(ctx, m, c.observed)
	if err != nil {
		return err
	}
	thresholds, err := j.thresholds(ctx, m, c, observed)
	if err != nil {
		return err
	}
	baseline := j.catalog.isBaseline(c)
	rows, truths := make([]row, len(observed.columns)), make([]truth, len(observed.columns)*len(m.ticks))
	for k, col := range observed.columns {
		counted := j.countedOver(m.plan, c.observed, col.labels())
		r := row{
			labels: col.labels(), key: observed.keys[k], observed: col.values, threshold: thresholds(k),
			truth: truths[k*len(m.ticks) : (k+1)*len(m.ticks)], short: counted > 0 && counted < EventsWindow,
		}
		for i := range r.truth {
			r.truth[i] = c.judge(r.observed[i], r.threshold[i], baseline, r.short)
		}
		rows[k] = r
	}
	m.compared[c.number] = compared{observed, rows}
	m.rows[c.text] = rows
	return nil
}

// thresholds gives what a column of the observed side is compared with at every
// tick: the same number for all, or the factor times what the threshold's series
// of its key has.
func (j *Judge) thresholds(ctx context.Context, m *moment, c *comparison, observed *term) (func(k int) []float64, error) {
	if c.threshold.text == "" {
		all := slices.Repeat([]float64{c.factor}, len(m.ticks))
		return func(int) []float64 { return all }, nil
	}
	t, err := j.term(ctx, m, c.threshold)
	if err != nil {
		return nil, err
	}
	missing := slices.Repeat([]float64{math.NaN()}, len(m.ticks))
	p := j.pairs[c.number]
	if p.observed != observed.index || p.threshold != t.index {
		p = newPairing(observed.index, t.index)
		j.pairs[c.number] = p
	}
	return func(k int) []float64 {
		if p.at[k] < 0 {
			return missing
		}
		found := t.columns[p.at[k]].values
		if c.factor == 1 {
			return found
		}
		values := make([]float64, len(found))
		for i, v := range found {
			values[i] = c.factor * v
		}
		return values
	}, nil
}

// A pairing tells which column of a threshold each column of the observed side is
// compared with; -1 is none.
type pairing struct {
	observed, threshold *index
	at                  []int
}

func newPairing(observed, threshold *index) pairing {
	p := pairing{observed, threshold, make([]int, len(observed.keys))}
	for k, key := range observed.keys {
		at, ok := threshold.byKey[key]
		if !ok {
			at = -1
		}
		p.at[k] = at
	}
	return p
}

// judge compares two values. A zero that was counted over a short window, and a
// comparison with a baseline, prove and never clear.
func (c *comparison) judge(observed, threshold float64, baseline, short bool) truth {
	switch {
	case math.IsNaN(observed) || math.IsNaN(threshold):
		return gone
	case holds(observed, c.op, threshold):
		return yes
	case baseline, short && observed == 0:
		return unseen
	}
	return no
}

func holds(a float64, op string, b float64) bool {
	switch op {
	case "<":
		return a < b
	case "<=":
		return a <= b
	case ">":
		return a > b
	case ">=":
		return a >= b
	case "==":
		return a == b
	case "!=":
		return a != b
	}
	return false
}

// isBaseline tells whether a comparison needs a time before the trouble.
func (c *Catalog) isBaseline(cmp *comparison) bool {
	for _, o := range []operand{cmp.observed, cmp.threshold} {
		if s := c.signals[o.signal]; s != nil && s.Baseline {
			return true
		}
	}
	return false
}

// countedOver is the time that the events of a series were counted over, 0 for
// a series that is no count of events.
func (j *Judge) countedOver(p plan, o operand, l series.Labels) time.Duration {
	if d, ok := j.eventWindows.of(o.signal, l.Get("instance"), l.Get("system")); ok {
		return d
	}
	if !o.countsEvents() {
		return 0
	}
	return p.of(l.Get("instance")).eventsSpan()
}
