package tui

import (
	"math"
	"strings"
)

// spark draws values as one row of blocks, the newest on the right, over as
// many columns as w. The scale starts at zero. NaN is a blank: nothing is known
// there.
func (t *theme) spark(values []float64, w int) string {
	cells := resample(values, w)
	top := highest(cells)
	var b strings.Builder
	b.Grow(3 * w)
	for _, v := range cells {
		if math.IsNaN(v) {
			b.WriteByte(' ')
			continue
		}
		b.WriteString(t.small[level(v, top, len(t.small))])
	}
	return b.String()
}

// level is the step, of n, that v takes on a scale from 0 to top. Only zero and
// less takes the lowest one where there is room above.
func level(v, top float64, n int) int {
	if !(v > 0) || !(top > 0) {
		return 0
	}
	return max(1, int(math.Ceil(part(v, top)*float64(n)))-1)
}

// part is how much of a whole something is, 0 to 1; 0 of nothing. Meters can be
// infinite, too.
func part(of, whole float64) float64 {
	switch {
	case !(of > 0) || !(whole > 0):
		return 0
	case of >= whole:
		return 1
	}
	return of / whole
}

// highest is the largest finite value, at least 0.
func highest(values []float64) float64 {
	top := 0.0
	for _, v := range values {
		if v > top && !math.IsInf(v, 0) {
			top = v
		}
	}
	return top
}

// resample brings values to n cells: the mean of those that fall into a cell
// when there are more, the same one again when there are fewer.
func resample(values []float64, n int) []float64 {
	cells := make([]float64, max(0, n))
	for i := range cells {
		from, to := i*len(values)/n, (i+1)*len(values)/n
		cells[i] = mean(values[from:max(to, min(from+1, len(values)))])
	}
	return cells
}

// mean leaves out what is not known; it is NaN where nothing is.
func mean(values []float64) float64 {
	sum, n := 0.0, 0
	for _, v := range values {
		if !math.IsNaN(v) {
			sum += v
			n++
		}
	}
	if n == 0 {
		return math.NaN()
	}
	return sum / float64(n)
}

// A gauge is a bar of something limited.
type gauge struct {
	used  float64 // NaN unknown
	reach float64 // how much can be had as things are; NaN all of it
	most  float64 // NaN unknown
	alive float64 // of what is used, how much can still be of use; NaN all of it
}

// gauge draws a bar over w columns: what is used, what is free, what cannot be
// reached, and the line behind which queued work is dead.
func (t *theme) gauge(g gauge, w int) string {
	if math.IsNaN(g.used) || math.IsNaN(g.most) || !(g.most > 0) {
		return strings.Repeat(" ", max(0, w))
	}
	column := func(v float64) int { return int(math.Round(part(v, g.most) * float64(w))) }
	used := column(g.used)
	if g.used > 0 {
		used = max(1, used)
	}
	reach := w
	if g.reach < g.most {
		reach = column(g.reach)
	}
	dead := -1
	if g.alive < g.used {
		dead = min(column(g.alive), w-2)
		used = max(used, dead+2) // the line, and something dead behind it
	}
	var b strings.Builder
	b.Grow(3 * w)
	for i := range w {
		switch {
		case i == dead:
			b.WriteString(t.deadline)
		case i < used:
			b.WriteString(t.full)
		case i >= reach:
			b.WriteString(t.beyond)
		default:
			b.WriteString(t.rest)
		}
	}
	return b.String()
}
