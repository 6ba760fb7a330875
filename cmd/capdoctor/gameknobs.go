package main

import (
	"bytes"
	"context"
	"slices"
	"time"

	"github.com/capdoctor/capdoctor/lab"
	"github.com/capdoctor/capdoctor/rules"
	"github.com/capdoctor/capdoctor/scrape"
	"github.com/capdoctor/capdoctor/series"
	"github.com/capdoctor/capdoctor/tui"
)

// A gameKnob is a knob and what it turns. One without set restarts the server.
type gameKnob struct {
	tui.Knob
	get func(lab.Config) float64
	set func(*lab.Config, float64)
}

// restartTime is how long a server is away that is restarted.
const restartTime = 10 * time.Second

// gameKnobs are what a person can turn on an Evento server and its callers.
func gameKnobs() []gameKnob {
	count := func(name string, min, max, step float64, field func(*lab.Config) *int) gameKnob {
		return gameKnob{
			Knob: tui.Knob{Name: name, Min: min, Max: max, Step: step},
			get:  func(c lab.Config) float64 { return float64(*field(&c)) },
			set:  func(c *lab.Config, v float64) { *field(c) = int(v) },
		}
	}
	grow := gameKnob{
		Knob: tui.Knob{Name: "pool grows", Max: 1, Step: 1, Words: map[float64]string{0: "last", 1: "first"}},
		get: func(c lab.Config) float64 {
			if c.GrowFirst {
				return 1
			}
			return 0
		},
		set: func(c *lab.Config, v float64) { c.GrowFirst = v > 0 },
	}
	deadline := gameKnob{
		Knob: tui.Knob{Name: "deadline", Unit: "s", Min: 1, Max: 120},
		get:  func(c lab.Config) float64 { return c.Deadline.Seconds() },
		set:  func(c *lab.Config, v float64) { c.Deadline = time.Duration(v * float64(time.Second)) },
	}
	inFlight := count("in flight, max", 0, 4096, 0, func(c *lab.Config) *int { return &c.MaxInFlight })
	inFlight.None = "no max"
	retries := count("retries", 0, 1000, 0, func(c *lab.Config) *int { return &c.Retries })
	retries.None = "off"
	return []gameKnob{
		count("writers", 1, 200, 1, func(c *lab.Config) *int { return &c.Writers }),
		retries,
		inFlight,
		count("queue", 1, 65536, 0, func(c *lab.Config) *int { return &c.Queue }),
		count("pool core", 1, 512, 0, func(c *lab.Config) *int { return &c.Core }),
		count("pool max", 1, 512, 0, func(c *lab.Config) *int { return &c.Max }),
		grow,
		deadline,
		count("event fetch", 1, 64, 0, func(c *lab.Config) *int { return &c.FetchConcurrency }),
		count("consumers", 0, 200, 0, func(c *lab.Config) *int { return &c.Consumers }),
		{Knob: tui.Knob{Name: "restart", Max: 100, Step: 1, Counts: true, None: "-"}, get: func(lab.Config) float64 { return 0 }},
	}
}

// knobNamed is a knob by its name, which must be one.
func knobNamed(name string) gameKnob {
	all := gameKnobs()
	return all[slices.IndexFunc(all, func(k gameKnob) bool { return k.Name == name })]
}

// knobs are the knobs as they stand.
func (g *game) knobs() []tui.Knob {
	c := g.model.Config()
	var all []tui.Knob
	for _, k := range gameKnobs() {
		k.Value = k.get(c)
		k.Start = k.Value
		all = append(all, k.Knob)
	}
	return all
}

// turn sets a knob.
func (g *game) turn(name string, value float64) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if at := g.model.Now(); name != g.turned || at.Sub(g.turnedAt) >= tui.SettleTime {
		g.moves++
		g.turned, g.turnedAt = name, at
	}
	k := knobNamed(name)
	if k.set == nil {
		g.model.Restart(restartTime)
		return
	}
	g.model.Set(func(c *lab.Config) { k.set(c, value) })
}

// advice is the turn that the first step of every finding of the models asks
// for: half as many writers as there are threads.
func (g *game) advice() (string, float64, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	c, s := g.model.Config(), g.model.Stats()
	want := halfTheThreads(c, s)
	if !s.Up || c.Writers <= want {
		return "", 0, false
	}
	return "writers", float64(want), true
}

// modelTargets are the targets of the models of drills, in the order of reading.
var modelTargets = [...]string{lab.ServerTarget, lab.BundleTarget}

// A modelTarget reads the pages of one target of a model.
type modelTarget struct {
	*input
	replay *scrape.Replay
}

func (g *game) openPages() map[string]*modelTarget {
	filter := scrape.NewFilter(g.session.wanted())
	pages := map[string]*modelTarget{}
	for _, name := range modelTargets {
		in := g.session.add(rules.Input{Name: name, Kind: "model", Origin: "model", Interval: drillInterval}, "", series.Scrape)
		t := scrape.Target{Name: name, Instance: name, Raw: name}
		pages[name] = &modelTarget{in, scrape.NewReplay(t, scrape.ParseOptions{Filter: filter})}
	}
	return pages
}

// look reads the model's pages and logs and judges them.
func (g *game) look(ctx context.Context, at time.Time) (*rules.Report, error) {
	s := g.shoot(at)
	for _, name := range modelTargets {
		body, up := s.pages[name]
		r := g.pages[name].replay.Result(scrape.Recorded{At: at, Body: body, HasBody: up})
		g.session.take(g.pages[name].input, r)
	}
	for _, name := range modelTargets {
		if err := g.logs.follow(bytes.NewReader(s.logs[name]), name+".log", name, at); err != nil {
			return nil, err
		}
	}
	if err := g.session.tick(ctx, at); err != nil {
		return nil, err
	}
	return g.session.report(ctx)
}
