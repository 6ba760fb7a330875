package rules

import (
	"maps"
	"regexp"
	"slices"
)

// Updated returns the expectation that r agrees with and that keeps of old what
// still holds: its finds that fire with what they still say, the diagnoses that
// stay silent or unknown, and the advice that is given or not given. What fires
// at warning or above and was not expected is added to its finds. Lines and File
// are empty.
func Updated(old Expect, r *Report) Expect {
	var e Expect
	loud := slices.ContainsFunc(r.Findings, func(f *Finding) bool { return f.State == Firing && f.Severity != Info })
	if lead := leader(r); lead != nil && (loud || len(old.Find) > 0) {
		e.Find = append(e.Find, leading(old, lead))
	}
	for _, w := range old.Find {
		if f := bestFinding(r, w); f != nil && !slices.ContainsFunc(e.Find, sameWant(w)) {
			e.Find = append(e.Find, stillSays(w, f))
		}
	}
	for _, f := range r.Findings {
		known := slices.ContainsFunc(e.Find, func(w Want) bool { return w.ID == f.ID })
		if f.State == Firing && f.Severity != Info && !known {
			e.Find = append(e.Find, Want{ID: f.ID})
		}
	}
	fires := func(id string) bool { return len(firing(r, id)) > 0 }
	e.Not = slices.DeleteFunc(slices.Clone(old.Not), fires)
	e.Unknown = slices.DeleteFunc(slices.Clone(old.Unknown), func(id string) bool { return !r.notJudged(id) })
	given := func(pattern string) bool {
		re, err := regexp.Compile(pattern)
		return err == nil && slices.ContainsFunc(allSteps(r), func(s Step) bool { return re.MatchString(s.Do) })
	}
	e.AdviceMust = slices.DeleteFunc(slices.Clone(old.AdviceMust), func(p string) bool { return !given(p) })
	e.AdviceMustNot = slices.DeleteFunc(slices.Clone(old.AdviceMustNot), given)
	return e
}

// leading is what old wants of the finding that leads, or that it leads alone.
func leading(old Expect, lead *Finding) Want {
	for _, w := range old.Find {
		if w.ID == lead.ID && hasLabels(lead.Subject, w.Where) {
			return stillSays(w, lead)
		}
	}
	return Want{ID: lead.ID}
}

func sameWant(w Want) func(Want) bool {
	return func(o Want) bool { return o.ID == w.ID && maps.Equal(o.Where, w.Where) }
}

// bestFinding is the firing finding that w is about and that says most of what
// w wants; nil when there is none.
func bestFinding(r *Report, w Want) *Finding {
	matching := slices.DeleteFunc(firing(r, w.ID), func(f *Finding) bool { return !hasLabels(f.Subject, w.Where) })
	if len(matching) == 0 {
		return nil
	}
	return mostSaying(matching, w.Says)
}

// stillSays is w with the texts that f contains.
func stillSays(w Want, f *Finding) Want {
	lacking := lackingTexts(f, w.Says)
	var says []string
	for i, s := range w.Says {
		if !slices.Contains(lacking, i) {
			says = append(says, s)
		}
	}
	w.Says = says
	return w
}
