package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
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
		Short: "practise: turn the knobs of a collapsed server and see what happens",
		Long: `drill runs a model of a server in trouble. You turn its knobs (concurrent writers,
retries, queue, pool, limits) and see the consequence; at the end a score tells
how long recovery took and how many requests were lost. Nothing real is touched.

Scenarios: ` + strings.Join(drillNames(), ", ") + `.`,
		Example: `  capdoctor drill
  capdoctor drill metastable --speed 4
  capdoctor drill collapse --no-advice`,
		Args: cobra.MaximumNArgs(1),
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
	c.Flags().Float64Var(&o.speed, "speed", 1, "virtual seconds in one second")
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

// drillable tells whether a scenario has knobs and ends in trouble.
func drillable(s lab.Scenario) bool { return s.Other == nil && len(s.Expect.Find) > 0 }

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
	if !o.streams.interactive() {
		return hinted{fmt.Errorf("drill needs a terminal"), "capdoctor whatif FILE predicts the same changes without one"}
	}
	return nil
}

func (o *drillOptions) run(ctx context.Context) error {
	catalog, err := rules.Default()
	if err != nil {
		return err
	}
	g, err := newGame(catalog, o.scenario, o.speed, now())
	if err != nil {
		return err
	}
	frames := make(chan tui.DrillFrame)
	show := tui.DrillOptions{
		Title: o.scenario.Name, Story: o.scenario.Story, Task: g.task(), Knobs: g.knobs(), Frames: frames,
		Turn: g.turn, Control: g.control, Speed: o.speed, Score: g.score, KneeTitle: "writers", Knee: g.knee(),
		Lessons: o.scenario.Promises,
		Display: o.screenFlags.dashboard(g.session, o.streams).Display,
	}
	if o.advice {
		show.Advice = g.advice
	}
	inner, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	done := make(chan error, 1)
	tui.Go(cancel, func() {
		err := g.play(inner, frames, o.advice)
		if err != nil && inner.Err() == nil {
			cancel(err)
		}
		close(frames)
		done <- err
	})
	_, err = tui.RunDrill(inner, o.streams.in, o.streams.out, show)
	cancel(nil)
	<-done
	if err != nil {
		return err
	}
	for _, line := range g.score() {
		fmt.Fprintf(o.streams.out, "%-16s %s\n", line.Name, line.Value)
	}
	return nil
}

// newDrillSession is a session that reads a model directly.
func newDrillSession(catalog *rules.Catalog) (*session, *logs, error) {
	patterns, err := logparse.LoadCatalog()
	if err != nil {
		return nil, nil, err
	}
	s := newSession(catalog, false)
	return s, newLogs(s, patterns, drillInterval), nil
}

// drillInterval is how far apart the model's pages are read, in its own time.
const drillInterval = 5 * time.Second

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
