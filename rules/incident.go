package rules

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/capdoctor/capdoctor/series"
)

// mostIncidents is how many incidents are looked at in detail: the worst ones.
const mostIncidents = 5

// incidents finds the times of trouble and says of each what it was.
func (q *inquiry) incidents() ([]Incident, error) {
	all := q.periods()
	slices.SortStableFunc(all, compareBadness)
	all = all[:min(len(all), mostIncidents)]
	for i := range all {
		if err := q.describe(&all[i]); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(all, func(a, b Incident) int { return a.Onset.Compare(b.Onset) })
	return all, nil
}

// periods joins episodes of one severity. Episodes of a lower one that overlap
// a period are part of it.
func (q *inquiry) periods() []Incident {
	var all []Incident
	for _, severity := range []string{Critical, Warning} {
		var found []Incident
		for _, e := range q.episodes(severity) {
			if severity != Critical && slices.ContainsFunc(all, func(in Incident) bool { return in.meets(e) }) {
				continue
			}
			if n := len(found); n > 0 && found[n-1].meets(e) {
				found[n-1].add(e)
				continue
			}
			found = append(found, Incident{Onset: e.From, LastSeen: e.To, Episodes: []Episode{e}})
		}
		all = append(all, found...)
	}
	return all
}

// episodes lists those of a severity that lasted for more than one tick, or
// were there at the last one, by start.
func (q *inquiry) episodes(severity string) []Episode {
	last := utc(q.ticks[len(q.ticks)-1])
	var all []Episode
	for _, e := range q.History() {
		if e.To.IsZero() {
			e.To = last
		}
		if e.Severity == severity && (e.To.After(e.From) || e.To.Equal(last)) {
			all = append(all, e)
		}
	}
	return all
}

// meets tells whether an episode belongs to the incident: no more than the
// events window lies between them.
func (in *Incident) meets(e Episode) bool {
	return !e.From.After(in.LastSeen.Add(EventsWindow)) && !e.To.Before(in.Onset.Add(-EventsWindow))
}

func (in *Incident) add(e Episode) {
	in.Episodes = append(in.Episodes, e)
	if e.To.After(in.LastSeen) {
		in.LastSeen = e.To
	}
}

// severity is that of all its episodes.
func (in *Incident) severity() string { return in.Episodes[0].Severity }

// compareBadness puts the most severe incident first, then the longest, then
// the earliest.
func compareBadness(a, b Incident) int {
	return cmp.Or(
		cmp.Compare(slices.Index(severities, a.severity()), slices.Index(severities, b.severity())),
		cmp.Compare(b.LastSeen.Sub(b.Onset), a.LastSeen.Sub(a.Onset)),
		a.Onset.Compare(b.Onset),
	)
}

// worstIncident is the index of the worst of the incidents, or -1.
func worstIncident(all []Incident) int {
	worst := -1
	for i := range all {
		if worst < 0 || compareBadness(all[i], all[worst]) < 0 {
			worst = i
		}
	}
	return worst
}

// describe finds the leading finding of an incident, its worst moment, and its
// borders.
func (q *inquiry) describe(in *Incident) error {
	first := in.Episodes[0]
	r, err := q.ReportAt(q.ctx, first.To)
	if err != nil {
		return err
	}
	in.Finding = in.leading(r)
	q.findWorst(in)
	if r, err = q.ReportAt(q.ctx, in.Judged); err != nil {
		return err
	}
	if f := in.leading(r); f.ID == in.Finding.ID {
		in.Finding = f
	}
	q.findEnd(in)
	q.findOnset(in)
	return nil
}

// leading is the first finding of a report that belongs to the incident.
func (in *Incident) leading(r *Report) *Finding {
	for _, f := range r.Findings {
		if f.State == Firing && slices.ContainsFunc(in.Episodes, func(e Episode) bool { return e.ID == f.ID && e.Labels.Equal(f.Subject) }) {
			return f
		}
	}
	e := in.Episodes[0]
	return &Finding{ID: e.ID, Title: e.ID, State: Firing, Severity: e.Severity, Subject: e.Labels, Since: e.From}
}

// findWorst looks for the most extreme value of what the incident is about.
// Values that read the same are equally bad.
func (q *inquiry) findWorst(in *Incident) {
	in.Judged = in.Episodes[0].To
	in.Worst = Peak{At: in.Judged, Value: math.NaN()}
	e := mainEvidence(in.Finding)
	if e == nil {
		return
	}
	in.Worst.Signal, in.Worst.Title, in.Worst.Unit = e.Signal, e.Title, e.Unit
	lower := e.Op == "<" || e.Op == "<="
	q.eachObserved(e, func(t time.Time, v float64) {
		worse := math.IsNaN(in.Worst.Value) || lower && v < in.Worst.Value || !lower && v > in.Worst.Value
		if in.fires(in.Finding, t) && worse {
			in.Worst.Value = v
		}
	})
	text, first := Value(in.Worst.Value, e.Unit), true
	q.eachObserved(e, func(t time.Time, v float64) {
		switch {
		case !in.holds(in.Finding, t) || Value(v, e.Unit) != text:
			return
		case first:
			in.Worst.At, first = t, false
		}
		if in.fires(in.Finding, t) {
			in.Judged = t
		}
	})
}

// eachObserved calls f for every tick at which the observed side of a condition
// was known.
func (q *inquiry) eachObserved(e *Evidence, f func(t time.Time, v float64)) {
	for _, m := range q.kept {
		for _, r := range m.rows[e.Expr] {
			if !metric(r.labels).Equal(e.Labels) {
				continue
			}
			for i, t := range m.ticks {
				if v := r.observed[i]; !math.IsNaN(v) {
					f(utc(t), v)
				}
			}
		}
	}
}

// fires tells whether the finding's diagnosis fired at t.
func (in *Incident) fires(f *Finding, t time.Time) bool {
	return slices.ContainsFunc(in.Episodes, func(e Episode) bool {
		return e.ID == f.ID && e.Labels.Equal(f.Subject) && !t.Before(e.Fired) && !t.After(e.To)
	})
}

// holds tells whether the finding's conditions were met at t, for long enough to
// fire or not yet.
func (in *Incident) holds(f *Finding, t time.Time) bool {
	return slices.ContainsFunc(in.Episodes, func(e Episode) bool {
		return e.ID == f.ID && e.Labels.Equal(f.Subject) && !t.Before(e.From) && !t.After(e.To)
	})
}

// telling are the signals that say best how bad it is.
var telling = []string{"cap:goodput_rate", "cap:completed_rate", "cap:waiting", "cap:backlog"}

// mainEvidence is the condition that says how bad it is: one on a telling
// signal, else the first that holds; nil when there is none.
func mainEvidence(f *Finding) *Evidence {
	var held []*Evidence
	for i := range f.Evidence {
		if e := &f.Evidence[i]; e.State == Holds && e.Role == Required {
			held = append(held, e)
		}
	}
	for _, signal := range telling {
		for _, e := range held {
			if e.Signal == signal {
				return e
			}
		}
	}
	if len(held) == 0 {
		return nil
	}
	return held[0]
}

func completions(signal string) bool {
	return signal == "cap:goodput_rate" || signal == "cap:completed_rate"
}

// findEnd sets when the incident was over, where that was seen: the tick after
// the last one at which it held.
func (q *inquiry) findEnd(in *Incident) {
	ended := true
	for _, e := range in.Episodes {
		if e.To.Equal(in.LastSeen) {
			ended = ended && e.Ended
		}
	}
	next := q.index(in.LastSeen.Add(time.Millisecond))
	switch {
	case next == len(q.ticks):
	case (ended || q.speaksOn(in)) && q.ticks[next]-in.LastSeen.UnixMilli() <= q.quiet():
		in.End = q.returned(in, next)
	default:
		in.Next = utc(q.nextHeard(next))
	}
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

// returned is when what an incident is about was as before again. The verdict
// says so only once its windows have passed; end is the tick at which it does.
func (q *inquiry) returned(in *Incident, end int) time.Time {
	s := q.ownStrand(in)
	worst := q.index(in.Worst.At)
	if s == nil {
		return utc(q.ticks[end])
	}
	from, at, _ := q.scope(in)
	back := func(v float64) bool { return v == 0 }
	if b, ok := q.bandOf(s, q.bins(s, from, at, binWidth)); ok && s.kind != Count {
		back = func(v float64) bool { return b.side(v) == 0 }
	}
	for end > worst+1 && (back(s.values[end-1]) || math.IsNaN(s.values[end-1])) {
		end--
	}
	return utc(q.ticks[end])
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
