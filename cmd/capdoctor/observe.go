package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/capdoctor/capdoctor/incident"
	"github.com/capdoctor/capdoctor/logparse"
	"github.com/capdoctor/capdoctor/rules"
	"github.com/capdoctor/capdoctor/series"
)

// observeFlags say what a calculation takes its observed values from.
type observeFlags struct {
	targetFlags
	judgeFlags
	length time.Duration
	at     string
}

func (f *observeFlags) add(flags *pflag.FlagSet) {
	f.targetFlags.add(flags, time.Second)
	f.judgeFlags.add(flags)
	flags.DurationVar(&f.length, "for", 10*time.Second, "how long to watch live targets")
	flags.StringVar(&f.at, "at", "", "judge a recorded case at this moment: an offset such as 10m, or a time")
}

// An observation is a session that has judged its inputs, at its last tick.
type observation struct {
	*session
	report *rules.Report
}

// observe judges sources: one recorded case, or logs, or live targets and saved
// pages, as diagnose and postmortem judge them.
func (f *observeFlags) observe(ctx context.Context, sources []string, s streams) (*observation, error) {
	if f.interval <= 0 || f.length < 0 || f.timeout <= 0 {
		return nil, errors.New("--interval and --timeout must be more than 0, --for 0 or more")
	}
	catalog, err := f.catalogFlags.load()
	if err != nil {
		return nil, err
	}
	logs := 0
	for _, source := range sources {
		if isLog(source) {
			logs++
		}
	}
	switch {
	case len(sources) == 1 && incident.IsCase(sources[0]):
		return f.observeCase(ctx, catalog, sources[0])
	case f.at != "":
		return nil, hinted{errors.New("--at goes with one recorded case"), "a live target is judged now, a log at its end"}
	case logs == len(sources):
		return f.observeLogs(ctx, catalog, sources)
	case logs > 0:
		return nil, hinted{errors.New("logs and live targets cannot be read together here"), "record both with capdoctor record and give the case"}
	}
	return f.observeTargets(ctx, catalog, sources, s)
}

// isLog tells whether a source is a log file: by its name, where it exists.
func isLog(source string) bool {
	file := source
	if _, after, named := strings.Cut(source, "="); named {
		file = after
	}
	info, err := os.Stat(file)
	return err == nil && info.Mode().IsRegular() && logEnd.MatchString(file)
}

// observeCase judges a recorded case.
func (f *observeFlags) observeCase(ctx context.Context, catalog *rules.Catalog, dir string) (*observation, error) {
	c, err := incident.Open(dir)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	until, err := momentOf(f.at, c.Start)
	if err != nil {
		return nil, err
	}
	s := newSession(catalog, true)
	if err := s.openCase(c); err != nil {
		return nil, err
	}
	if err := f.judgeFlags.state(s); err != nil {
		return nil, err
	}
	if err := s.feedCase(ctx, c, until, func(time.Time) error { return nil }); err != nil {
		return nil, err
	}
	return observed(ctx, s, dir)
}

// observeLogs judges logs at their end.
func (f *observeFlags) observeLogs(ctx context.Context, catalog *rules.Catalog, sources []string) (*observation, error) {
	inputs, _, err := logparse.Inputs(sources)
	if err != nil {
		return nil, hinted{err, "give logs, one recorded case, or targets"}
	}
	patterns, err := logparse.LoadCatalog()
	if err != nil {
		return nil, err
	}
	s := newSession(catalog, true)
	l := newLogs(s, patterns, 0)
	for _, in := range inputs {
		for _, file := range in.Files {
			if err := l.readWhole(file, in.Instance, in.Service); err != nil {
				return nil, err
			}
		}
	}
	l.close()
	if err := f.judgeFlags.state(s); err != nil {
		return nil, err
	}
	if err := s.judgeLogs(ctx, l, time.Time{}, func(time.Time) error { return nil }); err != nil {
		return nil, err
	}
	return observed(ctx, s, strings.Join(sources, " "))
}

// readWhole reads a log file, compressed or not.
func (l *logs) readWhole(file, instance, service string) error {
	r, err := logparse.Open(file)
	if err != nil {
		return err
	}
	defer r.Close()
	o := logparse.Options{Base: now()}
	if info, err := os.Stat(file); err == nil {
		o.Base = info.ModTime()
	}
	return l.read(r, file, instance, service, o)
}

// observeTargets watches live targets and reads saved pages.
func (f *observeFlags) observeTargets(ctx context.Context, catalog *rules.Catalog, sources []string, st streams) (*observation, error) {
	targets, err := parseTargets(sources)
	if err != nil {
		return nil, err
	}
	s := newSession(catalog, false)
	scrapers, inputs, err := f.targetFlags.open(s, targets, f.targetFlags.options(st), f.judgeFlags)
	if err != nil {
		return nil, err
	}
	length := f.length
	if onlyPages(scrapers) {
		length = 0
	}
	start := now().Truncate(time.Millisecond)
	w := newWatching(s, scrapers, inputs, f.interval)
	if err := w.run(ctx, start, start.Add(length), func(int, time.Time) error { return nil }); err != nil {
		return nil, err
	}
	return observed(ctx, s, strings.Join(sources, " "))
}

// observed refuses a session that learnt nothing.
func observed(ctx context.Context, s *session, from string) (*observation, error) {
	r, err := s.report(ctx)
	if errors.Is(err, rules.ErrNoTick) {
		return nil, hinted{fmt.Errorf("%s: nothing could be judged", from), "no target answered and no log had a line with a time"}
	}
	if err != nil {
		return nil, err
	}
	return &observation{session: s, report: r}, nil
}

// query evaluates an expression at the last tick.
func (o *observation) query(ctx context.Context, expr string) ([]series.Sample, error) {
	return o.store.Instant(ctx, series.View{}, expr, o.ticked)
}
