package main

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"github.com/capdoctor/capdoctor/lab"
	"github.com/capdoctor/capdoctor/rules"
	"github.com/capdoctor/capdoctor/scrape"
	"github.com/capdoctor/capdoctor/series"
	"github.com/capdoctor/capdoctor/tui"
)

// A gameKnob is a knob and what it turns.
type gameKnob struct {
	tui.Knob
	get func(lab.Config) float64
	set func(*lab.Config, float64)
}

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
	return []gameKnob{
		count("writers", 1, 200, 1, func(c *lab.Config) *int { return &c.Writers }),
		count("retries", 0, 5, 1, func(c *lab.Config) *int { return &c.Retries }),
		count("in flight at most", 0, 4096, 0, func(c *lab.Config) *int { return &c.MaxInFlight }),
		count("queue", 1, 65536, 0, func(c *lab.Config) *int { return &c.Queue }),
		count("pool core", 1, 512, 0, func(c *lab.Config) *int { return &c.Core }),
		count("pool max", 1, 512, 0, func(c *lab.Config) *int { return &c.Max }),
		grow,
		deadline,
		count("event fetch", 1, 64, 0, func(c *lab.Config) *int { return &c.FetchConcurrency }),
	}
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
	for _, k := range gameKnobs() {
		if k.Name == name {
			g.model.Set(func(c *lab.Config) { k.set(c, value) })
			g.moves++
		}
	}
}

// advice is the turn that the first step of every finding of the models asks
// for: half as many writers as there are threads.
func (g *game) advice() (string, float64, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	c, s := g.model.Config(), g.model.Stats()
	want := s.PoolSize / (1 + min(c.Nested, 1))
	if want < 1 || c.Writers <= want {
		return "", 0, false
	}
	return "writers", float64(want), true
}

// knee is what the model settles to with other numbers of writers.
func (g *game) knee() []tui.KneePoint {
	base := g.model.Config()
	base.StartEvery = 250 * time.Millisecond
	var points []tui.KneePoint
	for _, n := range kneeWriters(base.Writers) {
		c := base
		c.Writers = n
		st := lab.SteadyState(c)
		remark := ""
		if st.Stuck {
			remark = "stuck: every thread waits for a thread"
		}
		points = append(points, tui.KneePoint{Setting: fmt.Sprint(n), Value: st.PerSecond, Remark: remark})
	}
	return points
}

// A modelTarget reads the pages of one target of a model.
type modelTarget struct {
	*input
	replay *scrape.Replay
}

func (g *game) openPages() map[string]*modelTarget {
	filter := scrape.NewFilter(g.session.wanted())
	pages := map[string]*modelTarget{}
	for _, name := range []string{lab.ServerTarget, lab.BundleTarget} {
		in := g.session.add(rules.Input{Name: name, Kind: "model", Origin: "model", Interval: drillInterval}, "", series.Scrape)
		t := scrape.Target{Name: name, Instance: name, Raw: name}
		pages[name] = &modelTarget{in, scrape.NewReplay(t, scrape.ParseOptions{Filter: filter})}
	}
	return pages
}

// look reads the model's pages and logs and judges them.
func (g *game) look(ctx context.Context, at time.Time) (*rules.Report, error) {
	bodies := g.model.Pages()
	for _, name := range []string{lab.ServerTarget, lab.BundleTarget} {
		body, up := bodies[name]
		r := g.pages[name].replay.Result(scrape.Recorded{At: at, Body: body, HasBody: up})
		g.session.take(g.pages[name].input, r)
	}
	for _, name := range []string{lab.ServerTarget, lab.BundleTarget} {
		var b bytes.Buffer
		for _, line := range g.model.Logs(name) {
			b.WriteString(line.Text)
			b.WriteByte('\n')
		}
		if err := g.logs.follow(&b, name+".log", name, at); err != nil {
			return nil, err
		}
	}
	if err := g.session.tick(ctx, at); err != nil {
		return nil, err
	}
	return g.session.report(ctx)
}
