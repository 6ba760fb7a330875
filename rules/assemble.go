package rules

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/prometheus/common/model"

	"github.com/capdoctor/capdoctor/rules/internal/template"
	"github.com/capdoctor/capdoctor/series"
)

// ErrNoTick is returned when a report is asked for before anything was judged.
var ErrNoTick = errors.New("no tick has been judged")

// Report says what the last tick came to. Inputs are left to the caller, who
// read them.
func (j *Judge) Report(ctx context.Context) (*Report, error) {
	if j.now == nil {
		return nil, ErrNoTick
	}
	a := j.assembly(ctx)
	r := &Report{At: utc(a.t), Window: Window{
		Start: utc(j.begun), End: utc(a.t),
		Short: j.now.plan.wide.windows.Short, Events: j.now.plan.wide.windows.Events, Baseline: BaselineWindow,
	}}
	r.Findings = a.findings()
	a.link(r.Findings)
	r.Findings = rank(r.Findings)
	r.NotJudged = a.notJudged()
	r.Cleared = a.cleared()
	r.NotApplicable = a.notApplicable(r)
	r.Limits = a.limits()
	r.Ledger = a.ledger()
	r.Facts = a.facts()
	r.Vitals = a.vitals()
	r.Notes = slices.Concat(a.unaccounted(), a.contradictions(r.Facts), a.notes())
	return r, nil
}

// An assembly builds one report.
type assembly struct {
	*Judge
	ctx     context.Context
	t       int64
	i       int // index of the last tick in the moment
	systems map[string][]*System
	ages    ages
	present presence
	byID    map[string][]judgement // of the last tick, by diagnosis
	byPlace map[place][]judgement  // likewise, by diagnosis and instance
	decided search                 // what is clear, or a finding
	open    search                 // what a missing signal, or too short a time, keeps from being judged
}

// assembly prepares telling what the last tick came to.
func (j *Judge) assembly(ctx context.Context) assembly {
	t := j.at()
	j.beginReport()
	a := assembly{
		Judge: j, ctx: ctx, t: t, i: j.i, systems: j.recognise(t), ages: j.agesAt(j.now.plan, t),
		present: presence{j.store, t, map[string]map[string]bool{}},
		byID:    map[string][]judgement{}, byPlace: map[place][]judgement{},
	}
	for _, jd := range j.now.judged {
		id, p := jd.diagnosis.ID, place{jd.diagnosis.ID, model.LabelValue(jd.labels.Get("instance"))}
		a.byID[id], a.byPlace[p] = append(a.byID[id], jd), append(a.byPlace[p], jd)
	}
	a.decided = newSearch(func(jd judgement) bool {
		tr := a.tracks[jd.key]
		return tr != nil && (tr.state >= Pending || tr.state == Clear)
	})
	a.open = newSearch(func(jd judgement) bool { return len(a.missingOf(jd)) > 0 || a.unseenWhy(jd) != "" })
	return a
}

// A presence remembers on which instances a signal is present at a time.
type presence struct {
	store *series.Store
	t     int64
	known map[string]map[string]bool
}

func (p presence) on(signal, instance string) bool {
	on, ok := p.known[signal]
	if !ok {
		on = map[string]bool{}
		for _, name := range p.store.Present(signal, p.t) {
			on[name] = true
		}
		p.known[signal] = on
	}
	return on[instance]
}

// findings builds what fires or is pending, unsorted but in a fixed order.
func (a assembly) findings() []*Finding {
	var all []*Finding
	for _, key := range sortedKeysFunc(a.tracks, compareTrackKeys) {
		tr := a.tracks[key]
		if tr.state < Pending {
			continue
		}
		all = append(all, a.finding(a.catalog.diagnoses[key.id], key, tr))
	}
	return all
}

func (a assembly) finding(d *Diagnosis, key trackKey, tr *track) *Finding {
	if tr.stopped {
		return a.stoppedFinding(d, tr)
	}
	v := d.variants[tr.variant]
	subject := &row{labels: tr.labels, key: key.subject}
	f := &Finding{
		ID: d.ID, State: tr.state, Severity: v.rule.Labels["severity"], Sources: d.Sources(),
		Subject: metric(tr.labels), Since: utc(tr.since), SeenOnce: tr.once,
		Evidence: a.evidence(a.ctx, v, subject, a.i),
	}
	a.words(f, v)
	a.looks(f, d, v, subject)
	f.Affected = a.affected(v, subject)
	return f
}

// remember keeps the findings of targets that answered at the tick before tick
// i of m, and do not answer now, as they were then.
func (j *Judge) remember(ctx context.Context, m *moment, i int) {
	var lost []trackKey
	for key, tr := range j.tracks {
		if tr.tick != m.ticks[i] && !tr.stopped && tr.state >= Pending && m.plan.silent(tr.labels) {
			lost = append(lost, key)
		}
	}
	if len(lost) == 0 {
		return
	}
	then := *j
	if i > 0 {
		then.now, then.i = m.rejudged(j.catalog, i-1), i-1
	}
	then.eventWindows = then.now.eventWindows
	a := then.assembly(ctx)
	for _, key := range lost {
		tr := j.tracks[key]
		tr.last = a.finding(j.catalog.diagnoses[key.id], key, tr)
	}
}

