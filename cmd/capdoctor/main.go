// Command capdoctor finds out why a server completes nothing while nothing
// looks busy: it reads metrics pages and logs, names the failure, proves it with
// the observed numbers and says what to do first.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/capdoctor/capdoctor/rules"
	"github.com/capdoctor/capdoctor/scrape"
)

// Exit codes beyond those of a report.
const (
	exitUsage     = 2
	exitInterrupt = 130
	exitTerminate = 143
)

func main() {
	delayCollector()
	ctx, stop := notify(context.Background())
	code := run(ctx, os.Args[1:], streams{os.Stdin, os.Stdout, os.Stderr})
	stop()
	os.Exit(code)
}

// streams are the standard files of a command.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// targetsAlone tells whether a command line names targets and no command, which
// is the dashboard on them.
func targetsAlone(args []string) bool {
	if len(args) == 0 || !strings.ContainsAny(args[0], ":/=") || strings.HasPrefix(args[0], "-") {
		return false
	}
	_, err := scrape.ParseTarget(args[0])
	return err == nil
}

// signalled is the cause of a context that a signal ended.
type signalled struct{ os.Signal }

func (s signalled) Error() string { return "stopped by " + s.String() }

// notify returns a context that SIGINT and SIGTERM end.
func notify(parent context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(parent)
	ch := make(chan os.Signal, 1)
	signal.Notify(ch, os.Interrupt, syscall.SIGTERM)
	go func() {
		select {
		case s := <-ch:
			cancel(signalled{s})
			signal.Stop(ch)
		case <-ctx.Done():
		}
	}()
	return ctx, func() { signal.Stop(ch); cancel(nil) }
}

// run executes one command line and returns its exit code.
func run(ctx context.Context, args []string, io streams) int {
	root := newRoot(io)
	if targetsAlone(args) {
		if !io.interactive() {
			complain(io.err, hinted{errors.New("the dashboard needs a terminal"), "capdoctor diagnose for one answer, capdoctor watch --plain for a line at each change"})
			return exitUsage
		}
		args = append([]string{"watch"}, args...)
	}
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	var s signalled
	if errors.As(context.Cause(ctx), &s) {
		if s.Signal == syscall.SIGTERM {
			return exitTerminate
		}
		return exitInterrupt
	}
	var code exitCode
	switch {
	case err == nil:
		return 0
	case errors.As(err, &code):
		return int(code)
	}
	complain(io.err, err)
	return exitUsage
}

// exitCode ends a command whose output has been written already.
type exitCode int

func (c exitCode) Error() string { return fmt.Sprintf("exit %d", int(c)) }

// exit turns a code into what a command returns.
func exit(code int) error {
	if code == 0 {
		return nil
	}
	return exitCode(code)
}

// A hinted error has a line of advice.
type hinted struct {
	err  error
	hint string
}

func (h hinted) Error() string { return h.err.Error() }
func (h hinted) Unwrap() error { return h.err }

// mostProblems bounds how many problems of rule files are shown.
const mostProblems = 20

// complain writes an error, and hints on lines of their own.
func complain(w io.Writer, err error) {
	var problems rules.Problems
	if errors.As(err, &problems) {
		for _, p := range problems[:min(len(problems), mostProblems)] {
			fmt.Fprintf(w, "capdoctor: %s\n%s", p, p.Excerpt())
		}
		if n := len(problems) - mostProblems; n > 0 {
			fmt.Fprintf(w, "capdoctor: and %d more problems\n", n)
		}
		return
	}
	var path *fs.PathError
	if errors.As(err, &path) && path == err && errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("no such file or folder: %s", path.Path)
	}
	fmt.Fprintf(w, "capdoctor: %s\n", err)
	var h hinted
	if errors.As(err, &h) {
		fmt.Fprintf(w, "  hint: %s\n", strings.ReplaceAll(h.hint, "\n", "\n        "))
	}
}

// now is the clock. Commands hand its readings down as arguments.
func now() time.Time { return time.Now() }

// silence keeps cobra from printing what run prints.
func silence(c *cobra.Command) *cobra.Command {
	c.SilenceErrors, c.SilenceUsage = true, true
	return c
}
