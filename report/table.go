package report

import (
	"strings"
	"unicode"
)

// An align says where the cells of a column stand.
type align uint8

const (
	left  align = iota
	right       // the last digits under each other, units in their own place
	name        // left, and too long names lose their middle
)

// A column of a table. The last one takes what is left of the line.
type column struct {
	head  string
	align align
	least int // width, also when the cells are narrower
	most  int // width, also when the cells are wider: they wrap; 0 is 30
	hang  int // indent of the further lines of a cell
	gap   int // spaces before it; 0 is 2
}

// A table is laid out to the width of a page: cells of text wrap, numbers line
// up, headings stand over their columns.
type table struct {
	columns []column
	indent  int // of the rows; the first heading stands at the margin
	rows    [][]string
}

func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

// write lays the table out and writes it. An empty table writes nothing.
func (t *table) write(p *page) {
	if len(t.rows) == 0 {
		return
	}
	rows := t.cleaned(p)
	widths := t.align(rows)
	t.fit(p, widths)
	if t.columns[0].head != "" {
		p.line(span{heading, t.heading(widths)})
	}
	for _, row := range rows {
		t.writeRow(p, row, widths)
	}
}

func (t *table) cleaned(p *page) [][]string {
	rows := make([][]string, len(t.rows))
	for i, row := range t.rows {
		rows[i] = make([]string, len(row))
		for j, cell := range row {
			if j == len(t.columns)-1 || t.columns[j].align != name {
				rows[i][j] = p.letters.prose(cell)
				continue
			}
			rows[i][j] = p.letters.name(cell, t.columns[j].most)
		}
	}
	return rows
}

// align pads the cells of number columns so that their last digits stand under
// each other, and returns the width of every column.
func (t *table) align(rows [][]string) []int {
	widths := make([]int, len(t.columns))
	for j, c := range t.columns {
		if c.align == right {
			alignDigits(rows, j)
		}
		widths[j] = max(c.least, Width(c.head))
		if j == 0 {
			widths[j] = max(c.least, Width(c.head)-t.indent)
		}
		for _, row := range rows {
			widths[j] = max(widths[j], min(Width(row[j]), c.limit()))
		}
		if c.align == right {
			for _, row := range rows {
				row[j] = padLeft(row[j], widths[j])
			}
		}
	}
	return widths
}

func (c column) limit() int {
	if c.most == 0 {
		return 30
	}
	return c.most
}

func (c column) space() int {
	if c.gap == 0 {
		return 2
	}
	return c.gap
}

func alignDigits(rows [][]string, j int) {
	unit := func(s string) string { return s[strings.LastIndexFunc(s, unicode.IsDigit)+1:] }
	widest := 0
	for _, row := range rows {
		widest = max(widest, unitWidth(unit(row[j]), row[j]))
	}
	for _, row := range rows {
		row[j] = padRight(row[j], Width(row[j])+widest-unitWidth(unit(row[j]), row[j]))
	}
}

// unitWidth is the width of what follows the digits; a cell without digits
// ("?", "-") stands in for them.
func unitWidth(unit, cell string) int {
	if unit == cell {
		return 0
	}
	return Width(unit)
}

// fit gives the last column what is left of the line, and takes from the first
// where that is too little.
func (t *table) fit(p *page, widths []int) {
	last := len(widths) - 1
	leastLast := min(widths[last], 12)
	used := t.indent
	for j := range last {
		used += widths[j] + t.columns[j+1].space()
	}
	room := p.width - used
	if short := leastLast - room; short > 0 && widths[last] > room {
		widths[0] = max(1, widths[0]-short)
		room += short
	}
	widths[last] = max(1, room)
}

func (t *table) heading(widths []int) string {
	var b strings.Builder
	for j, c := range t.columns {
		cell := padRight(c.head, widths[j])
		switch {
		case j == 0:
			cell = padRight(c.head, widths[0]+t.indent)
		case c.align == right:
			cell = padLeft(c.head, widths[j])
		}
		if j > 0 {
			b.WriteString(strings.Repeat(" ", c.space()))
		}
		b.WriteString(cell)
	}
	return b.String()
}

// mostCellLines bounds what one cell may take.
const mostCellLines = 4

func (c column) wrap(cell string, width int, ellipsis string) []string {
	if c.align == name {
		return []string{CutMiddle(cell, width, ellipsis)}
	}
	lines := wrapFirst(cell, width, max(1, width-c.hang))
	if len(lines) > mostCellLines {
		lines = lines[:mostCellLines]
		lines[mostCellLines-1] = CutEnd(lines[mostCellLines-1]+ellipsis+ellipsis, max(2, width-c.hang), ellipsis)
	}
	for i := range lines[1:] {
		lines[i+1] = strings.Repeat(" ", c.hang) + lines[i+1]
	}
	return lines
}

// writeRow writes one row over as many lines as its longest cell needs.
func (t *table) writeRow(p *page, row []string, widths []int) {
	cells := make([][]string, len(row))
	height := 1
	for j, cell := range row {
		cells[j] = []string{cell}
		if Width(cell) > widths[j] {
			cells[j] = t.columns[j].wrap(cell, widths[j], p.letters.ellipsis())
		}
		height = max(height, len(cells[j]))
	}
	for i := range height {
		var b strings.Builder
		b.WriteString(strings.Repeat(" ", t.indent))
		for j := range cells {
			if j > 0 {
				b.WriteString(strings.Repeat(" ", t.columns[j].space()))
			}
			cell := ""
			if i < len(cells[j]) {
				cell = cells[j][i]
			}
			b.WriteString(padRight(cell, widths[j]))
		}
		p.line(text(b.String()))
	}
}
