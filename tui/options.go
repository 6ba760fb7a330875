package tui

import (
	"context"
	"time"

	"github.com/capdoctor/capdoctor/rules"
	"github.com/capdoctor/capdoctor/series"
)

// A Mode says where frames come from.
type Mode uint8

const (
	Live       Mode = iota // targets that are being watched; the zero value
	Replay                 // a recording, played at some speed
	PostMortem             // logs or a recording, judged from end to end
)

// A Frame is one judged moment.
type Frame struct {
	Report *rules.Report // never nil, and not changed after it was sent
	// Provisional is set while too little was seen to be firm; FirmIn says for
	// how long, 0 unknown, and Scrapes how much was seen.
	Provisional bool
	Scrapes     int
	FirmIn      time.Duration
	// Paused is set when a replay stops at the frame, because what was looked for
	// (NextFinding, NextSlowdown) begins there.
	Paused bool
}

// Options say what a dashboard shows and what it may do. Store and Frames are
// needed; every function may be nil, and what needs it is then not offered.
// Lines, Refresh, Save and Copy are called from goroutines of the dashboard;
// Control and Text from its loop, so that they must not block.
type Options struct {
	Store  *series.Store
	Frames <-chan Frame // closed when there will be no more
	// Start is the wall time at the start; later times come with ticks.
	Start time.Time
	Mode  Mode
	Speed float64 // of a replay at its start: times real time; 0 is 1
	// Catalog gives signals their units and titles.
	Catalog *rules.Catalog
	// Targets are the names of what is watched, for the time before the first frame.
	Targets []string

	// Control steers a replay.
	Control func(Control)
	// Lines returns the newest log lines of an instance (empty: of all) whose text
	// contains filter, at most max, oldest first.
	Lines func(instance, filter string, max int) []rules.Line
	// Refresh reads the page of a target in full, now: every metric that it has,
	// also those that no rule asks for.
	Refresh func(ctx context.Context, instance string) ([]series.Sample, error)
	// Save writes the report to a file and returns its path.
	Save func(*rules.Report) (path string, err error)
	// Text writes what is copied.
	Text func(Clip) string
	// Copy gives a text to the clipboard of the system, beside the escape sequence
	// that asks the terminal to (see NativeCopy).
	Copy func(ctx context.Context, text string) error

	Display

	// FailOn is the severity from which a finding counts, warning when empty.
	FailOn string
	// UntilRecovered ends the program when nothing at or above FailOn has fired
	// for that long, in the time of the frames. 0 never does.
	UntilRecovered time.Duration
}

// A Display says what the terminal can show.
type Display struct {
	ASCII     bool           // no character beyond ASCII
	NoColor   bool           // bold and reverse only
	NoBraille bool           // charts of blocks instead of dots
	Light     *bool          // the ground of the terminal; nil asks it, dark without an answer
	Mouse     bool           // the wheel scrolls; selecting text then needs shift
	Zone      *time.Location // of every time shown; nil is UTC
}

func (d Display) zone() *time.Location {
	if d.Zone == nil {
		return time.UTC
	}
	return d.Zone
}

// A Result says how a dashboard ended.
type Result struct {
	Recovered bool          // Options.UntilRecovered came true
	Last      *rules.Report // the last report received; nil when none was
	Done      []Done        // the steps that were marked done
}

// A Control is one wish of the person in front of a replay.
type Control struct {
	Kind  ControlKind
	Speed float64 // of Speed: times real time
}

// A ControlKind is what a Control asks for.
type ControlKind uint8

const (
	Play ControlKind = iota
	Pause
	Speed        // play at Control.Speed
	NextFinding  // go on at full speed until the next finding begins, then pause
	NextSlowdown // the same for the next fall of completions
)

// A Clip is what is to be copied.
type Clip struct {
	Kind    ClipKind
	Report  *rules.Report
	Finding *rules.Finding // of CopyFinding; nil when nothing fires
	Done    []Done         // of CopyHandOver: steps that were taken
}

// A ClipKind is what is copied.
type ClipKind uint8

const (
	CopyFinding  ClipKind = iota // one finding in full
	CopyHandOver                 // five lines for chat
)

// Done is a step that was marked done, and what came of it.
type Done struct {
	Step    rules.Step
	Subject string // what it was done for: "evento-server"
	At      time.Time
	Effect  Effect
	// Before, Now and Needed are values of the step's verify signal; NaN unknown.
	Before, Now, Needed float64
	Unit                string
}

func (o Options) failOn() string {
	if o.FailOn == "" {
		return rules.Warning
	}
	return o.FailOn
}
