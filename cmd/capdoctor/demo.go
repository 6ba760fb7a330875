package main

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/capdoctor/capdoctor/lab"
	"github.com/capdoctor/capdoctor/logparse"
	"github.com/capdoctor/capdoctor/report"
	"github.com/capdoctor/capdoctor/rules"
	"github.com/capdoctor/capdoctor/scrape"
)

// demoOptions are the flags of demo.
type demoOptions struct {
	reportFlags
	oneShot  bool // the report, also on a terminal
	healthy  bool
	scenario string
	length   time.Duration
	streams  streams
}

func newDemo(s streams) *cobra.Command {
	o := demoOptions{streams: s}
	c := silence(&cobra.Command{
		Use:   "demo [SCENARIO]",
		Short: "diagnose a built-in incident, served live on this machine",
		Long: `demo runs a model of a system in trouble, or of a healthy one: an Evento server,
a task coordinator, a domain of Oracle Service Bus, Pulsar brokers, a service
behind a proxy, an executor, a container, a Kafka group. It serves the model's
metrics pages on the loopback interface at real pace, follows its logs, and
reads them like any other target. On a terminal it opens the dashboard on them;
without one, and with --one-shot or -o, it diagnoses them once, after 35 s
(--for): what is counted over minutes takes that long to show.

Without a scenario it is collapse: 20 writers stop an idle Evento server.

Exit 0: it found what the scenario shows. 3: it did not.`,
		Example: `  capdoctor demo
  capdoctor demo --healthy --one-shot
  capdoctor demo pulsar-burst
  capdoctor demo coordinator-unbounded -o json

Scenarios:
` + scenarioList(),
		Args: atMostOne("scenario"),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				if c.Flags().Changed("scenario") || o.healthy {
					return fmt.Errorf("scenario %q: give one scenario, by its name or by a flag", args[0])
				}
				o.scenario = args[0]
			}
			if err := o.complete(); err != nil {
				return err
			}
			o.oneShot = o.oneShot || c.Flags().Changed("output") || !s.interactive()
			return o.run(c.Context())
		},
	})
	o.reportFlags.add(c.Flags())
	c.Flags().BoolVar(&o.oneShot, "one-shot", false, "no dashboard: diagnose once")
	c.Flags().BoolVar(&o.healthy, "healthy", false, "the same server with 8 writers")
	c.Flags().StringVar(&o.scenario, "scenario", "collapse", "the same as SCENARIO")
	c.Flags().DurationVar(&o.length, "for", 35*time.Second, "how long to watch")
	return c
}

func scenarioNames() []string {
	var names []string
	for _, s := range lab.Scenarios() {
		names = append(names, s.Name)
	}
	return names
}

// scenarioList is a line of each scenario, with what it is.
func scenarioList() string {
	scenarios, width := lab.Scenarios(), 0
	for _, s := range scenarios {
		width = max(width, len(s.Name))
	}
	var list strings.Builder
	for _, s := range scenarios {
		list.WriteString(wrapped(fmt.Sprintf("  %-*s  ", width, s.Name), strings.Repeat(" ", width+4), s.Title, 80))
	}
	return strings.TrimSuffix(list.String(), "\n")
}

func (o *demoOptions) complete() error {
	if o.healthy {
		o.scenario = "healthy"
	}
	if o.length <= 0 {
		return fmt.Errorf("--for %s: want more than 0", o.length)
	}
	return o.reportFlags.validate()
}

func (o *demoOptions) run(ctx context.Context) error {
	scenario, err := lab.Find(o.scenario)
	if err != nil {
		return err
	}
	catalog, err := rules.Default()
	if err != nil {
		return err
	}
	d, err := startDemo(scenario)
	if err != nil {
		return err
	}
	defer d.stop()
	if !o.oneShot {
		return o.dashboard(ctx, catalog, d)
	}
	o.tell(scenario, d)
	r, err := o.watch(ctx, catalog, d)
	if err != nil {
		return err
	}
	if _, err := o.reportFlags.write(o.streams, r); err != nil {
		return err
	}
	if missing := unshown(scenario, r); missing != "" {
		fmt.Fprintf(o.streams.err, "the scenario did not show what it should: %s\n", missing)
		return exit(report.ExitUnknown)
	}
	fmt.Fprintln(o.streams.err, "it found what the scenario shows: demo ends with exit 0, diagnose as the report says")
	return nil
}

// tell says what is shown, and what the scenario promises.
func (o *demoOptions) tell(s lab.Scenario, d *demo) {
	if len(d.targets()) == 0 {
		fmt.Fprintf(o.streams.err, "%s; it has logs and no page\n", s.Title)
	} else {
		fmt.Fprintf(o.streams.err, "%s, served at %s\n", s.Title, d.url)
	}
	for _, p := range s.Promises {
		fmt.Fprint(o.streams.err, wrapped("  - ", "    ", p, 80))
	}
}

