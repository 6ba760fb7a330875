package tui

import (
	"context"
	"io"
	"time"

	"github.com/capdoctor/capdoctor/rules"
)

// A Knob is something that the person in a drill can turn.
type Knob struct {
	Name  string
	Unit  string // behind the value; may be empty
	Value float64
	Start float64 // the value at the start, to which 0 goes back
	Min   float64
	Max   float64
	Step  float64            // what one turn adds; 0 doubles and halves
	Words map[float64]string // of a knob with few settings: all of them
	None  string             // what 0 is called; empty: 0
	// Counts is set for what can be done again and not undone: a turn up does it.
	Counts bool
}

// A Meter is one value of the system in a drill.
type Meter struct {
	Name  string
	Unit  string  // a unit of the signals: "1/s", "ratio", "requests", "s"
	Value float64 // NaN unknown
	More  string  // a few words: "of max 64"
}

// A DrillFrame is what goes on in the system of a drill at one time.
type DrillFrame struct {
	At     time.Duration // since the start of the drill, in its own time
	Meters []Meter       // the same ones in every frame; the first is what has to be won back
	Report *rules.Report // what capdoctor says; may be nil
	Over   bool          // the task is done, or cannot be any more
	Ending string        // of a task that is over: how it ended, one sentence
}

// A ScoreLine is one line of the score.
type ScoreLine struct{ Name, Value string }

// A KneePoint is what the system completes in its steady state at one setting.
type KneePoint struct {
	Setting string
	Value   float64
	Remark  string
}

// A Move is one turn of a knob.
type Move struct {
	At       time.Duration
	Knob     string
	From, To float64
}

// DrillOptions say what a drill is about. Frames and Knobs are needed; a function
// that is nil is not offered. Functions must not block.
type DrillOptions struct {
	Title  string  // "import": the name of the scenario
	Task   string  // one sentence
	Goal   float64 // what the first meter must reach; 0 there is no such value
	Story  string  // what has happened; may be empty
	Knobs  []Knob
	Frames <-chan DrillFrame
	Turn   func(knob string, value float64)
	Speed  float64 // at the start: times real time; 0 is 1
	// Control takes Pause, Play and Speed.
	Control func(Control)
	// Advice is the turn that capdoctor's next step asks for.
	Advice func() (knob string, value float64, ok bool)
	// Score is the account so far, or the final one.
	Score func() []ScoreLine
	// Knee shows how much the system completes at several settings of a knob, as far
	// as that is known; its title names the knob.
	KneeTitle string
	Knee      func() []KneePoint
	Lessons   []string // one sentence each
	// Save keeps the run so far as a recorded case and returns its path. It is called
	// from a goroutine of the drill.
	Save func() (path string, err error)
	// Next is the name of the next scenario; empty when there is none.
	Next string

	Display
}

// A DrillResult says what the person did.
type DrillResult struct {
	Moves []Move
	Over  bool // the task was done, or could not be any more
	Then  DrillThen
}

// A DrillThen is what the person wants to do behind a drill.
type DrillThen uint8

const (
	DrillEnd       DrillThen = iota // nothing more; the zero value
	DrillAgain                      // the same from its start
	DrillUnadvised                  // the same without what capdoctor says
	DrillNext                       // the next scenario
)

// RunDrill shows a drill on a terminal until the person quits or the context
// ends. It returns like Run.
func RunDrill(ctx context.Context, in io.Reader, out io.Writer, o DrillOptions) (DrillResult, error) {
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	final, err := runProgram(ctx, in, out, newDrill(inner, o), o.Display)
	m, ok := final.(drill)
	if !ok {
		return DrillResult{}, err
	}
	return m.result(), err
}
