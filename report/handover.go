package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/capdoctor/capdoctor/rules"
)

// chatWidth is how wide a line of a hand-over may be: what a chat shows unbroken.
const chatWidth = 120

// Progress says how far the recovery has come. The zero value is not at all.
type Progress struct {
	Done  []string // what was done, when, and what came of it; oldest first
	Steps int      // how many of the first steps of the leading finding are done
}

// Handover writes a report for the next person in a chat: at most five lines of
// at most 120 columns, without colour, whatever o asks for. The only error is
// one of w.
func Handover(w io.Writer, r *rules.Report, o Options, done Progress) error {
	o.Width, o.Style = chatWidth, NoStyle
	t := newReportText(r, o)
	switch {
	case len(t.out.causes) > 0:
		t.handOver(done)
	case !judged(r):
		t.fitted("? COULD NOT JUDGE: "+t.nothingWhy(), nil, "")
		t.fitted("This is not an all-clear.", nil, "")
		t.fitted(t.nothingMeans(), nil, "")
	default:
		t.fitted("· CLEAR "+rules.LowerFirst(t.clearText())+" at "+t.clock.full(r.At), nil, "")
		t.fitted("Judged: "+t.judgedText(), nil, "")
		t.care(nil)
	}
	_, err := io.WriteString(w, t.b.String())
	return err
}

func (t *reportText) handOver(done Progress) {
	f := t.out.causes[0].first()
	head := fmt.Sprintf("%s %s on %s", state(f).text, rules.LowerFirst(t.name(f.Title, mostName)), t.subject(f.Subject))
	t.fitted(joinNonEmpty([]string{head, t.since(f), "(as of " + t.clock.time(t.r.At) + ")" + t.alsoCauses()}, " "), nil, "")
	t.fitted("Proof: ", proofItems(f), "; ")
	if len(done.Done) > 0 {
		t.fitted("Done: ", done.Done, ". ")
	} else {
		t.fitted("Done: nothing yet", nil, "")
	}
	t.fitted("Next: ", nextItems(f, done.Steps), ". ")
	t.care(f)
}

// alsoCauses names the causes besides the leading one.
func (t *wording) alsoCauses() string {
	var ids []string
	for _, g := range t.out.causes[1:] {
		ids = append(ids, g.first().ID)
	}
	if len(ids) == 0 {
		return ""
	}
	return "; also " + firstOf(ids, 3)
}

// proofItems are the observed values, the first one with its threshold.
func proofItems(f *rules.Finding) []string {
	var items []string
	for _, e := range f.Evidence {
		if e.State == rules.Absent {
			continue
		}
		observed, threshold := comparison(e)
		name := title(e)
		if strings.Contains(name, ",") {
			name += ":"
		}
		if len(items) == 0 {
			observed += " (" + threshold + ")"
		}
		items = append(items, name+" "+observed)
	}
	return items
}

// nextItems are the steps that are left, shortest way to say them, and the
// first thing not to do.
func nextItems(f *rules.Finding, done int) []string {
	var items []string
	for _, s := range f.Steps[min(max(done, 0), len(f.Steps)):] {
		items = append(items, noPeriod(s.Do))
	}
	if len(items) == 0 {
		items = append(items, "watch whether it stays away")
	}
	if len(f.Avoid) > 0 {
		not := "Do not " + rules.LowerFirst(noPeriod(f.Avoid[0].Do))
		items = append(items[:1:1], append([]string{not}, items[1:]...)...)
	}
	return items
}

// care is what the next person must not forget: unknown results and what was
// not judged.
func (t *reportText) care(f *rules.Finding) {
	var items []string
	if n := t.r.Ledger.Indeterminate; n > 0 {
		items = append(items, requests(n)+" timed out and may have been applied: retry only if idempotent")
	}
	var ids []string
	if f != nil {
		for _, m := range f.NotRuledOut {
			ids = appendNew(ids, m.ID)
		}
	}
	for _, n := range t.r.NotJudged {
		ids = appendNew(ids, n.ID)
	}
	if len(ids) > 0 {
		items = append(items, "Not judged: "+firstOf(ids, 5))
	}
	if down := failing(t.r); len(down) > 0 {
		items = append(items, rules.Plural(len(down), "input", "inputs")+" down: "+t.name(down[0].Name, mostName))
	}
	if len(items) > 0 {
		t.fitted("Care: ", items, ". ")
	}
}

// fitted writes one line: a lead and as many items as have room, then how many
// more there are. An item is cut only where it stands alone.
func (t *reportText) fitted(lead string, items []string, sep string) {
	s := t.clean(lead)
	for i, it := range items {
		it = t.prose(it)
		if i > 0 {
			it = sep + it
		}
		more := fmt.Sprintf(" (+%d more)", len(items)-i)
		room := t.width - Width(s)
		if i < len(items)-1 {
			room -= Width(more)
		}
		if i > 0 && Width(it) > room {
			s += more
			break
		}
		s += CutEnd(it, room, t.ellipsis())
	}
	t.line(text(strings.TrimSpace(s)))
}
