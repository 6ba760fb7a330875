package rules

import (
	"math"
	"slices"
	"time"
)

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

// judgeWithin moves the moment that stands for an incident to before its end,
// which the windows of a verdict outlive. It tells whether it did.
func (q *inquiry) judgeWithin(in *Incident) bool {
	e := mainEvidence(in.Finding)
	if in.End.IsZero() || !in.Judged.After(in.End) || e == nil {
		return false
	}
	text, moved := Value(in.Worst.Value, e.Unit), false
	q.eachObserved(e, func(t time.Time, v float64) {
		if !t.After(in.End) && in.fires(in.Finding, t) && Value(v, e.Unit) == text {
			in.Judged, moved = t, true
		}
	})
	return moved
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
