package report

import (
	"fmt"
	"time"

	"github.com/capdoctor/capdoctor/rules"
)

// Provisional is one line to show while a target is still being watched: what a
// report of so far says, after how many scrapes, and how long until the firm
// answer. It has no line break.
func Provisional(r *rules.Report, o Options, scrapes int, firm time.Duration) string {
	t := newReportText(r, o)
	end := fmt.Sprintf(" (%s). Firm in %s.", rules.Plural(scrapes, "scrape", "scrapes"), rules.Duration(firm))
	lead := span{doubtful, "~ PROVISIONAL  "}
	room := t.width - Width(lead.text) - Width(end)
	t.line(lead, text(CutEnd(t.clean(t.provisionalText()), room, t.ellipsis())+end))
	s := t.b.String()
	return s[:len(s)-1]
}

func (t *wording) provisionalText() string {
	switch {
	case len(t.out.causes) > 0:
		f := t.out.causes[0].first()
		return t.name(f.Title, mostName) + " is likely on " + t.subject(f.Subject)
	case len(t.r.Findings) > 0 && t.r.Findings[0].State == rules.Pending:
		f := t.r.Findings[0]
		return t.name(f.Title, mostName) + " is possible on " + t.subject(f.Subject)
	case !judged(t.r):
		return "Nothing could be judged so far"
	}
	return "Nothing found so far on " + t.answering()
}
