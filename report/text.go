package report

import (
	"fmt"
	"io"

	"github.com/capdoctor/capdoctor/rules"
)

// Text writes a report for a terminal: no line is wider than o.Width, and the
// first rows say what it is, what proves it and what to do first. The only
// error is one of w.
func Text(w io.Writer, r *rules.Report, o Options) error {
	t := newReportText(r, o)
	switch {
	case len(t.out.causes) > 1:
		t.causes()
	case len(t.out.causes) == 1:
		t.finding(t.out.causes[0])
	case !judged(r):
		t.nothing()
	default:
		t.clear()
	}
	t.exit()
	_, err := io.WriteString(w, t.b.String())
	return err
}

// A reportText is a page on which the blocks of one report are written.
type reportText struct {
	page
	wording
}

func newReportText(r *rules.Report, o Options) *reportText {
	w := newWording(r, o)
	return &reportText{page{width: o.width(), style: o.Style, letters: w.lettering}, w}
}

// finding is the form of a report with one cause.
func (t *reportText) finding(g group) {
	f := g.first()
	t.headline(g)
	t.story(f)
	t.doFirst(f)
	t.blank()
	t.proof("PROOF", f)
	t.longMeaning(f)
	t.steps(f)
	t.avoid(f.Avoid)
	t.also(g)
	t.limits()
	t.quotes(f)
	t.ruledOut(f)
	t.notRuledOut(f)
	t.background(g)
}

// background is what stands below every finding: what was not judged, unknown
// results, facts, notes and inputs.
func (t *reportText) background(causes ...group) {
	t.down()
	t.notJudged("NOT JUDGED", causes...)
	t.ledger()
	t.affected(causes)
	t.facts()
	t.notes("NOTED")
	t.inputs()
	t.judgedCount("JUDGED")
}

func (t *reportText) exit() {
	code, reason := t.o.Exit(t.r)
	t.hang(text(fmt.Sprintf("exit %d: ", code)), reason)
}
