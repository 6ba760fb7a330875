package rules

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// mostMovers is how many changes are told.
const mostMovers = 12

// movers tells what changed around an incident, in the order in which it did.
func (q *inquiry) movers(in *Incident, restarts []Restart) []Mover {
	shifts := q.shifts(in)
	all := q.sent(shifts)
	for _, sh := range shifts {
		if q.tellable(in.Finding, sh.strand) && !told(all, sh) {
			all = append(all, q.mover(sh))
		}
	}
	first, last := in.Onset.Add(-2*EventsWindow), in.last()
	for _, r := range restarts {
		if !r.Time.Before(first) && !r.Time.After(last) {
			all = append(all, Mover{Time: r.Time, Title: r.Text, Before: math.NaN(), During: math.NaN(), Instance: r.Instance, Where: r.Where})
		}
	}
	slices.SortStableFunc(all, func(a, b Mover) int { return cmp.Or(a.Time.Compare(b.Time), strings.Compare(a.Title, b.Title)) })
	return all[:min(len(all), mostMovers)]
}

// tellable tells whether a strand says something by itself: a count of lines
// does where the finding speaks of it.
func (q *inquiry) tellable(f *Finding, s *strand) bool {
	return s.signal != linesMetric && (s.signal != eventCount || q.isOwn(f, s))
}

// told tells whether a change of the same thing on the same target is among
// those told: a pool that shows in several meters changes once, and so does what
// one line says in several ways.
func told(all []Mover, sh shift) bool {
	return slices.ContainsFunc(all, func(m Mover) bool {
		if isLines(sh.strand.signal) && sh.where != nil && m.Where != nil && *m.Where == *sh.where {
			return true // the same line says it
		}
		return m.Signal == sh.strand.signal && m.Instance == sh.strand.instance() && !math.IsNaN(m.During) && sh.strand.signal != "cap:waiting"
	})
}

func (q *inquiry) mover(sh shift) Mover {
	s := sh.strand
	m := Mover{
		Time: sh.time, Within: sh.within, Signal: s.signal, Title: q.titleOf(s), Kind: s.kind, Unit: q.unitOf(s),
		Before: sh.before, During: sh.during, Instance: s.instance(), Where: sh.where,
	}
	if s.kind == Count {
		m.Before, m.Until = math.NaN(), utc(q.ticks[sh.until])
		if lines := q.linesOf(s, m.Until.Add(-q.step), m.Until); len(lines) > 0 {
			m.Until = lines[len(lines)-1].Time
		}
	}
	return m
}

// titleOf is the title of a strand's signal, without the window that the rules
// count in, and with what it is about where that says more.
func (q *inquiry) titleOf(s *strand) string {
	switch s.signal {
	case linesMetric:
		return "warnings and errors"
	case eventCount:
		return strings.ReplaceAll(s.labels.Get("event"), "_", " ")
	}
	title := s.signal
	if sig := q.catalog.signals[s.signal]; sig != nil {
		title, _, _ = strings.Cut(sig.Title, ", 5 min")
	}
	switch kind, resource := s.labels.Get("kind"), s.labels.Get("resource"); {
	case kind == "correlations":
		return titleOfKind(title, kind)
	case resource == "", s.kind == Count && kind == "requests", isLines(s.signal):
		return title
	default:
		return title + " (" + resource + ")"
	}
}

// sent computes when the first request that expired had been sent: its deadline
// before the expiry.
func (q *inquiry) sent(shifts []shift) []Mover {
	for _, sh := range shifts {
		if sh.strand.signal != "cap:expired_count" && sh.strand.signal != "cap:handler_timeout_count" {
			continue
		}
		deadline := math.NaN()
		for _, f := range q.factsAt(sh.strand.instance(), q.recognise(q.ticks[sh.at])[sh.strand.instance()], q.ticks[len(q.ticks)-1]) {
			if f.Name == "deadline_seconds" {
				deadline = f.Value
			}
		}
		if deadline > 0 {
			return []Mover{{
				Time: sh.time.Add(-seconds(deadline)), Within: sh.within, Signal: sh.strand.signal, Instance: sh.strand.instance(), Where: sh.where,
				Title:  fmt.Sprintf("oldest expired request was sent (expiry less %s)", Value(deadline, "s")),
				Before: math.NaN(), During: math.NaN(),
			}}
		}
	}
	return nil
}
