package rules

import (
	"cmp"
	"slices"

	"github.com/prometheus/common/model"
)

// link connects findings with those that they explain: on their own target, and
// on others of the service that have no cause of their own there.
func (a assembly) link(all []*Finding) {
	home := a.explainedAtHome(all)
	type service struct {
		id, name string
	}
	own, homeless := map[place][]int{}, map[service][]int{} // places in all
	for n, g := range all {
		if home[placeOf(g)] {
			own[placeOf(g)] = append(own[placeOf(g)], n)
		} else {
			s := service{g.ID, string(g.Subject["service"])}
			homeless[s] = append(homeless[s], n)
		}
	}
	for _, f := range all {
		for _, id := range slices.Sorted(slices.Values(a.catalog.diagnoses[f.ID].Explains)) {
			explained := slices.Concat(own[place{id, f.Subject["instance"]}], homeless[service{id, string(f.Subject["service"])}])
			slices.Sort(explained)
			for _, n := range explained {
				if g := all[n]; f.Subject["service"] == g.Subject["service"] {
					f.Explains = append(f.Explains, g)
					g.ExplainedBy = append(g.ExplainedBy, f.ID)
				}
			}
		}
	}
	for _, f := range all {
		slices.Sort(f.ExplainedBy)
		f.ExplainedBy = slices.Compact(f.ExplainedBy)
	}
}

// A place is a diagnosis on an instance.
type place struct {
	id       string
	instance model.LabelValue
}

func placeOf(f *Finding) place { return place{f.ID, f.Subject["instance"]} }

// explainedAtHome is where findings have a cause on their own target.
func (a assembly) explainedAtHome(all []*Finding) map[place]bool {
	home := map[place]bool{}
	for _, f := range all {
		for _, id := range a.catalog.diagnoses[f.ID].Explains {
			home[place{id, f.Subject["instance"]}] = true
		}
	}
	return home
}

// rank orders findings: firing before pending, information last; a cause above
// what it explains, connections above the threads that wait for them; then by
// since, severity, id and subject.
func rank(all []*Finding) []*Finding {
	rest := slices.Clone(all)
	subjects := make(map[*Finding]string, len(all))
	for _, f := range all {
		subjects[f] = f.Subject.String()
	}
	slices.SortFunc(rest, func(f, g *Finding) int {
		return cmp.Or(compareFindings(f, g), cmp.Compare(subjects[f], subjects[g]))
	})
	below := standBelow(rest)
	causes := map[*Finding]int{} // that are not placed yet
	for _, g := range rest {
		for _, f := range below[g] {
			causes[f]++
		}
	}
	var out []*Finding
	for len(rest) > 0 {
		k := max(0, slices.IndexFunc(rest, func(f *Finding) bool { return causes[f] == 0 }))
		for _, f := range below[rest[k]] {
			causes[f]--
		}
		out = append(out, rest[k])
		rest = slices.Delete(rest, k, k+1)
	}
	return out
}

// standBelow lists for every finding those of the same tier or a later one that
// it stands above: its consequences, and of a pool of connections the threads
// that wait for it.
func standBelow(all []*Finding) map[*Finding][]*Finding {
	threads := map[string][]*Finding{}
	for _, f := range all {
		if f.Subject["kind"] == "threads" {
			threads[f.ID] = append(threads[f.ID], f)
		}
	}
	below := map[*Finding][]*Finding{}
	for _, g := range all {
		for _, f := range g.Explains {
			if tier(g) <= tier(f) {
				below[g] = append(below[g], f)
			}
		}
		if g.Subject["kind"] != "connections" {
			continue
		}
		for _, f := range threads[g.ID] {
			if f.Subject["service"] == g.Subject["service"] && tier(g) <= tier(f) {
				below[g] = append(below[g], f)
			}
		}
	}
	return below
}

// tier is the coarsest order: firing, pending, information.
func tier(f *Finding) int {
	n := 0
	if f.State != Firing {
		n = 1
	}
	if f.Severity == Info {
		n = 2
	}
	return n
}

func compareFindings(a, b *Finding) int {
	return cmp.Or(
		cmp.Compare(tier(a), tier(b)),
		a.Since.Compare(b.Since),
		cmp.Compare(slices.Index(severities, a.Severity), slices.Index(severities, b.Severity)),
		cmp.Compare(a.ID, b.ID),
	)
}
