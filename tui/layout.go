package tui

import (
	"fmt"
	"strings"
)

// A block is a part of a column: a heading and rows below it.
type block struct {
	heading row
	want    int // rows it would fill, without its heading
	least   int // rows below which it is left out; 0 shows the heading alone
	draw    func(height int) []row
}

// rowsBlock is a block of rows that are already there; what does not fit is
// counted in its last row.
func (t *theme) rowsBlock(heading row, least int, rows []row) block {
	return block{heading: heading, want: len(rows), least: least, draw: func(height int) []row {
		return t.clip(rows, height)
	}}
}

// briefBlock is a block of rows that is a list of names where they do not fit.
func (t *theme) briefBlock(heading row, rows []row, names []string) block {
	w := heading.width
	return block{heading: heading, want: len(rows), least: 1, draw: func(height int) []row {
		list := t.prose(w, 2, plain, strings.Join(names, ", "))
		switch {
		case len(rows) <= height:
			return rows
		case len(list) <= height:
			return list
		case height == 1:
			return []row{t.text(w, plain, "  "+fitList(names, w-2))}
		}
		return t.clip(list, height)
	}}
}

// clip keeps the first rows and says how many there are more.
func (t *theme) clip(rows []row, height int) []row {
	if len(rows) <= height {
		return rows
	}
	if height <= 0 {
		return nil
	}
	kept := append([]row(nil), rows[:height-1]...)
	return append(kept, t.text(rows[0].width, note, fmt.Sprintf("  +%d more", len(rows)-height+1)))
}

// stack fills a column from top to bottom. Where the blocks do not fit, the
// last ones give up rows first, and then go.
func (t *theme) stack(width, height int, blocks ...block) []row {
	given := share(height, blocks)
	var rows []row
	for i, b := range blocks {
		if given[i] < 0 {
			continue
		}
		rows = append(rows, b.heading)
		rows = append(rows, b.draw(given[i])...)
	}
	return t.fill(width, height, rows)
}

// fill makes rows as many as the height.
func (t *theme) fill(width, height int, rows []row) []row {
	if len(rows) > height {
		return rows[:max(0, height)]
	}
	blank := t.blank(width)
	for len(rows) < height {
		rows = append(rows, blank)
	}
	return rows
}

// share says how many rows each block gets; -1 leaves it out.
func share(height int, blocks []block) []int {
	given := make([]int, len(blocks))
	used := total(blocks)
	for i, b := range blocks {
		given[i] = b.want
	}
	for i := len(blocks) - 1; i >= 0 && used > height; i-- {
		spare := min(used-height, max(0, given[i]-blocks[i].least))
		given[i] -= spare
		used -= spare
	}
	for i := len(blocks) - 1; i > 0 && used > height; i-- {
		used -= given[i] + 1
		given[i] = -1
	}
	return regain(given, height-used, blocks)
}

// total is the number of rows that blocks would fill, with their headings.
func total(blocks []block) int {
	n := 0
	for _, b := range blocks {
		n += b.want + 1
	}
	return n
}

// regain gives rows that were freed by leaving blocks out to those that gave up
// some, the first ones first.
func regain(given []int, spare int, blocks []block) []int {
	for i := range given {
		if given[i] < 0 || spare <= 0 {
			continue
		}
		more := min(spare, blocks[i].want-given[i])
		given[i] += more
		spare -= more
	}
	return given
}

// beside joins columns with separators that meet the headings.
func (t *theme) beside(columns ...[]row) []row {
	if len(columns) == 1 {
		return columns[0]
	}
	rows := make([]row, len(columns[0]))
	for i := range rows {
		var b strings.Builder
		w, size := 0, 0
		for _, c := range columns {
			size += len(c[i].text) + len("\x1b[2m│\x1b[0m")
		}
		b.Grow(size)
		for j, c := range columns {
			if j > 0 {
				b.WriteString(t.paint(note, t.crossing(i == 0, columns[j-1][i].rule, c[i].rule)))
				w++
			}
			b.WriteString(c[i].text)
			w += c[i].width
		}
		rows[i] = row{text: b.String(), width: w}
	}
	return rows
}

func (t *theme) crossing(first, left, right bool) string {
	glyph := "│"
	switch {
	case first && left && right:
		glyph = "┬"
	case left && right:
		glyph = "┼"
	case left:
		glyph = "┤"
	case right:
		glyph = "├"
	}
	return t.fit(glyph)
}

func (t *theme) paint(r role, s string) string {
	if sgr := t.palette[r]; sgr != "" {
		return "\x1b[" + sgr + "m" + s + "\x1b[0m"
	}
	return s
}
