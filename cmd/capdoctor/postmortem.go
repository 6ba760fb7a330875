package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/capdoctor/capdoctor/incident"
	"github.com/capdoctor/capdoctor/logparse"
	"github.com/capdoctor/capdoctor/report"
	"github.com/capdoctor/capdoctor/rules"
)

// postmortemOptions are the flags of postmortem.
type postmortemOptions struct {
	judgeFlags
	reportFlags
	since, until string
	skews        []string
	format       string
	streams      streams
	args         []string
	catalog      *rules.Catalog
	inputs       []logparse.Input
	notes        []string
	skew         map[string]time.Duration
	bounds       bounds
}

// bounds are the times between which logs are read; zero is no bound.
type bounds struct{ since, until time.Time }

func newPostmortem(s streams) *cobra.Command {
	o := postmortemOptions{streams: s}
	c := silence(&cobra.Command{
		Use:   "postmortem LOG...",
		Short: "tell from logs what failed, when it began, in what order, when it ended",
		Long: `postmortem reads logs to their end and tells what failed: when it began, what
moved first, how bad it was, when it was over, what to change.

A LOG is [[SERVICE/]NAME=]FILE, a pattern such as 'app.log*', a folder, or - for
standard input; gzip, zstd, bzip2 and xz are taken off. Files of one name form a
rotated set. Without a name the file's base name is used. A recorded case (a
folder with case.yaml, or a .capdoctor file) is judged over all its time.

Exit 0: nothing at or above --fail-on. 1: an incident. 2: usage.
3: nothing could be judged.`,
		Example: `  capdoctor postmortem server.log bundle.log.gz
  capdoctor postmortem 'app.log*' db=/var/log/postgresql.log --since 2h
  journalctl -u app -o short-iso-precise | capdoctor postmortem app=-
  capdoctor postmortem logs/ --tz Europe/Rome --skew bundle=+1.2s -o markdown=incident.md -o text`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			o.args = args
			if err := o.complete(); err != nil {
				return err
			}
			return o.run(c.Context())
		},
	})
	o.judgeFlags.add(c.Flags())
	o.reportFlags.add(c.Flags())
	c.Flags().Lookup("tz").Usage = "time zone of stamps that name none, and of the times shown, such as Europe/Rome or Local"
	c.Flags().StringVar(&o.since, "since", "", "leave out what is older: a time, or 15m for the last 15 minutes of the logs")
	c.Flags().StringVar(&o.until, "until", "", "leave out what is newer: a time, or 15m for all but the last 15 minutes")
	c.Flags().StringArrayVar(&o.skews, "skew", nil, "NAME=+1.2s: add to the times of that log, whose clock was slow; repeatable")
	c.Flags().StringVar(&o.format, "format", "", "format of the lines, such as spring-boot; without it the format is found by itself")
	return c
}

func (o *postmortemOptions) complete() error {
	if err := o.reportFlags.validate(); err != nil {
		return err
	}
	var err error
	if o.catalog, err = o.catalogFlags.load(); err != nil {
		return err
	}
	if o.isCase() {
		return o.completeCase()
	}
	if o.inputs, o.notes, err = logparse.Inputs(o.args); err != nil {
		return hinted{err, "a LOG is a file, a pattern, a folder or -"}
	}
	o.skew, err = o.parseSkews()
	return err
}

// isCase tells whether the only argument is a recorded case.
func (o *postmortemOptions) isCase() bool { return len(o.args) == 1 && incident.IsCase(o.args[0]) }

// completeCase refuses what a case has no use for.
func (o *postmortemOptions) completeCase() error {
	if o.since != "" || len(o.skews) > 0 || o.format != "" {
		return hinted{errors.New("--since, --skew and --format go with logs, not with a recorded case"), "name the logs in the case's folder"}
	}
	return nil
}

// parseSkews reads --skew NAME=+1.2s.
func (o *postmortemOptions) parseSkews() (map[string]time.Duration, error) {
	skew := map[string]time.Duration{}
	for _, text := range o.skews {
		name, value, ok := strings.Cut(text, "=")
		d, err := time.ParseDuration(value)
		if !ok || err != nil {
			return nil, fmt.Errorf("--skew %q: want NAME=+1.2s", text)
		}
		if !hasInput(o.inputs, name) {
			return nil, fmt.Errorf("--skew %q: no log is named %q; there are %s", text, name, inputNames(o.inputs))
		}
		skew[name] = d
	}
	return skew, nil
}

