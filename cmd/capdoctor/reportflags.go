package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/colorprofile"
	"github.com/spf13/pflag"

	"github.com/capdoctor/capdoctor/report"
	"github.com/capdoctor/capdoctor/rules"
)

// reportFlags say how a report is written and what makes it a failure.
type reportFlags struct {
	outputs       []string
	failOn        string
	minSeverity   string
	exitZero      bool
	failOnUnknown bool
	ascii         bool
	zone          string
}

var reportFormats = []string{"text", "json", "markdown"}

func (f *reportFlags) add(flags *pflag.FlagSet) {
	flags.StringArrayVarP(&f.outputs, "output", "o", []string{"text"}, strings.Join(reportFormats, ", ")+"; FORMAT=FILE writes to a file; repeatable")
	flags.StringVar(&f.failOn, "fail-on", rules.Warning, "exit 1 for a finding at or above it: critical, warning or info")
	flags.StringVar(&f.minSeverity, "min-severity", "", "leave out findings below it")
	flags.BoolVar(&f.exitZero, "exit-zero", false, "exit 0 whatever is found")
	flags.BoolVar(&f.failOnUnknown, "fail-on-unknown", false, "exit 3 when anything could not be judged")
	flags.BoolVar(&f.ascii, "ascii", false, "no character beyond ASCII")
	flags.StringVar(&f.zone, "tz", "UTC", "time zone of the times shown, such as Europe/Rome or Local")
}

func (f *reportFlags) validate() error {
	for _, s := range []string{f.failOn, f.minSeverity} {
		if err := validSeverity(s); err != nil {
			return err
		}
	}
	for _, o := range f.outputs {
		if format, _, _ := strings.Cut(o, "="); !slices.Contains(reportFormats, format) {
			return fmt.Errorf("output %q: want %s", format, strings.Join(reportFormats, ", "))
		}
	}
	_, err := f.location()
	return err
}

// validSeverity refuses what is no severity; empty is the default.
func validSeverity(s string) error {
	if s == "" || slices.Contains([]string{rules.Critical, rules.Warning, rules.Info}, s) {
		return nil
	}
	return fmt.Errorf("severity %q: want critical, warning or info", s)
}

func (f *reportFlags) location() (*time.Location, error) {
	if f.zone == "" {
		return time.UTC, nil
	}
	zone, err := time.LoadLocation(f.zone)
	if err != nil {
		return nil, fmt.Errorf("--tz %q: no such time zone", f.zone)
	}
	return zone, nil
}

// options are those of the report for a stream.
func (f *reportFlags) options(w io.Writer) report.Options {
	zone, _ := f.location() // validate has seen it
	return report.Options{
		Version: versionText(), ASCII: f.ascii || !utf8Locale(), Zone: zone, Width: columns(), Style: styleOf(w),
		MinSeverity: f.minSeverity, FailOn: f.failOn, FailOnUnknown: f.failOnUnknown, ExitZero: f.exitZero,
	}
}

// write writes a report in every form that was asked for and returns the exit
// code.
func (f *reportFlags) write(s streams, r *rules.Report) (int, error) {
	err := writeEach(s, f.outputs, func(w io.Writer, format string) error {
		switch format {
		case "json":
			return report.JSON(w, r, f.options(w))
		case "markdown":
			return report.Markdown(w, r, f.options(w))
		}
		return report.Text(w, r, f.options(w))
	})
	code, _ := f.options(io.Discard).Exit(r)
	return code, err
}

// columns is the width that COLUMNS asks for, 0 when it asks for none.
func columns() int {
	n, _ := strconv.Atoi(os.Getenv("COLUMNS"))
	return max(0, n)
}

// utf8Locale tells whether the locale, as far as it is set, writes UTF-8.
func utf8Locale() bool {
	if os.Getenv("TERM") == "dumb" {
		return false
	}
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := os.Getenv(name); v != "" {
			v = strings.ToLower(v)
			return strings.Contains(v, "utf-8") || strings.Contains(v, "utf8")
		}
	}
	return true
}

// styleOf picks colours by what the stream is and what the environment asks for
// (NO_COLOR, CLICOLOR_FORCE, TERM).
func styleOf(w io.Writer) report.Style {
	switch colorprofile.Detect(w, os.Environ()) {
	case colorprofile.TrueColor, colorprofile.ANSI256:
		return report.Dark256
	case colorprofile.ANSI:
		return report.Colour16
	case colorprofile.ASCII:
		return report.Mono
	}
	return report.NoStyle
}
