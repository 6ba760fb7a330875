package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/spf13/cobra"

	"github.com/capdoctor/capdoctor/incident"
	"github.com/capdoctor/capdoctor/rules"
	"github.com/capdoctor/capdoctor/tui"
)

// replayOptions are the flags of replay.
type replayOptions struct {
	judgeFlags
	screenFlags
	at       string
	speed    float64
	export   string
	path     string
	streams  streams
	catalog  *rules.Catalog
	patterns patternSource
}

func newReplay(s streams) *cobra.Command {
	o := replayOptions{streams: s}
	c := silence(&cobra.Command{
		Use:   "replay CASE",
		Short: "play a recorded incident on the dashboard",
		Long: `replay feeds a recorded case to the same engine and the same screens as watch.
space pauses, + and - change the speed, n goes to the next finding and N to the
next slow-down; x marks a step as done at the moment shown, and its effect is
followed in recorded time. A gap in the recording is not waited for. Without a
terminal, and with --plain, it tells what changes as fast as it can.

--export writes the scrapes as OpenMetrics with timestamps instead, for
promtool tsdb create-blocks-from openmetrics.`,
		Example: `  capdoctor replay incident.capdoctor
  capdoctor replay fixtures/evento-collapse --plain
  capdoctor replay incident.capdoctor --at 10m --speed 4
  capdoctor replay incident.capdoctor --export incident.om`,
		Args: cobra.MatchAll(needs("a recorded case: a folder with case.yaml, or a .capdoctor file"), atMostOne("case")),
		RunE: func(c *cobra.Command, args []string) error {
			o.path = args[0]
			if err := o.complete(c); err != nil {
				return err
			}
			return o.run(c.Context())
		},
	})
	o.judgeFlags.add(c.Flags())
	o.catalogFlags.addPatterns(c.Flags())
	o.screenFlags.add(c.Flags())
	c.Flags().StringVar(&o.at, "at", "", "begin at this moment: an offset such as 10m, or a time")
	c.Flags().Float64Var(&o.speed, "speed", 10, "times real time; 0 as fast as possible")
	c.Flags().StringVar(&o.export, "export", "", "write OpenMetrics with timestamps to this file and end")
	return c
}

func (o *replayOptions) complete(c *cobra.Command) error {
	if err := o.screenFlags.validate(); err != nil {
		return err
	}
	if o.speed < 0 {
		return errors.New("--speed: want 0 or more")
	}
	if !c.Flags().Changed("speed") && (o.plain || !o.streams.interactive()) {
		o.speed = 0
	}
	var err error
	if o.patterns, err = o.catalogFlags.patterns(); err != nil {
		return err
	}
	o.catalog, err = o.catalogFlags.load()
	return err
}

func (o *replayOptions) run(ctx context.Context) error {
	c, err := incident.Open(o.path)
	if err != nil {
		return err
	}
	defer c.Close()
	if c.Truncated {
		fmt.Fprintf(o.streams.err, "%s was never closed: it is read up to its last whole entry\n", o.path)
	}
	if o.export != "" {
		return exportCase(c, o.export)
	}
	from, err := momentOf(o.at, c.Start)
	if err != nil {
		return err
	}
	s := newSession(o.catalog, o.patterns, true)
	s.stepwise = true
	if err := s.openCase(c); err != nil {
		return err
	}
	if err := o.judgeFlags.state(s); err != nil {
		return err
	}
	p := &player{session: s, speed: o.speed, seek: from, controls: make(chan tui.Control, 16)}
	show := o.screenFlags.dashboard(s, o.streams)
	show.Mode, show.Control, show.Start, show.Speed = tui.Replay, p.control, c.Start, o.speed
	if o.speed == 0 {
		show.Speed = math.Inf(1)
	}
	show.Targets, show.Lines = s.instances(), s.caseLines
	return o.screenFlags.show(ctx, o.streams, show, func(ctx context.Context, frames chan<- tui.Frame) error {
		return s.feedCase(ctx, c, time.Time{}, func(at time.Time) error { return p.play(ctx, frames, at) })
	})
}

