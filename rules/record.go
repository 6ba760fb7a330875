package rules

import (
	"context"
	"fmt"
	"maps"
	"math"

	"github.com/capdoctor/capdoctor/series"
)

// A result is one series that a rule gives.
type result struct {
	labels series.Labels
	hash   uint64
	owner  series.SourceID
	tick   int64 // when it was given last
	lives  bool  // it was given at the tick before
}

// results are what one rule gave last.
type results struct {
	byColumn map[uint64]*result // by the hash of the labels before recording
	byLabels map[uint64]*result // by the hash of the labels after it
}

// A output is one column of a rule's answer and the result that it goes to.
type output struct {
	*result
	values []float64
}

// record evaluates a recording rule for every group and stores what it gives,
// tick by tick; what it gave before and gives no more ends.
func (j *Judge) record(ctx context.Context, r *recording, groups []group, p plan, ticks []int64) error {
	before := j.outputs[r]
	now := results{byColumn: map[uint64]*result{}, byLabels: map[uint64]*result{}}
	var outputs []output
	if possible(r.expr, j.exists) {
		for _, g := range p.groupsFor(r.windowed, r.wide, groups) {
			found, err := j.outputsOf(ctx, r, g, ticks, before, now)
			if err != nil {
				return err
			}
			outputs = append(outputs, found...)
		}
	}
	if len(outputs) == 0 && len(before.byLabels) == 0 {
		return nil
	}
	for hash, old := range before.byLabels {
		now.byLabels[hash] = old
	}
	for i, t := range ticks {
		j.recordTick(r, outputs, now, i, t)
	}
	maps.DeleteFunc(now.byLabels, func(_ uint64, x *result) bool { return !x.lives })
	j.outputs[r] = now
	return nil
}

// outputsOf evaluates a rule for one group. Columns of other groups, and those
// that show what another system's rules show already, are left out.
func (j *Judge) outputsOf(ctx context.Context, r *recording, g group, ticks []int64, before, now results) ([]output, error) {
	columns, err := j.query(ctx, g, r.windowed, ticks)
	if err != nil {
		return nil, fmt.Errorf("%s:%d: %w", r.file.path, r.rule.node.Line, err)
	}
	outputs := make([]output, 0, len(columns))
	for _, c := range columns {
		x := resultOf(r, c.labels, before, now)
		instance := x.labels.Get("instance")
		owner, ok := g.owner(instance, j.rules)
		if !ok || r.only != "" && instance != r.only {
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

// resultOf is the series that a column is recorded as.
func resultOf(r *recording, column series.Labels, before, now results) *result {
	key := column.Hash()
	x := before.byColumn[key]
	if x == nil {
		l := resultLabels(column, r.signal, r.labels)
		hash := l.Hash()
		if x = before.byLabels[hash]; x == nil {
			x = now.byLabels[hash]
		}
		if x == nil {
			x = &result{labels: l, hash: hash}
		}
	}
	now.byColumn[key], now.byLabels[x.hash] = x, x
	return x
}

// recordTick stores what a rule gives at one tick, and ends what it gave at the
// tick before and does not give now.
func (j *Judge) recordTick(r *recording, outputs []output, all results, i int, t int64) {
	for _, o := range outputs {
		if !math.IsNaN(o.values[i]) && !j.repeats(r, o.labels.Get("instance"), i) {
			j.store.Record(o.owner, o.labels, t, o.values[i])
			o.tick = t
		}
	}
	for _, x := range all.byLabels {
		if x.lives && x.tick != t {
			j.store.End(x.labels, t)
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
