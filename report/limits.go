package report

import (
	"slices"

	"github.com/capdoctor/capdoctor/rules"
)

// mostLimits is how many rows the table of limits may have.
const mostLimits = 12

// limits writes every limit on the way of a request and marks the binding one:
// raising another changes nothing.
func (t *reportText) limits() {
	limits := t.limitsShown()
	tab := table{indent: 2, columns: []column{
		{head: "LIMITS IN SERIES", align: name, least: 24, most: 36},
		{head: "in use", align: right},
		{head: "limit", align: right, least: 9},
		{head: "headroom", align: right, least: 9},
		{gap: 3},
	}}
	several := severalInstances(limits)
	for _, l := range limits {
		title := l.Title
		if several {
			title = l.Instance + " " + l.Title
		}
		tab.add(title, rules.Number(l.InUse), rules.Number(l.Max), rules.Number(l.Max-l.InUse), limitNote(l))
	}
	tab.write(&t.page)
	if more := len(t.r.Limits) - len(limits); more > 0 && len(limits) > 0 {
		t.line(span{note, "  " + rules.Plural(more, "more limit", "more limits") + ", not of this target or not the nearest"})
	}
}

func limitNote(l rules.Limit) string {
	if l.Binding {
		return joinNonEmpty([]string{"◄ binding", l.Note}, "; ")
	}
	return l.Note
}

// limitsShown are the limits of the targets that the findings are about, the
// binding ones among them where there are too many.
func (t *reportText) limitsShown() []rules.Limit {
	involved := t.involved()
	var mine []rules.Limit
	for _, l := range t.r.Limits {
		if slices.Contains(involved, l.Instance) {
			mine = append(mine, l)
		}
	}
	if len(mine) <= mostLimits {
		return mine
	}
	var kept []rules.Limit
	spare := mostLimits - min(mostLimits, countBinding(mine))
	for _, l := range mine {
		if !l.Binding {
			spare--
		}
		if (l.Binding || spare >= 0) && len(kept) < mostLimits {
			kept = append(kept, l)
		}
	}
	return kept
}

func countBinding(limits []rules.Limit) int {
	n := 0
	for _, l := range limits {
		if l.Binding {
			n++
		}
	}
	return n
}

// involved are the instances that the causes told first are about, draw
// evidence from or have consequences on.
func (t *reportText) involved() []string {
	var out []string
	for _, g := range t.out.causes {
		f := g.first()
		out = append(out, string(f.Subject["instance"]))
		out = append(out, f.Affected...)
		for _, e := range f.Evidence {
			out = append(out, string(e.Labels["instance"]))
		}
		for _, c := range f.Explains {
			out = append(out, string(c.Subject["instance"]))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func severalInstances(limits []rules.Limit) bool {
	return slices.ContainsFunc(limits, func(l rules.Limit) bool { return l.Instance != limits[0].Instance })
}
