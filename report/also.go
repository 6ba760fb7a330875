package report

import (
	"slices"

	"github.com/capdoctor/capdoctor/rules"
)

// mostAlso is how many further diagnoses are told one by one.
const mostAlso = 8

// also writes what fires besides a cause: the same on further targets, its
// consequences, and what is pending.
func (t *reportText) also(cause group) {
	if len(cause) == 1 {
		t.others("ALSO FIRING", t.out.others)
		return
	}
	t.line(span{heading, "ALSO FIRING"})
	t.consequence(state(cause.first()), cause.first().ID+" also on "+t.subjects(cause[1:])+".")
	t.others("", t.out.others)
}

// others writes findings that do not lead, under a heading.
func (t *reportText) others(head string, list []group) {
	if len(list) > 0 && head != "" {
		t.line(span{heading, head})
	}
	for i, g := range list {
		if i == mostAlso {
			t.line(text("  " + rules.Plural(len(list)-i, "more diagnosis", "more diagnoses")))
			return
		}
		t.consequence(state(g.first()), t.otherText(g))
	}
}

func (t *reportText) consequence(lead span, s string) {
	const column = 13
	t.hangAt(column, span{lead.role, padRight("  "+t.clean(lead.text), column-2) + "  "}, s)
}

// otherText is "dead-work-queue (follows): 68 waiting ...".
func (t *wording) otherText(g group) string {
	f := g.first()
	s := f.ID
	if where := t.subject(f.Subject); len(g) > 1 || !t.onLeadingInstance(f) {
		s += " on " + where
	}
	if len(f.ExplainedBy) > 0 {
		s += " (follows" + t.fromWhich(f) + ")"
	}
	s += ": " + rules.Sentence(f.Summary)
	if len(g) > 1 {
		s += " Also on " + t.subjects(g[1:]) + "."
	}
	return s
}

// fromWhich names the cause of a consequence where there are several.
func (t *wording) fromWhich(f *rules.Finding) string {
	if len(t.out.causes) == 1 && slices.Contains(f.ExplainedBy, t.out.causes[0].first().ID) {
		return ""
	}
	return " from " + firstOf(f.ExplainedBy, 3)
}

func (t *wording) onLeadingInstance(f *rules.Finding) bool {
	return len(t.out.causes) == 1 &&
		f.Subject["instance"] == t.out.causes[0].first().Subject["instance"]
}

// subjects names the subjects of findings, a few of them, and what differs.
func (t *wording) subjects(g group) string {
	name := t.subject
	if len(g) > 1 && sameResource(g) {
		name = t.target
	}
	var names []string
	for _, f := range g {
		names = appendNew(names, name(f.Subject))
	}
	return firstOf(names, 4)
}

func sameResource(g group) bool {
	return !slices.ContainsFunc(g, func(f *rules.Finding) bool {
		return f.Subject["resource"] != g.first().Subject["resource"]
	})
}