// A player sends the ticks of a case to a dashboard at some speed.
type player struct {
	session  *session
	speed    float64 // times real time; 0 as fast as possible
	paused   bool
	seek     time.Time // ticks before it are judged and shown without waiting
	hunt     tui.ControlKind
	hunting  bool // go on at full speed until what is hunted begins
	last     time.Time
	leading  string     // the leading finding at the last tick
	slow     bool       // whether completions had fallen then
	work     []tui.Pace // at the last ticks
	controls chan tui.Control
}

// control takes a wish of the person in front. One that cannot be taken at once
// is dropped: it will be made again.
func (p *player) control(c tui.Control) {
	select {
	case p.controls <- c:
	default:
	}
}

// play shows one tick when it is due. Where a hunt ends the replay is paused.
func (p *player) play(ctx context.Context, frames chan<- tui.Frame, at time.Time) error {
	r, err := p.session.report(ctx)
	if err != nil {
		return err
	}
	caught := p.caught(r)
	if !caught {
		if err := p.wait(ctx, at); err != nil {
			return err
		}
	}
	p.last, p.paused = at, p.paused || caught
	return send(ctx, frames, tui.Frame{Report: r, Paused: caught})
}

// caught ends a hunt when what is hunted has come, and says so.
func (p *player) caught(r *rules.Report) bool {
	leading := ""
	for _, f := range r.Findings {
		if f.State == rules.Firing && f.Severity != rules.Info {
			leading = f.ID + f.Subject.String()
			break
		}
	}
	work := tui.PaceOf(r)
	slow := work.Fell(p.work)
	come := leading != "" && leading != p.leading
	if p.hunt == tui.NextSlowdown {
		come = slow && !p.slow
	}
	caught := p.hunting && come
	p.hunting = p.hunting && !come
	p.leading, p.slow = leading, slow
	p.work = append(p.work, work)
	p.work = p.work[max(0, len(p.work)-tui.FellOver):]
	return caught
}

// wait lets the time to a tick pass, at the speed of the moment.
func (p *player) wait(ctx context.Context, at time.Time) error {
	for {
		var due <-chan time.Time
		if !p.paused {
			left := p.left(at)
			if left <= 0 {
				return p.poll(ctx)
			}
			timer := time.NewTimer(left)
			defer timer.Stop()
			due = timer.C
		}
		select {
		case <-due:
			return nil
		case c := <-p.controls:
			p.obey(c)
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// left is how long to wait before a tick.
func (p *player) left(at time.Time) time.Duration {
	if p.last.IsZero() || p.speed == 0 || p.hunting || at.Before(p.seek) {
		return 0
	}
	gap := at.Sub(p.last)
	if usual := p.session.interval(); gap > gapIntervals*usual && usual > 0 {
		gap = usual
	}
	return time.Duration(float64(gap) / p.speed)
}

// gapIntervals is how many intervals without a scrape are a gap.
const gapIntervals = 4

// interval is the longest of the inputs; 0 when there are only logs.
func (s *session) interval() time.Duration {
	var longest time.Duration
	for _, in := range s.inputs {
		longest = max(longest, in.Interval)
	}
	return longest
}

// poll obeys what is waiting without waiting itself.
func (p *player) poll(ctx context.Context) error {
	for {
		select {
		case c := <-p.controls:
			p.obey(c)
		case <-ctx.Done():
			return context.Cause(ctx)
		default:
			return nil
		}
	}
}

func (p *player) obey(c tui.Control) {
	switch c.Kind {
	case tui.Play:
		p.paused = false
	case tui.Pause:
		p.paused, p.hunting = true, false
	case tui.Speed:
		p.speed = c.Speed
	case tui.NextFinding, tui.NextSlowdown:
		p.hunt, p.hunting, p.paused = c.Kind, true, false
	}
}
