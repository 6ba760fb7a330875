package rules

import (
	"cmp"
	"slices"
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
	if !q.judgeWithin(in) {
		return nil
	}
	if r, err = q.ReportAt(q.ctx, in.Judged); err != nil {
		return err
	}
	if f := in.leading(r); f.ID == in.Finding.ID {
		in.Finding = f
	}
	return nil
}

// leading is the first finding of a report that belongs to the incident; of
// several subjects of one diagnosis the one with the most evidence.
func (in *Incident) leading(r *Report) *Finding {
	var best *Finding
	for _, f := range r.Findings {
		if f.State != Firing || !in.hasEpisode(f) {
			continue
		}
		if best == nil || f.ID == best.ID && f.held() > best.held() {
			best = f
		}
	}
	if best == nil {
		e := in.Episodes[0]
		best = &Finding{ID: e.ID, Title: e.ID, State: Firing, Severity: e.Severity, Subject: e.Labels, Since: e.From}
	}
	return best
}

func (in *Incident) hasEpisode(f *Finding) bool {
	return slices.ContainsFunc(in.Episodes, func(e Episode) bool { return e.ID == f.ID && e.Labels.Equal(f.Subject) })
}

// held counts the conditions that hold.
func (f *Finding) held() int {
	n := 0
	for _, e := range f.Evidence {
		if e.Role == Required && e.State == Holds {
			n++
		}
	}
	return n
}
