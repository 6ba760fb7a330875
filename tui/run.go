package tui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
)

// fps is how often the screen is looked at for changes. More makes the idle
// program cost more; fewer makes keys feel slow.
const fps = 10

// Run shows the dashboard on a terminal until the person quits, the context
// ends, or Options.UntilRecovered comes true. The terminal is as it was when Run
// returns, also after a panic. Signals are left to the caller: end the context.
// The error is the cause of an ended context, or what went wrong with the
// terminal; quitting is none.
func Run(ctx context.Context, in io.Reader, out io.Writer, o Options) (Result, error) {
	return run(ctx, in, out, o)
}

// run is Run with options of the program, for tests without a terminal.
func run(ctx context.Context, in io.Reader, out io.Writer, o Options, more ...tea.ProgramOption) (Result, error) {
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	final, err := runProgram(ctx, in, out, newDashboard(inner, o), o.Display, more...)
	m, ok := final.(dashboard)
	if !ok {
		return Result{}, err
	}
	m.result.Done = m.scene.doneList()
	return m.result, err
}

// runProgram runs a model on a terminal.
func runProgram(ctx context.Context, in io.Reader, out io.Writer, m tea.Model, d Display, more ...tea.ProgramOption) (tea.Model, error) {
	options := []tea.ProgramOption{tea.WithInput(in), tea.WithOutput(out), tea.WithContext(ctx), tea.WithFPS(fps), tea.WithoutSignalHandler()}
	if d.NoColor {
		options = append(options, tea.WithColorProfile(colorprofile.ASCII))
	}
	final, err := tea.NewProgram(m, append(options, more...)...).Run()
	switch {
	case ctx.Err() != nil:
		return final, context.Cause(ctx)
	case errors.Is(err, tea.ErrInterrupted):
		return final, nil
	}
	return final, err
}

// A Crash is a panic in a goroutine that was started with Go.
type Crash struct {
	Value any
	Stack []byte
}

func (c *Crash) Error() string { return fmt.Sprintf("panic: %v\n\n%s", c.Value, c.Stack) }

// Go runs f in a goroutine. A panic in it ends the context with a *Crash as its
// cause, so that Run can give the terminal back before anything is printed.
func Go(cancel context.CancelCauseFunc, f func()) {
	go func() {
		defer func() {
			if v := recover(); v != nil {
				cancel(&Crash{Value: v, Stack: debug.Stack()})
			}
		}()
		f()
	}()
}
