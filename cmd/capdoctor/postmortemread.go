package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"time"

	"github.com/capdoctor/capdoctor/incident"
	"github.com/capdoctor/capdoctor/logparse"
	"github.com/capdoctor/capdoctor/rules"
)

// bounds are the times between which logs are read; zero is no bound.
type bounds struct{ since, until time.Time }

// lookAtCase judges a recorded case over all its time.
func (o *postmortemOptions) lookAtCase(ctx context.Context) (*rules.Postmortem, error) {
	c, err := incident.Open(o.args[0])
	if err != nil {
		return nil, err
	}
	defer c.Close()
	until, err := momentOf(o.until, c.Start)
	if err != nil {
		return nil, err
	}
	s, err := o.caseSession(c)
	if err != nil {
		return nil, err
	}
	s.judge.Keep()
	if err := s.feedCase(ctx, c, until, func(time.Time) error { return nil }); err != nil {
		return nil, err
	}
	return s.postmortem(ctx)
}

// caseSession is a session with the inputs of a case, none of them fed.
func (o *postmortemOptions) caseSession(c *incident.Case) (*session, error) {
	s := newSession(o.catalog, o.patterns, true)
	if err := s.openCase(c); err != nil {
		return nil, err
	}
	return s, o.judgeFlags.state(s)
}

// logSession is a session with logs that were read to their end and are not yet
// judged.
func (o *postmortemOptions) logSession(ctx context.Context) (*session, *logs, error) {
	if err := o.findBounds(ctx); err != nil {
		return nil, nil, err
	}
	s := newSession(o.catalog, o.patterns, true)
	var files []string
	for _, in := range o.inputs {
		files = append(files, in.Files...)
	}
	l, err := s.newLogs(logparse.GridOptions{Undated: reportTime(files)})
	if err != nil {
		return nil, nil, err
	}
	if err := o.readAll(ctx, l); err != nil {
		return nil, nil, err
	}
	l.close()
	return s, l, o.judgeFlags.state(s)
}

// lookAtLogs reads logs to their end and judges all their time.
func (o *postmortemOptions) lookAtLogs(ctx context.Context) (*rules.Postmortem, error) {
	s, l, err := o.logSession(ctx)
	if err != nil {
		return nil, err
	}
	s.judge.Keep()
	if err := s.judgeLogs(ctx, l, time.Time{}, func(time.Time) error { return nil }); err != nil {
		return nil, err
	}
	p, err := s.postmortem(ctx)
	if err != nil {
		return nil, err
	}
	p.Events = append(p.Events, l.signs()...)
	p.Report.Notes = slices.Concat(p.Report.Notes, l.notes, l.clocks.estimates(), l.unknownNotes(), o.notes)
	return p, nil
}

// readAll reads the files of all logs.
func (o *postmortemOptions) readAll(ctx context.Context, l *logs) error {
	var files []string
	for _, in := range o.inputs {
		files = append(files, in.Files...)
	}
	p := startProgress(o.streams.err, files)
	defer p.end()
	for _, in := range o.inputs {
		for _, file := range in.Files {
			ro := o.reading(file, in.Instance)
			ro.Since, ro.Until = o.bounds.since, o.bounds.until
			if err := l.tryFile(ctx, o.streams.in, file, in.Instance, in.Service, ro, &p.read); err != nil {
				return err
			}
		}
	}
	return l.leaveOut()
}

// reading says how a file is read.
func (o *postmortemOptions) reading(file, instance string) logparse.Options {
	zone, _ := o.location() // validate has seen it
	ro := logparse.Options{Format: o.format, Formats: o.formats, Zone: zone, Skew: o.skew[instance], Base: now()}
	if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() {
		ro.Base = info.ModTime()
	}
	return ro
}

// findBounds resolves --since and --until.
func (o *postmortemOptions) findBounds(ctx context.Context) error {
	var last time.Time
	for _, b := range []struct {
		flag, text string
		to         *time.Time
	}{{"--since", o.since, &o.bounds.since}, {"--until", o.until, &o.bounds.until}} {
		if b.text == "" {
			continue
		}
		d, err := time.ParseDuration(b.text)
		if err != nil {
			if *b.to, err = o.parseTime(b.text); err != nil {
				return fmt.Errorf("%s %q: want a time such as 2026-07-02T09:00:00Z, or a duration such as 15m", b.flag, b.text)
			}
			continue
		}
		if last.IsZero() {
			if last, err = lastOf(ctx, o.inputs, o.reading); err != nil {
				return fmt.Errorf("%s %q: %w", b.flag, b.text, err)
			}
		}
		*b.to = last.Add(-d)
	}
	return nil
}

// parseTime reads a time; without a zone it is in --tz.
func (o *postmortemOptions) parseTime(text string) (time.Time, error) {
	zone, _ := o.location()
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04", "2006-01-02 15:04"} {
		if t, err := time.ParseInLocation(layout, text, zone); err == nil {
			return t, nil
		}
	}
	return time.Time{}, errors.New("not a time")
}

// postmortem looks back at everything the session judged. Where it judged
// nothing, what was read is all there is to tell.
func (s *session) postmortem(ctx context.Context) (*rules.Postmortem, error) {
	p, err := s.judge.Postmortem(ctx)
	if errors.Is(err, rules.ErrNoTick) {
		p, err = &rules.Postmortem{Main: -1, Report: &rules.Report{}}, nil
		p.Outcomes.Indeterminate, p.Outcomes.Refused = math.NaN(), math.NaN()
		p.Report.Ledger = p.Outcomes
	}
	if err != nil {
		return nil, err
	}
	s.account(p.Report)
	if len(p.Events) == 0 {
		return p, nil
	}
	c, err := s.patterns()
	if err != nil {
		return nil, err
	}
	titles := eventTitles(c)
	for i := range p.Events {
		p.Events[i].Title = titles[p.Events[i].Event]
	}
	return p, nil
}
