package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/pflag"

	"github.com/capdoctor/capdoctor/report"
	"github.com/capdoctor/capdoctor/rules"
	"github.com/capdoctor/capdoctor/scrape"
	"github.com/capdoctor/capdoctor/series"
)

// serverFlags name a Prometheus server as an input.
type serverFlags struct {
	address      string
	match        string
	serviceLabel string
	since        time.Duration
	patient      bool // --timeout, which fits pages, was not given
}

func (f *serverFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.address, "prometheus", "", "address of a Prometheus, Thanos Query, Mimir or VictoriaMetrics whose targets are judged by what it has stored")
	flags.StringVar(&f.match, "match", "", "with --prometheus: which targets, such as {namespace=\"shop\"}")
	flags.DurationVar(&f.since, "since", signalRetention, "with --prometheus: how much of the past is read, at least what baselines need")
	flags.StringVar(&f.serviceLabel, "service-label", "", "with --prometheus: the label that programs share which work together; without it all that match do")
}

// complete reads the flags.
func (f *serverFlags) complete(flags *pflag.FlagSet) error {
	f.patient = !flags.Changed("timeout")
	switch {
	case f.address == "" && (f.match != "" || f.serviceLabel != ""):
		return errors.New("--match and --service-label go with --prometheus URL")
	case f.since < 0:
		return errors.New("--since: want 0 or more")
	}
	return nil
}

// storedMoment reads --at for what a server has stored.
func storedMoment(text string) (time.Time, error) {
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return t, fmt.Errorf("--at %q: want a time such as 2026-07-02T09:11:00Z", text)
	}
	return t, nil
}

// mostStoredTargets is how many targets of a server are judged here.
const mostStoredTargets = 200

// serverTimeout bounds one request where --timeout is not given: a server has
// more to read than a page.
const serverTimeout = 30 * time.Second

// A storedInput is the targets of a Prometheus server. Their samples are read
// as they were scraped, so they are judged like targets of our own.
type storedInput struct {
	server  *scrape.Server
	session *session
	service string // the label that becomes service
	address string
	inputs  map[string]*input
	names   []string // metrics that the server has and somebody asks for
	read    time.Time
	next    time.Time // before it the server is not asked again
	told    int       // warnings of the server that are in the notes
}

// open asks which targets a server has at a time, and makes inputs of them; nil
// when no server was given. Where the server has no answer, that has been
// written and the error is an exit code.
func (f *serverFlags) open(ctx context.Context, s *session, o scrape.Options, streams streams, at time.Time) (*storedInput, error) {
	if f.address == "" {
		return nil, nil
	}
	if f.patient {
		o.Timeout = serverTimeout
	}
	server, err := scrape.NewServer(f.address, f.match, o)
	if err != nil {
		return nil, err
	}
	p := &storedInput{server: server, session: s, service: f.serviceLabel, address: f.address, inputs: map[string]*input{}}
	p.read = at.Add(-max(f.since, signalRetention))
	found, err := p.histories(ctx, []string{"up"}, at)
	if err == nil && len(found) == 0 {
		found, err = p.more(ctx, at) // what is pushed to a server has no up
		p.names = nil                // the user's own counters are not known yet
	}
	if err == nil && len(found) == 0 {
		err = hinted{fmt.Errorf("%s has no target that matches %s between %s and %s", f.address, cmp.Or(f.match, "{}"), p.read.UTC().Format(time.RFC3339), at.UTC().Format(time.RFC3339)),
			"check --match and --at; its page of targets lists what it scrapes"}
	}
	if err != nil {
		complain(streams.err, advised(err))
		return nil, exit(report.ExitUnknown)
	}
	if len(found) > mostStoredTargets {
		return nil, hinted{fmt.Errorf("%d targets match: %d are the most that are judged here", len(found), mostStoredTargets),
			"narrow it with --match, or let the server judge them: capdoctor rules export"}
	}
	p.addInputs(found)
	return p, nil
}

// advised gives an error of a server its hint.
func advised(err error) error {
	var e *scrape.Error
	if errors.As(err, &e) && e.Hint != "" {
		return hinted{e, e.Hint}
	}
	return err
}

