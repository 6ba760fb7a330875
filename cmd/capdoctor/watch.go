package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/capdoctor/capdoctor/report"
	"github.com/capdoctor/capdoctor/rules"
	"github.com/capdoctor/capdoctor/scrape"
	"github.com/capdoctor/capdoctor/series"
	"github.com/capdoctor/capdoctor/tui"
)

// firmAfter is how long a session is watched before its answers count as firm.
const firmAfter = 20 * time.Second

// watchOptions are the flags of watch.
type watchOptions struct {
	targetFlags
	judgeFlags
	screenFlags
	logFlags
	serverFlags
	until    time.Duration
	streams  streams
	targets  []scrape.Target
	logs     []*followed
	catalog  *rules.Catalog
	patterns patternSource
}

func newWatch(s streams) *cobra.Command {
	o := watchOptions{streams: s}
	c := silence(&cobra.Command{
		Use:   "watch TARGET...",
		Short: "watch targets live on the dashboard, and whether what you do helps",
		Long: `watch scrapes its targets every two seconds and shows what is wrong, what proves
it and what to do first; then it watches whether what was done helps. ? lists
the keys.

With --until-recovered it ends by itself, exit 0, when nothing at or above
--fail-on has fired for that long. Without a terminal, and with --plain, it
tells what changes, a line each.

--prometheus URL watches the targets of a Prometheus server by what it stores.`,
		Example: `  capdoctor watch app.example:8080
  capdoctor watch server=10.0.0.7:3000 bundle=10.0.0.8:8080 \
    --log bundle=bundle.log
  capdoctor watch app:8080 --until-recovered=2m --plain
  capdoctor watch --prometheus http://prometheus:9090 --match '{job="shop"}'`,
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
			return o.run(c.Context())
		},
	})
	o.targetFlags.add(c.Flags(), 2*time.Second)
	o.judgeFlags.add(c.Flags())
	o.screenFlags.add(c.Flags())
	o.logFlags.add(c.Flags())
	o.serverFlags.add(c.Flags())
	o.catalogFlags.addPatterns(c.Flags())
	c.Flags().DurationVar(&o.until, "until-recovered", 0, "end when nothing has fired for this long")
	c.Flags().Lookup("until-recovered").NoOptDefVal = "1m"
	return c
}

func (o *watchOptions) complete(args []string) error {
	if err := o.screenFlags.validate(); err != nil {
		return err
	}
	if o.interval <= 0 || o.timeout <= 0 || o.until < 0 {
		return errors.New("--interval and --timeout must be more than 0, --until-recovered 0 or more")
	}
	var err error
	if o.catalog, err = o.catalogFlags.load(); err != nil {
		return err
	}
	if o.patterns, err = o.catalogFlags.patterns(); err != nil {
		return err
	}
	if o.logs, err = o.logFlags.complete(o.patterns); err != nil {
		return err
	}
	if o.targets, err = parseTargets(args); err != nil {
		return err
	}
	return oneStdin(o.targets, o.logs)
}

func (o *watchOptions) run(ctx context.Context) error {
	s := newSession(o.catalog, o.patterns, false)
	scraping, err := o.targetFlags.options(o.streams)
	if err != nil {
		return err
	}
	start := now().Truncate(time.Millisecond)
	stored, err := o.serverFlags.open(ctx, s, scraping, o.streams, start)
	if err != nil {
		return err
	}
	scrapers, inputs, err := o.targetFlags.open(s, o.targets, scraping, o.judgeFlags)
	if err != nil {
		return err
	}
	w := newWatching(s, scrapers, inputs, o.interval)
	w.stored = stored
	w.spare = true
	l, err := o.logFlags.follow(w, o.streams.in, o.logs)
	if err != nil {
		return err
	}
	defer endFollowed(o.logs)
	show := o.screenFlags.dashboard(s, o.streams)
	show.Targets = s.instances()
	show.UntilRecovered = o.until
	show.Refresh = refresher(o.targets, scraping)
	if l != nil {
		show.Lines = l.lines
	}
	return o.screenFlags.show(ctx, o.streams, show, w.frames(start))
}

// screenFlags say how a dashboard looks and ends.
type screenFlags struct {
	plain     bool
	ascii     bool
	noBraille bool
	mouse     bool
	theme     string
	zone      string
	failOn    string
}

func (f *screenFlags) add(flags *pflag.FlagSet) {
	flags.BoolVar(&f.plain, "plain", false, "no dashboard: tell what changes, a line each")
	flags.BoolVar(&f.ascii, "ascii", false, "no character beyond ASCII")
	flags.BoolVar(&f.noBraille, "no-braille", false, "charts of blocks instead of dots")
	flags.BoolVar(&f.mouse, "mouse", false, "scroll with the wheel; selecting text then needs shift")
	flags.StringVar(&f.theme, "theme", "auto", "auto, dark or light")
	flags.StringVar(&f.zone, "tz", "UTC", "time zone of the times shown")
	flags.StringVar(&f.failOn, "fail-on", rules.Warning, "the severity from which a finding counts: critical, warning or info")
}

