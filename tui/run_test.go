package tui

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"go.uber.org/goleak"

	"github.com/capdoctor/capdoctor/rules"
)

// A screenBuffer is an output that can be read while it is written.
type screenBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *screenBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

// waitFor waits until the output holds a text.
func (s *screenBuffer) waitFor(t *testing.T, text string) {
	t.Helper()
	for range 500 {
		s.mu.Lock()
		found := strings.Contains(s.b.String(), text)
		s.mu.Unlock()
		if found {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("the output never holds %q", text)
}

// A session is a program that runs on pipes.
type session struct {
	keys   *io.PipeWriter
	out    *screenBuffer
	frames chan Frame
	end    chan error
	result Result
}

// start runs a dashboard on a terminal of 120×36.
func start(t *testing.T, ctx context.Context, o Options) *session {
	in, keys := io.Pipe()
	s := &session{keys: keys, out: &screenBuffer{}, frames: make(chan Frame), end: make(chan error, 1)}
	o.Frames, o.Start, o.Catalog = s.frames, noon, wordCatalog()
	go func() {
		var err error
		s.result, err = run(ctx, in, s.out, o, tea.WithWindowSize(120, 36))
		in.Close()
		s.end <- err
	}()
	return s
}

func (s *session) press(t *testing.T, keys string) {
	t.Helper()
	if _, err := io.WriteString(s.keys, keys); err != nil {
		t.Fatal(err)
	}
}

func (s *session) wait(t *testing.T) error {
	t.Helper()
	select {
	case err := <-s.end:
		return err
	case <-time.After(10 * time.Second):
		t.Fatal("the program does not end")
		return nil
	}
}

func TestRunAndQuit(t *testing.T) {
	defer goleak.VerifyNone(t)
	w := collapse()
	s := start(t, t.Context(), Options{Store: w.store})
	s.frames <- Frame{Report: w.report}
	s.out.waitFor(t, "Congestion collapse")
	s.press(t, "3")
	s.out.waitFor(t, "A write holds one of 16 threads")
	s.press(t, "q")
	if err := s.wait(t); err != nil {
		t.Errorf("quitting is an error: %v", err)
	}
	if s.result.Last != w.report {
		t.Error("the last report is not given back")
	}
	if got := s.out.b.String(); !strings.Contains(got, "\x1b[?1049l") {
		t.Error("the alternate screen is not left")
	}
}

func TestRunEndsWithItsContext(t *testing.T) {
	defer goleak.VerifyNone(t)
	w := collapse()
	why := errors.New("told to stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	s := start(t, ctx, Options{Store: w.store})
	s.frames <- Frame{Report: w.report}
	s.out.waitFor(t, "Congestion collapse")
	cancel(why)
	if err := s.wait(t); !errors.Is(err, why) {
		t.Errorf("got %v, want %v", err, why)
	}
}

func TestRunGivesTheTerminalBackAfterAPanic(t *testing.T) {
	defer goleak.VerifyNone(t)
	w := collapse()
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	s := start(t, ctx, Options{Store: w.store})
	s.frames <- Frame{Report: w.report}
	s.out.waitFor(t, "Congestion collapse")
	Go(cancel, func() { panic("in a goroutine") })
	var crash *Crash
	if err := s.wait(t); !errors.As(err, &crash) || crash.Value != "in a goroutine" || !strings.Contains(crash.Error(), "run_test.go") {
		t.Errorf("got %v", err)
	}
	if got := s.out.b.String(); !strings.Contains(got, "\x1b[?1049l") {
		t.Error("the alternate screen is not left")
	}
}

func TestRunSurvivesAPanicOfItsOwn(t *testing.T) {
	w := collapse()
	s := start(t, t.Context(), Options{Store: w.store, Lines: func(string, string, int) []rules.Line { panic("lines") }})
	s.frames <- Frame{Report: w.report}
	s.out.waitFor(t, "Congestion collapse")
	s.press(t, "6")
	if err := s.wait(t); !errors.Is(err, tea.ErrProgramPanic) {
		t.Errorf("got %v", err)
	}
	if got := s.out.b.String(); !strings.Contains(got, "\x1b[?1049l") {
		t.Error("the alternate screen is not left")
	}
}

func TestRunEndsWhenRecovered(t *testing.T) {
	defer goleak.VerifyNone(t)
	w := healthy()
	s := start(t, t.Context(), Options{Store: w.store, UntilRecovered: every})
	s.frames <- Frame{Report: w.report}
	later := *w.report
	later.At = noon.Add(every)
	s.frames <- Frame{Report: &later}
	if err := s.wait(t); err != nil || !s.result.Recovered {
		t.Errorf("recovered %v, error %v", s.result.Recovered, err)
	}
}

// TestExportedEntries runs the two programs as a command does, without a terminal
// and so without a size: they take keys and end.
func TestExportedEntries(t *testing.T) {
	defer goleak.VerifyNone(t)
	in, keys := io.Pipe()
	done := make(chan error, 1)
	go func() {
		_, err := Run(t.Context(), in, io.Discard, Options{Store: collapse().store, Frames: make(chan Frame), Start: noon})
		done <- err
	}()
	if _, err := io.WriteString(keys, "q"); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
	in.Close()

	in, keys = io.Pipe()
	frames := make(chan DrillFrame)
	knobs := []Knob{{Name: "writers", Value: 20, Start: 20, Max: 64, Step: 1}}
	var result DrillResult
	go func() {
		var err error
		result, err = RunDrill(t.Context(), in, io.Discard, DrillOptions{Knobs: knobs, Frames: frames})
		done <- err
	}()
	frames <- DrillFrame{At: time.Second}
	if _, err := io.WriteString(keys, "-q"); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil || len(result.Moves) != 1 || result.Moves[0].To != 19 {
		t.Errorf("result %+v, error %v", result, err)
	}
	in.Close()
}
