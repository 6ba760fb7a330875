package report

import (
	"math"
	"strings"

	"github.com/capdoctor/capdoctor/rules"
)

// proof writes the conditions of a finding with what was observed.
func (t *reportText) proof(head string, f *rules.Finding) {
	tab := table{indent: 2, columns: []column{
		{head: head, align: name, least: 24, most: mostTitle},
		{head: "observed", align: right, most: 16},
		{head: "threshold", least: 10, most: 18, gap: 3},
		{head: "seen"},
	}}
	longest := 0
	for _, e := range f.Evidence {
		if e.State == rules.Absent || math.IsNaN(e.Observed) {
			continue // named under not ruled out
		}
		observed, threshold := comparison(e)
		seen := t.seen(f, e)
		longest = max(longest, len(seen))
		tab.add(title(e), observed, threshold, seen)
	}
	if longest <= shortSeen {
		tab.columns[0].most = mostTitleAlone
	}
	tab.write(&t.page)
}

// Columns of a title beside what was seen, and where little was.
const (
	mostTitle      = 34
	mostTitleAlone = 44
	shortSeen      = 12
)

// comparison writes both sides of a condition so that they can be told apart. A
// condition that must not hold is written as the opposite that does.
func comparison(e rules.Evidence) (observed, threshold string) {
	observed, threshold = rules.Distinct(e.Observed, e.Threshold, e.Unit)
	op := e.Op
	if e.Role == rules.Excluded {
		op = opposite(op)
	}
	return observed, op + " " + threshold
}

func opposite(op string) string {
	switch op {
	case "<":
		return ">="
	case "<=":
		return ">"
	case ">":
		return "<="
	case ">=":
		return "<"
	case "==":
		return "!="
	case "!=":
		return "=="
	}
	return op
}

func title(e rules.Evidence) string {
	if e.Title != "" {
		return e.Title
	}
	return bareSignal(e.Signal)
}

// bareSignal is the name of a signal without its prefix.
func bareSignal(signal string) string { return strings.TrimPrefix(signal, "cap:") }

// seen is the context of an observed value: the target where it is another one,
// what rules know about it, and where a threshold comes from.
func (t *wording) seen(f *rules.Finding, e rules.Evidence) string {
	where := ""
	if in := e.Labels["instance"]; in != "" && in != f.Subject["instance"] {
		where = "on " + t.name(string(in), mostName)
	}
	return joinNonEmpty([]string{e.More, where, e.Origin}, "; ")
}
