package series

import (
	"sort"
	"time"
)

// gapIntervals is how many intervals may pass between two batches of a source
// before the time between them counts as a gap.
const gapIntervals = 2.5

// sourceState is a source and the history of its batches.
type sourceState struct {
	Source
	round    int64        // number of the last batch
	last     int64        // time of the last batch
	good     int          // batches that did not fail
	live     []*memSeries // series that the last batch had
	rounds   memSeries    // the number of each batch, at its time
	segments []segment    // runs of batches without a gap, oldest first
	changes  []change     // where batches turned from good to failed and back
}

// A segment is a run of batches without a gap.
type segment struct{ from, to int64 }

// A change says that batches from at on were good, or failed.
type change struct {
	at   int64
	good bool
}

// A Gap is a time without batches, as the last batch before it and the first
// one after it, in milliseconds.
type Gap struct{ From, To int64 }

// observe notes a batch at t.
func (s *sourceState) observe(t int64, good bool) {
	if n := len(s.segments); n == 0 || s.gap(t) {
		s.segments = append(s.segments, segment{t, t})
	} else {
		s.segments[n-1].to = t
	}
	if n := len(s.changes); n == 0 || s.changes[n-1].good != good {
		s.changes = append(s.changes, change{t, good})
	}
	s.round++
	s.rounds.append(t, float64(s.round))
	s.last = t
	if good {
		s.good++
	}
}

// gap tells whether a batch at t comes after a gap. A Meter has none: a scrape
// that takes long is what it measures.
func (s *sourceState) gap(t int64) bool {
	return s.Kind != Meter && s.round > 0 && s.tooLong(t-s.last)
}

func (s *sourceState) tooLong(ms int64) bool {
	return float64(ms) > gapIntervals*float64(s.Interval.Milliseconds())
}

// goodAt tells whether the last batch at or before t was good. A Scrape whose
// last batch is so old that t stands in a gap is not; a Log may be quiet.
func (s *sourceState) goodAt(t int64) bool {
	i := sort.Search(len(s.changes), func(i int) bool { return s.changes[i].at > t })
	if i == 0 || !s.changes[i-1].good {
		return false
	}
	seg, ok := s.segmentAt(t)
	return ok && (s.Kind != Scrape || !s.tooLong(t-seg.to))
}

// lastGoodAt is the time of the last batch at or before t that did not fail; 0 when
// there is none. Where the batches themselves are forgotten it is t, or the end of
// their run.
func (s *sourceState) lastGoodAt(t int64) int64 {
	i := sort.Search(len(s.changes), func(i int) bool { return s.changes[i].at > t })
	if i > 0 && !s.changes[i-1].good {
		i--
		t = s.changes[i].at - 1
	}
	if i == 0 {
		return 0
	}
	if k, ok := s.rounds.indexAt(t); ok {
		return s.rounds.times[k]
	}
	seg, _ := s.segmentAt(t)
	return min(t, seg.to)
}

// watchedAt is the time since the first batch, or since the last gap, at t. It
// stands still an interval after the last batch. Batches after t do not matter.
func (s *sourceState) watchedAt(t int64) (time.Duration, bool) {
	seg, ok := s.segmentAt(t)
	if !ok {
		return 0, false
	}
	last := min(t, seg.to)
	if i, ok := s.rounds.indexAt(t); ok {
		last = s.rounds.times[i]
	}
	return time.Duration(min(t, last+s.Interval.Milliseconds())-seg.from) * time.Millisecond, true
}

// segmentAt is the last run of batches that began at or before t.
func (s *sourceState) segmentAt(t int64) (segment, bool) {
	i := sort.Search(len(s.segments), func(i int) bool { return s.segments[i].from > t })
	if i == 0 {
		return segment{}, false
	}
	return s.segments[i-1], true
}

// Status is what is known of a source at a time.
type Status struct {
	Source
	Seen     bool          // at least one batch at or before the time
	Good     bool          // the last batch did not fail and, of a Scrape, is not followed by a gap
	Watched  time.Duration // since the first batch or the last gap, to an interval after the last batch at most
	First    int64         // time of the first batch; 0 when there is none
	Last     int64         // time of the last batch, of all times
	LastGood int64         // time of the last batch at or before the time that did not fail; 0 when there is none
	Batches  int64         // at or before the time
	GoodOnes int           // batches that did not fail, of all times
}

// Status returns what is known of a source at t (milliseconds).
func (s *Store) Status(id SourceID, t int64) Status {
	s.mu.RLock()
	defer s.mu.RUnlock()
	src := s.sources[id]
	st := Status{Source: src.Source, Last: src.last, LastGood: src.lastGoodAt(t), GoodOnes: src.good}
	if last, ok := src.rounds.lastAt(t); ok {
		st.Batches = int64(last)
	}
	st.Watched, st.Seen = src.watchedAt(t)
	st.Good = src.goodAt(t)
	if len(src.segments) > 0 {
		st.First = src.segments[0].from
	}
	return st
}

// Gaps returns the gaps between the batches of a source, oldest first.
func (s *Store) Gaps(id SourceID) []Gap {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var gaps []Gap
	segments := s.sources[id].segments
	for i := 1; i < len(segments); i++ {
		gaps = append(gaps, Gap{segments[i-1].to, segments[i].from})
	}
	return gaps
}
