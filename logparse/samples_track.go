package logparse

import "github.com/capdoctor/capdoctor/series"

// A track is one series of a sampler before it is put on the grid. Only cells
// in which something happened take memory.
type track struct {
	labels series.Labels
	kind   sampleKind
	cells  cells[cell]
	live   *reader // of a log that is followed

	// Of progress: the last reading and how often it rose and fell.
	lastReading  float64
	rises, falls int
}

// A cell is what happened to a series within one step: how many more, or the
// last reading and its time.
type cell struct {
	value float64
	at    int64 // milliseconds; of the last reading
}

// grows tells whether the readings of a progress are those of a counter: they
// rise, and fall only where the program may have started anew. Lines like
// "completed=5" after every batch are not.
func (t *track) grows() bool {
	return t.kind != progressSample || t.rises >= 3 && t.falls*20 <= t.rises
}

// put stores how many more, or a reading, of which the latest of a cell stays.
func (t *track) put(at, key int64, v float64) {
	switch {
	case v > t.lastReading:
		t.rises++
	case v < t.lastReading:
		t.falls++
	}
	t.lastReading = v
	t.store(&t.cells, key, cell{v, at})
}

// store adds what happened to one of the cells.
func (t *track) store(into *cells[cell], key int64, more cell) {
	c, added := into.at(key)
	switch {
	case t.kind == countSample:
		*c = cell{value: c.value + more.value, at: max(c.at, more.at)}
	case added || c.at <= more.at:
		*c = more
	}
}

// coarsen joins every two neighbouring cells.
func (t *track) coarsen() { t.cells.coarsen(t.store) }

// A reader walks a track from one point of the grid to the next.
type reader struct {
	track *track
	next  int     // the first cell that is not behind the point
	sum   float64 // of the cells behind the point
	last  cell    // behind the point
	prior cell    // the reading before last
	any   bool
}

func (t *track) reader() *reader { return &reader{track: t} }

// refresh forgets the cells behind the point.
func (r *reader) refresh() {
	r.track.cells.forget(r.next)
	r.next = 0
}

// pass moves to the point that ends the cells before tick. Ticks must not fall.
func (r *reader) pass(tick int64) {
	all := &r.track.cells
	for r.next < all.len() && all.keys[r.next] < tick {
		c := all.values[r.next]
		r.prior, r.last = r.last, c
		r.sum += c.value
		if !r.any {
			r.prior, r.any = c, true
		}
		r.next++
	}
}

// value returns the series' value at the time at; ok is false where it has
// none. whole says that no more readings will come than there are.
func (r *reader) value(at, window int64, whole bool) (v float64, ok bool) {
	switch {
	case r.track.kind == countSample:
		return r.sum, true
	case !r.any:
		return 0, false
	case r.track.kind == gaugeSample:
		return r.last.value, at-r.last.at <= window
	case r.track.kind == progressSample:
		return r.progress(at, window, whole)
	}
	return r.last.value, true
}

// progress is a counter's reading at the time at: on the line between the
// readings around it where the next one is known. After the last one of a log it
// grows on until the next one would be due; without one it stands for three of
// the intervals at which it is printed.
func (r *reader) progress(at, window int64, whole bool) (float64, bool) {
	every := r.last.at - r.prior.at
	switch {
	case whole && r.next < r.track.cells.len():
		return along(r.last, r.track.cells.values[r.next], at), true
	case at-r.last.at > max(window, 3*every):
		return 0, false
	case !whole:
		return r.last.value, true
	}
	return along(r.prior, r.last, min(at, r.last.at+every)), true
}

// along is the value at a time on the line through two readings, the second of
// which is later; where a counter has started anew there is no line.
func along(a, b cell, at int64) float64 {
	switch {
	case b.at == a.at || b.value < a.value && at >= b.at:
		return b.value
	case b.value < a.value:
		return a.value
	}
	return a.value + (b.value-a.value)*float64(at-a.at)/float64(b.at-a.at)
}
