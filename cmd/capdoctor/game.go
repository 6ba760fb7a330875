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

const (
	steadyFor  = time.Minute      // how long the target must be met
	drillLimit = 20 * time.Minute // after which it is over, in virtual time
	winShare   = 0.64             // of the rate before the trouble: 16 of 25 writes a second
)

// A game is a drill that runs: a model, the session that watches it, and the
// account of the person's moves.
type game struct {
	session *session
	logs    *logs
	pages   map[string]*modelTarget
	start   time.Time // virtual time at the beginning
	goal    float64   // completions per second to win back

	mu      sync.Mutex
	model   *lab.Model
	speed   float64
	paused  bool
	moves   int
	first   lab.Stats // at the beginning
	last    lab.Stats
	met     time.Duration // since when the goal is met; 0 not
	won     time.Duration // when it was won; 0 not yet
	rate    float64
	expired float64 // per second, lately
}

func newGame(catalog *rules.Catalog, s lab.Scenario, speed float64, at time.Time) (*game, error) {
	session, l, err := newDrillSession(catalog)
	if err != nil {
		return nil, err
	}
	at = at.Truncate(time.Second)
	g := &game{session: session, logs: l, speed: speed, start: at, model: s.Roll(at)}
	g.pages = g.openPages()
	g.goal = winShare * lab.SteadyState(s.Config).PerSecond
	g.first = g.model.Stats()
	g.last = g.first
	return g, nil
}

// task says what is to be done.
func (g *game) task() string {
	return fmt.Sprintf("Bring writes above %s and expiries to 0 for %s, with the fewest requests lost.", rules.Rate(g.goal), rules.Duration(steadyFor))
}

// play moves the model on in step with real time and sends what goes on.
func (g *game) play(ctx context.Context, frames chan<- tui.DrillFrame, advise bool) error {
	tick := time.NewTicker(time.Second / framesPerSecond)
	defer tick.Stop()
	at := g.start
	due := g.start
	var report *rules.Report
	for {
		at = g.move(at)
		if !at.Before(due) {
			due = at.Truncate(drillInterval).Add(drillInterval)
			r, err := g.look(ctx, at)
			if err != nil {
				return err
			}
			if advise {
				report = r
			}
		}
		select {
		case frames <- g.frame(at, report):
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

const framesPerSecond = 4

// move advances the model by the part of a second that a frame takes.
func (g *game) move(at time.Time) time.Time {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.paused {
		return at
	}
	at = at.Add(time.Duration(g.speed * float64(time.Second) / framesPerSecond))
	g.model.RunTo(at)
	return at
}

// frame says what goes on, and keeps the account.
func (g *game) frame(at time.Time, r *rules.Report) tui.DrillFrame {
	g.mu.Lock()
	defer g.mu.Unlock()
	s := g.model.Stats()
	g.measure(s)
	elapsed := at.Sub(g.start)
	g.judge(elapsed)
	return tui.DrillFrame{At: elapsed, Meters: g.meters(s), Report: r, Over: g.won > 0 || elapsed >= drillLimit}
}

// rateOver is the time that rates are taken over.
const rateOver = 5 * time.Second

// measure takes the rates of the last seconds.
func (g *game) measure(s lab.Stats) {
	span := s.At.Sub(g.last.At)
	if span < rateOver {
		return
	}
	g.rate = float64(s.Completed-g.last.Completed) / span.Seconds()
	g.expired = float64(s.Expired-g.last.Expired) / span.Seconds()
	g.last = s
}

// judge notes since when the goal is met, and when that was long enough.
func (g *game) judge(elapsed time.Duration) {
	if g.rate < g.goal || g.expired > 0 {
		g.met = 0
		return
	}
	if g.met == 0 {
		g.met = max(elapsed, 1)
	}
	if g.won == 0 && elapsed-g.met >= steadyFor {
		g.won = g.met
	}
}

func (g *game) meters(s lab.Stats) []tui.Meter {
	return []tui.Meter{
		{Name: "writes/s", Unit: "1/s", Value: g.rate},
		{Name: "waiting", Unit: "requests", Value: float64(s.Waiting), More: fmt.Sprintf("of %d", s.Capacity)},
		{Name: "expired/s", Unit: "1/s", Value: g.expired},
		{Name: "threads", Unit: "threads", Value: float64(s.Busy), More: fmt.Sprintf("of %d, max %d", s.PoolSize, s.Max)},
		{Name: "CPU", Unit: "ratio", Value: s.CPU},
		{Name: "lost", Unit: "requests", Value: float64(s.Expired - g.first.Expired), More: "total"},
	}
}

// score is the account so far.
func (g *game) score() []tui.ScoreLine {
	g.mu.Lock()
	defer g.mu.Unlock()
	s := g.model.Stats()
	recovered, after := "no", "-"
	if g.won > 0 {
		recovered, after = "yes", rules.Duration(g.won.Round(time.Second))
	}
	lost := s.Expired - g.first.Expired
	return []tui.ScoreLine{
		{Name: "recovered", Value: recovered},
		{Name: "time", Value: after},
		{Name: "requests lost", Value: fmt.Sprint(lost)},
		{Name: "unknown result", Value: fmt.Sprintf("%d, refused %d", lost, s.Refused-g.first.Refused)},
		{Name: "moves", Value: fmt.Sprint(g.moves)},
	}
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
