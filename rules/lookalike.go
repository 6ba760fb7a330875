package rules

import (
	"time"

	"github.com/prometheus/common/model"
)

// looks says of every look-alike of a finding whether the numbers exclude it,
// and of every excluding condition that could not be judged what is missing.
func (a assembly) looks(f *Finding, d *Diagnosis, v *variant, subject *row) {
	covered := map[string]bool{}
	for _, id := range d.Differential {
		other := a.catalog.diagnoses[id]
		if other == nil {
			continue
		}
		for _, w := range other.variants {
			covered[w.subject().signal] = true
		}
		a.look(f, other, subject)
	}
	for n, c := range v.form.conditions {
		if !c.unless || a.now.condition(c, n == 0, subject, a.i) != gone || covered[c.comparisons[0].observed.signal] {
			continue
		}
		f.NotRuledOut = append(f.NotRuledOut, a.missingSignal("", subject.labels.Get("instance"), c.comparisons[0].observed))
	}
}

// look judges one look-alike: on the same target first, else elsewhere in the
// service.
func (a assembly) look(f *Finding, other *Diagnosis, subject *row) {
	if jd, ok := a.nearest(other.ID, subject, a.decided); ok {
		if tr := a.tracks[jd.key]; tr.state == Clear { // else a finding of its own
			f.RuledOut = append(f.RuledOut, Look{other.ID, jd.labels.Get("instance"), a.excluding(jd)})
		}
		return
	}
	if jd, ok := a.nearest(other.ID, subject, a.open); ok {
		f.NotRuledOut = append(f.NotRuledOut, a.openBecause(jd))
		return
	}
	first := other.variants[0].subject()
	f.NotRuledOut = append(f.NotRuledOut, a.missingSignal(other.ID, subject.labels.Get("instance"), first))
}

// nearest is the first judgement of a diagnosis in the service of a subject that
// a search takes; those of its own target come first.
func (a assembly) nearest(id string, subject *row, s search) (judgement, bool) {
	own, service := subject.labels.Get("instance"), subject.labels.Get("service")
	for _, jd := range a.byPlace[place{id, model.LabelValue(own)}] {
		if jd.labels.Get("service") == service && s.takes(jd) {
			return jd, true
		}
	}
	for _, jd := range s.firsts(a.byID[id], place{id, model.LabelValue(service)}) {
		if jd.labels.Get("instance") != own {
			return jd, true
		}
	}
	return judgement{}, false
}

// A search finds judgements by what they came to. It remembers the first ones of
// each diagnosis and service, so that many findings may ask.
type search struct {
	takes func(judgement) bool
	known map[place][]judgement // by diagnosis and service
}

func newSearch(takes func(judgement) bool) search {
	return search{takes, map[place][]judgement{}}
}

// firsts are the first two judgements, on different targets, that the search
// takes in a service: whichever target asks, one of them is another's.
func (s search) firsts(all []judgement, in place) []judgement {
	found, ok := s.known[in]
	if ok {
		return found
	}
	for _, jd := range all {
		if jd.labels.Get("service") != string(in.instance) || len(found) == 1 && jd.labels.Get("instance") == found[0].labels.Get("instance") || !s.takes(jd) {
			continue
		}
		if found = append(found, jd); len(found) == 2 {
			break
		}
	}
	s.known[in] = found
	return found
}

// excluding is the first condition that made a look-alike false.
func (a assembly) excluding(jd judgement) Evidence {
	v := jd.diagnosis.variants[0]
	subject := &row{labels: jd.labels, key: jd.key.subject}
	for n, c := range v.form.conditions {
		t := a.now.condition(c, n == 0, subject, a.i)
		if c.unless && t == yes || !c.unless && t == no {
			return a.conditionEvidence(a.ctx, c, n == 0, subject, a.i)[0]
		}
	}
	return a.conditionEvidence(a.ctx, v.form.conditions[0], true, subject, a.i)[0]
}

// missingOf lists the signals that kept the first variant of a diagnosis from
// being judged on a subject.
func (a assembly) missingOf(jd judgement) []Missing {
	var all []Missing
	subject := &row{labels: jd.labels, key: jd.key.subject}
	for n, c := range jd.diagnosis.variants[0].form.conditions {
		if c.unless || a.now.condition(c, n == 0, subject, a.i) != gone {
			continue
		}
		all = append(all, a.missingSignal(jd.diagnosis.ID, jd.labels.Get("instance"), a.absentSide(c, n == 0, subject)))
	}
	return all
}

// openBecause is the first thing that keeps a look-alike from being judged.
func (a assembly) openBecause(jd judgement) Missing {
	if missing := a.missingOf(jd); len(missing) > 0 {
		return missing[0]
	}
	return Missing{ID: jd.diagnosis.ID, Instance: jd.labels.Get("instance"), Why: a.unseenWhy(jd)}
}

// absentSide is the side of a comparison that is not there.
func (a assembly) absentSide(c *condition, first bool, subject *row) operand {
	cmp := c.comparisons[0]
	for range a.now.rowsFor(cmp, c.on, first, subject, a.i) {
		if cmp.threshold.signal != "" {
			return cmp.threshold
		}
	}
	return cmp.observed
}

// missingSignal names a signal that is not there, and what would supply it.
func (a assembly) missingSignal(id, instance string, o operand) Missing {
	there := func(name string) bool { return a.present.on(name, instance) }
	base, how := a.catalog.supplier(a.systems[instance]).missing(o.signal, o.asked, there)
	return Missing{ID: id, Instance: instance, Signal: base, Meter: how.From, Enable: how.Enable}
}

// unseenWhy says why a diagnosis that is false cannot be called clear.
func (a assembly) unseenWhy(jd judgement) string {
	subject := &row{labels: jd.labels, key: jd.key.subject}
	for n, c := range jd.diagnosis.variants[0].form.conditions {
		if c.unless || a.now.condition(c, n == 0, subject, a.i) != unseen {
			continue
		}
		if a.catalog.isBaseline(c.comparisons[0]) {
			return "no time before the trouble was seen"
		}
		return "not seen in the " + Duration(a.ages.of(jd.labels).watched.Round(time.Second)) + " watched"
	}
	return ""
}
