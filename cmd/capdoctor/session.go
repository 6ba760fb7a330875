package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/capdoctor/capdoctor/rules"
	"github.com/capdoctor/capdoctor/scrape"
	"github.com/capdoctor/capdoctor/series"
)

// Retention of a session that goes on without end: raw series for two event
// windows, signals for the baseline.
const (
	rawRetention    = 2*rules.EventsWindow + time.Minute
	signalRetention = rules.BaselineWindow + time.Minute
)

// A session joins the store, the judge and the account of what was read. Every
// command that judges has one, so that the same samples give the same report.
type session struct {
	store        *series.Store
	judge        *rules.Judge
	inputs       []*input
	ticked       int64                      // last tick, milliseconds
	stepwise     bool                       // logs are judged a point at a time, for a replay
	alternatives map[string][]string        // metric names that stand for one another
	goodputs     []string                   // metric names of the user's completion counters
	names        map[string]map[string]bool // instance to the metric names that its scrapes supply
	patterns     patternSource              // of log lines
	past         past                       // what the logs told before the first tick
	caseLogs     *logs                      // of a case that is being judged; set before the first tick
	notes        []string                   // for every report
}

// An input is one target or log of a session.
type input struct {
	rules.Input
	source   series.SourceID
	uptime   float64 // last process_uptime_seconds, or NaN
	begun    float64 // last process_start_time_seconds, or NaN
	answered bool
}

// newSession returns a session without inputs. A closed one keeps everything.
func newSession(c *rules.Catalog, patterns patternSource, closed bool) *session {
	o := series.Options{Raw: rawRetention, Signals: signalRetention}
	if closed {
		o = series.Options{}
	}
	store := series.New(o)
	return &session{store: store, judge: rules.NewJudge(c, store), patterns: patterns, alternatives: c.Alternatives(), names: map[string]map[string]bool{}}
}

// add names an input.
func (s *session) add(in rules.Input, service string, kind series.Kind) *input {
	i := &input{Input: in, source: s.store.AddSource(series.Source{
		Instance: in.Name, Service: service, Kind: kind, Interval: in.Interval,
	})}
	s.inputs = append(s.inputs, i)
	return i
}

// take stores one scrape and keeps the account of it.
func (s *session) take(in *input, r scrape.Result) {
	in.Scrapes++
	in.Bytes += r.Bytes
	in.Duration += r.Duration
	in.Last = r.At
	if in.First.IsZero() {
		in.First = r.At
	}
	in.Error = ""
	if r.Err != nil {
		in.Failed++
		in.Error = sentence(r.Err)
	} else {
		in.answered = true
		if r.Target.Probes() && r.Path != "" {
			in.Note = "found at " + r.Path
		}
		in.countRestart(r.Samples)
		s.note(in.Name, r.Samples)
	}
	s.store.Ingest(r.Batch(in.source))
}

// wanted lists the metric names that somebody asks for: the catalogue, the
// user's own completion counters, and the account of restarts.
func (s *session) wanted() []string {
	names := append(s.judge.Catalog().Metrics(), "process_uptime_seconds", "process_start_time_seconds")
	return append(names, s.goodputs...)
}

// note remembers which metrics the scrapes of an instance supply.
func (s *session) note(instance string, samples []series.Sample) {
	names := s.names[instance]
	if names == nil {
		names = map[string]bool{}
		s.names[instance] = names
	}
	for _, sample := range samples {
		names[sample.Labels.Get("__name__")] = true
	}
}

// supplied tells whether the scrapes of an instance supply a metric, under this
// name or under another one that a rule takes for the same.
func (s *session) supplied(instance, metric string) bool {
	names := s.names[instance]
	return names[metric] || slices.ContainsFunc(s.alternatives[metric], func(other string) bool { return names[other] })
}

// sentence is an error of a scrape with what to try. The target stands beside it.
func sentence(e *scrape.Error) string {
	if e.Hint == "" {
		return e.Msg
	}
	return e.Msg + "; " + e.Hint
}

// countRestart counts a process that is younger than it was.
func (in *input) countRestart(samples []series.Sample) {
	for _, s := range samples {
		switch s.Labels.Get("__name__") {
		case "process_uptime_seconds":
			if s.Value < in.uptime {
				in.Restarts++
			}
			in.uptime = s.Value
		case "process_start_time_seconds":
			if in.begun != 0 && s.Value > in.begun+1 && in.uptime == 0 {
				in.Restarts++
			}
			in.begun = s.Value
		}
	}
}

// tick judges everything up to t.
func (s *session) tick(ctx context.Context, t time.Time) error {
	ms := t.UnixMilli()
	if ms <= s.ticked {
		return nil
	}
	if s.ticked == 0 {
		if err := s.judgePast(ctx, ms); err != nil {
			return err
		}
	}
	s.ticked = ms
	return s.judge.Advance(ctx, ms)
}

// report is the answer at the last tick, with the account of the inputs.
func (s *session) report(ctx context.Context) (*rules.Report, error) {
	r, err := s.judge.Report(ctx)
	if errors.Is(err, rules.ErrNoTick) {
		r, err = s.nothing(), nil
	}
	if err != nil {
		return nil, err
	}
	s.account(r)
	return r, nil
}

// account puts what was read into a report.
func (s *session) account(r *rules.Report) {
	r.Notes = append(r.Notes, s.notes...)
	for _, name := range s.goodputs {
		if !s.store.Has(name) {
			r.Notes = append(r.Notes, fmt.Sprintf("--goodput %s: no input has this counter, so it counts nothing: check its name", name))
		}
	}
	for _, in := range s.inputs {
		in.Gaps = nil
		for _, g := range s.store.Gaps(in.source) {
			in.Gaps = append(in.Gaps, rules.Gap{From: time.UnixMilli(g.From).UTC(), To: time.UnixMilli(g.To).UTC()})
		}
		in.Systems = s.judge.Systems(in.Name)
		r.Inputs = append(r.Inputs, in.Input)
	}
	slices.SortStableFunc(r.Inputs, func(a, b rules.Input) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Kind, b.Kind))
	})
}

// nothing is the report of a session whose inputs gave no sample with a time.
func (s *session) nothing() *rules.Report {
	r := &rules.Report{Ledger: rules.Ledger{Indeterminate: math.NaN(), Refused: math.NaN()}, NotApplicable: len(s.judge.Catalog().Diagnoses)}
	for _, in := range s.inputs {
		if in.Last.After(r.At) {
			r.At = in.Last
		}
	}
	r.Window.Start, r.Window.End = r.At, r.At
	r.Notes = []string{"no input gave a sample with a time: nothing was compared"}
	return r
}

// knows refuses a name that no input has; the empty one stands for all.
func (s *session) knows(name, text string) error {
	if name == "" || slices.Contains(s.instances(), name) {
		return nil
	}
	return fmt.Errorf("%q: no target %q; there are %s", text, name, strings.Join(s.instances(), ", "))
}

// instances lists the names of the inputs.
func (s *session) instances() []string {
	var names []string
	for _, in := range s.inputs {
		names = append(names, in.Name)
	}
	return names
}
