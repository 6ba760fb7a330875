package rules

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/prometheus/common/model"
)

// notJudged lists what would apply and could not be judged: subjects with a
// missing signal, targets whose systems could supply what is not there, and what
// was clear or unknown on targets that answer no more.
func (a assembly) notJudged() []NotJudged {
	var all []NotJudged
	for _, d := range a.catalog.Diagnoses {
		judged := a.byID[d.ID]
		all = append(all, a.unknownSubjects(d, judged)...)
		all = append(all, a.absentSubjects(d, judged)...)
	}
	all = append(all, a.silentSubjects()...)
	slices.SortStableFunc(all, func(x, y NotJudged) int {
		return cmp.Or(cmp.Compare(slices.Index(severities, x.Severity), slices.Index(severities, y.Severity)),
			strings.Compare(x.ID, y.ID), strings.Compare(x.Instance, y.Instance))
	})
	return all
}

// unknownSubjects makes one entry for each target on which a subject is unknown.
func (a assembly) unknownSubjects(d *Diagnosis, judged []judgement) []NotJudged {
	entries := map[string]NotJudged{}
	for _, jd := range judged {
		tr := a.tracks[jd.key]
		name := jd.labels.Get("instance")
		if _, ok := entries[name]; ok || tr == nil || tr.state != Unknown || jd.truths[0] == noCandidate {
			continue
		}
		entries[name] = NotJudged{
			ID: d.ID, Title: a.titleOf(d), Severity: d.Severity, Instance: name,
			Missing: a.missingOf(jd), Why: a.unseenWhy(jd),
		}
	}
	var all []NotJudged
	for _, name := range slices.Sorted(maps.Keys(entries)) {
		all = append(all, entries[name])
	}
	return all
}

// absentSubjects makes an entry for each target on which the diagnosis observes
// nothing although a recognised system could supply it.
func (a assembly) absentSubjects(d *Diagnosis, judged []judgement) []NotJudged {
	var all []NotJudged
	first := d.variants[0].form.conditions[0]
	observed := map[string]bool{} // by instance; the empty name stands for all
	for _, jd := range judged {
		if jd.truths[0] != noCandidate {
			observed[jd.labels.Get("instance")] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(a.systems)) {
		if observed[""] || observed[name] || !a.now.plan.instances[name].answers() {
			continue
		}
		s := a.catalog.supplier(a.systems[name])
		for _, c := range first.comparisons {
			if s.could(c.observed.signal, c.observed.asked) {
				all = append(all, NotJudged{
					ID: d.ID, Title: a.titleOf(d), Severity: d.Severity, Instance: name,
					Missing: []Missing{a.missingSignal(d.ID, name, c.observed)},
				})
				break
			}
		}
	}
	return all
}

// silentSubjects makes an entry for each diagnosis that was judged on a target
// before it stopped answering, and did not fire: what was clear then may not be
// so now.
func (a assembly) silentSubjects() []NotJudged {
	entries := map[place]NotJudged{}
	for key, tr := range a.tracks {
		if !tr.stopped || tr.state >= Pending {
			continue
		}
		d, name := a.catalog.diagnoses[key.id], tr.labels.Get("instance")
		entries[place{d.ID, model.LabelValue(name)}] = NotJudged{
			ID: d.ID, Title: a.titleOf(d), Severity: d.Severity, Instance: name, Why: "the target stopped answering",
		}
	}
	return slices.Collect(maps.Values(entries))
}

func (a assembly) titleOf(d *Diagnosis) string {
	if t := d.variants[0].rule.Annotations["title"]; t != "" && !strings.Contains(t, "{{") {
		return t
	}
	return titleOf(d.variants[0].alert)
}

// notApplicable counts the diagnoses that the report says nothing of.
func (a assembly) notApplicable(r *Report) int {
	said := map[string]bool{}
	for _, f := range r.Findings {
		said[f.ID] = true
	}
	for _, n := range r.NotJudged {
		said[n.ID] = true
	}
	for _, c := range r.Cleared {
		said[c.ID] = true
	}
	n := 0
	for _, d := range a.catalog.Diagnoses {
		if !said[d.ID] {
			n++
		}
	}
	return n
}
