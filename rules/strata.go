package rules

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/prometheus/prometheus/promql/parser"

	"github.com/capdoctor/capdoctor/series"
)

// state records what Go itself knows at each tick: the facts of every instance,
// and how long and how often it has been watched.
func (j *Judge) state(p plan, ticks []int64) {
	names := slices.Sorted(maps.Keys(p.instances))
	j.known = j.recogniseAll(ticks[len(ticks)-1])
	for _, t := range ticks {
		systems := j.recognise(t)
		stated := map[uint64]series.Labels{}
		for _, name := range names {
			j.stateInstance(p.instances[name], systems[name], t, stated)
		}
		for key, l := range j.stated {
			if _, ok := stated[key]; !ok {
				j.store.End(l, t)
			}
		}
		j.stated = stated
	}
}

func (j *Judge) stateInstance(in instance, systems []*System, t int64, stated map[uint64]series.Labels) {
	put := func(v float64, labels map[string]string) {
		labels["instance"] = in.name
		if in.service != "" {
			labels["service"] = in.service
		}
		l := series.FromMap(labels)
		j.store.Record(in.source, l, t, v)
		stated[l.Hash()] = l
	}
	for _, f := range j.factsAt(in.name, systems, t) {
		put(f.Value, map[string]string{"__name__": "cap:fact", "fact": f.Name, "origin": f.Origin})
	}
	st := j.store.Status(in.source, t)
	put(st.Watched.Seconds(), map[string]string{"__name__": "capdoctor_observed_seconds"})
	put(in.interval.Seconds(), map[string]string{"__name__": "capdoctor_scrape_interval_seconds"})
	put(float64(st.Batches), map[string]string{"__name__": "capdoctor_scrapes_total"})
}

// recognise lists for every instance the systems of which it shows a marker
// metric, in catalogue order, without those that repeat another one that is there.
func (j *Judge) recognise(t int64) map[string][]*System {
	found := j.recogniseAll(t)
	for name, systems := range found {
		all := slices.Clone(systems)
		found[name] = slices.DeleteFunc(systems, func(s *System) bool { return s.repeatsOne(all) })
	}
	return found
}

func (j *Judge) recogniseAll(t int64) map[string][]*System {
	found := map[string][]*System{}
	for _, s := range j.catalog.Systems {
		on := map[string]bool{}
		for _, marker := range s.Markers {
			for _, name := range j.store.Present(marker, t) {
				on[name] = true
			}
		}
		for name := range on {
			found[name] = append(found[name], s)
		}
	}
	return found
}

// repeatsOne tells whether a system shows the meters of one of others again.
func (s *System) repeatsOne(others []*System) bool {
	return slices.ContainsFunc(others, func(o *System) bool { return slices.Contains(s.Repeats, o.ID) })
}

// repeats tells whether a rule of a system shows, on an instance, what another
// system's rules show already.
func (j *Judge) repeats(r *recording, instance string) bool {
	s := j.catalog.systems[r.labels["system"]]
	return s != nil && len(s.Repeats) > 0 && s.repeatsOne(j.known[instance])
}

// record evaluates a recording rule for every group and stores what it gives;
// what it gave before and gives no more ends.
func (j *Judge) record(ctx context.Context, r *recording, groups []group, p plan, ticks []int64) error {
	given := map[uint64]series.Labels{}
	if possible(r.expr, j.exists) {
		if r.wide {
			groups = []group{p.wide}
		}
		for _, g := range groups {
			if err := j.recordGroup(ctx, r, g, ticks, given); err != nil {
				return err
			}
		}
	}
	before := j.outputs[r]
	for key, l := range before {
		if _, ok := given[key]; !ok {
			j.store.End(l, ticks[0])
		}
	}
	if len(given) > 0 || len(before) > 0 {
		j.outputs[r] = given
	}
	return nil
}

func (j *Judge) recordGroup(ctx context.Context, r *recording, g group, ticks []int64, given map[uint64]series.Labels) error {
	columns, err := j.query(ctx, g.view, r.at(g.windows), ticks)
	if err != nil {
		return fmt.Errorf("%s:%d: %w", r.file.path, r.rule.node.Line, err)
	}
	for _, c := range columns {
		key := c.labels.Hash()
		l, known := j.outputs[r][key]
		if !known {
			l = resultLabels(c.labels, r.signal, r.labels)
		}
		owner, ok := g.owner(l.Get("instance"), j.rules)
		if !ok || r.only != "" && l.Get("instance") != r.only || j.repeats(r, l.Get("instance")) {
			continue
		}
		if r.has(eventsRange) {
			j.eventWindows.note(r.signal, l, g.events)
		}
		if j.recordColumn(owner, l, c.values, ticks) {
			given[key] = l
		}
	}
	return nil
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

// recordColumn stores a column; it tells whether the series lives at the last tick.
func (j *Judge) recordColumn(owner series.SourceID, l series.Labels, values []float64, ticks []int64) (lives bool) {
	for i, v := range values {
		if math.IsNaN(v) {
			if lives || i == 0 {
				j.store.End(l, ticks[i])
			}
			lives = false
			continue
		}
		j.store.Record(owner, l, ticks[i], v)
		lives = true
	}
	return lives
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

// Systems lists the ids of the systems that were recognised on an instance at
// the last tick, in catalogue order.
func (j *Judge) Systems(instance string) []string {
	if j.now == nil {
		return nil
	}
	var ids []string
	for _, s := range j.recognise(j.at())[instance] {
		ids = append(ids, s.ID)
	}
	return ids
}

// eventWindows is, by signal, the time that events were counted over.
type eventWindows map[string]map[countedOn]time.Duration

// countedOn is where a signal was counted.
type countedOn struct{ instance, system string }

func (w eventWindows) clone() eventWindows {
	c := eventWindows{}
	for signal, by := range w {
		c[signal] = maps.Clone(by)
	}
	return c
}

func (w eventWindows) note(signal string, l series.Labels, d time.Duration) {
	if w[signal] == nil {
		w[signal] = map[countedOn]time.Duration{}
	}
	w[signal][countedOn{l.Get("instance"), l.Get("system")}] = d
}

// of is the time that a signal was counted over on an instance and system; an
// empty name stands for all, of which the shortest counts.
func (w eventWindows) of(signal string, on countedOn) (time.Duration, bool) {
	var shortest time.Duration
	for c, d := range w[signal] {
		if (on.instance == "" || on.instance == c.instance) && (on.system == "" || on.system == c.system) && (shortest == 0 || d < shortest) {
			shortest = d
		}
	}
	return shortest, shortest > 0
}

// exists tells whether the store has a metric that a selector can name.
func (j *Judge) exists(s *parser.VectorSelector) bool {
	if s.Name != "" {
		return j.store.Has(s.Name)
	}
	return j.store.HasMatching(func(name string) bool { return matchesName(s, name) })
}
