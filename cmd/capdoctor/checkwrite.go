package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/capdoctor/capdoctor/incident"
	"github.com/capdoctor/capdoctor/report"
	"github.com/capdoctor/capdoctor/rules"
)

// checkForms are the forms that a check is written in.
var checkForms = map[string]func(io.Writer, rules.CheckResult, report.Options) error{
	"text":     report.CheckText,
	"json":     report.CheckJSON,
	"junit":    report.CheckJUnit,
	"sarif":    report.CheckSARIF,
	"tap":      report.CheckTAP,
	"github":   report.CheckGitHub,
	"markdown": report.CheckMarkdown,
}

// checkFormNames lists the forms as a flag's help does.
const checkFormNames = "text, json, junit, sarif, tap, github or markdown"

// validateForms refuses forms that there are not.
func validateForms(outputs []string) error {
	for _, o := range outputs {
		if format, _, _ := strings.Cut(o, "="); checkForms[format] == nil {
			return fmt.Errorf("output %q: want %s", format, checkFormNames)
		}
	}
	return nil
}

// write writes the result in every form that was asked for. On GitHub the whole
// report goes to the summary of the step too.
func (o *checkOptions) write(r rules.CheckResult) error {
	err := writeEach(o.streams, o.outputs, func(w io.Writer, format string) error {
		return checkForms[format](w, r, o.options(w))
	})
	summary := os.Getenv("GITHUB_STEP_SUMMARY")
	for _, out := range o.outputs {
		if format, _, _ := strings.Cut(out, "="); format == "github" && summary != "" {
			return errors.Join(err, appendFile(summary, func(w io.Writer) error {
				return report.CheckMarkdown(w, r, o.options(w))
			}))
		}
	}
	return err
}

func (o *checkOptions) options(w io.Writer) report.Options {
	return report.Options{Version: versionText(), Width: columns(), ASCII: o.ascii || !utf8Locale(), Style: styleOf(w)}
}

func appendFile(name string, write func(io.Writer) error) error {
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Close())
}

// updateCases rewrites the expectations of the cases that differ. The
// difference of each is shown first.
func (o *checkOptions) updateCases(r rules.CheckResult) error {
	changed := 0
	for _, c := range r.Cases {
		if c.Report == nil || !c.Failed() && o.answered[c.Path] {
			continue
		}
		u, err := incident.UpdateExpect(c.Path, answer(rules.Updated(c.Expect, c.Report)))
		if err != nil {
			return err
		}
		if u.Diff == "" {
			continue
		}
		fmt.Fprintf(o.streams.out, "%s\n%s\n", c.Path, escapeLines(u.Diff))
		if err := u.Apply(); err != nil {
			return err
		}
		changed++
	}
	fmt.Fprintf(o.streams.out, "%d of %d cases rewritten\n", changed, len(r.Cases))
	return nil
}

// answer turns an expectation back into what a case file holds.
func answer(e rules.Expect) *incident.Expect {
	out := &incident.Expect{Not: e.Not, Unknown: e.Unknown, AdviceMust: e.AdviceMust, AdviceMustNot: e.AdviceMustNot}
	for _, w := range e.Find {
		out.Find = append(out.Find, incident.Want{ID: w.ID, Where: w.Where, Says: w.Says})
	}
	return out
}

// escapeLines makes text of several lines fit for a terminal.
func escapeLines(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = report.Escape(line)
	}
	return strings.Join(lines, "\n")
}
