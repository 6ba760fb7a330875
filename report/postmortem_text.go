package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/capdoctor/capdoctor/rules"
)

// PostmortemText writes a look back for a terminal: no line is wider than
// o.Width. The only error is one of w.
func PostmortemText(w io.Writer, p *rules.Postmortem, o Options) error {
	t := newPostmortemText(p, o)
	switch {
	case p.Main >= 0:
		t.incident()
	case !judged(t.r):
		t.unknown()
	default:
		t.calm()
	}
	t.exit()
	_, err := io.WriteString(w, t.b.String())
	return err
}

// A postmortemText is a page on which the blocks of one look back are written.
type postmortemText struct {
	reportText
	back hindsight
}

func newPostmortemText(p *rules.Postmortem, o Options) *postmortemText {
	h := newHindsight(p, o)
	return &postmortemText{reportText{page{width: o.width(), style: o.Style, letters: h.lettering}, h.wording}, h}
}

// incident is the form for logs in which something went wrong.
func (t *postmortemText) incident() {
	f := t.back.main().Finding
	lead := state(f)
	t.hang(span{lead.role, lead.text + "  "}, t.back.what())
	t.hang(text(strings.Repeat(" ", Width(lead.text)+2)), t.back.scope())
	t.hang(text(""), t.back.course())
	t.incidents()
	t.movers()
	t.timeline()
	t.labelled("WHY", rules.Sentence(f.Meaning))
	t.facts()
	t.labelled("FEWER IS MORE", t.back.pacesText())
	t.labelled(t.back.outcomes())
	t.changes(f)
	t.avoid(f.Avoid)
	t.proof("PROOF "+t.clock.time(t.back.main().Judged), f)
	t.quotes(f)
	t.others("ALSO FIRING THEN", t.back.companions())
	t.events()
	t.ruledOut(f)
	t.labelled("NOT RULED OUT", t.back.notSeen(f))
	t.account()
}

// calm is the form for logs in which nothing went wrong, or not for long enough
// to be sure.
func (t *postmortemText) calm() {
	if f := t.back.pending(); f != nil {
		lead := state(f)
		t.hang(span{lead.role, lead.text + "  "}, t.back.tooShort(f))
	} else {
		t.hang(span{plain, "· CLEAR  "}, t.clearText()+t.back.since())
	}
	t.littleJudged()
	t.timeline()
	t.others("AT THE END", t.out.others)
	t.labelled("FEWER IS MORE", t.back.pacesText())
	t.labelled(t.back.outcomes())
	t.events()
	t.notJudged("NOT JUDGED")
	t.account()
}

// unknown is the form for logs that say too little. It must not be taken for an
// all-clear.
func (t *postmortemText) unknown() {
	why, means := t.back.nothingKnown()
	t.hang(span{doubtful, "? COULD NOT JUDGE  "}, why)
	t.hang(text(""), "This is not an all-clear. "+means)
	t.timeline()
	t.events()
	t.notJudged("NOT JUDGED")
	t.account()
}

// labelled writes a text beside its label, unless it is empty.
func (t *postmortemText) labelled(label, s string) {
	if s != "" {
		t.lines(label, []string{s})
	}
}

// account is what the look back rests on.
func (t *postmortemText) account() {
	t.labelled("RESTARTS", t.back.restarts())
	t.labelled("SILENCE", t.back.silence())
	t.down()
	t.notes("NOTED")
	t.lines("READ", append([]string{t.back.read()}, t.inputNotes()...))
	t.judgedCount("JUDGED")
}

// incidents is the table of all incidents.
func (t *postmortemText) incidents() {
	most := []int{4, 20, 22, 28, 0}
	switch {
	case t.width < 96 && t.back.several():
		most = []int{16, 10, 10, 14, 0}
	case t.width < 96:
		most = []int{4, 12, 12, 18, 0}
	case t.back.several():
		most = []int{22, 16, 16, 18, 0}
	}
	tab := table{indent: 2}
	for i, head := range incidentHead() {
		tab.columns = append(tab.columns, column{head: head, most: most[i]})
	}
	for i := range t.back.p.Incidents {
		tab.add(t.back.incidentRow(i)...)
	}
	tab.write(&t.page)
}

// movers lists what changed, first mover first.
func (t *postmortemText) movers() {
	if len(t.back.p.Movers) == 0 {
		return
	}
	t.line(span{heading, "FIRST MOVER ORDER"})
	tab := table{indent: 2, columns: []column{{most: 30}, {}, {}}}
	at, where := 0, 0
	for _, m := range t.back.p.Movers {
		row := t.back.moverRow(m)
		tab.add(row...)
		at, where = max(at, Width(t.clean(row[0]))), max(where, Width(t.clean(row[2])))
	}
	tab.columns[1].most = max(20, t.width-6-at-where)
	tab.write(&t.page)
}

// changes writes what to change, in order.
func (t *postmortemText) changes(f *rules.Finding) {
	if len(f.Steps) == 0 {
		return
	}
	t.line(span{heading, "CHANGE, IN THIS ORDER"})
	for i, s := range f.Steps {
		t.hangAt(4, text(fmt.Sprintf("  %d ", i+1)), rules.Sentence(s.Do))
		t.why(s)
	}
}

// events lists what the logs tell most.
func (t *postmortemText) events() {
	all := t.back.p.Events
	if len(all) == 0 {
		return
	}
	t.line(span{heading, t.back.eventsHead()})
	tab := table{indent: 2, columns: []column{{align: right, least: 5}, {most: max(24, t.width-56)}, {most: 44}}}
	for _, e := range all[:min(len(all), mostEvents)] {
		tab.add(t.back.eventRow(e)...)
	}
	tab.write(&t.page)
	if more := t.back.moreEvents(); more != "" {
		t.hangAt(9, text("         "), more)
	}
	if e := all[0]; e.First != nil && e.First.Time.IsZero() {
		t.quotedLines([]rules.Line{*e.First})
	}
}

// pending is the first finding that had not held for long enough when the logs
// ended, or nil.
func (h *hindsight) pending() *rules.Finding {
	i := slices.IndexFunc(h.out.others, func(g group) bool {
		return g.first().State == rules.Pending && rules.AtLeast(g.first().Severity, rules.Warning)
	})
	if i < 0 {
		return nil
	}
	return h.out.others[i].first()
}

// tooShort is "Network partition on worker when the logs stop, too briefly to be
// sure; 1 log, ...".
func (h *hindsight) tooShort(f *rules.Finding) string {
	return h.name(f.Title, mostName) + " on " + h.subject(f.Subject) + " when the " + h.sources() + " stop, too briefly to be sure; " + h.scope()
}

// since is ", 2026-07-02 08:12:05 to 11:01:00 UTC", the rest of a scope.
func (h *hindsight) since() string { return strings.TrimPrefix(h.scope(), h.inputCount()) }
