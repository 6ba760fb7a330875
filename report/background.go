package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/capdoctor/capdoctor/rules"
)

// ledger says what became of requests whose answer never came.
func (t *reportText) ledger() {
	if s := t.ledgerText(); s != "" {
		t.lines("UNKNOWN RESULT", []string{s})
	}
}

func (t *wording) ledgerText() string {
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
	list := rules.RankCounts(types)
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

// facts writes what no meter exposes and where each value came from; facts of
// one origin stand together.
func (t *reportText) facts() {
	const most = 6
	var origins []string
	byOrigin := map[string][]string{}
	for _, f := range t.r.Facts {
		origins = appendNew(origins, f.Origin)
		byOrigin[f.Origin] = appendNew(byOrigin[f.Origin], factText(f))
	}
	var items []string
	for i, o := range origins {
		if i == most {
			items = append(items, fmt.Sprintf("+%d more origins", len(origins)-i))
			break
		}
		items = append(items, firstOf(byOrigin[o], most)+" ("+t.name(o, mostName)+")")
	}
	t.items("FACTS", items)
}

func factText(f rules.Fact) string {
	name, isSeconds := strings.CutSuffix(f.Name, "_seconds")
	value := rules.Number(f.Value)
	if isSeconds {
		value = rules.Value(f.Value, "s")
	}
	return strings.ReplaceAll(name, "_", " ") + " " + value
}

// notes writes the remarks of the report, and how many findings were left out.
func (t *reportText) notes(label string) {
	const most = 6
	list := t.r.Notes
	if len(list) > most {
		list = append(slices.Clone(list[:most-1]), rules.Plural(len(list)-most+1, "more note", "more notes")+".")
	}
	if t.out.hidden > 0 {
		list = append(slices.Clone(list), fmt.Sprintf("%s below --min-severity %s not shown.",
			rules.Plural(t.out.hidden, "finding", "findings"), t.o.MinSeverity))
	}
	t.lines(label, list)
}

// judgedCount says how much was looked at, so that silence can be weighed.
func (t *reportText) judgedCount(label string) {
	t.lines(label, []string{t.judgedText()})
}

func (t *wording) judgedText() string {
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
	var parts []string
	if n := len(firing); n > 0 {
		parts = append(parts, fmt.Sprintf("%d firing", n))
	}
	if n := len(pending); n > 0 {
		parts = append(parts, fmt.Sprintf("%d pending", n))
	}
	parts = append(parts, fmt.Sprintf("%d clear", len(t.r.Cleared)), fmt.Sprintf("%d unknown", len(unknown)))
	s := strings.Join(parts, ", ")
	if n := t.r.NotApplicable; n > 0 {
		s += "; " + rules.Plural(n, "does", "do") + " not apply to these systems"
	}
	return s
}
