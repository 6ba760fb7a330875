package rules

import (
	"maps"
	"slices"

	"github.com/capdoctor/capdoctor/series"
)

// state records what Go itself knows at each tick: the facts of every instance,
// and how long and how often it has been watched.
func (j *Judge) state(p plan, ticks []int64) {
	names := slices.Sorted(maps.Keys(p.instances))
	j.known = j.known[:0]
	for _, t := range ticks {
		all := j.recogniseAll(t)
		j.known = append(j.known, all)
		systems := withoutRepeats(all)
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
func (j *Judge) recognise(t int64) map[string][]*System { return withoutRepeats(j.recogniseAll(t)) }

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
		on := map[string]bool{}
		for _, marker := range j.markersOf(s) {
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
