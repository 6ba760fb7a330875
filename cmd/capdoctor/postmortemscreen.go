package main

import (
	"context"
	"errors"
	"math"
	"time"

	"github.com/capdoctor/capdoctor/incident"
	"github.com/capdoctor/capdoctor/tui"
)

// dashboard shows what logs or a case tell on the screens of watch.
func (o *postmortemOptions) dashboard(ctx context.Context) error {
	if o.isCase() {
		return o.playCase(ctx)
	}
	return o.playLogs(ctx)
}

func (o *postmortemOptions) playCase(ctx context.Context) error {
	c, err := incident.Open(o.args[0])
	if err != nil {
		return err
	}
	defer c.Close()
	until, err := momentOf(o.until, c.Start)
	if err != nil {
		return err
	}
	s, err := o.caseSession(c)
	if err != nil {
		return err
	}
	s.stepwise = true
	return o.play(ctx, s, c.Start, func(ctx context.Context, each func(time.Time) error) error {
		return s.feedCase(ctx, c, until, each)
	})
}

func (o *postmortemOptions) playLogs(ctx context.Context) error {
	s, l, err := o.logSession(ctx)
	if err != nil {
		return err
	}
	ticks := l.ticks(time.Time{})
	if len(ticks) == 0 {
		return hinted{errors.New("no line of the logs has a time: there is nothing to go through"), "without --dashboard the report says what was read"}
	}
	s.stepwise, s.caseLogs = true, l
	return o.play(ctx, s, time.UnixMilli(ticks[0]).UTC(), func(ctx context.Context, each func(time.Time) error) error {
		return s.judgeLogs(ctx, l, time.Time{}, each)
	})
}

// play sends what is judged to a dashboard, as fast as it is judged.
func (o *postmortemOptions) play(ctx context.Context, s *session, start time.Time, judge func(context.Context, func(time.Time) error) error) error {
	p := &player{session: s, controls: make(chan tui.Control, 16)}
	f := screenFlags{ascii: o.ascii, theme: "auto", zone: o.zone, failOn: o.failOn}
	show := f.dashboard(s, o.streams)
	show.Mode, show.Control, show.Start, show.Speed = tui.PostMortem, p.control, start, math.Inf(1)
	show.Targets, show.Lines = s.instances(), s.caseLines
	return f.show(ctx, o.streams, show, func(ctx context.Context, frames chan<- tui.Frame) error {
		return judge(ctx, func(at time.Time) error { return p.play(ctx, frames, at) })
	})
}
