package rules

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// paces groups the minutes by the number of clients that were at work, in the
// incident and outside.
func (q *inquiry) paces(in *Incident) []Pace {
	clients, rate := q.sumOf("cap:clients"), q.completed(in.Finding)
	if clients == nil || rate == nil {
		return nil
	}
	type key struct {
		clients float64
		in      bool
	}
	rates := map[key][]float64{}
	lengths := map[key]time.Duration{}
	for _, b := range q.bins(rate, 0, len(q.ticks), time.Minute) {
		if c := clients[b.from]; c > 0 && steady(clients[b.from:b.to]) && in.covers(utc(q.ticks[b.from])) == in.covers(utc(q.ticks[b.to-1])) {
			k := key{c, in.covers(utc(q.ticks[b.from]))}
			rates[k] = append(rates[k], b.value)
			lengths[k] += time.Duration(b.to-b.from) * q.step
		}
	}
	var all []Pace
	for k, values := range rates {
		if lengths[k] >= time.Minute {
			all = append(all, Pace{Clients: k.clients, Rate: median(values), Incident: k.in, For: lengths[k]})
		}
	}
	slices.SortFunc(all, func(a, b Pace) int {
		return cmp.Or(cmp.Compare(a.Clients, b.Clients), -cmp.Compare(a.Rate, b.Rate))
	})
	return all
}

// steady tells whether all values are the same.
func steady(values []float64) bool {
	return !slices.ContainsFunc(values, func(v float64) bool { return v != values[0] })
}

// covers tells whether t is between onset and end.
func (in *Incident) covers(t time.Time) bool {
	return !t.Before(in.Onset) && !t.After(in.last())
}

// last is the end of an incident, or the last time it was seen.
func (in *Incident) last() time.Time {
	if in.End.IsZero() {
		return in.LastSeen
	}
	return in.End
}

// sumOf adds the levels of a signal on all targets; nil when there is none.
func (q *inquiry) sumOf(signal string) []float64 {
	var sum []float64
	for i := range q.strands {
		s := &q.strands[i]
		if s.signal != signal {
			continue
		}
		if sum == nil {
			sum = q.unknown()
		}
		for n, v := range s.values {
			if !math.IsNaN(v) {
				sum[n] = zeroIfUnknown(sum[n]) + v
			}
		}
	}
	return sum
}

// completed is the strand of completions that a finding speaks of; where it
// speaks of none, the user's own counter, a progress that a program prints, or
// the one with the most completions.
func (q *inquiry) completed(f *Finding) *strand {
	var best *strand
	rank := func(s *strand) float64 {
		n := zeroIfUnknown(s.total(0, len(s.values)))
		switch {
		case s.signal == "cap:goodput_rate":
			return 1e18 + n
		case f != nil && q.isOwn(f, s):
			return 1e17 + n
		case s.labels.Get("system") == "log-progress":
			return 1e16 + n
		case s.labels.Get("kind") == "connections":
			return -1 / (n + 1)
		}
		return n
	}
	for i := range q.strands {
		if s := &q.strands[i]; completions(s.signal) && (best == nil || rank(s) > rank(best)) {
			best = s
		}
	}
	return best
}

// fall measures by how much the completions of an incident's target fell, and
// what that cost: the rate before it over its length, less what was completed.
// Less than a tenth is no fall.
func (q *inquiry) fall(in *Incident) *Fall {
	s := q.completed(in.Finding)
	if s == nil || s.signal != "cap:goodput_rate" && !q.isOwn(in.Finding, s) && s.instance() != string(in.Finding.Subject["instance"]) {
		return nil
	}
	before, during, after := q.phases(s, in)
	from, to := q.index(in.Onset), q.index(in.last().Add(time.Millisecond))
	expected := before * in.last().Sub(in.Onset).Seconds()
	missed := expected - s.total(from, to)*q.step.Seconds()
	if !(during < 0.9*before && missed > 0.1*expected) {
		return nil
	}
	return &Fall{Title: q.titleOf(s), Before: before, During: during, After: after, Missed: missed}
}

// phases is what a strand came to in the half hour before an incident, in it,
// and in the half hour of ticks after it.
func (q *inquiry) phases(s *strand, in *Incident) (before, during, after float64) {
	start, _, _ := q.scope(in)
	from, to := q.index(in.Onset), q.index(in.last().Add(time.Millisecond))
	end := min(len(q.ticks), to+int(BaselineWindow/q.step))
	return q.typical(s, min(start, from), from), q.typical(s, from, to), q.typical(s, to, end)
}
