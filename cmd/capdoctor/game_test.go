package main

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/capdoctor/capdoctor/lab"
	"github.com/capdoctor/capdoctor/rules"
	"github.com/capdoctor/capdoctor/tui"
)

// TestTally holds when a drill counts as won: the rate is back and nothing
// expires, for a minute without a break.
func TestTally(t *testing.T) {
	start := time.Date(2026, 7, 2, 9, 0, 0, 0, time.UTC)
	type second struct{ completed, expired int64 } // added in five seconds
	good, slow, losing := second{completed: 80}, second{completed: 79}, second{completed: 80, expired: 1}
	for _, c := range []struct {
		name  string
		spans []second
		won   time.Duration
		lost  int64
	}{
		{"at once", repeated(good, 13), 5 * time.Second, 0},
		{"a second short of a minute", repeated(good, 12), 0, 0},
		{"never fast enough", repeated(slow, 40), 0, 0},
		{"fast, but losing", repeated(losing, 40), 0, 40},
		{"after trouble", append(repeated(second{expired: 3}, 4), repeated(good, 13)...), 25 * time.Second, 12},
		{"broken once", append(append(repeated(good, 12), losing), repeated(good, 13)...), 70 * time.Second, 1},
		{"lost after it was won", append(repeated(good, 13), repeated(losing, 10)...), 5 * time.Second, 10},
	} {
		t.Run(c.name, func(t *testing.T) {
			first := lab.Stats{At: start, Completed: 1000, Expired: 7}
			account, s := newTally(16, first), first
			for _, x := range c.spans {
				s.At = s.At.Add(2 * time.Second)
				account.take(s) // too early to measure
				s.At = s.At.Add(3 * time.Second)
				s.Completed, s.Expired = s.Completed+x.completed, s.Expired+x.expired
				account.take(s)
			}
			if account.won != c.won || account.lost(s) != c.lost {
				t.Errorf("won at %s with %d lost, want %s and %d", account.won, account.lost(s), c.won, c.lost)
			}
			if over := account.over(s.At.Sub(start)); over != (c.won > 0) {
				t.Errorf("over %v", over)
			}
		})
	}
}

func repeated[T any](x T, n int) []T {
	all := make([]T, n)
	for i := range all {
		all[i] = x
	}
	return all
}

// TestScore holds what the score says, won, lost and under way.
func TestScore(t *testing.T) {
	start := time.Date(2026, 7, 2, 9, 0, 0, 0, time.UTC)
	account := newTally(16, lab.Stats{At: start, Expired: 7, Refused: 2})
	now := lab.Stats{At: start.Add(3 * time.Minute), Expired: 97, Refused: 5}
	if got := account.ending(now); got != "" {
		t.Errorf("it ended under way: %q", got)
	}
	want := []tui.ScoreLine{
		{Name: "recovered", Value: "not yet"}, {Name: "requests lost", Value: "90, their result unknown"},
		{Name: "refused", Value: "3"}, {Name: "moves", Value: "2"},
	}
	if diff := cmp.Diff(want, account.lines(now, 2)); diff != "" {
		t.Errorf("under way (-want +got):\n%s", diff)
	}
	account.won = 135 * time.Second
	if got, want := account.ending(now), "recovered after 2 min 15 s; 90 requests lost."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := account.lines(now, 2)[0].Value; got != "after 2 min 15 s" {
		t.Errorf("recovered %q", got)
	}
	account.won, now.At = 0, start.Add(drillLimit)
	if got, want := account.ending(now), "not recovered within 20 min; 90 requests lost."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// played is a game of a scenario, in its own time.
func played(t *testing.T, scenario string) *game {
	t.Helper()
	s, err := lab.Find(scenario)
	if err != nil {
		t.Fatal(err)
	}
	catalog, err := rules.Default()
	if err != nil {
		t.Fatal(err)
	}
	g, err := newGame(catalog, loadedOnce(nil), s, framesPerSecond*drillInterval.Seconds(), time.Date(2026, 7, 2, 9, 0, 0, 0, time.UTC))
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// until plays frames until something holds, for at most a time of the model.
func (g *game) until(t *testing.T, most time.Duration, holds func(tui.DrillFrame) bool) tui.DrillFrame {
	t.Helper()
	for {
		f, err := g.next(context.Background(), true)
		if err != nil {
			t.Fatal(err)
		}
		if holds(f) {
			return f
		}
		if f.At > most {
			t.Fatalf("not within %s; the score is %v", most, g.score())
		}
	}
}

// TestDrillIsWonByItsAdvice plays a collapse until it is found, does what the first
// step says, and wins; doing nothing does not.
func TestDrillIsWonByItsAdvice(t *testing.T) {
	t.Parallel()
	g := played(t, "collapse")
	found := func(f tui.DrillFrame) bool {
		return f.Report != nil && len(f.Report.Findings) > 0 && f.Report.Findings[0].ID == "congestion-collapse" && f.Report.Findings[0].State == rules.Firing
	}
	f := g.until(t, 5*time.Minute, found)
	if f.Over {
		t.Fatal("over before a move")
	}
	name, value, ok := g.advice()
	if !ok || name != "writers" || value != 8 {
		t.Fatalf("advice %s %g %v, want writers 8", name, value, ok)
	}
	g.turn(name, value+1) // two turns of one knob in a moment are one move
	g.turn(name, value)
	f = g.until(t, drillLimit, func(f tui.DrillFrame) bool { return f.Over })
	if !strings.HasPrefix(f.Ending, "recovered after ") {
		t.Errorf("it ended with %q", f.Ending)
	}
	if got := g.score()[3]; got != (tui.ScoreLine{Name: "moves", Value: "1"}) {
		t.Errorf("score %v", got)
	}
	if name, value, ok := g.advice(); ok {
		t.Errorf("more advice behind the end: %s %g", name, value)
	}
	idle := played(t, "collapse")
	for f = (tui.DrillFrame{}); !f.Over; f = idle.frame(idle.at, nil) { // nobody looks
		idle.move()
	}
	if !strings.HasPrefix(f.Ending, "not recovered within 20 min; ") {
		t.Errorf("without a move it ended with %q", f.Ending)
	}
}

// TestBestKnown holds that the best move of a drill is one that wins, and that it
// is told only behind the end.
func TestBestKnown(t *testing.T) {
	t.Parallel()
	g := played(t, "collapse")
	callers, _ := trialKnobs(g.begin, g.account.first)
	best, ok, err := bestOf(t.Context(), g.scenario, g.start, g.account.goal, callers)
	if err != nil || !ok {
		t.Fatalf("no move wins: %v", err)
	}
	for name, value := range callers {
		x, err := try(t.Context(), g.scenario, g.start, g.account.goal, name, value)
		if err != nil {
			t.Fatal(err)
		}
		if x.won > 0 && x.lost < best.lost {
			t.Errorf("%s loses %d, the best known %s loses %d", x.knob, x.lost, best.knob, best.lost)
		}
	}
	g.best = best.lines("best known")
	if n := len(g.score()); n != 4 {
		t.Errorf("the best move is told at the start: %v", g.score())
	}
	g.account.won = time.Minute
	if got := g.score(); len(got) != 6 || got[4].Name != "best known" || !strings.Contains(got[4].Value, best.knob) {
		t.Errorf("behind the end %v", got)
	}
}
