package tui

import "strings"

// A row is one line of a panel: painted text of a known width.
type row struct {
	text  string
	width int
	rule  bool // a heading: drawn as a rule, so that column separators join it
}

// A pen writes one row. Everything that is shown passes through put, which
// makes it safe to draw, cuts it to what is left of the row and paints it.
type pen struct {
	theme *theme
	b     []byte
	w     int  // columns written
	max   int  // columns there are
	flat  bool // paints nothing: for the row under the cursor
	rule  bool
}

func (t *theme) pen(width int) *pen {
	return &pen{theme: t, max: max(0, width), b: make([]byte, 0, 2*width+64)}
}

// fit makes s safe to draw and writes it in the characters of the theme.
func (t *theme) fit(s string) string {
	if s = clean(s); t.ascii {
		s = toASCII(s)
	}
	return s
}

// put writes s; what does not fit loses its end.
func (p *pen) put(r role, s string) *pen {
	s = p.theme.fit(s)
	return p.raw(r, cutEnd(s, p.max-p.w, p.theme.ellipsis))
}

// raw writes text that is known to be fit and to have room.
func (p *pen) raw(r role, s string) *pen {
	if s == "" {
		return p
	}
	p.w += width(s)
	sgr := p.theme.palette[r]
	if sgr == "" || p.flat {
		p.b = append(p.b, s...)
		return p
	}
	p.b = append(p.b, "\x1b["...)
	p.b = append(p.b, sgr...)
	p.b = append(p.b, 'm')
	p.b = append(p.b, s...)
	p.b = append(p.b, "\x1b[0m"...)
	return p
}

// space writes n blanks.
func (p *pen) space(n int) *pen {
	if n = min(n, p.max-p.w); n > 0 {
		p.b = append(p.b, strings.Repeat(" ", n)...)
		p.w += n
	}
	return p
}

// tab moves to a column; it leaves one blank where that has been passed.
func (p *pen) tab(column int) *pen {
	if p.w >= column && p.w > 0 {
		return p.space(1)
	}
	return p.space(column - p.w)
}

// cell writes s into w columns, on the left; its end is cut.
func (p *pen) cell(r role, s string, w int) *pen {
	w = min(w, p.max-p.w)
	end := p.w + w
	p.raw(r, cutEnd(p.theme.fit(s), w, p.theme.ellipsis))
	return p.space(end - p.w)
}

// name is cell for names, which lose their middle.
func (p *pen) name(r role, s string, w int) *pen {
	w = min(w, p.max-p.w)
	end := p.w + w
	p.raw(r, cutMiddle(p.theme.fit(s), w, p.theme.ellipsis))
	return p.space(end - p.w)
}

// num writes s into w columns, on the right. Numbers are never cut: one that is
// too wide takes more room, behind a blank.
func (p *pen) num(r role, s string, w int) *pen {
	s = p.theme.fit(s)
	return p.space(max(b2i(p.w > 0), w-width(s))).put(r, s)
}

// right writes s at the right end of the row, if there is room behind what
// stands there and two blanks.
func (p *pen) right(r role, s string) *pen {
	s = p.theme.fit(s)
	if at := p.max - width(s); at >= p.w+2 || p.w == 0 {
		return p.space(at-p.w).raw(r, cutEnd(s, p.max-p.w, p.theme.ellipsis))
	}
	return p
}

// row ends the row, padded to its width.
func (p *pen) row() row {
	p.space(p.max - p.w)
	return row{text: string(p.b), width: p.w, rule: p.rule}
}

// cursor ends a row that is under the cursor.
func (p *pen) cursor(active bool) row {
	r := p.row()
	if sgr := p.theme.palette[chosen]; active && sgr != "" {
		r.text = "\x1b[" + sgr + "m" + r.text + "\x1b[0m"
	}
	return r
}

// rest draws the rule of a heading up to a column.
func (p *pen) rest(column int) *pen {
	if n := min(column, p.max) - p.w; n > 0 {
		p.put(note, strings.Repeat("─", n))
	}
	return p
}

// heading is a rule with a title in it, and notes between.
func (t *theme) heading(width int, title string, notes ...string) row {
	p := t.pen(width)
	p.rule = true
	p.put(note, "─ ").put(strong, title).put(plain, " ")
	for _, n := range notes {
		if n != "" {
			p.put(note, "── "+n+" ")
		}
	}
	return p.rest(width).row()
}

// text is a row of one piece.
func (t *theme) text(width int, r role, s string) row { return t.pen(width).put(r, s).row() }

// blank is an empty row.
func (t *theme) blank(width int) row { return t.pen(width).row() }

// prose wraps s to rows, each indented, with a blank before what stands beside.
func (t *theme) prose(width, indent int, r role, s string) []row {
	var rows []row
	for _, l := range wrap(t.fit(s), width-indent-1) {
		rows = append(rows, t.pen(width).space(indent).put(r, l).row())
	}
	return rows
}
