package report

import (
	"fmt"
	"math"
	"time"

	"github.com/capdoctor/capdoctor/rules"
)

// A drawing is a timeline at the width of a page: columns joined until they fit.
type drawing struct {
	cells []cell
	width time.Duration // of a cell
}

// A cell is one character of a drawing: some columns, or a gap.
type cell struct {
	from, to int // columns
	gap      string
}

// draw lays the columns of a timeline out in at most room characters. Gaps are
// labelled, marked, or left out, as there is room.
func draw(l rules.Timeline, room int) drawing {
	mark := func(time.Duration) string { return "┊" }
	gaps := 0
	for i, c := range l.Columns {
		if c.Gap > 0 && i > 0 {
			gaps++
		}
	}
	switch {
	case gaps*12 <= room/3:
		return drawWith(l, room, gapText)
	case gaps*2 < room/2:
		return drawWith(l, room, mark)
	}
	return drawWith(l, room, func(time.Duration) string { return "" })
}

// drawWith joins as many columns as it takes. A gap without a text is left out.
func drawWith(l rules.Timeline, room int, gapText func(time.Duration) string) drawing {
	for n := 1; ; n++ {
		var d drawing
		used := 0
		for i := 0; i < len(l.Columns); {
			if gap := l.Columns[i].Gap; gap > 0 && i > 0 && gapText(gap) != "" {
				d.cells = append(d.cells, cell{i, i, gapText(gap)})
				used += Width(gapText(gap))
			}
			c := cell{from: i, to: i + 1}
			heard := l.Columns[i].To.Sub(l.Columns[i].From)
			for c.to < len(l.Columns) && c.to-c.from < n && (l.Columns[c.to].Gap == 0 || gapText(l.Columns[c.to].Gap) == "") {
				heard += l.Columns[c.to].To.Sub(l.Columns[c.to].From)
				c.to++
			}
			d.width = max(d.width, heard)
			d.cells = append(d.cells, c)
			used++
			i = c.to
		}
		if used <= room || n >= len(l.Columns) {
			return d
		}
	}
}

// gapText stands for a time in which nothing was heard.
func gapText(gap time.Duration) string {
	unit, name := time.Minute, "min"
	switch {
	case gap >= 48*time.Hour:
		unit, name = 24*time.Hour, "d"
	case gap >= 2*time.Hour:
		unit, name = time.Hour, "h"
	}
	return fmt.Sprintf("┊ %d %s ┊", max(1, int((gap+unit/2)/unit)), name)
}

// joined is the value of a track over the columns of a cell.
func joined(tr rules.Track, c cell) float64 {
	sum, n := 0.0, 0
	for _, v := range tr.Values[c.from:c.to] {
		if !math.IsNaN(v) {
			sum, n = sum+v, n+1
		}
	}
	switch {
	case n == 0:
		return math.NaN()
	case tr.Kind == rules.Count:
		return sum
	}
	return sum / float64(n)
}
