package rules

import (
	"math"
	"slices"
	"time"
)

// A shift is a strand that changed around an incident.
type shift struct {
	strand *strand
	at     int // the first tick of the change
	until  int // of counts: the last tick with an event in the incident
	before float64
	during float64
	within time.Duration
	time   time.Time
	where  *Line
}

// scope is the ticks around an incident, as indices: the half hour before its
// verdict, the verdict, and the first tick behind the end.
func (q *inquiry) scope(in *Incident) (from, at, to int) {
	verdict := in.Episodes[0].From
	at, to = q.index(verdict), q.index(in.LastSeen.Add(time.Millisecond))
	from = q.index(verdict.Add(-BaselineWindow))
	for i := at; i > from; i-- {
		if q.ticks[i]-q.ticks[i-1] > max(q.quiet(), BaselineWindow.Milliseconds()/2) {
			return i, at, to
		}
	}
	return from, at, to
}

// shifts lists the strands that changed around an incident, by time.
func (q *inquiry) shifts(in *Incident) []shift {
	from, at, to := q.scope(in)
	return q.shiftsIn(from, at, to)
}

func (q *inquiry) shiftsIn(from, at, to int) []shift {
	var all []shift
	for i := range q.strands {
		s := &q.strands[i]
		if sh, ok := q.shiftOf(s, from, at, to); ok {
			all = append(all, sh)
		}
	}
	slices.SortStableFunc(all, func(a, b shift) int { return a.time.Compare(b.time) })
	return all
}

// shiftOf applies the rule to one strand.
func (q *inquiry) shiftOf(s *strand, from, at, to int) (shift, bool) {
	before := q.bins(s, from, at, binWidth)
	if s.kind == Count && rare(before) {
		return q.outbreak(s, from, at, to)
	}
	b, ok := q.bandOf(s, before)
	if !ok {
		return shift{}, false
	}
	bins := append(before, q.bins(s, at, to, binWidth)...)
	n, ok := b.leaves(bins)
	if !ok {
		return shift{}, false
	}
	sh := shift{strand: s, at: bins[n].from, until: to - 1, before: b.middle, during: q.typical(s, bins[n].from, to)}
	if s.kind != Count {
		sh.at = b.firstOutside(s, bins[n])
		bins[n] = bin{sh.at, sh.at + 1, s.values[sh.at]}
	}
	q.place(&sh, bins[n])
	return sh, true
}

// outbreak is the beginning of events that usually do not happen.
func (q *inquiry) outbreak(s *strand, from, at, to int) (shift, bool) {
	first, ok := q.cluster(s, from, at, to)
	if !ok {
		return shift{}, false
	}
	sh := shift{strand: s, at: first, until: first, before: math.NaN(), during: s.total(first, to)}
	for i := first; i < to; i++ {
		if s.values[i] > 0 {
			sh.until = i
		}
	}
	q.place(&sh, bin{first, first + 1, s.values[first]})
	return sh, true
}

// place dates a shift: by the line that shows it; between the two lines that
// print a progress; else by its bin.
func (q *inquiry) place(sh *shift, b bin) {
	start, end := q.ticks[b.from]-q.step.Milliseconds(), q.ticks[b.to-1]
	sh.time, sh.within = utc((start+end)/2), time.Duration(end-start)/2*time.Millisecond
	lines := q.linesOf(sh.strand, utc(start).Add(-EventsWindow), utc(end).Add(EventsWindow))
	shows := utc(start + 1) // a level is what its line says, a rate what the next one does
	if sh.strand.kind == PerSecond {
		shows = utc(q.ticks[sh.at])
	}
	if sh.strand.kind != Count && sh.between(lines, shows) {
		return
	}
	if sh.strand.kind == Count {
		start-- // a count's tick takes what happened at the one before it, not at its own
	}
	n := linesBefore(lines, utc(start+1))
	if n < len(lines) && lines[n].Time.UnixMilli() <= end+1000 {
		sh.time, sh.within, sh.where = lines[n].Time, 0, &lines[n]
	}
}

// between dates a change of something that lines tell again and again: it
// happened between the last line before t and the first one at or after it.
func (sh *shift) between(lines []Line, t time.Time) bool {
	n := linesBefore(lines, t)
	if n == 0 || n == len(lines) || lines[n].Time.Sub(lines[n-1].Time) > EventsWindow {
		return false
	}
	apart := lines[n].Time.Sub(lines[n-1].Time)
	sh.time, sh.within, sh.where = lines[n-1].Time.Add(apart/2), apart/2, &lines[n]
	return true
}

// linesBefore counts the lines before t.
func linesBefore(lines []Line, t time.Time) int {
	n, _ := slices.BinarySearchFunc(lines, t, func(l Line, t time.Time) int { return l.Time.Compare(t) })
	return n
}

// mostPlaces is how many lines are looked at to date a shift.
const mostPlaces = 512

// linesOf quotes the lines that a strand was read from, by time.
func (q *inquiry) linesOf(s *strand, from, to time.Time) []Line {
	if q.quotes == nil {
		return nil
	}
	var all []Line
	for _, name := range q.bornFrom(s.signal, s.labels.Get("system")) {
		all = append(all, q.quotes(s.instance(), name, nil, from, to, mostPlaces)...)
	}
	slices.SortStableFunc(all, func(a, b Line) int { return a.Time.Compare(b.Time) })
	return all
}
