package logparse

import (
	"maps"
	"slices"
	"time"

	"github.com/capdoctor/capdoctor/series"
)

// Batches returns everything that the log yielded, in order of time: for a log
// that was read to its end. The source id is the one that the store gave the
// log; its interval must be the grid's Step.
func (s *Sampler) Batches(id series.SourceID) []series.Batch {
	s.grid.settle()
	s.declare()
	var readers []*reader
	for _, t := range s.wanted() {
		readers = append(readers, t.reader())
	}
	var batches []series.Batch
	for _, run := range s.runs() {
		for tick := run.first; tick <= run.last+1; tick++ {
			batches = append(batches, s.batch(id, readers, tick, true))
		}
		quiet := slices.DeleteFunc(slices.Clone(readers), func(r *reader) bool { return r.track.kind == progressSample })
		for tick := run.last + 2; tick <= run.end; tick++ {
			batches = append(batches, s.batch(id, quiet, tick, true))
		}
	}
	return batches
}

// A run is a stretch of cells without a gap. Its points go on to its end, but
// for progress, of which the next line would have told.
type run struct{ first, last, end int64 }

// runs splits the cells of the log at its gaps, where the store ends all
// series.
func (s *Sampler) runs() []run {
	cells := s.span()
	if len(cells) == 0 {
		return nil
	}
	quiet := s.silence(cells) / s.grid.width
	runs := []run{{first: cells[0], last: cells[0]}}
	for _, c := range cells[1:] {
		last := &runs[len(runs)-1]
		if c-last.last > quiet {
			runs = append(runs, run{first: c, last: c})
			continue
		}
		last.last = c
	}
	for i := range runs {
		runs[i].end = runs[i].last + 1
		if until := s.grid.options.Until; !until.IsZero() {
			watched := min(runs[i].last+s.grid.quiet()/s.grid.width, s.grid.cellOf(until.UnixMilli()))
			runs[i].end = max(runs[i].end, watched)
		}
	}
	return runs
}

// silence is how long a log may hold no record before that is a gap, in
// milliseconds: 5 min, 20 steps or 20 times the mean time between two records.
func (s *Sampler) silence(cells []int64) int64 {
	quiet := s.grid.quiet()
	total := int64(0)
	for _, n := range s.present.values {
		total += n
	}
	return max(quiet, 20*(cells[len(cells)-1]-cells[0])*s.grid.width/total)
}

// quiet is the shortest gap, in milliseconds.
func (g *Grid) quiet() int64 { return max((5 * time.Minute).Milliseconds(), 20*g.width) }

// batch is the value of every series at one point.
func (s *Sampler) batch(id series.SourceID, readers []*reader, tick int64, whole bool) series.Batch {
	b := series.Batch{Source: id, Time: tick * s.grid.width}
	b.Samples = make([]series.Sample, 0, len(readers))
	for _, r := range readers {
		r.pass(tick)
		if v, ok := r.value(b.Time, s.grid.window(), whole); ok {
			b.Samples = append(b.Samples, series.Sample{Labels: r.track.labels, Value: v})
		}
	}
	return b
}

// wanted returns the series that are sound and not dropped, by labels.
func (s *Sampler) wanted() []*track {
	var tracks []*track
	for _, key := range slices.Sorted(maps.Keys(s.tracks)) {
		t := s.tracks[key]
		drop := s.grid.options.Drop
		if t.grows() && (drop == nil || !drop(s.instance, t.labels.Get("__name__"))) {
			tracks = append(tracks, t)
		}
	}
	return tracks
}

// declare makes the counters of the events that did not happen, for the systems
// of which any line was seen and those that every log may speak of: none is a
// number, too.
func (s *Sampler) declare() {
	for _, f := range s.grid.catalog.files {
		if f.Always {
			s.systems[f.System] = true
		}
	}
	for _, p := range s.grid.catalog.patterns {
		if s.systems[p.system] && p.Count != "none" && p.count.mapSlot(p) < 0 && s.types[p.Event] == nil {
			s.track(countSample, EventsMetric, "event", p.Event)
		}
	}
}
