package rules

import (
	"cmp"
	"slices"
	"time"

	"github.com/prometheus/common/model"
)

// An Episode is a time in which a diagnosis fired on a subject.
type Episode struct {
	ID       string
	Subject  string       // identity of its labels
	Labels   model.Metric // of the subject
	Severity string       // of the variant that fired first
	From     time.Time    // first tick of the run of true verdicts
	Fired    time.Time    // first tick it fired: later than From by the time that its rule asks for
	To       time.Time    // last tick it fired; the zero time while it goes on
	// Ended tells that the verdict was false at the tick after To. Otherwise
	// its signals went away, and nobody knows for how long it went on.
	Ended bool
}

// History returns the episodes so far, by start, then id and subject.
func (j *Judge) History() []Episode {
	all := slices.Clone(j.history)
	for key, t := range j.tracks {
		if t.fired != 0 {
			e := t.episode(key)
			e.To = time.Time{}
			all = append(all, e)
		}
	}
	slices.SortFunc(all, compareEpisodes)
	return all
}

// episode is the present run of firing verdicts of a track.
func (t *track) episode(key trackKey) Episode {
	return Episode{
		ID: key.id, Subject: key.subject, Labels: metric(t.labels), Severity: t.severity,
		From: utc(t.began), Fired: utc(t.fired), To: utc(t.lastFired),
	}
}

// fire notes that the track fires at t, and that v speaks.
func (t *track) fire(v *variant, at int64) {
	if t.fired == 0 {
		t.began, t.fired, t.severity = t.since, at, v.rule.Labels["severity"]
	}
	t.lastFired = at
}

// close ends the episode of a track, if it has one; see Episode.Ended.
func (j *Judge) close(key trackKey, t *track, ended bool) {
	if t.fired == 0 {
		return
	}
	e := t.episode(key)
	e.Ended = ended
	j.history = append(j.history, e)
	t.fired = 0
}

func compareEpisodes(a, b Episode) int {
	return cmp.Or(a.From.Compare(b.From), cmp.Compare(a.ID, b.ID), cmp.Compare(a.Subject, b.Subject), a.To.Compare(b.To))
}
