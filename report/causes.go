package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/capdoctor/capdoctor/rules"
)

// mostCauses is how many causes are told in full.
const mostCauses = 4

// causes is the form of a report with several causes at once: each with its
// numbers, then one plan for all.
func (t *reportText) causes() {
	t.causesHeadline()
	shown := t.out.causes[:min(mostCauses, len(t.out.causes))]
	for i, g := range shown {
		t.cause(i+1, g)
	}
	t.moreCauses(t.out.causes[len(shown):])
	book := rules.PlaybookFor(firsts(shown))
	t.onePlan(book)
	t.avoid(book.Avoid)
	for i, g := range shown {
		t.proof(fmt.Sprintf("PROOF %d", i+1), g.first())
	}
	t.unexplained()
	t.limits()
	for _, g := range shown {
		t.quotes(g.first())
	}
	t.ruledOut(joinedLooks(shown))
	t.background(shown...)
}

func (t *reportText) causesHeadline() {
	worst, since := t.out.causes[0].first(), t.out.causes[0].first()
	for _, g := range t.out.causes {
		for _, f := range g {
			if rules.SeverityRank(f.Severity) < rules.SeverityRank(worst.Severity) {
				worst = f
			}
			if f.Since.Before(since.Since) {
				since = f
			}
		}
	}
	lead := state(worst)
	what := rules.Plural(len(t.out.causes), "cause", "causes") + t.onService()
	parts := []string{
		strings.TrimSpace(what + " " + t.since(since)),
		"judged " + t.clock.full(t.r.At),
		t.inputCount(),
	}
	t.hang(span{lead.role, lead.text + "  "}, joinNonEmpty(parts, "; "))
}

// onService names the service of all causes, if they share one.
func (t *wording) onService() string {
	service := t.out.causes[0].first().Subject["service"]
	for _, g := range t.out.causes {
		for _, f := range g {
			if f.Subject["service"] != service {
				return ""
			}
		}
	}
	if service == "" {
		return ""
	}
	return " on " + t.name(string(service), mostName)
}

// cause writes one of several causes.
func (t *reportText) cause(n int, g group) {
	f := g.first()
	lead := state(f)
	where := f.ID + " on " + t.subject(f.Subject)
	if len(g) > 1 {
		where += " and " + t.subjects(g[1:])
	}
	t.hang(span{lead.role, fmt.Sprintf("%d %s", n, padRight(lead.text, 11)) + " "},
		joinNonEmpty([]string{where, t.since(f)}, ", "))
	const indent = "    "
	t.hang(text(indent), rules.Sentence(f.Summary))
	for _, m := range t.missingLooks(f) {
		t.hang(span{doubtful, indent + "? "}, "Not ruled out: "+m)
	}
	t.explained(indent, f)
}

// explained writes the consequences of a cause.
func (t *reportText) explained(indent string, f *rules.Finding) {
	for i, g := range groups(f.Explains) {
		if i == 3 {
			t.line(text(indent + rules.Plural(len(groups(f.Explains))-i, "more consequence", "more consequences")))
			return
		}
		t.hang(text(indent), "Explains "+g.first().ID+" on "+t.subjects(g)+": "+rules.Sentence(g.first().Summary))
	}
}

func (t *reportText) moreCauses(rest []group) {
	var ids []string
	for _, g := range rest {
		ids = appendNew(ids, g.first().ID)
	}
	if len(rest) > 0 {
		t.hang(text("  "), rules.Plural(len(rest), "more cause", "more causes")+": "+firstOf(ids, 6))
	}
}

func firsts(causes []group) []*rules.Finding {
	return each(causes, func(g group) *rules.Finding { return g.first() })
}

// onePlan writes the steps of all causes as one list, each step once, and what
// was left out of it.
func (t *reportText) onePlan(book rules.Playbook) {
	tab := table{indent: 2, columns: []column{
		{head: "ONE PLAN", most: t.width - 46, hang: 2},
		{head: "for", most: 4},
		{head: "then", most: 24},
		{head: "risk"},
	}}
	for i, s := range book.Steps {
		tab.add(fmt.Sprintf("%d %s", i+1, rules.Sentence(s.Do)), strings.Join(causeNumbers(s), ","), noPeriod(verify(s.Step)), s.Risk)
	}
	tab.write(&t.page)
	for _, d := range book.Dropped {
		t.hangAt(4, text("  "), "Left out: "+rules.Sentence(d.Do)+" It works against "+against(book, d)+".")
	}
	t.reasons(book.Steps)
}

func causeNumbers(s rules.PlannedStep) []string {
	return each(s.Causes, func(n int) string { return fmt.Sprint(n) })
}

// against names what a step that was left out works against: a step by its
// number, or what is not to be done.
func against(book rules.Playbook, d rules.DroppedStep) string {
	n := slices.IndexFunc(book.Steps, func(s rules.PlannedStep) bool { return s.Do == d.Against })
	if d.Advised || n < 0 {
		return "the advice: do not " + rules.LowerFirst(noPeriod(d.Against))
	}
	return fmt.Sprintf("step %d", n+1)
}

// reasons says why each step of a plan helps, and which cannot be undone.
func (t *reportText) reasons(steps []rules.PlannedStep) {
	head := "WHY"
	for i, s := range steps {
		reason := rules.Sentence(s.Why)
		if !s.Reversible {
			reason += " Cannot be undone."
		}
		if strings.TrimSpace(reason) == "" {
			continue
		}
		if head != "" {
			t.line(span{heading, head})
			head = ""
		}
		t.hangAt(4, text(fmt.Sprintf("  %d ", i+1)), reason)
	}
}

// joinedLooks is a finding that holds the look-alikes of several.
func joinedLooks(causes []group) *rules.Finding {
	var all rules.Finding
	for _, g := range causes {
		all.RuledOut = append(all.RuledOut, g.first().RuledOut...)
	}
	return &all
}

// unexplained writes what fires or is pending and is no consequence of a cause
// that was told above.
func (t *reportText) unexplained() {
	told := map[*rules.Finding]bool{}
	for _, g := range t.out.causes {
		for _, f := range g[0].Explains {
			told[f] = true
		}
	}
	var rest []*rules.Finding
	for _, g := range t.out.others {
		for _, f := range g {
			if !told[f] {
				rest = append(rest, f)
			}
		}
	}
	t.others("ALSO FIRING", groups(rest))
}
