package tui

import (
	"fmt"
	"slices"
)

// A list is a cursor in a list of rows that may be longer than its panel. The
// cursor follows its row by key when the order changes.
type list struct {
	at  int
	top int
}

// move goes n rows down, or up.
func (l list) move(n, count int) list {
	l.at = max(0, min(l.at+n, count-1))
	return l
}

// window is the first row to draw so that the cursor can be seen.
func (l list) window(count, height int) int {
	top := max(0, min(l.top, count-height))
	if l.at < top {
		top = l.at
	}
	if l.at >= top+height {
		top = l.at - height + 1
	}
	return max(0, top)
}

// listBlock is a block with a cursor: it scrolls instead of being cut.
func (t *theme) listBlock(heading row, l list, count, least int, item func(i int) row) block {
	return block{heading: heading, want: count, least: least, draw: func(height int) []row {
		height = min(height, count)
		top := l.window(count, height)
		rows := make([]row, 0, height)
		for i := top; i < min(top+height, count); i++ {
			rows = append(rows, item(i))
		}
		return rows
	}}
}

// itemsBlock is a list whose items take several rows each: the one under the
// cursor can be seen as far as it fits.
func (t *theme) itemsBlock(heading row, l list, least int, items [][]row) block {
	var rows []row
	begins := make([]int, len(items))
	for i, item := range items {
		begins[i] = len(rows)
		rows = append(rows, item...)
	}
	return block{heading: heading, want: len(rows), least: least, draw: func(height int) []row {
		if len(rows) <= height {
			return rows
		}
		end := begins[l.at] + len(items[l.at])
		top := min(max(0, end-height+1), begins[l.at])
		if top+height >= len(rows) {
			return rows[len(rows)-height:]
		}
		shown := slices.Clone(rows[top : top+height-1])
		hidden := 0
		for _, b := range begins {
			hidden += b2i(b >= top+height-1)
		}
		return append(shown, t.text(rows[0].width, note, moreText(hidden)))
	}}
}

// moreText says how many items of a list stand below; none when the last one is
// only cut.
func moreText(n int) string {
	if n == 0 {
		return "  ↓ more"
	}
	return fmt.Sprintf("  ↓ %d more", n)
}