// histories reads metrics from where reading stopped to a time.
func (p *storedInput) histories(ctx context.Context, names []string, to time.Time) ([]scrape.History, error) {
	stored, err := p.server.Read(ctx, names, p.read, to)
	if err != nil {
		return nil, err
	}
	return scrape.Histories(stored, p.service), nil
}

func (p *storedInput) addInputs(found []scrape.History) {
	for _, h := range found {
		if p.inputs[h.Target.Instance] == nil {
			in := rules.Input{Name: h.Target.Instance, Kind: "prometheus", Origin: p.address, Interval: commonStep(h.Results)}
			p.inputs[h.Target.Instance] = p.session.add(in, h.Target.Service, series.Scrape)
		}
	}
}

// scrapeJitter is what the times of scrapes on a server may be off.
const scrapeJitter = 100 * time.Millisecond

// commonStep is the most common distance of two scrapes.
func commonStep(results []scrape.Result) time.Duration {
	var offsets []time.Duration
	for _, r := range results {
		offsets = append(offsets, r.At.Sub(results[0].At).Round(scrapeJitter))
	}
	return stepOf(offsets)
}

// catchUp reads what the server has stored up to a time, and judges every round
// of scrapes before it. A failure is told of the inputs and does not end a watch.
func (p *storedInput) catchUp(ctx context.Context, at time.Time) error {
	if at.Before(p.next) {
		return nil
	}
	found, err := p.more(ctx, at)
	if err != nil {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		for _, in := range p.inputs {
			in.Error, in.Failed, in.Scrapes = advisedText(err), in.Failed+1, in.Scrapes+1
		}
		return nil
	}
	p.tell()
	p.addInputs(found)
	step := p.step()
	p.next = at.Add(step)
	if err := p.feed(ctx, found, step); err != nil {
		return err
	}
	if read := at.Add(-3 * step); read.After(p.read) {
		p.read = read // what is stored late is seen the next time; what was seen is left out
	}
	return nil
}

// advisedText is an error with its hint in one sentence.
func advisedText(err error) string {
	var e *scrape.Error
	if errors.As(err, &e) {
		return sentence(e)
	}
	return err.Error()
}

// more reads the metrics that somebody asks for. Which of them there are is asked once.
func (p *storedInput) more(ctx context.Context, to time.Time) ([]scrape.History, error) {
	if p.names == nil {
		names, err := p.server.Names(ctx, p.read, to)
		if err != nil {
			return nil, err
		}
		wanted := map[string]bool{"up": true, "scrape_duration_seconds": true}
		for _, name := range p.session.wanted() {
			wanted[name] = true
		}
		p.names = slices.DeleteFunc(names, func(name string) bool {
			return !wanted[name] && !p.session.judge.Catalog().MatchesMetric(name)
		})
	}
	return p.histories(ctx, p.names, to)
}

// step is the shortest interval of the targets.
func (p *storedInput) step() time.Duration {
	least := time.Duration(0)
	for _, in := range p.inputs {
		if least == 0 || in.Interval < least {
			least = in.Interval
		}
	}
	return max(least, time.Second)
}

// feed takes scrapes in the order of time, and judges at even times of which the
// last is that of the last scrape.
func (p *storedInput) feed(ctx context.Context, found []scrape.History, step time.Duration) error {
	type taken struct {
		in *input
		scrape.Result
	}
	var all []taken
	for _, h := range found {
		in := p.inputs[h.Target.Instance]
		for _, r := range h.Results {
			if r.At.After(in.Last) {
				all = append(all, taken{in, r})
			}
		}
	}
	if len(all) == 0 {
		return nil
	}
	slices.SortStableFunc(all, func(a, b taken) int { return a.At.Compare(b.At) })
	last := all[len(all)-1].At
	due := last.Add(-last.Sub(all[0].At) / step * step)
	for _, t := range all {
		for ; t.At.After(due); due = due.Add(step) {
			if err := p.session.tick(ctx, due); err != nil {
				return err
			}
		}
		p.session.take(t.in, t.Result)
	}
	return p.session.tick(ctx, due)
}

// tell puts what the server said beside its answers into the notes of reports.
func (p *storedInput) tell() {
	for _, w := range p.server.Warnings[p.told:] {
		p.session.notes = append(p.session.notes, fmt.Sprintf("%s answered in part: %s", p.address, w))
	}
	p.told = len(p.server.Warnings)
}
