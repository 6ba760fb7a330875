package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/capdoctor/capdoctor/rules"
)

// PostmortemMarkdown writes a look back as GitHub-flavoured Markdown, for an
// incident page. Width and colour of o do not matter. The only error is one of w.
func PostmortemMarkdown(w io.Writer, p *rules.Postmortem, o Options) error {
	o.Width, o.Style = markdownWidth, NoStyle
	h := newHindsight(p, o)
	m := &postmortemMarkdown{markdown: markdown{wording: h.wording}, back: h, drawn: newPostmortemText(p, o)}
	switch {
	case p.Main >= 0:
		m.incident()
	case !judged(h.r):
		why, means := h.nothingKnown()
		m.heading(1, "? COULD NOT JUDGE: "+why)
		m.paragraph("This is not an all-clear. " + means)
		m.timeline()
	default:
		m.calm()
	}
	m.account()
	code, reason := o.Exit(h.r)
	m.paragraph(fmt.Sprintf("exit %d: %s", code, reason))
	_, err := io.WriteString(w, m.b.String())
	return err
}

// markdownWidth is how wide a drawing may be, in columns.
const markdownWidth = 100

// A postmortemMarkdown collects the lines of one look back.
type postmortemMarkdown struct {
	markdown
	back  hindsight
	drawn *postmortemText
}

func (m *postmortemMarkdown) incident() {
	f := m.back.main().Finding
	m.heading(1, state(f).text+": "+m.back.what())
	m.paragraph(m.back.scope() + ".")
	m.paragraph(m.back.course())
	m.incidents()
	m.movers()
	m.timeline()
	m.titled("Why", rules.Sentence(f.Meaning))
	m.titled("Fewer is more", m.back.pacesText())
	m.outcomes()
	m.changes(f)
	m.avoid(f.Avoid)
	m.proof(f)
	m.quotes(f)
	m.companions()
}

func (m *postmortemMarkdown) calm() {
	if f := m.back.pending(); f != nil {
		m.heading(1, state(f).text+": "+m.back.tooShort(f))
	} else {
		m.heading(1, "· CLEAR: "+rules.LowerFirst(m.clearText())+m.back.since())
	}
	m.timeline()
	m.titled("Fewer is more", m.back.pacesText())
	m.outcomes()
	m.others()
}

func (m *postmortemMarkdown) outcomes() {
	label, s := m.back.outcomes()
	m.titled(upperFirst(strings.ToLower(label)), s)
}

// titled writes a heading and a paragraph, unless that is empty.
func (m *postmortemMarkdown) titled(title, s string) {
	if s != "" {
		m.heading(2, title)
		m.paragraph(s)
	}
}

// rows writes a table.
func (m *postmortemMarkdown) rows(head []string, rows [][]string) {
	m.row(head...)
	m.b.WriteString(strings.Repeat("|---", len(head)) + "|\n")
	for _, r := range rows {
		m.row(r...)
	}
	m.b.WriteByte('\n')
}

func (m *postmortemMarkdown) incidents() {
	var rows [][]string
	for i := range m.back.p.Incidents {
		rows = append(rows, m.back.incidentRow(i))
	}
	m.heading(2, "Incidents")
	m.rows(append([]string{""}, incidentHead()[1:]...), rows)
}

func (m *postmortemMarkdown) movers() {
	var rows [][]string
	for _, x := range m.back.p.Movers {
		rows = append(rows, m.back.moverRow(x))
	}
	if len(rows) > 0 {
		m.heading(2, "First movers")
		m.rows([]string{"time", "what", "where"}, rows)
	}
}

// timeline is drawn as on a terminal.
func (m *postmortemMarkdown) timeline() {
	m.drawn.timeline()
	if s := m.drawn.b.String(); s != "" {
		m.heading(2, "Time line")
		m.code(s)
	}
}

// code writes a text as it is.
func (m *postmortemMarkdown) code(s string) {
	fence := "```"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	fmt.Fprintf(&m.b, "%stext\n%s\n%s\n\n", fence, strings.TrimRight(s, "\n"), fence)
}

func (m *postmortemMarkdown) changes(f *rules.Finding) {
	if len(f.Steps) == 0 {
		return
	}
	m.heading(2, "Change, in this order")
	for i, s := range f.Steps {
		m.step(i+1, s, "")
	}
	m.b.WriteByte('\n')
}

func (m *postmortemMarkdown) companions() {
	all := m.back.companions()
	if len(all) == 0 {
		return
	}
	m.heading(2, "Also firing then")
	for _, g := range all[:min(len(all), mostAlso)] {
		m.bullet("-", state(g.first()).text, m.otherText(g))
	}
	m.b.WriteByte('\n')
}

// account says what the look back rests on.
func (m *postmortemMarkdown) account() {
	if all := m.back.p.Events; len(all) > 0 {
		var rows [][]string
		for _, e := range all[:min(len(all), mostEvents)] {
			rows = append(rows, m.back.eventRow(e))
		}
		m.heading(2, "Log events")
		m.rows([]string{"count", "event", "where"}, rows)
		if more := m.back.moreEvents(); more != "" {
			m.paragraph(more)
		}
	}
	m.heading(2, "Coverage")
	if m.back.p.Main >= 0 {
		f := m.back.main().Finding
		m.item("Ruled out", strings.Join(m.looks(f), "; "))
		m.item("Not ruled out", m.back.notSeen(f))
	}
	m.item("Restarts", m.back.restarts())
	m.item("Silence", m.back.silence())
	m.item("Read", m.back.read())
	for _, s := range append(m.inputNotes(), m.r.Notes[:min(mostInputLines, len(m.r.Notes))]...) {
		m.bullet("-", "", rules.Sentence(s))
	}
	m.item("Judged", m.judgedText())
	m.b.WriteByte('\n')
}

// item writes an item of a list with a label, unless it is empty.
func (m *postmortemMarkdown) item(label, s string) {
	if s != "" {
		m.bullet("-", "", label+": "+s)
	}
}
