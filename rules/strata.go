package rules

import (
	"maps"
	"slices"

	"github.com/capdoctor/capdoctor/series"
)

// A statement is what Go itself says of an instance: a fact, or a measure of how
// it is watched.
type statement struct {
	name, instance, service, fact, origin string
}

func (s statement) labels() series.Labels {
	l := map[string]string{"__name__": s.name, "instance": s.instance}
	for name, v := range map[string]string{"service": s.service, "fact": s.fact, "origin": s.origin} {
		if v != "" {
			l[name] = v
		}
	}
	return series.FromMap(l)
}

// A said is the series of a statement, and when it was made last.
type said struct {
	labels series.Labels
	slot   series.Slot
	tick   int64
}

// state records what Go itself knows at each tick: the facts of every instance,
// and how long and how often it has been watched.
func (j *Judge) state(p plan, ticks []int64) {
	names := slices.Sorted(maps.Keys(p.instances))
	j.known = j.known[:0]
	for _, t := range ticks {
		all := j.recogniseAll(t)
		j.known = append(j.known, all)
		systems := withoutRepeats(all)
		j.recognised = recognition{t, systems}
		for _, name := range names {
			j.stateInstance(p.instances[name], systems[name], t)
		}
		for key, s := range j.stated {
			if s.tick != t {
				j.store.End(&s.slot, t)
				delete(j.stated, key)
			}
		}
	}
}

func (j *Judge) stateInstance(in instance, systems []*System, t int64) {
	put := func(v float64, key statement) {
		key.instance, key.service = in.name, in.service
		s := j.stated[key]
		if s == nil {
			s = &said{labels: key.labels()}
			j.stated[key] = s
		}
		j.store.Record(&s.slot, in.source, s.labels, t, v)
		s.tick = t
	}
	for _, f := range j.factsAt(in.name, systems, t) {
		put(f.Value, statement{name: "cap:fact", fact: f.Name, origin: f.Origin})
	}
	st := j.store.Status(in.source, t)
	put(st.Watched.Seconds(), statement{name: "capdoctor_observed_seconds"})
	put(in.interval.Seconds(), statement{name: "capdoctor_scrape_interval_seconds"})
	put(float64(st.Batches), statement{name: "capdoctor_scrapes_total"})
}

// recognise lists for every instance the systems of which it shows a marker
// metric, in catalogue order, without those that repeat another one that is there.
func (j *Judge) recognise(t int64) map[string][]*System {
	if j.recognised.systems == nil || j.recognised.tick != t {
		j.recognised = recognition{t, withoutRepeats(j.recogniseAll(t))}
	}
	return j.recognised.systems
}

// A recognition is what was recognised at a tick.
type recognition struct {
	tick    int64
	systems map[string][]*System
}

func withoutRepeats(found map[string][]*System) map[string][]*System {
	own := make(map[string][]*System, len(found))
	for name, all := range found {
		own[name] = slices.DeleteFunc(slices.Clone(all), func(s *System) bool { return s.repeatsOne(all) })
	}
	return own
}

func (j *Judge) recogniseAll(t int64) map[string][]*System {
	found := map[string][]*System{}
	for _, s := range j.catalog.Systems {
		for _, marker := range j.markersOf(s) {
			for _, name := range j.store.Present(marker, t) {
				if all := found[name]; len(all) == 0 || all[len(all)-1] != s {
					found[name] = append(all, s)
				}
			}
		}
	}
	return found
}

// repeatsOne tells whether a system shows the meters of one of others again.
func (s *System) repeatsOne(others []*System) bool {
	return slices.ContainsFunc(others, func(o *System) bool { return slices.Contains(s.Repeats, o.ID) })
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
