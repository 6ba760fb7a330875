package logparse

import (
	"time"

	"github.com/capdoctor/capdoctor/series"
)

// Advance returns the points up to now that were not given out before: for a
// log that is followed. Points without any record for five minutes are left
// out, so that the store ends the series. A counter that is new begins with 0
// at the point before. Use either Advance or Batches on one grid.
func (s *Sampler) Advance(id series.SourceID, now time.Time) []series.Batch {
	s.flushLines()
	s.placeUndated(now.UnixMilli())
	if s.last == 0 || s.emitted == 0 && s.present.len() == 0 {
		return nil // no record, or none since the points begin
	}
	cells := s.present.keys
	s.declare()
	readers, seeds := s.liveReaders()
	quiet := s.grid.quiet() / s.grid.width
	var batches []series.Batch
	tick := s.emitted/s.grid.width + 1
	if s.emitted == 0 {
		tick, s.heard = s.firstTick(now), cells[0]
	}
	for ; tick <= s.grid.cellOf(now.UnixMilli()); tick++ {
		for len(cells) > 0 && cells[0] <= tick {
			s.heard, cells = max(s.heard, cells[0]), cells[1:]
		}
		if tick-s.heard > quiet {
			continue
		}
		b := s.batch(id, readers, tick, false)
		b.Samples = append(seeds, b.Samples...)
		seeds = nil
		batches = append(batches, b)
		s.emitted = b.Time
	}
	s.present.forget(s.present.len() - len(cells))
	return batches
}

// firstTick is the first point of a log that is followed.
func (s *Sampler) firstTick(now time.Time) int64 {
	first := s.present.keys[0]
	if h := s.grid.options.History; h > 0 {
		first = max(first, s.grid.cellOf(now.Add(-h).UnixMilli()))
	}
	return first
}

// liveReaders returns the readers of all series and the zeros that new
// counters begin with.
func (s *Sampler) liveReaders() (readers []*reader, seeds []series.Sample) {
	for _, t := range s.wanted() {
		if t.live == nil {
			t.live = t.reader()
			if t.kind == countSample && s.emitted != 0 {
				seeds = append(seeds, series.Sample{Labels: t.labels, Time: s.emitted})
			}
		}
		t.live.refresh()
		readers = append(readers, t.live)
	}
	return readers, seeds
}
