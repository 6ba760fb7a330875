package rules

import (
	"cmp"
	"context"
	"iter"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/common/model"

	"github.com/capdoctor/capdoctor/series"
)

// A trackKey names what a diagnosis is judged on.
type trackKey struct {
	id      string
	subject string // identity of its labels
}

func compareTrackKeys(a, b trackKey) int {
	return cmp.Or(strings.Compare(a.id, b.id), strings.Compare(a.subject, b.subject))
}

// A track remembers the run of true verdicts of one diagnosis on one subject.
type track struct {
	labels   series.Labels
	runs     []run // per variant
	state    State
	since    int64    // when the run of the speaking variant began
	variant  int      // the one that speaks; -1 when none holds
	tick     int64    // last tick at which its subject was there
	lastSeen int64    // last tick it was judged
	stopped  bool     // its target stopped answering: the state is kept
	once     bool     // fires on a single tick
	last     *Finding // as it was when the target stopped answering

	// Of the present episode.
	began, fired, lastFired int64 // see Episode: From, Fired, To; fired is 0 when there is none
	severity                string
}

// A run is how long one variant has held without a break.
type run struct {
	since  int64 // first tick; 0 when it does not hold
	held   int   // ticks it held
	judged int   // ticks it was judged since the input began, or since its last gap
}

// A judgement is one diagnosis on one subject at the last tick.
type judgement struct {
	diagnosis *Diagnosis
	labels    series.Labels
	key       trackKey
	truths    []truth // per variant
	track     *track  // what it steps
}

// follow takes the verdicts of tick i into the tracks.
func (j *Judge) follow(ctx context.Context, m *moment, i int) {
	t := m.ticks[i]
	m.judgeAll(j.catalog, i)
	for k, jd := range m.judged {
		tr := j.tracks[jd.key]
		if tr == nil {
			tr = &track{labels: jd.labels, runs: make([]run, len(jd.truths))}
			j.tracks[jd.key] = tr
		}
		tr.tick = t
		m.judged[k].track = tr
	}
	j.remember(ctx, m, i)
	ages := j.agesAt(m.plan, t)
	for _, jd := range m.judged {
		j.step(jd, ages.of(jd.labels), t)
	}
	for key, tr := range j.tracks {
		if tr.tick != t {
			j.lose(m.plan, key, tr)
		}
	}
}

// judgeAll judges all diagnoses at tick i.
func (m *moment) judgeAll(c *Catalog, i int) {
	m.judged = m.judged[:0]
	for _, d := range c.Diagnoses {
		m.judged = append(m.judged, m.judge(d, i)...)
	}
}

// rejudged is the moment with its judgements as they were at tick i.
func (m *moment) rejudged(c *Catalog, i int) *moment {
	then := *m
	then.judged = nil
	then.judgeAll(c, i)
	return &then
}

// judge gives the truth of every variant of a diagnosis on every subject that
// one of their first conditions observes, by subject.
func (m *moment) judge(d *Diagnosis, i int) []judgement {
	var found []judgement
	at := map[string]int{}
	for n, v := range d.variants {
		for subject := range m.subjects(v, i) {
			k, ok := at[subject.key]
			if !ok {
				k = len(found)
				at[subject.key] = k
				found = append(found, judgement{
					diagnosis: d, labels: subject.labels, key: trackKey{d.ID, subject.key},
					truths: slices.Repeat([]truth{noCandidate}, len(d.variants)),
				})
			}
			if found[k].truths[n] == noCandidate {
				found[k].truths[n] = m.holds(v, subject, i)
			}
		}
	}
	slices.SortFunc(found, func(a, b judgement) int { return strings.Compare(a.key.subject, b.key.subject) })
	return found
}

// subjects are the series that the first condition of a variant observes at tick
// i; of alternatives one may come several times.
func (m *moment) subjects(v *variant, i int) iter.Seq[*row] {
	return func(yield func(*row) bool) {
		for _, cmp := range v.form.conditions[0].comparisons {
			rows := m.compared[cmp.number].rows
			for k := range rows {
				if rows[k].present(i) && !yield(&rows[k]) {
					return
				}
			}
		}
	}
}

// noCandidate marks a variant that observes nothing of the subject.
const noCandidate truth = 255

