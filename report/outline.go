package report

import (
	"slices"

	"github.com/capdoctor/capdoctor/rules"
)

// A group is one diagnosis with one severity and state on one or more subjects,
// in the order of the report.
type group []*rules.Finding

func (g group) first() *rules.Finding { return g[0] }

// An outline says which findings lead a report and which follow.
type outline struct {
	causes []group // firing at warning or above and explained by no other firing finding
	others []group // all the rest, firing before pending
	hidden int     // below the severity asked for
}

func newOutline(r *rules.Report, o Options) outline {
	var out outline
	var causes, others []*rules.Finding
	leading := r.Causes()
	for _, f := range r.Findings {
		switch {
		case !o.shows(f.Severity):
			out.hidden++
		case slices.Contains(leading, f):
			causes = append(causes, f)
		default:
			others = append(others, f)
		}
	}
	if len(causes) == 0 { // what explains the others is below the severity asked for
		i := slices.IndexFunc(others, (*rules.Finding).AsksForAction)
		if i >= 0 {
			causes = others[i : i+1 : i+1]
			others = slices.Concat(others[:i], others[i+1:])
		}
	}
	out.causes, out.others = groups(causes), groups(others)
	return out
}

// groups joins findings of the same diagnosis, severity and state.
func groups(findings []*rules.Finding) []group {
	var out []group
	for _, f := range findings {
		i := slices.IndexFunc(out, func(g group) bool {
			first := g.first()
			return first.ID == f.ID && first.Severity == f.Severity && first.State == f.State
		})
		if i < 0 {
			out = append(out, group{f})
			continue
		}
		out[i] = append(out[i], f)
	}
	return out
}
