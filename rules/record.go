package rules

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/capdoctor/capdoctor/series"
)

// A result is one series that a rule gives.
type result struct {
	labels   series.Labels
	instance string
	slot     series.Slot
	owner    series.SourceID
	tick     int64 // when it was given last
	lives    bool  // it was given at the tick before
}

// results are what one rule gives.
type results struct {
	byColumn map[series.LabelSet]*result // by the labels before recording
	byLabels map[series.LabelSet]*result // by the labels after it
	all      []*result                   // those of byLabels
}

// An output is one column of a rule's answer and the result that it goes to.
type output struct {
	*result
	values []float64
}

// record evaluates a recording rule for every group and stores what it gives,
// tick by tick; what it gave before and gives no more ends.
func (j *Judge) record(ctx context.Context, r *recording, groups []group, p plan, ticks []int64) error {
	all := j.outputs[r]
	var outputs []output
	if possible(r.expr, j.exists) {
		if all == nil {
			all = &results{byColumn: map[series.LabelSet]*result{}, byLabels: map[series.LabelSet]*result{}}
			j.outputs[r] = all
		}
		for _, g := range p.groupsFor(r.windowed, r.wide, groups) {
			found, err := j.outputsOf(ctx, r, g, ticks, all)
			if err != nil {
				return err
			}
			outputs = append(outputs, found...)
		}
	}
	if all == nil {
		return nil
	}
	for i, t := range ticks {
		j.recordTick(r, outputs, all, i, t)
	}
	all.forget()
	return nil
}

// outputsOf evaluates a rule for one group. Columns of other groups, and those
// that show what another system's rules show already, are left out.
func (j *Judge) outputsOf(ctx context.Context, r *recording, g group, ticks []int64, all *results) ([]output, error) {
	columns, err := j.query(ctx, g, r.windowed, ticks)
	if err != nil {
		return nil, fmt.Errorf("%s:%d: %w", r.file.path, r.rule.node.Line, err)
	}
	outputs := make([]output, 0, len(columns))
	for _, c := range columns {
		x := all.of(r, c.set)
		owner, ok := g.owner(x.instance, j.rules)
		if !ok || r.only != "" && x.instance != r.only {
			continue
		}
		x.owner = owner
		if r.countsEvents() {
			j.eventWindows.note(r.signal, x.labels, g.events)
		}
		outputs = append(outputs, output{x, c.values})
	}
	return outputs, nil
}

// of is the series that a column is recorded as.
func (all *results) of(r *recording, column series.LabelSet) *result {
	x := all.byColumn[column]
	if x != nil {
		return x
	}
	l := resultLabels(column.Value(), r.signal, r.labels)
	set := series.LabelSetOf(l)
	if x = all.byLabels[set]; x == nil {
		x = &result{labels: l, instance: l.Get("instance")}
		all.byLabels[set] = x
		all.all = append(all.all, x)
	}
	all.byColumn[column] = x
	return x
}

// forget drops the results that are no more.
func (all *results) forget() {
	dead := func(x *result) bool { return !x.lives }
	if !slices.ContainsFunc(all.all, dead) {
		return
	}
	all.all = slices.DeleteFunc(all.all, dead)
	for _, m := range []map[series.LabelSet]*result{all.byColumn, all.byLabels} {
		maps.DeleteFunc(m, func(_ series.LabelSet, x *result) bool { return !x.lives })
	}
}

// recordTick stores what a rule gives at one tick, and ends what it gave at the
// tick before and does not give now.
func (j *Judge) recordTick(r *recording, outputs []output, all *results, i int, t int64) {
	for _, o := range outputs {
		if !math.IsNaN(o.values[i]) && !j.repeats(r, o.instance, i) {
			j.store.Record(&o.slot, o.owner, o.labels, t, o.values[i])
			o.tick = t
		}
	}
	for _, x := range all.all {
		if x.lives && x.tick != t {
			j.store.End(&x.slot, t)
		}
		x.lives = x.tick == t
	}
}

// repeats tells whether a rule of a system shows, on an instance at tick i, what
// another system's rules show already.
func (j *Judge) repeats(r *recording, instance string, i int) bool {
	s := j.catalog.systems[r.labels["system"]]
	return s != nil && len(s.Repeats) > 0 && s.repeatsOne(j.known[i][instance])
}

// owner is the source that a result of an instance belongs to. A result without
// an instance belongs to shared; one of an instance outside the group is not
// the group's to record.
func (g group) owner(instance string, shared series.SourceID) (series.SourceID, bool) {
	if instance == "" {
		return shared, true
	}
	id, ok := g.owners[instance]
	return id, ok
}

// resultLabels are the labels of a recorded series.
func resultLabels(l series.Labels, signal string, static map[string]string) series.Labels {
	m := l.Map()
	maps.Copy(m, static)
	m["__name__"] = signal
	for name, v := range m {
		if v == "" {
			delete(m, name)
		}
	}
	return series.FromMap(m)
}
