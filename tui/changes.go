package tui

import (
	"time"

	"github.com/capdoctor/capdoctor/rules"
)

const (
	// changeAge is how long a change of state is told.
	changeAge = 15 * time.Minute
	// mostChanges bounds how many are told.
	mostChanges = 200
)

// A change is a target that came into another state.
type change struct {
	at     time.Time
	target string
	from   mark // that of to where nothing was known before
	to     mark
	text   string
}

// changesSince compares two frames. The newest come first in what is told, so
// they are put in front.
func changesSince(before, after *rules.Report, log []change) []change {
	was := map[string]mark{}
	if before != nil {
		for _, t := range targetsOf(before) {
			was[t.name] = t.mark
		}
	}
	var news []change
	for _, t := range targetsOf(after) {
		old, known := was[t.name]
		if known && old == t.mark || !known && (before != nil || t.mark == isClear) {
			continue
		}
		at := after.At
		if !known {
			old = t.mark
		}
		if before == nil && !t.since.IsZero() {
			at = t.since
		}
		news = append(news, change{at: at, target: t.name, from: old, to: t.mark, text: t.told()})
	}
	for _, c := range log {
		if after.At.Sub(c.at) <= changeAge && len(news) < mostChanges && !c.at.After(after.At) {
			news = append(news, c)
		}
	}
	return news
}

// told is what a change is told with.
func (t target) told() string {
	switch {
	case t.mark == isAffected:
		return "lends evidence to " + t.of
	case t.mark == isDown || t.mark == isUnknown:
		return t.err
	case t.finding != nil:
		return t.finding.ID + ": " + t.finding.Summary
	}
	return "nothing fires any more"
}
