package main

import (
	"context"
	"errors"
	"fmt"
	"io"
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
	patterns     patternSource
	inputs       []logparse.Input
	notes        []string
	skew         map[string]time.Duration
	bounds       bounds
	formats      *logparse.Formats
	onScreen     bool // the dashboard instead of the report
}

func newPostmortem(s streams) *cobra.Command {
	o := postmortemOptions{streams: s}
	c := silence(&cobra.Command{
		Use:   "postmortem LOG...",
		Short: "tell from logs what failed, when it began and ended, in what order",
		Long: `postmortem reads logs to their end and tells what failed: when it began, what
moved first, how bad it was, when it was over, what to change.

A LOG is [[SERVICE/]NAME=]FILE, a pattern such as 'app.log*', a folder, or - for
standard input; gzip, zstd, bzip2 and xz are taken off. Files of one name form a
rotated set. Without a name the file's base name is used. A recorded case (a
folder with case.yaml, or a .capdoctor file) is judged over all its time.

--patterns adds what your own lines mean, and their form, in the form of the
built-in patterns: logparse/patterns/README.md.

--dashboard shows it on the screens of watch instead of writing a report: all is
played at once, the arrows go through the time, n and N to the next finding and
slow-down.

Exit 0: nothing at or above --fail-on. 1: an incident. 2: usage.
3: nothing could be judged.`,
		Example: `  capdoctor postmortem server.log bundle.log.gz
  capdoctor postmortem 'app.log*' db=/var/log/postgresql.log --since 2h
  journalctl -u app -o short-iso-precise | capdoctor postmortem app=-
  capdoctor postmortem logs/ --tz Europe/Rome --skew bundle=+1.2s \
    -o text -o markdown=incident.md`,
		Args: needs("a log, or a recorded case"),
		RunE: func(c *cobra.Command, args []string) error {
			o.args = args
			if err := o.complete(); err != nil {
				return err
			}
			return o.run(c.Context())
		},
	})
	o.judgeFlags.add(c.Flags())
	o.catalogFlags.addPatterns(c.Flags())
	o.reportFlags.add(c.Flags())
	c.Flags().BoolVar(&o.onScreen, "dashboard", false, "no report: the screens of watch, to go through the time")
	c.Flags().Lookup("tz").Usage = "time zone of stamps that name none, and of the times shown, such as Europe/Rome or Local"
	c.Flags().StringVar(&o.since, "since", "", "leave out what is older: a time, or 15m for the last 15 minutes of the logs")
	c.Flags().StringVar(&o.until, "until", "", "leave out what is newer: a time, or 15m for all but the last 15 minutes")
	c.Flags().StringArrayVar(&o.skews, "skew", nil, "NAME=+1.2s: add to the times of that log, whose clock was slow; repeatable")
	c.Flags().StringVar(&o.format, "format", "", "format of the lines, such as spring-boot; without it the format is found by itself")
	return c
}

func (o *postmortemOptions) complete() error {
	if o.onScreen && (!o.streams.interactive() || dumbTerminal()) {
		return hinted{errors.New("--dashboard needs a terminal"), "without it postmortem writes a report"}
	}
	if err := o.reportFlags.validate(); err != nil {
		return err
	}
	var err error
	if o.catalog, err = o.catalogFlags.load(); err != nil {
		return err
	}
	if o.patterns, err = o.catalogFlags.patterns(); err != nil {
		return err
	}
	if o.isCase() {
		return o.completeCase()
	}
	if err := checkFormat("--format", o.format, o.patterns); err != nil {
		return err
	}
	if o.formats, err = o.patterns.formats(); err != nil {
		return err
	}
	if o.inputs, o.notes, err = logparse.Inputs(o.args, o.formats); err != nil {
		return hinted{err, "a LOG is a file, a pattern, a folder, a pipe or -"}
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
	if o.onScreen {
		return o.dashboard(ctx)
	}
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
// unless COLUMNS says otherwise or the terminal is narrower.
func (o *postmortemOptions) options(w io.Writer) report.Options {
	ro := o.reportFlags.options(w)
	if ro.Width == 0 {
		ro.Width = 100
		if isTerminal(w) {
			ro.Width = min(100, max(60, terminalWidth(w)))
		}
	}
	return ro
}
