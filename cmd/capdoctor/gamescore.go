package main

import (
	"cmp"
	"fmt"
	"time"

	"github.com/capdoctor/capdoctor/lab"
	"github.com/capdoctor/capdoctor/rules"
	"github.com/capdoctor/capdoctor/tui"
)

const (
	steadyFor  = time.Minute      // how long the target must be met
	drillLimit = 20 * time.Minute // after which it is over, in virtual time
	winShare   = 0.64             // of the rate before the trouble: 16 of 25 writes a second
	rateOver   = 5 * time.Second  // the time that rates are taken over
)

// A tally is the account of one run of a model: its rates of the last seconds,
// since when the target is met, and what was lost.
type tally struct {
	goal    float64 // completions per second to win back
	first   lab.Stats
	last    lab.Stats // where the present rates begin
	rate    float64
	expired float64       // per second
	met     time.Duration // since when the target is met; 0 not
	won     time.Duration // when it was won; 0 not yet
}

func newTally(goal float64, first lab.Stats) tally {
	return tally{goal: goal, first: first, last: first}
}

// take measures, when enough time has passed, and judges.
func (t *tally) take(s lab.Stats) {
	span := s.At.Sub(t.last.At)
	if span < rateOver {
		return
	}
	t.rate = float64(s.Completed-t.last.Completed) / span.Seconds()
	t.expired = float64(s.Expired-t.last.Expired) / span.Seconds()
	t.last = s
	t.judge(s.At.Sub(t.first.At))
}

// judge notes since when the target is met, and when that was long enough.
func (t *tally) judge(elapsed time.Duration) {
	if t.rate < t.goal || t.expired > 0 {
		t.met = 0
		return
	}
	t.met = cmp.Or(t.met, elapsed)
	if t.won == 0 && elapsed-t.met >= steadyFor {
		t.won = t.met
	}
}

// lost are the requests that expired so far; what became of them is not known.
func (t *tally) lost(s lab.Stats) int64 { return s.Expired - t.first.Expired }

// over tells whether the task is done, or cannot be any more.
func (t *tally) over(elapsed time.Duration) bool { return t.won > 0 || elapsed >= drillLimit }

// ending says how it ended; empty while it goes on.
func (t *tally) ending(s lab.Stats) string {
	switch elapsed := s.At.Sub(t.first.At); {
	case t.won > 0:
		return fmt.Sprintf("recovered after %s; %d requests lost.", rules.Duration(t.won.Round(time.Second)), t.lost(s))
	case elapsed >= drillLimit:
		return fmt.Sprintf("not recovered within %s; %d requests lost.", rules.Duration(drillLimit), t.lost(s))
	}
	return ""
}

// lines are the score.
func (t *tally) lines(s lab.Stats, moves int) []tui.ScoreLine {
	recovered := "not yet"
	if t.won > 0 {
		recovered = "after " + rules.Duration(t.won.Round(time.Second))
	}
	return []tui.ScoreLine{
		{Name: "recovered", Value: recovered},
		{Name: "requests lost", Value: fmt.Sprintf("%d, their result unknown", t.lost(s))},
		{Name: "refused", Value: fmt.Sprint(s.Refused - t.first.Refused)},
		{Name: "moves", Value: fmt.Sprint(moves)},
	}
}
