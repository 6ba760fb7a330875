package rules

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
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

// system is the system of the observed series; empty when it has none.
func (r row) system() string { return r.labels.Get("system") }

// A moment is what the ticks of one advance came to.
type moment struct {
	plan   plan
	ticks  []int64
	terms  map[string][]column         // operand text to its columns
	rows   map[string][]row            // comparison text to its rows
	keys   map[string]map[string]int   // comparison text to the row of each subject
	joins  map[string]map[string][]int // comparison text and labels to the rows of each combination
	judged []judgement                 // by diagnosis and subject, for the last tick followed

	eventWindows eventWindows
}

// evaluate answers every operand of the catalogue once and compares.
func (j *Judge) evaluate(ctx context.Context, p plan, ticks []int64) (*moment, error) {
	m := &moment{plan: p, ticks: ticks, eventWindows: j.eventWindows, terms: map[string][]column{}, rows: map[string][]row{}, keys: map[string]map[string]int{}, joins: map[string]map[string][]int{}}
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
	return m, nil
}

// term answers one operand, once per moment.
func (j *Judge) term(ctx context.Context, m *moment, o operand) ([]column, error) {
	if found, ok := m.terms[o.text]; ok {
		return found, nil
	}
	var all []column
	if j.store.Has(o.signal) {
		wide := j.catalog.acrossTargets(o)
		for _, g := range m.plan.groupsFor(o.windowed, wide, m.plan.byInstance) {
			found, err := j.query(ctx, g, o.windowed, m.ticks)
			if err != nil {
				return nil, err
			}
			all = append(all, g.own(found, wide)...)
		}
	}
	m.terms[o.text] = all
	return all, nil
}

// acrossTargets tells whether an operand speaks of no single instance: it is
// aggregated without it, or its signal has none.
func (c *Catalog) acrossTargets(o operand) bool {
	if o.grouped {
		return o.crossTarget()
	}
	s := c.signals[o.signal]
	return s != nil && !slices.Contains(s.Labels, "instance")
}

// own keeps the columns that belong to the group; those without an instance
// belong to the group that sees everything, and to the first one that gives them.
func (g group) own(columns []column, wide bool) []column {
	if wide {
		return columns
	}
	return slices.DeleteFunc(columns, func(c column) bool {
		instance := c.labels.Get("instance")
		_, ok := g.owners[instance]
		return instance != "" && !ok
	})
}

// compare fills in the rows of a comparison, once per moment.
func (j *Judge) compare(ctx context.Context, m *moment, c comparison) error {
	if _, ok := m.rows[c.text]; ok {
		return nil
	}
	observed, err := j.term(ctx, m, c.observed)
	if err != nil {
		return err
	}
	threshold := map[string]column{}
	if c.threshold.text != "" {
		columns, err := j.term(ctx, m, c.threshold)
		if err != nil {
			return err
		}
		for _, col := range columns {
			threshold[identity(col.labels)] = col
		}
	}
	baseline := j.catalog.isBaseline(c)
	at := map[string]int{}
	rows := make([]row, 0, len(observed))
	for _, col := range observed {
		r := row{labels: col.labels, key: identity(col.labels), observed: col.values}
		if _, twice := at[r.key]; twice {
			continue
		}
		at[r.key] = len(rows)
		counted := j.countedOver(m.plan, c.observed, col.labels)
		r.short = counted > 0 && counted < EventsWindow
		r.threshold = c.thresholds(threshold, r.key, len(m.ticks))
		r.truth = make([]truth, len(m.ticks))
		for i := range r.truth {
			r.truth[i] = c.judge(r.observed[i], r.threshold[i], baseline, r.short)
		}
		rows = append(rows, r)
	}
	m.rows[c.text], m.keys[c.text] = rows, at
	return nil
}

// thresholds is what a row is compared with at every tick.
func (c comparison) thresholds(columns map[string]column, key string, n int) []float64 {
	values := make([]float64, n)
	col, ok := columns[key]
	for i := range values {
		switch {
		case c.threshold.text == "":
			values[i] = c.factor
		case ok:
			values[i] = c.factor * col.values[i]
		default:
			values[i] = math.NaN()
		}
	}
	return values
}

// judge compares two values. A zero that was counted over a short window, and a
// comparison with a baseline, prove and never clear.
func (c comparison) judge(observed, threshold float64, baseline, short bool) truth {
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

// identity is the labels of a series without its name, as a key.
func identity(l series.Labels) string {
	var b strings.Builder
	l.Range(func(label series.Label) {
		if label.Name != "__name__" {
			b.WriteString(label.Name)
			b.WriteByte(0xff)
			b.WriteString(label.Value)
			b.WriteByte(0xff)
		}
	})
	return b.String()
}

// joinKey is the values of some labels, as a key.
func joinKey(l series.Labels, on []string) string {
	var b strings.Builder
	for _, name := range on {
		b.WriteString(l.Get(name))
		b.WriteByte(0xff)
	}
	return b.String()
}

// joined lists the rows of a comparison that share the labels on with a subject.
func (m *moment) joined(c comparison, on []string, subject series.Labels) []int {
	name := c.text + "\xff" + strings.Join(on, "\xff")
	index, ok := m.joins[name]
	if !ok {
		index = map[string][]int{}
		for i, r := range m.rows[c.text] {
			k := joinKey(r.labels, on)
			index[k] = append(index[k], i)
		}
		m.joins[name] = index
	}
	return index[joinKey(subject, on)]
}

// isBaseline tells whether a comparison needs a time before the trouble.
func (c *Catalog) isBaseline(cmp comparison) bool {
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
	if !o.has(eventsRange) {
		return 0
	}
	return p.of(l.Get("instance")).eventsSpan()
}
