package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/capdoctor/capdoctor/lab"
	"github.com/capdoctor/capdoctor/logparse"
	"github.com/capdoctor/capdoctor/rules"
	"github.com/capdoctor/capdoctor/tui"
)

// drillOptions are the flags of drill.
type drillOptions struct {
	screenFlags
	advice   bool
	speed    float64
	scenario lab.Scenario
	streams  streams
}

func newDrill(s streams) *cobra.Command {
	o := drillOptions{streams: s}
	c := silence(&cobra.Command{
		Use:   "drill [SCENARIO]",
		Short: "practise: turn the knobs of a model of a collapsed server",
		Long: `drill runs a model of a server in trouble. You turn its knobs (concurrent
writers, retries, queue, pool, limits) and see the consequence; at the end a
score tells how long recovery took and how many requests were lost, and what the
best single move comes to. Nothing real is touched. Time runs faster than in
life, because what is queued is served before anything new: a good move takes
minutes to show.

Scenarios:
` + strings.TrimSuffix(wrapped("  ", "  ", strings.Join(drillNames(), ", "), 80), "\n"),
		Example: `  capdoctor drill
  capdoctor drill metastable --speed 10
  capdoctor drill collapse --no-advice`,
		Args: atMostOne("scenario"),
		RunE: func(c *cobra.Command, args []string) error {
			name := "collapse"
			if len(args) > 0 {
				name = args[0]
			}
			without, err := c.Flags().GetBool("no-advice")
			if err != nil {
				return err
			}
			o.advice = !without
			if err := o.complete(name); err != nil {
				return err
			}
			return o.run(c.Context())
		},
	})
	o.screenFlags.add(c.Flags())
	c.Flags().Float64Var(&o.speed, "speed", 4, "virtual seconds in one second")
	c.Flags().Bool("no-advice", false, "without what capdoctor says")
	return c
}

// drillNames lists the scenarios in which there is something to win back.
func drillNames() []string {
	var names []string
	for _, s := range lab.Scenarios() {
		if drillable(s) {
			names = append(names, s.Name)
		}
	}
	return names
}

// drillable tells whether a scenario has knobs and ends in trouble. One that is
// only at its ceiling has nothing to win back.
func drillable(s lab.Scenario) bool {
	full := slices.ContainsFunc(s.Expect.Find, func(f lab.Found) bool { return f.ID == "queue-saturated" })
	return s.Other == nil && len(s.Expect.Find) > 0 && !full
}

// nextDrill is the name of the scenario behind one, the first one behind the last.
func nextDrill(name string) string {
	names := drillNames()
	return names[(slices.Index(names, name)+1)%len(names)]
}

func (o *drillOptions) complete(name string) error {
	if err := o.screenFlags.validate(); err != nil {
		return err
	}
	if !(o.speed > 0) {
		return fmt.Errorf("--speed %g: want more than 0", o.speed)
	}
	var err error
	if o.scenario, err = lab.Find(name); err != nil {
		return err
	}
	if !drillable(o.scenario) {
		return fmt.Errorf("scenario %q has nothing to win back; there are %s", name, strings.Join(drillNames(), ", "))
	}
	if !o.streams.interactive() || dumbTerminal() {
		return hinted{fmt.Errorf("drill needs a terminal"), "capdoctor whatif FILE predicts the same changes without one"}
	}
	return nil
}

// run plays drills until the person has enough.
func (o *drillOptions) run(ctx context.Context) error {
	catalog, err := rules.Default()
	if err != nil {
		return err
	}
	patterns := loadedOnce(nil)
	for {
		then, err := o.play(ctx, catalog, patterns)
		if err != nil {
			return err
		}
		switch then {
		case tui.DrillAgain:
		case tui.DrillUnadvised:
			o.advice = false
		case tui.DrillNext:
			if o.scenario, err = lab.Find(nextDrill(o.scenario.Name)); err != nil {
				return err
			}
		default:
			return nil
		}
	}
}

// play plays one drill and prints its score.
func (o *drillOptions) play(ctx context.Context, catalog *rules.Catalog, patterns patternSource) (tui.DrillThen, error) {
	fmt.Fprintf(o.streams.out, "drill %s: %s\n", o.scenario.Name, o.scenario.Title)
	g, err := newGame(catalog, patterns, o.scenario, o.speed, now())
	if err != nil {
		return tui.DrillEnd, err
	}
	frames := make(chan tui.DrillFrame)
	inner, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var running sync.WaitGroup
	for _, part := range []func() error{
		func() error { defer close(frames); return g.play(inner, frames, o.advice) },
		func() error { return g.study(inner) },
	} {
		running.Add(1)
		tui.Go(cancel, func() {
			defer running.Done()
			if err := part(); err != nil && inner.Err() == nil {
				cancel(err)
			}
		})
	}
	result, err := tui.RunDrill(inner, o.streams.in, o.streams.out, o.screen(g, frames))
	cancel(nil)
	running.Wait()
	if err != nil {
		return tui.DrillEnd, err
	}
	for _, line := range append(g.account.lines(g.model.Stats(), g.moves), g.best...) { // nothing else runs any more
		fmt.Fprintf(o.streams.out, "  %-14s %s\n", line.Name, line.Value)
	}
	return result.Then, nil
}

// screen is what a drill shows and may do.
func (o *drillOptions) screen(g *game, frames <-chan tui.DrillFrame) tui.DrillOptions {
	show := tui.DrillOptions{
		Title: o.scenario.Name, Story: o.scenario.Story, Task: g.task(), Goal: g.account.goal, Knobs: g.knobs(), Frames: frames,
		Turn: g.turn, Control: g.control, Speed: o.speed, Score: g.score, KneeTitle: "writers", Knee: g.points,
		Lessons: lessonsOf(o.scenario), Save: g.save, Next: nextDrill(o.scenario.Name),
		Display: o.screenFlags.dashboard(g.session, o.streams).Display,
	}
	if o.advice {
		show.Advice = g.advice
	}
	return show
}

// lessons are what to remember of a drill, by what capdoctor finds in it.
var lessons = map[string]string{
	"congestion-collapse": "Idle CPU and an idle database beside falling writes is a queue of waiting, not a lack of machines. Fewer writers complete more.",
	"pool-never-grows":    "A pool that queues before it grows stays at its core size until the queue is full: its maximum is not in reach.",
	"retry-storm":         "A retry adds a copy while the first one still holds a thread. Take retries away first, then clients.",
	"wedged-pool":         "When every thread waits for a thread, less load alone frees none: only a restart, or a deadline, does.",
	"pool-exhausted":      "More threads only wait too when what they wait for is somewhere else: look for the next limit.",
}

func lessonsOf(s lab.Scenario) []string {
	var out []string
	for _, f := range s.Expect.Find {
		if l := lessons[f.ID]; l != "" {
			out = append(out, l)
		}
	}
	return out
}

// newDrillSession is a session that reads a model directly.
func newDrillSession(catalog *rules.Catalog, patterns patternSource) (*session, *logs, error) {
	s := newSession(catalog, patterns, false)
	l, err := s.newLogs(logparse.GridOptions{Step: drillInterval})
	return s, l, err
}

// drillInterval is how far apart the model's pages are read, in its own time.
const drillInterval = 5 * time.Second