// holds is the truth of a variant on a subject at tick i: false when a required
// condition is, or an excluded one holds; else missing when a required signal
// is; else true.
func (m *moment) holds(v *variant, subject *row, i int) truth {
	result := yes
	for n, c := range v.form.conditions {
		t := m.condition(c, n == 0, subject, i)
		switch {
		case c.unless && t == yes, !c.unless && t == no:
			return no
		case c.unless:
		case t == unseen, t == gone && result == yes:
			result = t
		}
	}
	return result
}

// condition is the truth of a condition for a subject: true when any row is,
// else missing when any is or there is none, else unseen, else false.
func (m *moment) condition(c *condition, first bool, subject *row, i int) truth {
	best, none := no, true
	for _, cmp := range c.comparisons {
		for r := range m.rowsFor(cmp, c.on, first, subject, i) {
			best, none = max(best, r.truth[i]), false
		}
	}
	if none {
		return gone
	}
	return best
}

// rowsFor are the rows of a comparison that speak of a subject and are there at
// tick i.
func (m *moment) rowsFor(cmp *comparison, on labelSet, first bool, subject *row, i int) iter.Seq[*row] {
	x := m.compared[cmp.number]
	return func(yield func(*row) bool) {
		if first {
			if k, ok := x.observed.byKey[subject.key]; ok && x.rows[k].present(i) {
				yield(&x.rows[k])
			}
			return
		}
		for _, k := range x.observed.joined(on, subject.labels) {
			if x.rows[k].present(i) && !yield(&x.rows[k]) {
				return
			}
		}
	}
}

// present tells whether the observed series is there at tick i.
func (r *row) present(i int) bool { return !math.IsNaN(r.observed[i]) }

// step takes one verdict into its track.
func (j *Judge) step(jd judgement, a age, t int64) {
	tr := jd.track
	restarted := tr.lastSeen != 0 && t-a.watched.Milliseconds() > tr.lastSeen
	if restarted {
		j.close(jd.key, tr, false)
	}
	spoke := tr.variant
	tr.state, tr.variant, tr.once, tr.stopped = Clear, -1, false, false
	switch jd.truths[0] {
	case gone, unseen, noCandidate:
		tr.state = Unknown
	}
	for n, truth := range jd.truths {
		r := &tr.runs[n]
		if restarted {
			*r = run{}
		}
		r.step(truth, t)
		if s := r.state(holdFor(jd.diagnosis.variants[n].hold, a.watched), a.few, t); s > tr.state {
			tr.state, tr.variant, tr.since = s, n, r.since
			tr.once = s == Firing && r.held == 1
		}
	}
	tr.lastSeen = t
	switch {
	case tr.state == Firing:
		tr.fire(jd.diagnosis.variants[tr.variant], t)
	case tr.fired != 0:
		j.close(jd.key, tr, jd.truths[spoke] == no || jd.truths[spoke] == unseen)
	}
}

// step counts one tick.
func (r *run) step(v truth, t int64) {
	if v == gone || v == noCandidate {
		r.since, r.held = 0, 0
		return
	}
	r.judged++
	if v != yes {
		r.since, r.held = 0, 0
		return
	}
	if r.since == 0 {
		r.since = t
	}
	r.held++
}

// state is Firing when the run has lasted for the hold and at least two ticks,
// or for all the ticks there are where those may be few. There, what needs no
// time to hold is believed at once: the last line of a log has no tick after it.
func (r run) state(hold time.Duration, few bool, t int64) State {
	switch {
	case r.since == 0:
		return Unknown
	case t-r.since >= hold.Milliseconds() && r.held >= 2, few && (r.held == r.judged || hold == 0):
		return Firing
	}
	return Pending
}

// lose handles a track that this tick did not judge. When its target does not
// answer the state is kept; else what it was about is no more.
func (j *Judge) lose(p plan, key trackKey, tr *track) {
	if p.silent(tr.labels) {
		tr.stopped = true
		return
	}
	j.close(key, tr, false)
	delete(j.tracks, key)
}

func utc(t int64) time.Time { return time.UnixMilli(t).UTC() }

// metric turns labels into a subject, without the name.
func metric(l series.Labels) model.Metric {
	m := model.Metric{}
	l.Range(func(label series.Label) {
		if label.Name != "__name__" {
			m[model.LabelName(label.Name)] = model.LabelValue(label.Value)
		}
	})
	return m
}
