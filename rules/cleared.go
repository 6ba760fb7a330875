package rules

import (
	"math"

	"github.com/prometheus/common/model"
)

// Cleared is a diagnosis judged false, and on how many subjects.
type Cleared struct {
	ID       string
	Subjects int
	Nearest  *Near // what kept it from firing; nil when that is not known
}

// A Near is where a diagnosis that does not fire came closest to it: the subject
// and the alert of which fewest conditions are not met, of several the one whose
// first such condition is least far off; of many subjects, among the first hundred.
type Near struct {
	Alert   string       // "CongestionCollapseFromLogs"
	Subject model.Metric // as in Finding
	// Failed are the conditions that are not met there, in the order of the rule.
	// There is one at least, and one that is false or excludes.
	Failed []Evidence
}

// mostCompared is of how many subjects the nearest is told: a fleet of thousands
// must not be judged twice for it.
const mostCompared = 100

// cleared counts the subjects on which each diagnosis was judged false, by id. A
// target that stopped answering is not judged: nothing of it is clear.
func (a assembly) cleared() []Cleared {
	var all []Cleared
	for _, d := range a.catalog.Diagnoses {
		c, near := Cleared{ID: d.ID}, nearMiss{}
		for _, jd := range a.byID[d.ID] {
			if tr := a.tracks[jd.key]; tr == nil || tr.state != Clear {
				continue
			}
			if c.Subjects++; c.Subjects <= mostCompared {
				near = a.nearer(near, jd)
			}
		}
		if c.Subjects > 0 {
			c.Nearest = a.near(near)
			all = append(all, c)
		}
	}
	return all
}

// A nearMiss is an alert on a subject, and the conditions that are not met.
type nearMiss struct {
	alert   *variant
	subject *row
	unmet   []int   // indices of its conditions
	gap     float64 // how far the first of them is from being met, from 0 to 1
}

func (m nearMiss) nearerThan(n nearMiss) bool {
	if len(m.unmet) != len(n.unmet) {
		return len(m.unmet) < len(n.unmet)
	}
	return m.gap < n.gap
}

// nearer is the nearest of what is known and the alerts of a clear judgement.
func (a assembly) nearer(known nearMiss, jd judgement) nearMiss {
	for n, v := range jd.diagnosis.variants {
		if jd.truths[n] != no {
			continue
		}
		m := nearMiss{alert: v, subject: &row{labels: jd.labels, key: jd.key.subject}}
		m.unmet = a.unmet(v, m.subject)
		m.gap = a.gap(v.form.conditions[m.unmet[0]], m.unmet[0] == 0, m.subject)
		if known.alert == nil || m.nearerThan(known) {
			known = m
		}
	}
	return known
}

// gap is how far a condition is from being met on a subject: the difference of
// its sides by the larger one, 1 where a side is missing.
func (a assembly) gap(c *condition, first bool, subject *row) float64 {
	least := 1.0
	for _, cmp := range c.comparisons {
		for r := range a.now.rowsFor(cmp, c.on, first, subject, a.i) {
			least = min(least, relativeDifference(r.observed[a.i], r.threshold[a.i]))
		}
	}
	return least
}

// relativeDifference is that of two numbers by the larger one, up to 1; 1 where
// one is not known.
func relativeDifference(x, y float64) float64 {
	if x == y {
		return 0
	}
	if d := math.Abs(x-y) / max(math.Abs(x), math.Abs(y)); d < 1 {
		return d
	}
	return 1
}

// unmet are the conditions that keep an alert from firing on a subject.
func (a assembly) unmet(v *variant, subject *row) []int {
	var all []int
	for n, c := range v.form.conditions {
		if t := a.now.condition(c, n == 0, subject, a.i); c.unless == (t == yes) {
			all = append(all, n)
		}
	}
	return all
}

func (a assembly) near(m nearMiss) *Near {
	if m.alert == nil {
		return nil
	}
	n := &Near{Alert: m.alert.alert, Subject: metric(m.subject.labels)}
	for _, i := range m.unmet {
		n.Failed = append(n.Failed, a.conditionEvidence(a.ctx, m.alert.form.conditions[i], i == 0, m.subject, a.i)...)
	}
	tellApart(n.Failed)
	return n
}
