package report

import "strings"

// A page collects the lines of a text. All that is written passes through line,
// which escapes it and cuts it to the width.
type page struct {
	b       strings.Builder
	width   int
	style   Style
	letters lettering
}

// A span is a piece of a line.
type span struct {
	role role
	text string
}

func text(s string) span { return span{plain, s} }

// line writes one line.
func (p *page) line(spans ...span) {
	room := p.width
	for i, s := range spans {
		t := p.letters.clean(s.text)
		if i == len(spans)-1 {
			t = strings.TrimRight(t, " ")
		}
		t = CutEnd(t, room, p.letters.ellipsis())
		room -= Width(t)
		p.b.WriteString(p.style.paint(s.role, t))
	}
	p.b.WriteByte('\n')
}

func (p *page) blank() { p.b.WriteByte('\n') }

// hang writes prose after a lead, further lines under the first.
func (p *page) hang(lead span, s string) { p.hangAt(Width(p.letters.clean(lead.text)), lead, s) }

// hangAt is hang with further lines indented by the given number of columns.
func (p *page) hangAt(indent int, lead span, s string) {
	lead.text = p.letters.clean(lead.text)
	first := max(1, p.proseRoom(indent)-max(0, Width(lead.text)-indent))
	lines := wrapFirst(p.letters.prose(s), first, p.proseRoom(indent))
	if len(lines) == 0 {
		p.line(lead)
		return
	}
	p.line(lead, text(lines[0]))
	for _, l := range lines[1:] {
		p.line(text(strings.Repeat(" ", indent) + l))
	}
}

func (p *page) proseRoom(indent int) int {
	return max(1, min(p.width, proseWidth)-indent)
}

// wrapFirst is wrap with another width for the first line.
func wrapFirst(s string, first, rest int) []string {
	lines := wrap(s, first)
	if len(lines) < 2 || first == rest {
		return lines
	}
	remainder := strings.TrimLeft(strings.TrimPrefix(s, lines[0]), " ")
	return append(lines[:1:1], wrap(remainder, rest)...)
}

// labelWidth is the column at which the text beside a label starts.
const labelWidth = 15

// lines writes a label and one text after the other beside it.
func (p *page) lines(label string, texts []string) {
	p.linesAs(heading, label, texts)
}

// linesAs is lines with a label of another colour.
func (p *page) linesAs(r role, label string, texts []string) {
	lead := span{r, padRight(label, labelWidth)}
	for _, s := range texts {
		p.hang(lead, s)
		lead = text(strings.Repeat(" ", labelWidth))
	}
}

// items writes a labelled list: the items stay whole where they fit and are
// parted by a dot.
func (p *page) items(label string, items []string) {
	sep := " · "
	if p.letters.ascii {
		sep = "; "
	}
	room := p.width - labelWidth
	var lines []string
	for _, it := range items {
		it = p.letters.prose(it)
		if n := len(lines) - 1; n >= 0 && Width(lines[n])+Width(sep)+Width(it) <= room {
			lines[n] += sep + it
			continue
		}
		lines = append(lines, wrap(it, room)...)
	}
	for i, l := range lines {
		lead := span{heading, padRight(label, labelWidth)}
		if i > 0 {
			lead = text(strings.Repeat(" ", labelWidth))
		}
		p.line(lead, text(l))
	}
}
