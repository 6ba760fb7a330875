package rules

import (
	"slices"
	"strings"
	"time"

	"github.com/prometheus/common/model"

	"github.com/capdoctor/capdoctor/series"
)

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
