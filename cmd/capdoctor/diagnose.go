package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/capdoctor/capdoctor/incident"
	"github.com/capdoctor/capdoctor/logparse"
	"github.com/capdoctor/capdoctor/report"
	"github.com/capdoctor/capdoctor/rules"
	"github.com/capdoctor/capdoctor/scrape"
)

// diagnoseOptions are the flags of diagnose.
type diagnoseOptions struct {
	targetFlags
	judgeFlags
	reportFlags
	logFlags
	logs    []*followed
	length  time.Duration
	at      string
	streams streams
	args    []string
	catalog *rules.Catalog
	targets []scrape.Target
}

func newDiagnose(s streams) *cobra.Command {
	o := diagnoseOptions{streams: s}
	c := silence(&cobra.Command{
		Use:   "diagnose TARGET... [--log FILE]",
		Short: "watch targets for a few seconds and say what is wrong",
		Long: `diagnose scrapes its targets once a second for 10 s and reports what it found.

A TARGET is [[SERVICE/]NAME=]URL, host:port, a saved page, - for standard input,
or a recorded case (a folder or a .capdoctor file). host:port alone tries
/actuator/prometheus, then /metrics.

Exit 0: judged, nothing at or above --fail-on. 1: a finding. 2: usage.
3: nothing could be judged.`,
		Example: `  capdoctor diagnose app.example:8080
  capdoctor diagnose server=10.0.0.7:3000 bundle=10.0.0.8:8080 --fact deadline_seconds=30s
  curl -s http://10.0.0.7:3000/actuator/prometheus | capdoctor diagnose -
  capdoctor diagnose server=10.0.0.7:3000 --log bundle=bundle.log
  capdoctor diagnose --log server.log                no endpoint at all
  capdoctor diagnose incident.capdoctor --at 10m -o json`,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 && len(o.files) == 0 {
				return hinted{errors.New("nothing to diagnose: give a target or --log FILE"), "capdoctor diagnose --help"}
			}
			o.args = args
			if err := o.complete(); err != nil {
				return err
			}
			return o.run(c.Context())
		},
	})
	o.targetFlags.add(c.Flags(), time.Second)
	o.judgeFlags.add(c.Flags())
	o.reportFlags.add(c.Flags())
	o.logFlags.add(c.Flags())
	c.Flags().DurationVar(&o.length, "for", 10*time.Second, "how long to watch")
	c.Flags().StringVar(&o.at, "at", "", "judge a recorded case at this moment: an offset such as 10m, or a time")
	return c
}

func (o *diagnoseOptions) complete() error {
	if err := o.reportFlags.validate(); err != nil {
		return err
	}
	if o.interval <= 0 || o.length < 0 || o.timeout <= 0 {
		return fmt.Errorf("--interval and --timeout must be more than 0, --for 0 or more")
	}
	var err error
	if o.catalog, err = o.catalogFlags.load(); err != nil {
		return err
	}
	if o.logs, err = o.logFlags.parse(); err != nil || o.isCase() {
		return err
	}
	if o.at != "" {
		return hinted{fmt.Errorf("--at goes with one recorded case"), "a live target is judged now"}
	}
	o.targets, err = parseTargets(o.args)
	return err
}

// isCase tells whether the only target is a recorded case.
func (o *diagnoseOptions) isCase() bool { return len(o.args) == 1 && incident.IsCase(o.args[0]) }

func (o *diagnoseOptions) run(ctx context.Context) error {
	observe := o.observe
	switch {
	case o.isCase():
		observe = o.observeCase
	case len(o.args) == 0:
		observe = o.observeLogs
	}
	r, err := observe(ctx)
	if err != nil {
		return err
	}
	code, err := o.reportFlags.write(o.streams, r)
	if err != nil {
		return err
	}
	return exit(code)
}

// observe watches live targets and saved pages.
func (o *diagnoseOptions) observe(ctx context.Context) (*rules.Report, error) {
	s := newSession(o.catalog, false)
	scrapers, inputs, err := o.targetFlags.open(s, o.targets, o.targetFlags.options(o.streams), o.judgeFlags)
	if err != nil {
		return nil, err
	}
	length := o.length
	if onlyPages(scrapers) {
		length = 0
	}
	start := now().Truncate(time.Millisecond)
	end := start.Add(length)
	w := newWatching(s, scrapers, inputs, o.interval)
	if _, err := o.logFlags.follow(w, o.logs); err != nil {
		return nil, err
	}
	defer endFollowed(o.logs)
	err = w.run(ctx, start, end, func(round int, at time.Time) error { return o.provisional(ctx, s, round, end.Sub(at)) })
	if err != nil {
		return nil, err
	}
	return s.report(ctx)
}

// observeLogs judges log files without any endpoint, at their end.
func (o *diagnoseOptions) observeLogs(ctx context.Context) (*rules.Report, error) {
	zone, err := time.LoadLocation(o.logFlags.zone)
	if err != nil {
		return nil, fmt.Errorf("--log-tz %q: no such time zone", o.logFlags.zone)
	}
	patterns, err := logparse.LoadCatalog()
	if err != nil {
		return nil, err
	}
	s := newSession(o.catalog, true)
	l := newLogs(s, patterns, 0)
	for _, f := range o.logs {
		if err := l.readFile(ctx, o.streams.in, f.path, f.instance, f.service, logparse.Options{Base: now(), Zone: zone}, nil); err != nil {
			return nil, err
		}
	}
	l.close()
	if err := o.judgeFlags.state(s); err != nil {
		return nil, err
	}
	if err := s.judgeLogs(ctx, l, time.Time{}, func(time.Time) error { return nil }); err != nil {
		return nil, err
	}
	return s.report(ctx)
}

// onlyPages tells whether there is nothing to watch, only pages to read.
func onlyPages(scrapers []*scrape.Scraper) bool {
	for _, s := range scrapers {
		if !s.Once() {
			return false
		}
	}
	return true
}

// provisional says on standard error what it looks like after two scrapes.
func (o *diagnoseOptions) provisional(ctx context.Context, s *session, round int, left time.Duration) error {
	if round != 1 || left <= 0 {
		return nil
	}
	r, err := s.report(ctx)
	if err != nil {
		return err
	}
	opts := o.reportFlags.options(o.streams.err)
	fmt.Fprintln(o.streams.err, report.Provisional(r, opts, round+1, left.Round(time.Second)))
	return nil
}

// observeCase judges a recorded case at its end or at a moment in it.
func (o *diagnoseOptions) observeCase(ctx context.Context) (*rules.Report, error) {
	c, err := incident.Open(o.args[0])
	if err != nil {
		return nil, err
	}
	defer c.Close()
	until, err := momentOf(o.at, c.Start)
	if err != nil {
		return nil, err
	}
	s := newSession(o.catalog, true)
	if err := s.openCase(c); err != nil {
		return nil, err
	}
	if err := o.judgeFlags.state(s); err != nil {
		return nil, err
	}
	if err := s.feedCase(ctx, c, until, func(time.Time) error { return nil }); err != nil {
		return nil, err
	}
	return s.report(ctx)
}

// momentOf reads --at: empty is the end.
func momentOf(text string, start time.Time) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	if d, err := time.ParseDuration(text); err == nil {
		return start.Add(d), nil
	}
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return time.Time{}, fmt.Errorf("--at %q: want an offset such as 10m or a time such as 2026-07-02T09:11:00Z", text)
	}
	return t, nil
}
