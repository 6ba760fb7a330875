package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/capdoctor/capdoctor/incident"
	"github.com/capdoctor/capdoctor/rules"
	"github.com/capdoctor/capdoctor/scrape"
)

// recordOptions are the flags of record.
type recordOptions struct {
	targetFlags
	judgeFlags
	serverFlags
	at        string
	moment    time.Time // of at; zero is now
	logFiles  []string
	path      string
	length    time.Duration
	on        string
	before    time.Duration
	after     time.Duration
	redact    []string
	anonymize bool
	streams   streams
	targets   []scrape.Target
	catalog   *rules.Catalog
	tails     []*tail
}

// ringBytes bounds what --on keeps in memory before something happens.
const ringBytes = 256 << 20

func newRecord(s streams) *cobra.Command {
	o := recordOptions{streams: s}
	c := silence(&cobra.Command{
		Use:   "record TARGET... -o FILE",
		Short: "record targets and logs into an incident file",
		Long: `record writes what its targets answer, and what is appended to the logs, into a
folder or one .capdoctor file: a case that diagnose, replay and check read. It
runs until --for has passed or it is interrupted; when it is killed the file is
readable up to the last scrape.

With --on firing nothing is written until a finding at warning or above fires;
then the time --before it and --after it is.

--prometheus URL records what a Prometheus server has stored up to --at, for as
long as --since says.

User names and passwords in URLs are never written; --redact and --anonymize
take out more.`,
		Example: `  capdoctor record app.example:8080 --log app.log -o incident.capdoctor
  capdoctor record server=10.0.0.7:3000 -o incident --on firing \
    --before 5m --after 2m
  capdoctor record app:8080 -o share.capdoctor --redact customer --anonymize
  capdoctor record --prometheus http://prometheus:9090 --match '{job="shop"}' \
    --at 2026-07-02T02:40:00Z --since 1h -o last-night.capdoctor`,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 && o.address == "" {
				return needs("a target")(c, args)
			}
			if err := o.serverFlags.complete(c.Flags()); err != nil {
				return err
			}
			if err := o.complete(args); err != nil {
				return err
			}
			if o.address != "" {
				return o.runStored(c.Context())
			}
			return o.run(c.Context())
		},
	})
	o.targetFlags.add(c.Flags(), 5*time.Second)
	o.judgeFlags.add(c.Flags())
	o.serverFlags.add(c.Flags())
	c.Flags().StringVar(&o.at, "at", "", "with --prometheus: the time at which the recording ends, now without it")
	c.Flags().StringArrayVar(&o.logFiles, "log", nil, "[NAME=]FILE whose new lines are recorded too; repeatable")
	c.Flags().StringVarP(&o.path, "output", "o", "", "file that ends in .capdoctor, or a folder")
	c.Flags().DurationVar(&o.length, "for", 0, "how long to record; 0 until interrupted")
	c.Flags().StringVar(&o.on, "on", "", "firing: write nothing until a finding fires")
	c.Flags().DurationVar(&o.before, "before", 5*time.Minute, "with --on: how much of the time before to keep")
	c.Flags().DurationVar(&o.after, "after", 2*time.Minute, "with --on: how long to go on")
	c.Flags().StringSliceVar(&o.redact, "redact", nil, "labels whose values are not written")
	c.Flags().BoolVar(&o.anonymize, "anonymize", false, "replace host names and addresses, the same one always by the same")
	return c
}

func (o *recordOptions) complete(args []string) error {
	switch {
	case o.path == "":
		return hinted{errors.New("nowhere to record to"), "-o incident.capdoctor"}
	case o.on != "" && o.on != "firing":
		return fmt.Errorf("--on %q: want firing", o.on)
	case o.interval <= 0 || o.timeout <= 0 || o.length < 0 || o.before < 0 || o.after < 0:
		return errors.New("--interval and --timeout must be more than 0, other times 0 or more")
	}
	if err := o.completeStored(args); err != nil {
		return err
	}
	var err error
	if o.catalog, err = o.catalogFlags.load(); err != nil {
		return err
	}
	for _, text := range o.logFiles {
		t, err := newTail(o.streams.in, text)
		if err != nil {
			return err
		}
		o.tails = append(o.tails, t)
	}
	o.targets, err = parseTargets(args)
	return err
}

