package report

import (
	"fmt"
	"math"
	"strings"

	"github.com/capdoctor/capdoctor/rules"
)

// steps writes what to do, in order.
func (t *reportText) steps(f *rules.Finding) {
	if len(f.Steps) == 0 {
		return
	}
	t.line(span{heading, "DO, IN THIS ORDER"})
	for i, s := range f.Steps {
		t.hangAt(4, text(fmt.Sprintf("  %d ", i+1)), rules.Sentence(s.Do))
		t.why(s)
		t.thenAndRisk(s)
	}
}

func (t *reportText) why(s rules.Step) {
	if s.Why != "" {
		t.hang(text("      "), rules.Sentence(s.Why))
	}
}

// thenAndRisk writes what must happen after a step and what it costs, side by
// side where they fit.
func (t *reportText) thenAndRisk(s rules.Step) {
	const (
		indent = "      "
		lead   = indent + "Then: "
		riskAt = 49
	)
	then, risk := t.prose(verify(s)), riskOf(s)
	if then == "" {
		if risk != "" {
			t.line(span{note, indent + risk})
		}
		return
	}
	then = lead + rules.Sentence(then)
	at := max(riskAt, Width(then)+2)
	if at+Width(risk) <= t.width {
		t.line(text(padRight(then, at)), span{note, risk})
		return
	}
	t.hang(text(lead), strings.TrimPrefix(then, lead))
	if risk != "" {
		t.line(span{note, indent + risk})
	}
}

// verify says which signal must move, and by when.
func verify(s rules.Step) string {
	v := s.Verify
	switch {
	case v.Text != "":
		return v.Text
	case v.Signal == "":
		return ""
	case v.Direction != "":
		return bareSignal(v.Signal) + " goes " + v.Direction + within(s)
	case math.IsNaN(v.Reaches):
		return bareSignal(v.Signal) + " moves" + within(s)
	}
	return bareSignal(v.Signal) + " reaches " + rules.Number(v.Reaches) + within(s)
}

func within(s rules.Step) string {
	if s.Within <= 0 {
		return ""
	}
	return " within " + rules.Duration(s.Within)
}

func riskOf(s rules.Step) string {
	if s.Risk == "" {
		return ""
	}
	if s.Reversible {
		return "Risk " + s.Risk + ". Can be undone."
	}
	return "Risk " + s.Risk + ". Cannot be undone."
}

// avoid writes what not to do, and why.
func (t *reportText) avoid(advice []rules.Advice) {
	if len(advice) == 0 {
		return
	}
	t.line(span{heading, "DO NOT"})
	tab := table{indent: 2, columns: []column{{most: 26}, {}}}
	for _, a := range advice {
		tab.add(noPeriod(a.Do), strings.TrimSpace(a.Why))
	}
	tab.write(&t.page)
}
