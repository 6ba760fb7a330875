package rules

import (
	"cmp"
	"slices"

	"github.com/prometheus/common/model"
)

// link connects findings with those that they explain: on their own target, and
// on others of the service that have no cause of their own there.
func (a assembly) link(all []*Finding) {
	for _, f := range all {
		d := a.catalog.diagnoses[f.ID]
		for _, g := range all {
			if g == f || !slices.Contains(d.Explains, g.ID) || f.Subject["service"] != g.Subject["service"] {
				continue
			}
			if f.Subject["instance"] != g.Subject["instance"] && a.explainedAtHome(g, all) {
				continue
			}
			f.Explains = append(f.Explains, g)
			g.ExplainedBy = append(g.ExplainedBy, f.ID)
		}
	}
	for _, f := range all {
		slices.Sort(f.ExplainedBy)
		f.ExplainedBy = slices.Compact(f.ExplainedBy)
	}
}

// explainedAtHome tells whether a finding has a cause on its own target.
func (a assembly) explainedAtHome(g *Finding, all []*Finding) bool {
	return slices.ContainsFunc(all, func(f *Finding) bool {
		return f != g && f.Subject["instance"] == g.Subject["instance"] && slices.Contains(a.catalog.diagnoses[f.ID].Explains, g.ID)
	})
}

// rank orders findings: firing before pending, information last; a cause above
// what it explains, connections above the threads that wait for them; then by
// since, severity, id and subject.
func rank(all []*Finding) []*Finding {
	rest := slices.Clone(all)
	slices.SortFunc(rest, compareFindings)
	var out []*Finding
	for len(rest) > 0 {
		k := max(0, slices.IndexFunc(rest, func(f *Finding) bool { return !hasCause(f, rest) }))
		out = append(out, rest[k])
		rest = slices.Delete(rest, k, k+1)
	}
	return out
}

func hasCause(f *Finding, rest []*Finding) bool {
	return slices.ContainsFunc(rest, func(g *Finding) bool {
		return g != f && (slices.Contains(g.Explains, f) || innerPool(g, f)) && tier(g) <= tier(f)
	})
}

// innerPool tells whether g is a connection pool and f a thread pool of the same
// diagnosis: the threads wait for the connections.
func innerPool(g, f *Finding) bool {
	return g.ID == f.ID && g.Subject["kind"] == "connections" && f.Subject["kind"] == "threads" && g.Subject["service"] == f.Subject["service"]
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
		compareMetrics(a.Subject, b.Subject),
	)
}

func compareMetrics(a, b model.Metric) int { return cmp.Compare(a.String(), b.String()) }
