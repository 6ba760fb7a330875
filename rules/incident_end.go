package rules

import (
	"math"
	"time"

	"github.com/capdoctor/capdoctor/series"
)

// findEnd sets when an incident was over, where that was seen. A verdict goes on
// until its windows have passed, up to five minutes; the signal that it is about
// tells when the trouble itself was over. It need not have come to a verdict:
// where the signal has been as before for long enough, that is an end, too.
func (q *inquiry) findEnd(in *Incident) {
	next := q.index(in.LastSeen.Add(time.Millisecond))
	s := q.ownStrand(in)
	back := q.backFrom(in, s, next)
	over := q.over(in, next)
	switch {
	case over, back < next && q.ticks[next-1]-q.ticks[back] >= q.settled(s, back).Milliseconds():
		in.End, in.LastSeen = utc(q.ticks[back]), utc(q.ticks[back-1])
		if back < next && s.kind == Count { // it ended with its last event
			in.End = in.LastSeen
		}
	case next < len(q.ticks):
		in.Next = utc(q.nextHeard(next))
	}
}

// over tells whether the tick next, the first one at which an incident does not
// hold, is one at which that was seen.
func (q *inquiry) over(in *Incident, next int) bool {
	if next == len(q.ticks) || q.ticks[next]-in.LastSeen.UnixMilli() > q.quiet() {
		return false
	}
	ended := true
	for _, e := range in.Episodes {
		if e.To.Equal(in.LastSeen) {
			ended = ended && e.Ended
		}
	}
	return ended || q.speaksOn(in)
}

// speaksOn tells whether the log that an incident was read from goes on without
// a gap: lines that came all the time and come no more are an end, too.
func (q *inquiry) speaksOn(in *Incident) bool {
	source := q.now.plan.instances[string(in.Finding.Subject["instance"])]
	if source.kind != series.Log || source.name == "" {
		return false
	}
	last := in.LastSeen.UnixMilli()
	for _, g := range q.store.Gaps(source.source) {
		if g.From <= last && last < g.To {
			return false
		}
	}
	return q.store.Status(source.source, last).Last > last
}

// backFrom is the first of the ticks before end, after the worst one, from which
// on a strand was as before the incident; end when there is none.
func (q *inquiry) backFrom(in *Incident, s *strand, end int) int {
	if s == nil {
		return end
	}
	from, at, _ := q.scope(in)
	back := func(v float64) bool { return v == 0 }
	if b, ok := q.bandOf(s, q.bins(s, from, at, binWidth)); ok && s.kind != Count {
		back = func(v float64) bool { return b.side(v) == 0 }
	}
	for worst := q.index(in.Worst.At); end > worst+1; end-- {
		v := s.values[end-1]
		if unheard := math.IsNaN(v); unheard && s.kind != Level || !unheard && !back(v) {
			break
		}
	}
	return end
}

// settled is how long a strand must have been as before to tell that the trouble
// is over: a short window, and twice the longest time between two events.
func (q *inquiry) settled(s *strand, to int) time.Duration {
	longest, last := ShortWindow.Milliseconds()/2, int64(0)
	for i := 0; i < to && s.kind == Count; i++ {
		if s.values[i] > 0 {
			if d := q.ticks[i] - last; last > 0 && d <= EventsWindow.Milliseconds() {
				longest = max(longest, d)
			}
			last = q.ticks[i]
		}
	}
	return 2 * time.Duration(longest) * time.Millisecond
}

// ownStrand is the strand of the signal that says how bad an incident was; for
// a level, which a log goes on to tell for a while after its last line, that of
// the events that come with it. It may be nil.
func (q *inquiry) ownStrand(in *Incident) *strand {
	var best *strand
	for i := range q.strands {
		s := &q.strands[i]
		switch {
		case !q.isOwn(in.Finding, s):
		case base(s.signal) == base(in.Worst.Signal) && (s.kind != Level || best == nil):
			best = s
		case s.kind == Count && (best == nil || best.kind == Level):
			best = s
		}
	}
	return best
}

// nextHeard is the first tick after a gap at or after tick i, or tick i.
func (q *inquiry) nextHeard(i int) int64 {
	for n := i; n < len(q.ticks); n++ {
		if q.ticks[n]-q.ticks[n-1] > q.quiet() {
			return q.ticks[n]
		}
	}
	return q.ticks[i]
}
