package rules

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/common/model"

	"github.com/capdoctor/capdoctor/series"
)

// mostMovers is how many changes are told.
const mostMovers = 12

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
// those told: a pool that shows in several meters changes once.
func told(all []Mover, sh shift) bool {
	return slices.ContainsFunc(all, func(m Mover) bool {
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
		return strings.Replace(title, "requests", kind, 1)
	case resource == "", s.kind == Count && kind == "requests":
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

// findOnset dates the beginning of an incident by the first of its own signals
// that changed before the verdict.
func (q *inquiry) findOnset(in *Incident) {
	from, at, _ := q.scope(in)
	begin := at
	for begin > 0 && q.ticks[begin]-q.ticks[begin-1] <= q.quiet() {
		begin--
	}
	if q.ticks[at]-q.ticks[begin] <= 2*q.step.Milliseconds() { // a rate needs two ticks
		in.AtStart = begin == 0
		if begin > 0 {
			in.After = utc(q.ticks[begin-1])
		}
	}
	first := q.index(in.Episodes[0].To.Add(time.Millisecond))
	for _, sh := range q.shiftsIn(from, at, first) {
		if sh.at <= at && q.isOwn(in.Finding, sh.strand) && sh.time.Before(in.Onset) {
			in.Onset, in.Within = sh.time, sh.within
			return
		}
	}
}

// isOwn tells whether a strand is one of those that the finding's evidence
// speaks of.
func (q *inquiry) isOwn(f *Finding, s *strand) bool {
	return slices.ContainsFunc(f.Evidence, func(e Evidence) bool {
		return e.Role == Required && e.State == Holds && base(e.Signal) == base(s.signal) && fits(s.labels, e.Labels)
	})
}

// fits tells whether a series has all the labels that are asked for.
func fits(l series.Labels, want model.Metric) bool {
	for name, value := range want {
		if l.Get(string(name)) != string(value) {
			return false
		}
	}
	return true
}

// base is the name of a signal without what it is measured in.
func base(signal string) string {
	return strings.TrimSuffix(strings.TrimSuffix(signal, "_rate"), "_count")
}
