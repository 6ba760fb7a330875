package main

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/capdoctor/capdoctor/lab"
	"github.com/capdoctor/capdoctor/rules"
	"github.com/capdoctor/capdoctor/tui"
)

// A game is a drill that runs: a model, the session that watches it, and the
// account of the person's moves.
type game struct {
	scenario lab.Scenario
	session  *session
	logs     *logs
	pages    map[string]*modelTarget
	start    time.Time  // virtual time at the beginning
	begin    lab.Config // of the model then

	// Of what plays; nothing else touches them.
	at     time.Time // virtual time
	due    time.Time // when capdoctor looks next
	report *rules.Report

	mu      sync.Mutex
	model   *lab.Model
	speed   float64
	paused  bool
	moves   int // turns of one knob within tui.SettleTime are one
	account tally
	knee    []tui.KneePoint
	best    []tui.ScoreLine
	tape    tape

	turned   string    // the knob of the last move
	turnedAt time.Time // when it began
}

func newGame(catalog *rules.Catalog, patterns patternSource, s lab.Scenario, speed float64, at time.Time) (*game, error) {
	session, l, err := newDrillSession(catalog, patterns)
	if err != nil {
		return nil, err
	}
	at = at.Truncate(time.Second)
	g := &game{scenario: s, session: session, logs: l, speed: speed, start: at, at: at, due: at, model: s.Roll(at)}
	g.pages = g.openPages()
	g.begin = g.model.Config()
	g.account = newTally(winShare*lab.SteadyState(s.Config).PerSecond, g.model.Stats())
	return g, nil
}

// task says what is to be done.
func (g *game) task() string {
	return fmt.Sprintf("bring writes above %s and expiries to 0 for %s, with the fewest requests lost. What is queued is served first: give a move minutes.",
		rules.Rate(g.account.goal), rules.Duration(steadyFor))
}

const framesPerSecond = 4

// play moves the model on in step with real time and sends what goes on.
func (g *game) play(ctx context.Context, frames chan<- tui.DrillFrame, advise bool) error {
	tick := time.NewTicker(time.Second / framesPerSecond)
	defer tick.Stop()
	for {
		f, err := g.next(ctx, advise)
		if err != nil {
			return err
		}
		select {
		case frames <- f:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// next moves the model on by one frame; capdoctor looks at it when it is time to.
func (g *game) next(ctx context.Context, advise bool) (tui.DrillFrame, error) {
	g.move()
	if !g.at.Before(g.due) {
		g.due = g.at.Truncate(drillInterval).Add(drillInterval)
		r, err := g.look(ctx, g.at)
		if err != nil {
			return tui.DrillFrame{}, err
		}
		if advise {
			g.report = r
		}
	}
	return g.frame(g.at, g.report), nil
}

// move advances the model by the part of a second that a frame takes.
func (g *game) move() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.paused {
		g.at = g.at.Add(time.Duration(g.speed * float64(time.Second) / framesPerSecond))
		g.model.RunTo(g.at)
	}
}

// frame says what goes on, and keeps the account.
func (g *game) frame(at time.Time, r *rules.Report) tui.DrillFrame {
	g.mu.Lock()
	defer g.mu.Unlock()
	s := g.model.Stats()
	g.account.take(s)
	elapsed := at.Sub(g.start)
	return tui.DrillFrame{At: elapsed, Meters: g.meters(s), Report: r, Over: g.account.over(elapsed), Ending: g.account.ending(s)}
}

func (g *game) meters(s lab.Stats) []tui.Meter {
	return []tui.Meter{
		{Name: "writes", Unit: "1/s", Value: g.account.rate},
		{Name: "waiting", Unit: "requests", Value: float64(s.Waiting), More: fmt.Sprintf("of %d", s.Capacity)},
		{Name: "expired", Unit: "1/s", Value: g.account.expired},
		{Name: "threads", Unit: "threads", Value: float64(s.Busy), More: fmt.Sprintf("of %d, max %d", s.PoolSize, s.Max)},
		{Name: "CPU", Unit: "ratio", Value: s.CPU},
		{Name: "lost", Unit: "requests", Value: float64(g.account.lost(s)), More: "in all"},
	}
}

// score is the account so far; behind the end also what the best moves known come
// to.
func (g *game) score() []tui.ScoreLine {
	g.mu.Lock()
	defer g.mu.Unlock()
	s := g.model.Stats()
	lines := g.account.lines(s, g.moves)
	if g.account.over(s.At.Sub(g.start)) {
		lines = append(lines, g.best...)
	}
	return lines
}

// points are where the knee is, once that is known.
func (g *game) points() []tui.KneePoint {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.knee
}

// control takes pause, play and speed.
func (g *game) control(c tui.Control) {
	g.mu.Lock()
	defer g.mu.Unlock()
	switch c.Kind {
	case tui.Pause:
		g.paused = true
	case tui.Play:
		g.paused = false
	case tui.Speed:
		g.speed = c.Speed
	}
}