// watch scrapes the demo's pages and tails its logs for a while.
func (o *demoOptions) watch(ctx context.Context, catalog *rules.Catalog, d *demo) (*rules.Report, error) {
	w, _, err := o.open(catalog, d, time.Second)
	if err != nil {
		return nil, err
	}
	start := now().Truncate(time.Millisecond)
	end := start.Add(o.length)
	err = w.run(ctx, start, end, func(round int, at time.Time) error {
		return o.progress(ctx, w.session, round, end.Sub(at))
	})
	if err != nil {
		return nil, err
	}
	return w.session.report(ctx)
}

// dashboard shows the demo as watch shows any other targets.
func (o *demoOptions) dashboard(ctx context.Context, catalog *rules.Catalog, d *demo) error {
	w, l, err := o.open(catalog, d, time.Second)
	if err != nil {
		return err
	}
	f := screenFlags{ascii: o.ascii, theme: "auto", zone: o.zone, failOn: o.failOn}
	show := f.dashboard(w.session, o.streams)
	show.Targets, show.Lines = w.session.instances(), l.lines
	return f.show(ctx, o.streams, show, w.frames(now().Truncate(time.Millisecond)))
}

// open makes a session of the demo's targets and logs.
func (o *demoOptions) open(catalog *rules.Catalog, d *demo, interval time.Duration) (*watching, *logs, error) {
	s := newSession(catalog, loadedOnce(nil), false)
	f := targetFlags{interval: interval, timeout: scrape.DefaultTimeout}
	targets, err := parseTargets(d.targets())
	if err != nil {
		return nil, nil, err
	}
	scraping, err := f.options(o.streams)
	if err != nil {
		return nil, nil, err
	}
	scrapers, inputs, err := f.open(s, targets, scraping, judgeFlags{facts: d.facts})
	if err != nil {
		return nil, nil, err
	}
	l, err := s.newLogs(logparse.GridOptions{Step: interval})
	if err != nil {
		return nil, nil, err
	}
	w := newWatching(s, scrapers, inputs, interval)
	w.before = func(at time.Time) error { return d.tail(l, at) }
	return w, l, nil
}

// progress says on standard error how it stands: after two scrapes, and then
// every five seconds.
func (o *demoOptions) progress(ctx context.Context, s *session, round int, left time.Duration) error {
	if round != 1 && round%5 != 0 || round == 0 || left <= 0 {
		return nil
	}
	r, err := s.report(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintln(o.streams.err, report.Provisional(r, o.reportFlags.options(o.streams.err), round+1, left.Round(time.Second)))
	return nil
}

// unshown names the first diagnosis that a scenario promises and the report
// does not have, or that it excludes and the report has.
func unshown(s lab.Scenario, r *rules.Report) string {
	fires := func(id string) bool {
		return slices.ContainsFunc(r.Findings, func(f *rules.Finding) bool { return f.ID == id && f.State == rules.Firing })
	}
	for _, want := range s.Expect.Find {
		if !fires(want.ID) {
			return want.ID + " does not fire"
		}
	}
	for _, id := range s.Expect.Not {
		if fires(id) {
			return id + " fires"
		}
	}
	return ""
}

// A demo is a model that is served over HTTP at real pace.
type demo struct {
	model  lab.System
	facts  []string // what the user of the scenario's system would know
	server *http.Server
	url    string
}

// startDemo rolls a scenario to the present and serves it on a free port of the
// loopback interface.
func startDemo(s lab.Scenario) (*demo, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("serving the demo: %w", err)
	}
	model := s.Play(now())
	d := &demo{model: model, url: "http://" + listener.Addr().String()}
	for _, name := range slices.Sorted(maps.Keys(s.Expect.Facts)) {
		d.facts = append(d.facts, fmt.Sprintf("%s=%v", name, s.Expect.Facts[name]))
	}
	d.server = &http.Server{Handler: lab.Handler(model, now), ReadHeaderTimeout: 5 * time.Second}
	go d.server.Serve(listener) // ends with stop
	return d, nil
}

func (d *demo) stop() { d.server.Close() }

func (d *demo) targets() []string {
	var targets []string
	for _, t := range d.model.Targets() {
		targets = append(targets, t.Name+"="+d.url+"/"+t.Name+t.Path)
	}
	return targets
}

// tail hands the log lines that the model has written to the session.
func (d *demo) tail(l *logs, at time.Time) error {
	d.model.RunTo(at)
	for _, name := range d.model.LogNames() {
		var b bytes.Buffer
		for _, line := range d.model.Logs(name) {
			b.WriteString(line.Text)
			b.WriteByte('\n')
		}
		if err := l.follow(&b, name+".log", name, at); err != nil {
			return err
		}
	}
	return nil
}
