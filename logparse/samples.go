package logparse

import (
	"cmp"
	"slices"
	"time"
)

// MaxPoints is the number of grid points of a log when GridOptions say none.
const MaxPoints = 2000

// minStep is the finest grid, in milliseconds.
const minStep = 1000

// GridOptions say how events become samples. The zero value suits log files
// that are read to their end.
type GridOptions struct {
	// Step is the time between two points, at least 1 s. Zero: 1 s, doubled
	// until the longest log has at most MaxPoints points.
	Step time.Duration
	// MaxPoints bounds the points of a log; with a Step too, which is then
	// doubled. Zero: MaxPoints.
	MaxPoints int
	// Undated is the time of the records of a log that has no time at all, where
	// no other log has one either. Zero: they are left out.
	Undated time.Time
	// Until is the time to which the logs were watched, whether they wrote or
	// not, as far as a log that is followed has points: up to five minutes, or 20
	// steps, behind its last record. Zero: the end of each log.
	Until time.Time
	// History is how far back a log that is followed has points: a line whose
	// clock stands in another century must not ask for all points since. Zero:
	// since its first record.
	History time.Duration
	// Drop tells whether a metric of an instance is left out, because its
	// scrapes supply it. Nil: none is.
	Drop func(instance, metric string) bool
}

// A Grid puts the events of the logs of one command on a common grid of log
// time. It is not safe for concurrent use.
type Grid struct {
	options  GridOptions
	catalog  *Catalog
	width    int64 // of a cell, in milliseconds: the step
	crowded  bool  // a series has so many cells that the step is surely longer
	samplers []*Sampler
}

// NewGrid returns an empty grid for events of the patterns of c.
func NewGrid(c *Catalog, o GridOptions) *Grid {
	if o.MaxPoints <= 0 {
		o.MaxPoints = MaxPoints
	}
	return &Grid{options: o, catalog: c, width: max(o.Step.Milliseconds(), minStep)}
}

// Sampler returns the sampler of a log; the same one for the same instance.
func (g *Grid) Sampler(instance, service string) *Sampler {
	for _, s := range g.samplers {
		if s.instance == instance {
			return s
		}
	}
	s := newSampler(g, instance, service)
	g.samplers = append(g.samplers, s)
	slices.SortFunc(g.samplers, func(a, b *Sampler) int { return cmp.Compare(a.instance, b.instance) })
	return s
}

// Samplers returns all samplers by instance.
func (g *Grid) Samplers() []*Sampler { return g.samplers }

// Step settles the step of the grid and returns it: the interval of the logs'
// sources. More events may make it longer.
func (g *Grid) Step() time.Duration {
	g.settle()
	return time.Duration(g.width) * time.Millisecond
}

// settle places what has no time and coarsens the grid to its longest log.
func (g *Grid) settle() {
	g.flushLines()
	undated := g.undatedAt()
	for _, s := range g.samplers {
		s.placeUndated(undated)
	}
	for g.points() > g.options.MaxPoints {
		g.coarsen()
	}
}

// flushLines ends the counting of the cells that are being read.
func (g *Grid) flushLines() {
	for _, s := range g.samplers {
		s.flushLines()
	}
}

// undatedAt is when the records of a log without any time are: at the end of the
// other logs.
func (g *Grid) undatedAt() int64 {
	end := int64(0)
	for _, s := range g.samplers {
		if cells := s.span(); len(cells) > 0 {
			end = max(end, (cells[len(cells)-1]+1)*g.width-1)
		}
	}
	if end == 0 && !g.options.Undated.IsZero() {
		return g.options.Undated.UnixMilli()
	}
	return end
}

// points is the number of points of the longest log.
func (g *Grid) points() int {
	longest := int64(0)
	for _, s := range g.samplers {
		sum := int64(0)
		for _, r := range s.runs() {
			sum += r.last - r.first + 2
		}
		longest = max(longest, sum)
	}
	return int(longest)
}

// coarsen doubles the width of all cells.
func (g *Grid) coarsen() {
	g.width *= 2
	for _, s := range g.samplers {
		s.coarsen()
	}
}

// maxCells is how many cells a series may have, so that its memory is bounded:
// before a grid that is still being filled is coarsened, or what a followed log
// writes about times to come is left out.
func (g *Grid) maxCells() int { return 4 * g.options.MaxPoints }

// relieve coarsens a crowded grid; it tells whether it did.
func (g *Grid) relieve() bool {
	if !g.crowded {
		return false
	}
	g.crowded = false
	g.flushLines()
	g.coarsen()
	return true
}

// window is how long a reading without a successor is believed, in
// milliseconds: the short window of the rules.
func (g *Grid) window() int64 { return max(60_000, 4*g.width) }

// cellOf returns the number of the cell that holds the time t.
func (g *Grid) cellOf(t int64) int64 {
	cell := t / g.width
	if t < cell*g.width {
		cell--
	}
	return cell
}
