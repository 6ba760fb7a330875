package rules

import (
	"context"
	"slices"
	"strings"

	"github.com/capdoctor/capdoctor/series"
)

// A term is the answer to one operand: its columns, and where to find them.
type term struct {
	columns []termColumn
	byKey   map[string]int
	byJoin  map[string]map[string][]int // labels joined on, to their values, to the columns that have them
}

// A termColumn is a column and its labels without the name, as a key.
type termColumn struct {
	column
	key string
}

// column is the one with that key.
func (t *term) column(key string) (column, bool) {
	k, ok := t.byKey[key]
	if !ok {
		return column{}, false
	}
	return t.columns[k].column, true
}

// term answers one operand, once per moment.
func (j *Judge) term(ctx context.Context, m *moment, o operand) (*term, error) {
	if found := m.terms[o.number]; found != nil {
		return found, nil
	}
	t := &term{byKey: map[string]int{}, byJoin: map[string]map[string][]int{}}
	if j.store.Has(o.signal) {
		wide := j.catalog.acrossTargets(o)
		for _, g := range m.plan.groupsFor(o.windowed, wide, m.plan.byInstance) {
			found, err := j.query(ctx, g, o.windowed, m.ticks)
			if err != nil {
				return nil, err
			}
			t.add(g.own(found, wide), &j.identities)
		}
	}
	m.terms[o.number] = t
	return t, nil
}

// add takes columns in, one for each key.
func (t *term) add(columns []column, ids *identities) {
	t.columns = slices.Grow(t.columns, len(columns))
	for _, c := range columns {
		key := ids.of(c.labels)
		if _, twice := t.byKey[key]; !twice {
			t.byKey[key] = len(t.columns)
			t.columns = append(t.columns, termColumn{c, key})
		}
	}
}

// joined lists the columns that share the labels on with a subject.
func (t *term) joined(on labelSet, subject series.Labels) []int {
	index, ok := t.byJoin[on.text]
	if !ok {
		index = map[string][]int{}
		for i, c := range t.columns {
			k := on.values(c.labels)
			index[k] = append(index[k], i)
		}
		t.byJoin[on.text] = index
	}
	return index[on.values(subject)]
}

// A labelSet is the labels that two conditions share.
type labelSet struct {
	names []string
	text  string // as a key
}

func newLabelSet(names []string) labelSet { return labelSet{names, strings.Join(names, "\xff")} }

// values are the values of the labels, as a key.
func (s labelSet) values(l series.Labels) string {
	if len(s.names) == 1 {
		return l.Get(s.names[0])
	}
	var b strings.Builder
	for _, name := range s.names {
		b.WriteString(l.Get(name))
		b.WriteByte(0xff)
	}
	return b.String()
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
