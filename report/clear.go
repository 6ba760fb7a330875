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
	t.littleJudged()
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
	t.hang(span{plain, "· CLEAR  "}, t.clearText()+at)
}

// clearText is "No capacity problem found on 3 targets", or what can be said
// where findings are left out.
func (t *wording) clearText() string {
	what := "No capacity problem found"
	if t.out.hidden > 0 {
		what = "Nothing found at " + t.o.MinSeverity + " or above"
	}
	return what + " on " + t.answering()
}

// littleJudged warns where hardly anything could be judged: that is no reason to
// be calm.
func (t *reportText) littleJudged() {
	clear, others := len(t.r.Cleared), t.r.NotApplicable+len(t.r.NotJudged)
	if clear <= 1 && others > clear && len(t.r.Findings) == 0 {
		t.hang(text(""), fmt.Sprintf("This says little: only %s could be judged on what was read.", rules.Plural(clear, "diagnosis", "diagnoses")))
	}
}

// answering is what the verdict rests on: "3 targets, 2 logs", or "2 of 3
// targets" where one did not answer.
func (t *wording) answering() string {
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
	return fmt.Sprintf("%d of %s", targets-down, rules.Plural(targets, "target", "targets"))
}

// mostVitals is of how many targets the present values are shown.
const mostVitals = 4

// vitalInstances are the targets whose present values are known.
func (t *wording) vitalInstances() []string {
	var instances []string
	for _, v := range t.r.Vitals {
		instances = appendNew(instances, v.Instance)
	}
	return instances
}

// vitals writes the present values of the targets, a few targets of many.
func (t *reportText) vitals() {
	instances := t.vitalInstances()
	for i, in := range instances {
		if i == mostVitals {
			t.line(text(strings.Repeat(" ", labelWidth) + rules.Plural(len(instances)-i, "more target", "more targets")))
			return
		}
		t.items(t.name(in, labelWidth-1), t.vitalsOf(in))
	}
}

// vitalsOf is one text for each resource of a target ("bus: in use 6, requests
// waiting 0") and one for each value of the target itself.
func (t *wording) vitalsOf(instance string) []string {
	var resources, own []string
	byResource := map[string][]string{}
	for _, v := range t.r.Vitals {
		value := v.Title + " " + rules.Value(v.Value, v.Unit)
		switch {
		case v.Instance != instance:
		case v.Resource == "":
			own = append(own, value)
		default:
			resources = appendNew(resources, v.Resource)
			byResource[v.Resource] = append(byResource[v.Resource], value)
		}
	}
	const most = 5
	items := own
	for i, r := range resources {
		if i == most {
			return append(items, fmt.Sprintf("+%d more", len(resources)-i))
		}
		items = append(items, t.name(r, mostName)+": "+strings.Join(byResource[r], ", "))
	}
	return items
}
