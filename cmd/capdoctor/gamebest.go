package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/capdoctor/capdoctor/lab"
	"github.com/capdoctor/capdoctor/rules"
	"github.com/capdoctor/capdoctor/tui"
)

// A trial is one knob turned at the moment a drill starts, and what came of it in
// a model of its own.
type trial struct {
	knob     string
	from, to float64
	won      time.Duration // 0 not
	lost     int64
}

// trialKnobs are the single moves that are tried: those of the callers, and those
// on the server, which in life need a restart.
func trialKnobs(c lab.Config, s lab.Stats) (callers, server map[string]float64) {
	callers = map[string]float64{"writers": float64(min(c.Writers, halfTheThreads(c, s))), "retries": 0, "consumers": 0}
	server = map[string]float64{"pool core": float64(c.Max), "pool max": float64(2 * c.Max)}
	return callers, server
}

// halfTheThreads is how many writers can run at once when each needs a second
// thread.
func halfTheThreads(c lab.Config, s lab.Stats) int { return max(1, s.PoolSize/(1+min(c.Nested, 1))) }

// try plays a scenario from the start of a drill with one knob turned at once.
func try(ctx context.Context, s lab.Scenario, at time.Time, goal float64, name string, value float64) (trial, error) {
	m := s.Roll(at)
	k := knobNamed(name)
	t := trial{knob: name, from: k.get(m.Config()), to: value}
	if t.from == t.to {
		return t, nil
	}
	m.Set(func(c *lab.Config) { k.set(c, value) })
	account := newTally(goal, m.Stats())
	for e := rateOver; e <= drillLimit && account.won == 0; e += rateOver {
		if err := ctx.Err(); err != nil {
			return t, context.Cause(ctx)
		}
		m.RunTo(at.Add(e))
		account.take(m.Stats())
	}
	t.won, t.lost = account.won, account.lost(m.Stats())
	return t, nil
}

// bestOf tries moves and returns the one that recovers with the fewest requests
// lost, the sooner among equals; ok is false when none does.
func bestOf(ctx context.Context, s lab.Scenario, at time.Time, goal float64, moves map[string]float64) (best trial, ok bool, err error) {
	for _, name := range slices.Sorted(maps.Keys(moves)) {
		t, err := try(ctx, s, at, goal, name, moves[name])
		if err != nil {
			return best, ok, err
		}
		if t.won > 0 && (!ok || cmp.Or(cmp.Compare(t.lost, best.lost), cmp.Compare(t.won, best.won)) < 0) {
			best, ok = t, true
		}
	}
	return best, ok, nil
}

// lines say what a trial came to.
func (t trial) lines(name string) []tui.ScoreLine {
	return []tui.ScoreLine{
		{Name: name, Value: fmt.Sprintf("%s %s → %s at once", t.knob, rules.Number(t.from), rules.Number(t.to))},
		{Value: fmt.Sprintf("after %s, %d lost", rules.Duration(t.won), t.lost)},
	}
}

// study finds out, beside the drill, what the best single moves come to and where
// the knee is.
func (g *game) study(ctx context.Context) error {
	knee, err := kneeOf(ctx, g.begin)
	if err != nil {
		return err
	}
	g.mu.Lock()
	g.knee = knee
	g.mu.Unlock()
	callers, server := trialKnobs(g.begin, g.account.first)
	for _, side := range []struct {
		name  string
		moves map[string]float64
	}{{"best known", callers}, {"on the server", server}} {
		t, ok, err := bestOf(ctx, g.scenario, g.start, g.account.goal, side.moves)
		if err != nil {
			return err
		}
		if ok {
			g.mu.Lock()
			g.best = append(g.best, t.lines(side.name)...)
			g.mu.Unlock()
		}
	}
	return nil
}

// kneeOf is what the model settles to with other numbers of writers.
func kneeOf(ctx context.Context, base lab.Config) ([]tui.KneePoint, error) {
	base.StartEvery = 250 * time.Millisecond
	var points []tui.KneePoint
	most := 0.0
	for _, n := range kneeWriters(base.Writers) {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		c := base
		c.Writers = n
		st := lab.SteadyState(c)
		remark := ""
		if st.Stuck {
			remark = "stuck: every thread waits for a thread"
		}
		most = max(most, st.PerSecond)
		points = append(points, tui.KneePoint{Setting: fmt.Sprint(n), Value: st.PerSecond, Remark: remark})
	}
	for i := range points {
		if points[i].Value == most && most > 0 {
			points[i].Remark = "most"
		}
	}
	return points, nil
}

// kneeWriters are the settings that the knee is shown for: some below and above
// the present one.
func kneeWriters(now int) []int {
	all := []int{8, 12, 16, 18, 20}
	if !slices.Contains(all, now) {
		all = append(all, now)
	}
	slices.Sort(all)
	return all
}