func (f *screenFlags) validate() error {
	switch f.theme {
	case "auto", "dark", "light":
	default:
		return fmt.Errorf("--theme %q: want auto, dark or light", f.theme)
	}
	if _, err := time.LoadLocation(f.zone); err != nil {
		return fmt.Errorf("--tz %q: no such time zone", f.zone)
	}
	return validSeverity(f.failOn)
}

// dashboard is what every dashboard of a session has.
func (f *screenFlags) dashboard(s *session, streams streams) tui.Options {
	zone, _ := time.LoadLocation(f.zone) // validate has seen it
	o := tui.Options{
		Store: s.store, Catalog: s.judge.Catalog(), Start: now(), FailOn: f.failOn,
		Display: tui.Display{
			Zone: zone, ASCII: f.ascii || !utf8Locale(), NoBraille: f.noBraille, Mouse: f.mouse,
			NoColor: styleOf(streams.out) == report.Mono || styleOf(streams.out) == report.NoStyle,
		},
		Save: saveReport, Copy: tui.NativeCopy,
		Text: func(c tui.Clip) string { return clipText(c, zone) },
	}
	if f.theme != "auto" {
		light := f.theme == "light"
		o.Light = &light
	}
	return o
}

// A producer sends frames until the context ends or there are no more.
type producer func(ctx context.Context, frames chan<- tui.Frame) error

// show runs the producer beside the dashboard, or beside the plain teller.
func (f *screenFlags) show(ctx context.Context, s streams, o tui.Options, produce producer) error {
	inner, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	frames := make(chan tui.Frame)
	o.Frames = frames
	ended := make(chan struct{})
	tui.Go(cancel, func() {
		defer close(ended) // also behind a panic
		defer close(frames)
		if err := produce(inner, frames); err != nil && inner.Err() == nil {
			cancel(err)
		}
	})
	var result tui.Result
	var err error
	if f.plain || !s.interactive() || dumbTerminal() {
		result, err = tui.Plain(inner, s.out, o)
	} else {
		result, err = tui.Run(inner, s.in, s.out, o)
	}
	cancel(nil)
	<-ended
	if err != nil {
		return err
	}
	return exit(watchCode(o, result))
}

// watchCode is 0, but for a dashboard that should have waited for recovery and
// did not see it.
func watchCode(o tui.Options, r tui.Result) int {
	if o.UntilRecovered == 0 || r.Recovered {
		return 0
	}
	if r.Last == nil {
		return report.ExitUnknown
	}
	code, _ := report.Exit(r.Last, o.FailOn, false)
	return code
}

// frames watches without end and sends a frame behind every round.
func (w *watching) frames(start time.Time) producer {
	return func(ctx context.Context, frames chan<- tui.Frame) error {
		return w.run(ctx, start, start.AddDate(100, 0, 0), func(round int, at time.Time) error {
			r, err := w.session.report(ctx)
			if err != nil {
				return err
			}
			firm := firmAfter - at.Sub(start)
			return send(ctx, frames, tui.Frame{Report: r, Provisional: firm > 0, Scrapes: round + 1, FirmIn: max(0, firm)})
		})
	}
}

func send(ctx context.Context, frames chan<- tui.Frame, f tui.Frame) error {
	select {
	case frames <- f:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// refresher reads the whole page of a target, also what no rule asks for.
func refresher(targets []scrape.Target, o scrape.Options) func(context.Context, string) ([]series.Sample, error) {
	o.Names = nil
	return func(ctx context.Context, instance string) ([]series.Sample, error) {
		for _, t := range targets {
			if t.Instance != instance {
				continue
			}
			sc, err := scrape.NewScraper(t, o)
			if err != nil {
				return nil, err
			}
			defer sc.Close()
			r := sc.Scrape(ctx, now())
			if r.Err != nil {
				return nil, r.Err
			}
			return r.Samples, nil
		}
		return nil, fmt.Errorf("no target %q", instance)
	}
}

// saveReport writes the report into the working folder.
func saveReport(r *rules.Report) (string, error) {
	name := "capdoctor-" + r.At.UTC().Format("20060102T150405Z") + ".txt"
	f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return "", err
	}
	err = errors.Join(report.Text(f, r, report.Options{Version: versionText()}), f.Close())
	if abs, e := filepath.Abs(name); e == nil {
		name = abs
	}
	return name, err
}

// clipText is what is copied: one finding in full, or five lines for a chat.
func clipText(c tui.Clip, zone *time.Location) string {
	var b strings.Builder
	o := report.Options{Version: versionText(), Zone: zone}
	switch c.Kind {
	case tui.CopyHandOver:
		report.Handover(&b, c.Report, o, report.Progress{Done: doneLines(c.Done, zone), Steps: len(c.Done)}) // a Builder does not fail
	default:
		one := *c.Report
		if c.Finding != nil {
			one.Findings = []*rules.Finding{c.Finding}
		}
		report.Text(&b, &one, o)
	}
	return b.String()
}

// dumbTerminal tells whether the terminal cannot move its cursor.
func dumbTerminal() bool { return os.Getenv("TERM") == "dumb" }

// interactive tells whether a person sits at both ends.
func (s streams) interactive() bool {
	in, ok := s.in.(*os.File)
	out, ok2 := s.out.(*os.File)
	return ok && ok2 && term.IsTerminal(in.Fd()) && term.IsTerminal(out.Fd())
}
