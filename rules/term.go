package rules

import (
	"context"
	"slices"
	"strings"

	"github.com/capdoctor/capdoctor/series"
)

// A term is the answer to one operand: its columns, and where to find them.
type term struct {
	columns []column
	*index
}

// An index tells where the columns of a term are. As long as an operand is
// answered for the same series, its terms share one index.
type index struct {
	sets   []series.LabelSet // of all columns, also of those left out
	kept   []int             // the columns that make the term, one for each key
	keys   []string          // their labels without the name
	byKey  map[string]int
	byJoin map[string]map[string][]int // labels joined on, to their values, to the columns that have them
}

// term answers one operand, once per moment.
func (j *Judge) term(ctx context.Context, m *moment, o operand) (*term, error) {
	if found := m.terms[o.number]; found != nil {
		return found, nil
	}
	var columns []column
	if j.store.Has(o.signal) {
		wide := j.catalog.acrossTargets(o)
		for _, g := range m.plan.groupsFor(o.windowed, wide, m.plan.byInstance) {
			found, err := j.query(ctx, g, o.windowed, m.ticks)
			if err != nil {
				return nil, err
			}
			columns = append(columns, g.own(found, wide)...)
		}
	}
	if !j.indexes[o.number].of(columns) {
		j.indexes[o.number] = newIndex(columns, &j.identities)
	}
	t := j.indexes[o.number].term(columns)
	m.terms[o.number] = t
	return t, nil
}

func newIndex(columns []column, ids *identities) *index {
	x := &index{sets: make([]series.LabelSet, len(columns)), byKey: map[string]int{}, byJoin: map[string]map[string][]int{}}
	for i, c := range columns {
		x.sets[i] = c.set
		key := ids.of(c.set)
		if _, twice := x.byKey[key]; !twice {
			x.byKey[key] = len(x.keys)
			x.keys = append(x.keys, key)
			x.kept = append(x.kept, i)
		}
	}
	return x
}

// of tells whether the index, which may be nil, is one of these columns.
func (x *index) of(columns []column) bool {
	return x != nil && slices.EqualFunc(x.sets, columns, func(s series.LabelSet, c column) bool { return s == c.set })
}

// term is the term that the columns make.
func (x *index) term(columns []column) *term {
	if len(x.kept) == len(columns) {
		return &term{columns, x}
	}
	own := make([]column, len(x.kept))
	for i, k := range x.kept {
		own[i] = columns[k]
	}
	return &term{own, x}
}

// joined lists the columns that share the labels on with a subject.
func (t *term) joined(on labelSet, subject series.Labels) []int {
	found, ok := t.byJoin[on.text]
	if !ok {
		found = map[string][]int{}
		for i, c := range t.columns {
			k := on.values(c.labels())
			found[k] = append(found[k], i)
		}
		t.byJoin[on.text] = found
	}
	return found[on.values(subject)]
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
		instance := c.labels().Get("instance")
		_, ok := g.owners[instance]
		return instance != "" && !ok
	})
}
