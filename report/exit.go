package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/capdoctor/capdoctor/rules"
)

// Exit codes of a judged report.
const (
	ExitOK      = 0 // judged, and nothing at or above the severity that fails
	ExitFound   = 1 // a finding at or above it
	ExitUnknown = 3 // nothing could be judged, or something could not and that was to fail
)

// Exit returns the exit status of a report and the reason in a few words
// ("1 critical, 2 warnings (--fail-on warning)"). Only firing findings count,
// and info never does. An empty failOn is warning.
func Exit(r *rules.Report, failOn string, failOnUnknown bool) (code int, reason string) {
	return Options{FailOn: failOn, FailOnUnknown: failOnUnknown}.Exit(r)
}

// Exit is the exit status under these options; ExitZero turns it into 0 and
// says so.
func (o Options) Exit(r *rules.Report) (code int, reason string) {
	code, reason = o.exit(r)
	if o.ExitZero && code != ExitOK {
		return ExitOK, reason + " (--exit-zero)"
	}
	return code, reason
}

func (o Options) exit(r *rules.Report) (code int, reason string) {
	failing := countFiring(r, o.failOn())
	switch {
	case failing != "":
		return ExitFound, fmt.Sprintf("%s (--fail-on %s)", failing, o.failOn())
	case !judged(r):
		return ExitUnknown, "nothing could be judged"
	case o.FailOnUnknown && len(r.NotJudged) > 0:
		return ExitUnknown, rules.Plural(len(r.NotJudged), "diagnosis", "diagnoses") + " not judged (--fail-on-unknown)"
	}
	return ExitOK, "nothing at or above " + o.failOn()
}

// judged reports whether there is any verdict at all. What is clear on a target
// that never answered is none.
func judged(r *rules.Report) bool {
	return len(r.Findings) > 0 || len(r.Cleared) > 0 && answered(r.Inputs)
}

// answered reports whether anything was read from any input.
func answered(inputs []rules.Input) bool {
	return len(inputs) == 0 || slices.ContainsFunc(inputs, func(in rules.Input) bool {
		return in.Scrapes > in.Failed || in.Records > 0
	})
}

// countFiring counts the firing findings at or above a severity, worst first:
// "1 critical, 2 warnings". It is empty when there are none. Info never counts.
func countFiring(r *rules.Report, least string) string {
	var counts []string
	for _, s := range []string{rules.Critical, rules.Warning} {
		n := 0
		for _, f := range r.Findings {
			if f.State == rules.Firing && f.Severity == s {
				n++
			}
		}
		if n > 0 && rules.AtLeast(s, least) {
			counts = append(counts, severityCount(n, s))
		}
	}
	return strings.Join(counts, ", ")
}

func severityCount(n int, severity string) string {
	if severity == rules.Warning {
		return rules.Plural(n, "warning", "warnings")
	}
	return rules.Plural(n, severity, severity)
}