func hasInput(inputs []logparse.Input, name string) bool {
	for _, in := range inputs {
		if in.Instance == name {
			return true
		}
	}
	return false
}

func inputNames(inputs []logparse.Input) string {
	var names []string
	for _, in := range inputs {
		names = append(names, in.Instance)
	}
	return strings.Join(names, ", ")
}

func (o *postmortemOptions) run(ctx context.Context) error {
	look := o.lookAtLogs
	if o.isCase() {
		look = o.lookAtCase
	}
	p, err := look(ctx)
	if err != nil {
		return err
	}
	err = writeEach(o.streams, o.outputs, func(w io.Writer, format string) error {
		switch format {
		case "json":
			return report.PostmortemJSON(w, p, o.options(w))
		case "markdown":
			return report.PostmortemMarkdown(w, p, o.options(w))
		}
		return report.PostmortemText(w, p, o.options(w))
	})
	if err != nil {
		return err
	}
	code, _ := o.options(io.Discard).Exit(p.Report)
	return exit(code)
}

// options are those of the report; a look back is written 100 columns wide
// unless COLUMNS says otherwise.
func (o *postmortemOptions) options(w io.Writer) report.Options {
	ro := o.reportFlags.options(w)
	if ro.Width == 0 {
		ro.Width = 100
	}
	return ro
}

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
	s := newSession(o.catalog, true)
	s.judge.Keep()
	if err := s.openCase(c); err != nil {
		return nil, err
	}
	if err := o.judgeFlags.state(s); err != nil {
		return nil, err
	}
	if err := s.feedCase(ctx, c, until, func(time.Time) error { return nil }); err != nil {
		return nil, err
	}
	return s.postmortem(ctx)
}

// lookAtLogs reads logs to their end and judges all their time.
func (o *postmortemOptions) lookAtLogs(ctx context.Context) (*rules.Postmortem, error) {
	patterns, err := logparse.LoadCatalog()
	if err != nil {
		return nil, err
	}
	if err := o.findBounds(ctx); err != nil {
		return nil, err
	}
	s := newSession(o.catalog, true)
	s.judge.Keep()
	l := newLogs(s, patterns, 0)
	if err := o.readAll(ctx, l); err != nil {
		return nil, err
	}
	l.close()
	if err := o.judgeFlags.state(s); err != nil {
		return nil, err
	}
	if err := s.judgeLogs(ctx, l, time.Time{}, func(time.Time) error { return nil }); err != nil {
		return nil, err
	}
	p, err := s.postmortem(ctx)
	if err != nil {
		return nil, err
	}
	p.Report.Notes = slices.Concat(p.Report.Notes, l.clocks.estimates(), o.notes)
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
			if err := l.readFile(ctx, o.streams.in, file, in.Instance, in.Service, ro, &p.read); err != nil {
				return err
			}
		}
	}
	return nil
}

// reading says how a file is read.
func (o *postmortemOptions) reading(file, instance string) logparse.Options {
	zone, _ := o.location() // validate has seen it
	ro := logparse.Options{Format: o.format, Zone: zone, Skew: o.skew[instance], Base: now()}
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
	titles, err := eventTitles()
	if err != nil {
		return nil, err
	}
	for i := range p.Events {
		p.Events[i].Title = titles[p.Events[i].Event]
	}
	return p, nil
}

// eventTitles says what the events of logs mean. One that several files of
// patterns tell of, each in words of its own, is called by its name.
func eventTitles() (map[string]string, error) {
	c, err := logparse.LoadCatalog()
	if err != nil {
		return nil, err
	}
	titles, from := map[string]string{}, map[string]string{}
	for _, f := range c.Files() {
		for _, p := range f.Patterns {
			switch {
			case titles[p.Event] == "":
				titles[p.Event], from[p.Event] = p.Title, f.System
			case from[p.Event] != f.System && titles[p.Event] != p.Title:
				titles[p.Event] = strings.ReplaceAll(p.Event, "_", " ")
			}
		}
	}
	return titles, nil
}
