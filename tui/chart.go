package tui

import (
	"math"
	"strings"
	"time"

	"github.com/capdoctor/capdoctor/rules"
)

// A plot is a line over time with its scale.
type plot struct {
	values   []float64 // the newest last; NaN where nothing is known
	unit     string
	from, to time.Time
}

// axisWidth is the room for the scale on the left of a chart.
const axisWidth = 9

// plotRows draws a chart with its scale on the left and times below.
func (s *scene) plotRows(p plot, columns, height int) []row {
	w, h := columns-axisWidth-2, max(2, height-1)
	if highest(p.values) == 0 && math.IsNaN(mean(p.values)) {
		return []row{s.theme.text(columns, note, "  No value in this time.")}
	}
	top := highest(p.values)
	lines := s.theme.line(p.values, top, w, h)
	rows := make([]row, 0, h+1)
	for i, l := range lines {
		label := ""
		switch i {
		case 0:
			label = rules.Value(top, p.unit)
		case h - 1:
			label = "0"
		}
		rows = append(rows, s.theme.pen(columns).num(note, cutEnd(label, axisWidth, s.theme.ellipsis), axisWidth).put(plain, " ").raw(plain, l).row())
	}
	return append(rows, s.timeAxis(p.from, p.to, columns, w))
}

// timeAxis writes the times of a chart below it.
func (s *scene) timeAxis(from, to time.Time, columns, w int) row {
	p := s.theme.pen(columns).space(axisWidth + 1)
	marks := max(1, min(4, w/14))
	for i := range marks {
		t := from.Add(to.Sub(from) * time.Duration(i) / time.Duration(marks))
		p.tab(axisWidth+1+w*i/marks).put(note, s.clock.between(t, from, to))
	}
	return p.right(note, s.clock.between(to, from, to)+" ").row()
}

// line draws values as a line in rows of text, on a scale from 0 to top.
func (t *theme) line(values []float64, top float64, w, h int) []string {
	switch {
	case w < 1 || h < 1:
		return nil
	case t.braille && !t.ascii:
		return brailleLine(resample(values, 2*w), top, w, h)
	}
	return t.blockLine(resample(values, w), top, w, h)
}

// brailleDots are the bits of the eight dots of a cell, by column and row.
var brailleDots = [2][4]rune{{0x01, 0x02, 0x04, 0x40}, {0x08, 0x10, 0x20, 0x80}}

// brailleLine draws with two dots across and four down in each cell.
func brailleLine(values []float64, top float64, w, h int) []string {
	dots := make([]rune, w*h)
	set := func(x, y int) { dots[y/4*w+x/2] |= brailleDots[x%2][y%4] }
	last := -1
	for x, v := range values {
		if math.IsNaN(v) {
			last = -1
			continue
		}
		y := depth(v, top, 4*h)
		if last < 0 {
			last = y
		}
		for k := min(y, last); k <= max(y, last); k++ {
			set(x, k)
		}
		last = y
	}
	lines := make([]string, h)
	for i := range lines {
		var b strings.Builder
		b.Grow(3 * w)
		for _, d := range dots[i*w : (i+1)*w] {
			b.WriteRune('\u2800' + d)
		}
		lines[i] = b.String()
	}
	return lines
}

// depth is how many of n steps a value lies below the top of a scale.
func depth(v, top float64, n int) int {
	if !(top > 0) {
		return n - 1
	}
	return int(math.Round((1 - part(v, top)) * float64(n-1)))
}

// blockLine draws columns of blocks, or in ASCII one star per column.
func (t *theme) blockLine(values []float64, top float64, w, h int) []string {
	lines := make([]string, h)
	for i := range lines {
		var b strings.Builder
		for _, v := range values {
			b.WriteString(t.blockAt(v, top, i, h))
		}
		lines[i] = b.String()
	}
	return lines
}

func (t *theme) blockAt(v, top float64, i, h int) string {
	if math.IsNaN(v) {
		return " "
	}
	if t.ascii {
		if depth(v, top, h) == i {
			return "*"
		}
		return " "
	}
	n := len(t.sparks)
	level := int(math.Round(part(v, top) * float64(n*h)))
	switch in := level - (h-1-i)*n; {
	case in >= n:
		return t.sparks[n-1]
	case in > 0:
		return t.sparks[in-1]
	case i == h-1:
		return t.sparks[0]
	}
	return " "
}
