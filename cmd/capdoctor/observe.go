package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/capdoctor/capdoctor/incident"
	"github.com/capdoctor/capdoctor/logparse"
	"github.com/capdoctor/capdoctor/rules"
	"github.com/capdoctor/capdoctor/scrape"
)

// An observing is how a command that answers once gets what it judges: from one
// recorded case, from live targets and saved pages with logs beside them, or
// from logs alone.
type observing struct {
	targetFlags
	judgeFlags
	logFlags
	serverFlags
	length   time.Duration
	burst    bool
	at       string
	streams  streams
	args     []string // targets, or one case
	catalog  *rules.Catalog
	patterns patternSource
	targets  []scrape.Target
	logs     []*followed
	moment   time.Time // of --at with a server; zero is now
	// during is called after every round of live scrapes with the time that is
	// left; nil for commands that stay silent.
	during func(ctx context.Context, s *session, round int, left time.Duration) error
}

const burstLength = 65 * time.Second

func (o *observing) add(c *cobra.Command) {
	flags := c.Flags()
	o.targetFlags.add(flags, time.Second)
	o.judgeFlags.add(flags)
	o.logFlags.add(flags)
	o.serverFlags.add(flags)
	o.catalogFlags.addPatterns(flags)
	flags.DurationVar(&o.length, "for", 10*time.Second, "how long to watch live targets")
	flags.BoolVar(&o.burst, "burst", false, "watch once a second for 65 s: what limits that count per second need")
	flags.StringVar(&o.at, "at", "", "judge a recorded case at this moment: an offset such as 10m, or a time; with --prometheus a time")
}

// complete reads the sources of a command line.
func (o *observing) complete(c *cobra.Command, args []string) error {
	o.args = args
	if err := o.paceBurst(c); err != nil {
		return err
	}
	if err := o.serverFlags.complete(c.Flags()); err != nil {
		return err
	}
	if o.address != "" && o.isCase() {
		return errors.New("a recorded case goes without --prometheus")
	}
	if o.interval <= 0 || o.length < 0 || o.timeout <= 0 {
		return errors.New("--interval and --timeout must be more than 0, --for 0 or more")
	}
	var err error
	if o.catalog, err = o.catalogFlags.load(); err != nil {
		return err
	}
	if o.patterns, err = o.catalogFlags.patterns(); err != nil {
		return err
	}
	if err := o.takeTables(); err != nil {
		return err
	}
	if o.logs, err = o.logFlags.complete(o.patterns); err != nil || o.isCase() {
		return err
	}
	if err := o.completeAt(); err != nil {
		return err
	}
	if o.targets, err = parseTargets(o.args); err != nil {
		return err
	}
	return oneStdin(o.targets, o.logs)
}

// completeAt reads --at, which is about the past.
func (o *observing) completeAt() error {
	switch {
	case o.at == "":
		return nil
	case o.address == "":
		return hinted{errors.New("--at goes with one recorded case, or with --prometheus"), "a live target is judged now"}
	case len(o.args) > 0 || len(o.logs) > 0:
		return hinted{errors.New("--at and --prometheus go without targets and logs"), "those tell of now"}
	}
	var err error
	o.moment, err = storedMoment(o.at)
	return err
}

// takeTables moves the targets that are tables or reports to the logs: they tell
// of the time that stands in them, not of now.
func (o *observing) takeTables() error {
	if o.isCase() {
		return nil
	}
	targets, tables := splitTables(o.args)
	if len(tables) > 0 && len(targets) > 0 {
		return hinted{fmt.Errorf("%s tells of its own time, %s of now", tables[0], targets[0]), "judge them one after the other"}
	}
	o.args, o.logFlags.files = targets, append(o.logFlags.files, tables...)
	return nil
}

// paceBurst sets interval and length for --burst.
func (o *observing) paceBurst(c *cobra.Command) error {
	if !o.burst {
		return nil
	}
	if c.Flags().Changed("interval") {
		return hinted{errors.New("--burst and --interval exclude each other"), "a burst is one scrape a second"}
	}
	o.interval = time.Second
	if !c.Flags().Changed("for") {
		o.length = burstLength
	}
	return nil
}

// isCase tells whether the only target is a recorded case.
func (o *observing) isCase() bool { return len(o.args) == 1 && incident.IsCase(o.args[0]) }

// observe judges what there is and returns the session at its last tick.
func (o *observing) observe(ctx context.Context) (*session, error) {
	switch {
	case o.isCase():
		return o.observeCase(ctx)
	case len(o.args) == 0 && o.address == "":
		return o.observeLogs(ctx)
	}
	return o.observeTargets(ctx)
}

// observeTargets watches live targets and saved pages, and reads what a server
// has stored of others.
func (o *observing) observeTargets(ctx context.Context) (*session, error) {
	s := newSession(o.catalog, o.patterns, false)
	scraping, err := o.targetFlags.options(o.streams)
	if err != nil {
		return nil, err
	}
	start := now().Truncate(time.Millisecond)
	if !o.moment.IsZero() {
		start = o.moment
	}
	stored, err := o.serverFlags.open(ctx, s, scraping, o.streams, start)
	if err != nil {
		return nil, err
	}
	scrapers, inputs, err := o.targetFlags.open(s, o.targets, scraping, o.judgeFlags)
	if err != nil {
		return nil, err
	}
	length := o.length
	if onlyPages(scrapers) {
		length = 0
	}
	end := start.Add(length)
	w := newWatching(s, scrapers, inputs, o.interval)
	if _, err := o.logFlags.follow(w, o.streams.in, o.logs); err != nil {
		return nil, err
	}
	defer endFollowed(o.logs)
	w.stored = stored
	return s, w.run(ctx, start, end, func(round int, at time.Time) error {
		if o.during == nil {
			return nil
		}
		return o.during(ctx, s, round, end.Sub(at))
	})
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

// observeLogs judges log files without any endpoint, at their end.
func (o *observing) observeLogs(ctx context.Context) (*session, error) {
	s := newSession(o.catalog, o.patterns, true)
	var files []string
	for _, f := range o.logs {
		files = append(files, f.path)
	}
	l, err := s.newLogs(logparse.GridOptions{Undated: reportTime(files)})
	if err != nil {
		return nil, err
	}
	for _, f := range o.logs {
		if err := l.tryFile(ctx, o.streams.in, f.path, f.instance, f.service, o.logFlags.options(now()), nil); err != nil {
			return nil, err
		}
	}
	if err := l.leaveOut(); err != nil {
		return nil, err
	}
	l.close()
	s.notes = slices.Concat(l.notes, l.clocks.estimates(), l.unknownNotes(), l.signNotes())
	if err := o.judgeFlags.state(s); err != nil {
		return nil, err
	}
	return s, s.judgeLogs(ctx, l, time.Time{}, func(time.Time) error { return nil })
}

// observeCase judges a recorded case at its end or at a moment in it.
func (o *observing) observeCase(ctx context.Context) (*session, error) {
	c, err := incident.Open(o.args[0])
	if err != nil {
		return nil, err
	}
	defer c.Close()
	until, err := momentOf(o.at, c.Start)
	if err != nil {
		return nil, err
	}
	s := newSession(o.catalog, o.patterns, true)
	if err := s.openCase(c); err != nil {
		return nil, err
	}
	if err := o.judgeFlags.state(s); err != nil {
		return nil, err
	}
	return s, s.feedCase(ctx, c, until, func(time.Time) error { return nil })
}
