package rules

import (
	"math"
	"slices"
	"strings"
)

// A MatrixRow says how often a diagnosis was right over the cases that say
// something of it.
type MatrixRow struct {
	ID          string
	Hits        int // it fires, as the case expects
	Misses      int // the case expects it and it does not fire
	FalseAlarms int // it fires where the case says that it must not, or that nothing may
	Unknown     int // cases that name it and in which it could not be judged; those that expect it to fire count as misses too
	// Cases are the names of the cases with a miss or a false alarm, sorted.
	Cases []string
}

// Precision is how many of its alarms are right, from 0 to 1; NaN without any.
func (m MatrixRow) Precision() float64 { return share(m.Hits, m.Hits+m.FalseAlarms) }

// Recall is how many of the troubles it finds, from 0 to 1; NaN without any.
func (m MatrixRow) Recall() float64 { return share(m.Hits, m.Hits+m.Misses) }

func share(part, whole int) float64 {
	if whole == 0 {
		return math.NaN()
	}
	return float64(part) / float64(whole)
}

// Matrix counts over the cases that could be read, for each of the ids and for
// every other id that a case or its report speaks of, sorted by id.
func Matrix(ids []string, cases []CaseResult) []MatrixRow {
	rows := map[string]*MatrixRow{}
	row := func(id string) *MatrixRow {
		if rows[id] == nil {
			rows[id] = &MatrixRow{ID: id}
		}
		return rows[id]
	}
	for _, id := range ids {
		row(id)
	}
	for _, c := range cases {
		if c.Report != nil {
			countCase(row, c)
		}
	}
	var out []MatrixRow
	for _, m := range rows {
		slices.Sort(m.Cases)
		m.Cases = slices.Compact(m.Cases)
		out = append(out, *m)
	}
	slices.SortFunc(out, func(a, b MatrixRow) int { return strings.Compare(a.ID, b.ID) })
	return out
}

func countCase(row func(id string) *MatrixRow, c CaseResult) {
	for _, w := range c.Expect.Find {
		m := row(w.ID)
		if fires(c.Report, w) {
			m.Hits++
			continue
		}
		m.Misses++
		m.Cases = append(m.Cases, c.Name)
	}
	for _, id := range falseAlarms(c) {
		m := row(id)
		m.FalseAlarms++
		m.Cases = append(m.Cases, c.Name)
	}
	for _, id := range named(c.Expect) {
		if c.Report.notJudged(id) {
			row(id).Unknown++
		}
	}
}

// fires reports whether the wanted diagnosis fires on the wanted subject.
func fires(r *Report, w Want) bool {
	return slices.ContainsFunc(firing(r, w.ID), func(f *Finding) bool { return hasLabels(f.Subject, w.Where) })
}

// falseAlarms are the ids, each once, that fire against what the case says.
func falseAlarms(c CaseResult) (ids []string) {
	for _, f := range c.Report.Findings {
		wrong := slices.Contains(c.Expect.Not, f.ID) || len(c.Expect.Find) == 0 && f.Severity != Info
		if f.State == Firing && wrong && !slices.Contains(ids, f.ID) {
			ids = append(ids, f.ID)
		}
	}
	return ids
}

// named are the ids that an expectation speaks of, each once.
func named(e Expect) []string {
	ids := slices.Concat(e.Not, e.Unknown)
	for _, w := range e.Find {
		ids = append(ids, w.ID)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}