// stoppedFinding repeats the last finding of a target that does not answer.
func (a assembly) stoppedFinding(d *Diagnosis, tr *track) *Finding {
	f := Finding{ID: d.ID, Title: titleOf(d.variants[0].alert), Severity: d.Severity, Subject: metric(tr.labels), Since: utc(tr.since), Sources: d.Sources()}
	if tr.last != nil {
		f = *tr.last
		f.Explains, f.ExplainedBy = nil, nil
	}
	f.State = tr.state
	f.NotJudgedSince = utc(tr.lastSeen)
	return &f
}

// words fills in the annotations. A text that cannot be filled in says so and
// keeps the finding.
func (a assembly) words(f *Finding, v *variant) {
	ask := func(expr string) ([]series.Sample, error) { return a.instant(a.ctx, expr) }
	r := &renderer{ask: ask, data: template.Sample{Labels: map[string]string{}, Value: math.NaN()}}
	for name, value := range f.Subject {
		r.data.Labels[string(name)] = string(value)
	}
	if len(f.Evidence) > 0 {
		r.data.Value = f.Evidence[0].Observed
	}
	write := func(w wording) string {
		text, err := r.text(w)
		if err != nil {
			return fmt.Sprintf("(text of %s not available: %s)", f.ID, err)
		}
		return text
	}
	f.Alert = v.alert
	words := v.texts()
	if f.Title = write(words.title); f.Title == "" {
		f.Title = titleOf(v.alert)
	}
	f.Summary, f.Meaning, f.First = write(words.summary), write(words.meaning), write(words.first)
	for _, s := range words.recovery {
		f.Steps = append(f.Steps, a.stepOf(f, s, write))
	}
	for _, x := range words.avoid {
		f.Avoid = append(f.Avoid, Advice{write(x.Do), write(x.Why), x.Turns.list})
	}
}

// affected lists the instances, other than the subject's, that lent evidence to
// a condition over the service.
func (a assembly) affected(v *variant, subject *row) []string {
	own := subject.labels.Get("instance")
	found := map[string]bool{}
	for _, c := range v.form.conditions {
		for _, cmp := range c.comparisons {
			if c.unless || !cmp.observed.crossTarget() {
				continue
			}
			samples, err := a.store.Instant(a.ctx, a.now.plan.wide.view, selectorOf(cmp.observed), a.t)
			if err != nil {
				continue
			}
			for _, s := range samples {
				if name := s.Labels.Get("instance"); s.Value != 0 && name != "" && name != own && s.Labels.Get("service") == subject.labels.Get("service") {
					found[name] = true
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// selectorOf is the series that an operand reads.
func selectorOf(o operand) string {
	m := model.Metric{}
	for name, value := range o.matchers {
		m[model.LabelName(name)] = model.LabelValue(value)
	}
	return selector(o.signal, m)
}

// facts lists what was stated at the last tick.
func (a assembly) facts() []Fact {
	var all []Fact
	for _, name := range slices.Sorted(maps.Keys(a.now.plan.instances)) {
		all = append(all, a.factsAt(name, a.systems[name], a.t)...)
	}
	return all
}

// vitalSignals are what a person looks for first.
var vitalSignals = []string{"cap:goodput_rate", "cap:completed_rate", "cap:pool_busy", "cap:waiting", "cap:expired_rate", "cap:rejected_rate", "cap:cpu_busy_ratio"}

func (a assembly) vitals() []Vital {
	var all []Vital
	for _, name := range vitalSignals {
		if !a.store.Has(name) {
			continue
		}
		samples, err := a.instant(a.ctx, name)
		if err != nil {
			continue
		}
		for _, s := range samples {
			v := Vital{Instance: s.Labels.Get("instance"), Resource: s.Labels.Get("resource"), Signal: name, Title: name, Value: s.Value}
			if sig := a.catalog.signals[name]; sig != nil {
				v.Title, v.Unit = a.catalog.title(name, s.Labels.Get("system")), sig.Unit
			}
			all = append(all, v)
		}
	}
	slices.SortStableFunc(all, func(x, y Vital) int { return strings.Compare(x.Instance, y.Instance) })
	return all
}

func (a assembly) notes() []string {
	var notes []string
	refused := a.store.Refused()
	if refused.Duplicates > 0 {
		notes = append(notes, fmt.Sprintf("%d samples were refused: a second value for one series and time", refused.Duplicates))
	}
	if refused.OutOfOrder > 0 {
		notes = append(notes, fmt.Sprintf("%d samples were refused: older than the last of their series", refused.OutOfOrder))
	}
	if refused.OverLimit > 0 {
		notes = append(notes, fmt.Sprintf("%d samples of new series were refused: the store is full", refused.OverLimit))
	}
	return notes
}
