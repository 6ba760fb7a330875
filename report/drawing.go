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

// draw lays the columns of a timeline out in at most room characters.
func draw(l rules.Timeline, room int) drawing {
	gapText := gapText
	if room < 36 {
		gapText = func(time.Duration) string { return "┊" }
	}
	for n := 1; ; n++ {
		var d drawing
		used := 0
		for i := 0; i < len(l.Columns); {
			if gap := l.Columns[i].Gap; gap > 0 && i > 0 {
				c := cell{i, i, gapText(gap)}
				d.cells = append(d.cells, c)
				used += Width(c.gap)
			}
			c := cell{from: i, to: i + 1}
			for c.to < len(l.Columns) && c.to-c.from < n && l.Columns[c.to].Gap == 0 {
				c.to++
			}
			d.width = max(d.width, l.Columns[c.to-1].To.Sub(l.Columns[c.from].From))
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
