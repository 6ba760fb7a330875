package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/capdoctor/capdoctor/rules"
)

// lines writes a label and one text per line beside it.
func (p *page) lines(label string, texts []string) {
	const indent = 15
	lead := span{heading, padRight(label, indent)}
	for _, s := range texts {
		p.hang(lead, s)
		lead = text(strings.Repeat(" ", indent))
	}
}

// ledger says what became of requests whose answer never came.
func (t *reportText) ledger() {
	if s := t.ledgerText(); s != "" {
		t.lines("UNKNOWN RESULT", []string{s})
	}
}

func (t *reportText) ledgerText() string {
	l := t.r.Ledger
	var parts []string
	if l.Indeterminate > 0 {
		parts = append(parts, fmt.Sprintf("%s timed out%s and may have been applied: report 504, retry only if idempotent.",
			requests(l.Indeterminate), payloadTypes(l.Types)))
	}
	switch {
	case l.Refused > 0:
		parts = append(parts, rules.Number(l.Refused)+" refused (nothing sent: safe to retry).")
	case l.Refused == 0 && l.Indeterminate > 0:
		parts = append(parts, "0 refused.")
	}
	return strings.Join(parts, " ")
}

func requests(n float64) string {
	if n == 1 {
		return "1 request"
	}
	return rules.Number(n) + " requests"
}

// payloadTypes is " (CatalogProductAddCommand 100, +2 more)", most first.
func payloadTypes(types map[string]float64) string {
	names := slices.SortedFunc(maps.Keys(types), func(a, b string) int {
		return cmp.Or(cmp.Compare(types[b], types[a]), cmp.Compare(a, b))
	})
	var list []string
	for _, n := range names {
		if types[n] > 0 {
			list = append(list, n+" "+rules.Number(types[n]))
		}
	}
	if len(list) == 0 {
		return ""
	}
	return " (" + firstOf(list, 3) + ")"
}

// affected names the targets that only lend evidence.
func (t *reportText) affected(causes []group) {
	var names []string
	for _, g := range causes {
		for _, f := range g {
			for _, a := range f.Affected {
				names = appendNew(names, t.name(a, mostName))
			}
		}
	}
	if len(names) > 0 {
		t.lines("AFFECTED", []string{firstOf(names, 8)})
	}
}

// facts writes what no meter exposes and where each value came from.
func (t *reportText) facts() {
	const most = 8
	var items []string
	for _, f := range t.r.Facts {
		items = appendNew(items, t.factText(f))
	}
	if len(items) > most {
		items = append(items[:most-1], fmt.Sprintf("+%d more", len(items)-most+1))
	}
	t.items("FACTS", items)
}

func (t *reportText) factText(f rules.Fact) string {
	name, isSeconds := strings.CutSuffix(f.Name, "_seconds")
	value := rules.Number(f.Value)
	if isSeconds {
		value = rules.Value(f.Value, "s")
	}
	s := strings.ReplaceAll(name, "_", " ") + " " + value
	if f.Origin != "" {
		s += " (" + t.name(f.Origin, mostName) + ")"
	}
	return s
}

// notes writes the remarks of the report, and how many findings were left out.
func (t *reportText) notes(label string) {
	const most = 6
	list := t.r.Notes
	if len(list) > most {
		list = append(slices.Clone(list[:most-1]), plural(len(list)-most+1, "more note", "more notes")+".")
	}
	if t.out.hidden > 0 {
		list = append(slices.Clone(list), fmt.Sprintf("%s below --min-severity %s not shown.",
			plural(t.out.hidden, "finding", "findings"), t.o.MinSeverity))
	}
	t.lines(label, list)
}

// judgedCount says how much was looked at, so that silence can be weighed.
func (t *reportText) judgedCount(label string) {
	t.lines(label, []string{t.judgedText()})
}

func (t *reportText) judgedText() string {
	firing, pending := map[string]bool{}, map[string]bool{}
	for _, f := range t.r.Findings {
		if f.State == rules.Firing {
			firing[f.ID] = true
		} else {
			pending[f.ID] = true
		}
	}
	unknown := map[string]bool{}
	for _, n := range t.r.NotJudged {
		unknown[n.ID] = true
	}
	parts := []string{plural(len(t.r.Cleared), "diagnosis clear", "diagnoses clear")}
	if len(firing) > 0 {
		parts = append([]string{fmt.Sprintf("%d firing", len(firing))}, parts...)
	}
	if len(pending) > 0 {
		parts = append(parts, fmt.Sprintf("%d pending", len(pending)))
	}
	parts = append(parts, fmt.Sprintf("%d unknown", len(unknown)))
	if n := t.r.NotApplicable; n > 0 {
		parts = append(parts, fmt.Sprintf("%d do not apply to these systems", n))
	}
	return strings.Join(parts, ", ")
}

// quotes writes the log lines that the evidence was read from, newest last.
func (t *reportText) quotes(f *rules.Finding) {
	lines := quoted(f)
	if len(lines) == 0 {
		return
	}
	t.line(span{heading, "LOG LINES"})
	for _, l := range lines {
		where := t.name(l.File, 32) + ":" + rules.Number(float64(l.Number))
		when := ""
		if !l.Time.IsZero() {
			when = t.clock.time(l.Time) + "  "
		}
		t.line(text("  " + where + "  " + when + l.Text))
	}
}

// quoted is the newest lines of each piece of evidence, each line once.
func quoted(f *rules.Finding) []rules.Line {
	const mostEach, most = 2, 6
	type place struct {
		file   string
		number int64
	}
	var out []rules.Line
	seen := map[place]bool{}
	for _, e := range f.Evidence {
		for _, l := range e.Lines[max(0, len(e.Lines)-mostEach):] {
			at := place{l.File, l.Number}
			if !seen[at] && len(out) < most {
				out = append(out, l)
			}
			seen[at] = true
		}
	}
	return out
}
