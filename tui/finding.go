package tui

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/capdoctor/capdoctor/rules"
)

// A findingView is the screen of one finding: what it means, what proves it, what
// was ruled out.
type findingView struct {
	evidence list
	whole    bool // the meaning is shown in full where there is little room
}

func (v findingView) editing() bool  { return false }
func (v findingView) prompt() string { return "" }

func (v findingView) hints(_ *scene, k *keyMap) []key.Binding {
	return []key.Binding{k.Enter, k.Panel, k.Back, k.Freeze, k.Copy, k.Save}
}

func (v findingView) update(s *scene, k *keyMap, msg tea.KeyPressMsg) (screen, intent) {
	f := s.shown()
	switch {
	case key.Matches(msg, k.Back):
		return v, intent{back: true}
	case key.Matches(msg, k.Panel):
		return findingView{}, nextFinding(s, f)
	case f == nil:
	case key.Matches(msg, k.Enter):
		if !v.quotes(f) {
			v.whole = !v.whole
			return v, intent{}
		}
		return v, v.enter(f)
	default:
		if n, ok := k.step(msg, len(f.Evidence), 5); ok {
			v.evidence = v.evidence.move(n, len(f.Evidence))
		}
	}
	return v, intent{}
}

// nextFinding is the one behind f in the report.
func nextFinding(s *scene, f *rules.Finding) intent {
	all := s.report().Findings
	if len(all) == 0 {
		return intent{}
	}
	picked := keyOf(all[(slices.Index(all, f)+1)%len(all)])
	return intent{finding: &picked}
}

// quotes tells whether the evidence under the cursor was read from log lines.
func (v findingView) quotes(f *rules.Finding) bool {
	return v.evidence.at < len(f.Evidence) && len(f.Evidence[v.evidence.at].Lines) > 0
}

// enter goes to the newest log line that evidence was read from.
func (v findingView) enter(f *rules.Finding) intent {
	lines := f.Evidence[v.evidence.at].Lines
	in := open(logsScreen)
	in.line = &lines[len(lines)-1]
	return in
}

func (v findingView) wants(s *scene, w *want) {
	if f := s.shown(); f != nil {
		for _, e := range f.Evidence {
			w.charts = append(w.charts, evidenceChart(e))
		}
	}
}

func (v findingView) view(s *scene, width, height int) []row {
	f := s.shown()
	if f == nil {
		return s.theme.fill(width, height, append([]row{s.theme.heading(width, "Finding")},
			s.theme.prose(width, 2, plain, "Nothing fires. "+strings.Join(s.quiet()[1:2], "")+". What was judged and what was not: 4.")...))
	}
	v.evidence = v.evidence.move(0, len(f.Evidence))
	if width < twoColumns {
		meaning := v.meaning(s, f, width)
		if most := max(3, height/4); !v.whole && meaning.want > most {
			meaning.want = most
			meaning.heading = s.theme.heading(width, f.ID, v.place(s, f), v.opens(f))
		}
		return s.theme.stack(width, height, meaning, v.evidenceBlock(s, f, width), v.looks(s, f, width), v.explains(s, f, width))
	}
	left := width * 55 / 100
	right := width - left - 1
	return s.theme.beside(
		s.theme.stack(left, height, s.withSources(left, []*rules.Finding{f}, v.meaning(s, f, left), v.evidenceBlock(s, f, left), v.explains(s, f, left))...),
		s.theme.stack(right, height, v.chart(s, f, right, height), v.looks(s, f, right)))
}

func (v findingView) meaning(s *scene, f *rules.Finding, width int) block {
	rows := s.theme.prose(width, 2, plain, f.Meaning)
	return s.theme.rowsBlock(s.theme.heading(width, f.ID, v.place(s, f)), min(3, len(rows)), rows)
}

// opens says how to read all of the meaning.
func (v findingView) opens(f *rules.Finding) string {
	if v.quotes(f) {
		return ""
	}
	return "enter: all of it"
}

// place is "finding 1 of 3, tab: next".
func (v findingView) place(s *scene, f *rules.Finding) string {
	all := s.report().Findings
	if len(all) < 2 {
		return ""
	}
	return fmt.Sprintf("%d of %d, tab: next", slices.Index(all, f)+1, len(all))
}

// evidenceBlock is every condition with its numbers, context and log line.
func (v findingView) evidenceBlock(s *scene, f *rules.Finding, width int) block {
	holds, c := 0, evidenceLayout{}
	for _, e := range f.Evidence {
		observed, _ := comparison(e)
		holds, c.units, c.title = holds+b2i(proves(e)), max(c.units, len(unitPart(observed))), max(c.title, len(titleOf(e)))
	}
	c.title = max(16, min(c.title, width-34))
	items := make([][]row, len(f.Evidence))
	for i, e := range f.Evidence {
		items[i] = v.evidenceItem(s, f, e, i == v.evidence.at, c, width)
	}
	heading := s.theme.heading(width, fmt.Sprintf("Evidence: %d of %d hold", holds, len(f.Evidence)), "observed, threshold")
	return s.theme.itemsBlock(heading, v.evidence, 4, items)
}

