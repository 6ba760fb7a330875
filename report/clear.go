package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/capdoctor/capdoctor/rules"
)

// clear is the form of a report without a finding that asks for action: quiet,
// and it says what was looked at.
func (t *reportText) clear() {
	t.clearHeadline()
	t.vitals()
	t.others("TO WATCH", t.out.others)
	t.judgedCount("JUDGED")
	t.down()
	t.notJudged("NOT JUDGED")
	t.ledger()
	t.facts()
	t.notes("NOTED")
	t.inputs()
}

func (t *reportText) clearHeadline() {
	at := " at " + t.clock.full(t.r.At)
	i := slices.IndexFunc(t.out.others, func(g group) bool { return g.first().State == rules.Pending })
	if i >= 0 {
		f := t.out.others[i].first()
		lead := state(f)
		t.hang(span{lead.role, lead.text + "  "}, t.name(f.Title, mostName)+" on "+t.subject(f.Subject)+
			", not yet for long enough to be sure; judged"+at)
		return
	}
	t.hang(span{plain, "· CLEAR  "}, "No capacity problem found on "+t.answering()+at)
}

// answering is what the verdict rests on: "3 targets, 2 logs", or "2 of 3
// targets" where one did not answer.
func (t *reportText) answering() string {
	targets, _ := countInputs(t.r)
	down := 0
	for _, in := range failing(t.r) {
		if in.Kind != "log" {
			down++
		}
	}
	if down == 0 {
		return t.inputCount()
	}
	return fmt.Sprintf("%d of %s", targets-down, plural(targets, "target", "targets"))
}

// vitals writes the present values of the targets, a few targets of many.
func (t *reportText) vitals() {
	const most = 4
	var instances []string
	for _, v := range t.r.Vitals {
		instances = appendNew(instances, v.Instance)
	}
	for i, in := range instances {
		if i == most {
			t.line(text(strings.Repeat(" ", labelWidth) + plural(len(instances)-i, "more target", "more targets")))
			return
		}
		var items []string
		for _, v := range t.r.Vitals {
			if v.Instance == in {
				items = append(items, t.vitalText(v))
			}
		}
		t.items(t.name(in, labelWidth-1), items)
	}
}

func (t *reportText) vitalText(v rules.Vital) string {
	s := v.Title + " " + rules.Value(v.Value, v.Unit)
	if v.Resource != "" {
		s = t.name(v.Resource, 24) + " " + s
	}
	return s
}
