package report

import (
	"time"

	"github.com/capdoctor/capdoctor/rules"
)

// The widths a text may have, in columns.
const (
	defaultWidth = 80
	leastWidth   = 60
	proseWidth   = 110 // longer lines of prose are hard to read
)

// Options say how a report is written. The zero value is 80 columns of Unicode
// without colour, times in UTC, failing on warnings.
type Options struct {
	Version string         // of capdoctor, for the JSON
	Width   int            // columns of a text; 0 is 80, at least 60
	ASCII   bool           // no character beyond ASCII, in texts
	Style   Style          // colours, in texts
	Zone    *time.Location // of every time shown; nil is UTC

	MinSeverity   string // findings below it are counted and not shown; empty shows all
	FailOn        string // the severity that makes the exit status 1; empty is warning
	FailOnUnknown bool   // anything not judged makes the exit status 3
	ExitZero      bool   // the exit status is 0 whatever was found
}

func (o Options) width() int {
	if o.Width == 0 {
		return defaultWidth
	}
	return max(o.Width, leastWidth)
}

func (o Options) failOn() string {
	if o.FailOn == "" {
		return rules.Warning
	}
	return o.FailOn
}

// shows reports whether findings of a severity are to be shown.
func (o Options) shows(severity string) bool {
	return o.MinSeverity == "" || rules.AtLeast(severity, o.MinSeverity)
}