func (o *recordOptions) run(ctx context.Context) error {
	s := newSession(o.catalog, loadedOnce(nil), false)
	scraping, err := o.targetFlags.options(o.streams)
	if err != nil {
		return err
	}
	scraping.KeepBody = true
	scrapers, inputs, err := o.targetFlags.open(s, o.targets, scraping, o.judgeFlags)
	if err != nil {
		return err
	}
	start := now().Truncate(time.Millisecond)
	rec, err := o.newRecorder(start, scraping.Secrets())
	if err != nil {
		return err
	}
	end := start.Add(o.length)
	if o.length == 0 {
		end = start.AddDate(100, 0, 0)
	}
	w := newWatching(s, scrapers, inputs, o.interval)
	w.keep, w.spare = rec.scrape, true
	w.before = func(at time.Time) error { return rec.logs(ctx, o.tails, at, o.copyUntil(now(), end)) }
	err = w.run(ctx, start, end, func(_ int, at time.Time) error { return o.round(ctx, s, rec, at) })
	var s2 signalled
	if errors.As(err, &s2) || errors.Is(err, errRecorded) {
		err = nil
	}
	err = errors.Join(err, rec.close())
	fmt.Fprintln(o.streams.err, rec.account())
	if rec.writing() {
		for _, line := range leftBehind(o.tails) {
			fmt.Fprintln(o.streams.err, line)
		}
	}
	return err
}

// afterEnd is how long the logs may be copied when the time of --for has passed.
const afterEnd = time.Second

// copyUntil is when a round that begins to copy logs at t stops: it leaves half
// of the interval to the scrapes and does not hold up the end.
func (o *recordOptions) copyUntil(t, end time.Time) time.Time {
	until := t.Add(o.interval / 2)
	last := end.Add(afterEnd)
	if t.After(end) {
		last = t.Add(afterEnd)
	}
	if until.After(last) {
		return last
	}
	return until
}

// errRecorded ends a recording whose time after the trigger has passed.
var errRecorded = errors.New("recorded")

// round looks, behind every round, whether the recording begins or ends.
func (o *recordOptions) round(ctx context.Context, s *session, rec *recorder, at time.Time) error {
	if rec.err != nil {
		return rec.err
	}
	if o.on == "" {
		return nil
	}
	if rec.writing() {
		if at.Sub(rec.triggered) >= o.after {
			return errRecorded
		}
		return nil
	}
	r, err := s.report(ctx)
	if err != nil {
		return err
	}
	for _, f := range r.Findings {
		if f.State == rules.Firing && f.Severity != rules.Info {
			fmt.Fprintf(o.streams.err, "%s fires on %s: recording\n", f.ID, f.Subject["instance"])
			return rec.begin(at)
		}
	}
	return nil
}

// newRecorder begins to write, or with --on to remember.
// The secrets must not reach the file wherever they stand.
func (o *recordOptions) newRecorder(start time.Time, secrets []string) (*recorder, error) {
	r := &recorder{path: o.path, source: "recorded from live targets", facts: o.factsOfCase(), options: incident.Options{
		Redact: o.redact, Anonymize: o.anonymize, Secrets: secrets, Hosts: o.hosts(),
	}}
	if o.address != "" {
		r.source = "recorded from what a Prometheus server has stored"
	}
	if o.on == "" {
		return r, r.open(start)
	}
	var err error
	r.ring, err = incident.NewRing(o.before, ringBytes)
	return r, err
}

// factsOfCase are the facts of the command line as a case writes them.
func (o *recordOptions) factsOfCase() map[string]string {
	facts := map[string]string{}
	for _, text := range o.facts {
		key, value, _ := strings.Cut(text, "=")
		facts[key] = value
	}
	return facts
}

// hosts are the names of targets that are addresses.
func (o *recordOptions) hosts() []string {
	var hosts []string
	for _, t := range o.targets {
		if t.Name == "" {
			hosts = append(hosts, t.Instance)
		}
	}
	slices.Sort(hosts)
	return hosts
}