// An evidenceLayout is the widths of titles and of units in a list of evidence.
type evidenceLayout struct{ title, units int }

// proves tells whether a condition speaks for the finding.
func proves(e rules.Evidence) bool {
	if e.Role == rules.Excluded {
		return e.State == rules.Fails
	}
	return e.State == rules.Holds
}

func (v findingView) evidenceItem(s *scene, f *rules.Finding, e rules.Evidence, at bool, c evidenceLayout, width int) []row {
	observed, threshold := comparison(e)
	word, paint := "holds", plain
	switch {
	case e.State == rules.Absent || math.IsNaN(e.Observed):
		word, paint, observed = "? lacks", doubtful, "?"
	case !proves(e):
		word, paint = "fails", note
	}
	p := s.theme.pen(width)
	p.flat = at
	p.put(plain, pointer(at)).cell(paint, word, 8).name(plain, titleOf(e), c.title).put(plain, " ").num(plain, padUnit(observed, c.units), 11).put(plain, "   "+threshold)
	rows := []row{p.cursor(at)}
	on := ""
	if in := e.Labels["instance"]; in != "" && in != f.Subject["instance"] {
		on = "on " + string(in)
	}
	if text := joinNonEmpty("; ", e.More, on, e.Origin); text != "" {
		rows = append(rows, s.theme.prose(width, 10, note, text)...)
	}
	if n := len(e.Lines); n > 0 {
		l := e.Lines[n-1]
		rows = append(rows, s.theme.pen(width).space(10).put(note, fmt.Sprintf("%s:%d  %s", l.File, l.Number, l.Text)).row())
	}
	return rows
}

// chart draws what the condition under the cursor observed.
func (v findingView) chart(s *scene, f *rules.Finding, width, height int) block {
	if len(f.Evidence) == 0 {
		return s.theme.rowsBlock(s.theme.heading(width, "Evidence"), 0, nil)
	}
	e := f.Evidence[v.evidence.at]
	p := plot{values: s.reading.charts[evidenceChart(e)], unit: e.Unit, from: s.reading.from, to: s.reading.at}
	h := min(12, max(5, height/3))
	return block{heading: s.theme.heading(width, titleOf(e)), want: h, least: 4, draw: func(height int) []row {
		return s.plotRows(p, width, height)
	}}
}

// looks are the look-alikes: ruled out with the number, or not and why.
func (v findingView) looks(s *scene, f *rules.Finding, width int) block {
	var rows []row
	label := lookLabel(f)
	for _, l := range f.RuledOut {
		p := s.theme.pen(width).put(plain, "  ").name(plain, l.ID, label)
		p.put(plain, "  "+observedText(l.Evidence)+"  ").put(note, titleOf(l.Evidence))
		if l.Instance != nameOf(f) {
			p.put(note, " on "+l.Instance)
		}
		rows = append(rows, p.row())
	}
	rows = append(rows, s.openRows(f, label, width)...)
	heading := s.theme.heading(width, fmt.Sprintf("Ruled out %d", len(f.RuledOut)), fmt.Sprintf("not ruled out %d", len(f.NotRuledOut)))
	if width < twoColumns {
		return s.theme.briefBlock(heading, rows, ruledOut(f))
	}
	return s.theme.rowsBlock(heading, 1, rows)
}

// ruledOut are the ids of the look-alikes, each once: those that are, and with a ?
// those that are not.
func ruledOut(f *rules.Finding) []string {
	var ids []string
	for _, l := range f.RuledOut {
		ids = appendNew(ids, l.ID)
	}
	for _, m := range f.NotRuledOut {
		ids = appendNew(ids, "? "+m.ID)
	}
	return ids
}

// observedText is "0.7 %, not > 80 %": what was observed, and the condition that a
// look-alike would need.
func observedText(e rules.Evidence) string {
	observed, threshold := rules.Distinct(e.Observed, e.Threshold, e.Unit)
	if math.IsNaN(e.Threshold) {
		return observed
	}
	return observed + ", not " + e.Op + " " + threshold
}

// explains are the consequences, here and on other targets.
func (v findingView) explains(s *scene, f *rules.Finding, width int) block {
	var rows []row
	var brief []string
	for _, g := range f.Explains {
		brief = append(brief, g.ID)
		m := markOf(g)
		p := s.theme.pen(width).put(plain, "  ").put(m.role(), markTexts[m].glyph+" ").name(plain, g.ID, 22)
		rows = append(rows, p.put(note, " "+subjectOf(g)).row())
	}
	for _, id := range f.ExplainedBy {
		brief = append(brief, "follows from "+id)
		rows = append(rows, s.theme.text(width, plain, "  follows from "+id))
	}
	for _, name := range f.Affected {
		brief = append(brief, name+" lends evidence")
		rows = append(rows, s.theme.text(width, plain, "  "+name+" lends evidence"))
	}
	if len(rows) == 0 {
		rows = []row{s.theme.text(width, note, "  nothing else")}
	}
	return s.theme.briefBlock(s.theme.heading(width, "Explains"), rows, brief)
}
