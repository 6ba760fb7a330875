//go:build unix

package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"reflect"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
)

// patience is how long a program may take to show something on a busy machine.
const patience = 30 * time.Second

// A terminal is a pseudo-terminal with a program in it, and an emulator that draws
// what the program writes and answers what it asks.
type terminal struct {
	screen   *vt.SafeEmulator
	keys     *os.File // what is typed
	line     *os.File // the program's end
	before   *term.State
	cmd      *exec.Cmd
	mu       sync.Mutex
	raw      bytes.Buffer // everything written
	exitCode chan int
}

// start runs a program on a new terminal of 120×36.
func start(t testing.TB, env []string, name string, args ...string) *terminal {
	t.Helper()
	keys, line, err := pty.Open()
	if err != nil {
		t.Skipf("no pseudo-terminal here: %v", err)
	}
	m := &terminal{screen: vt.NewSafeEmulator(120, 36), keys: keys, line: line, exitCode: make(chan int, 1)}
	m.resize(t, 120, 36)
	if m.before, err = term.GetState(line.Fd()); err != nil {
		t.Fatal(err)
	}
	m.cmd = exec.Command(name, args...)
	m.cmd.Stdin, m.cmd.Stdout, m.cmd.Stderr = line, line, line
	m.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	m.cmd.Env = append(append(os.Environ(), "TERM=xterm-256color", "LC_ALL=C.UTF-8", "COLORTERM=", "NO_COLOR=", "CLICOLOR_FORCE="), env...)
	m.cmd.Dir = t.TempDir()
	if err := m.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go io.Copy(m, keys)        // what the program writes; ends when the terminal is closed
	go io.Copy(keys, m.screen) // what the emulator answers
	go func() {
		var failed *exec.ExitError
		if err := m.cmd.Wait(); err != nil && !errors.As(err, &failed) {
			t.Error(err)
		}
		m.exitCode <- m.cmd.ProcessState.ExitCode()
	}()
	t.Cleanup(func() {
		m.cmd.Process.Kill() // it has ended when the test passed
		keys.Close()
		line.Close()
		m.screen.Close()
	})
	return m
}

// Write takes what the program writes.
func (m *terminal) Write(p []byte) (int, error) {
	m.mu.Lock()
	m.raw.Write(p)
	m.mu.Unlock()
	return m.screen.Write(p)
}

func (m *terminal) written() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.raw.String()
}

// rows are what is on the screen, without its style.
func (m *terminal) rows() string { return ansi.Strip(m.screen.Render()) }

// shows waits until the screen holds all of the texts.
func (m *terminal) shows(t testing.TB, texts ...string) {
	t.Helper()
	m.until(t, "to show "+strings.Join(texts, ", "), func() bool {
		rows := m.rows()
		for _, text := range texts {
			if !strings.Contains(rows, text) {
				return false
			}
		}
		return true
	})
}

// until waits until something holds.
func (m *terminal) until(t testing.TB, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !holds(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited %s for the screen %s; it is\n%s", patience, what, m.rows())
		}
	}
}

func (m *terminal) press(t testing.TB, keys string) {
	t.Helper()
	if _, err := io.WriteString(m.keys, keys); err != nil {
		t.Fatal(err)
	}
}

// resize changes the size of the terminal; the program gets a signal.
func (m *terminal) resize(t testing.TB, width, height int) {
	t.Helper()
	m.screen.Resize(width, height)
	if err := pty.Setsize(m.keys, &pty.Winsize{Cols: uint16(width), Rows: uint16(height)}); err != nil {
		t.Fatal(err)
	}
}

// exits waits for the end and holds that the terminal is as it was before.
func (m *terminal) exits(t testing.TB, want int) {
	t.Helper()
	select {
	case code := <-m.exitCode:
		if code != want {
			t.Errorf("exit %d, want %d", code, want)
		}
	case <-time.After(patience):
		t.Fatalf("the program does not end; the screen is\n%s", m.rows())
	}
	m.isSane(t)
}

// isSane holds that the cursor is shown, the alternate screen left, and the line
// as it was: echoing, by whole lines.
func (m *terminal) isSane(t testing.TB) {
	t.Helper()
	m.until(t, "to be given back", func() bool { return !m.screen.IsAltScreen() && !m.screen.CursorHidden() })
	after, err := term.GetState(m.line.Fd())
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(m.before, after) {
		t.Errorf("the line is not as it was: before %+v, after %+v", m.before, after)
	}
}

// TestTerminalDemo walks through the demo as a person would.
func TestTerminalDemo(t *testing.T) {
	t.Parallel()
	m := start(t, nil, "capdoctor", "demo")
	m.shows(t, "Congestion collapse", "evento-server", "LIVE", "Do, in this order")
	m.press(t, "/bundle")
	m.shows(t, "Targets 1 of 2", "/ bundle")
	m.press(t, "\r\x1b")
	m.shows(t, "Targets 2 of 2")
	m.press(t, "3")
	m.shows(t, "[ ] 1", "Do not")
	m.press(t, " ")
	m.shows(t, "[x] 1", "done ", "1 of ")
	m.press(t, "1\x1b[D") // left: one scrape back
	m.shows(t, "FROZEN", "●")
	m.press(t, "f")
	m.shows(t, "LIVE")
	m.resize(t, 80, 24)
	m.shows(t, "Congestion collapse", "More")
	m.resize(t, 50, 12)
	m.shows(t, "capdoctor needs 60×16")
	m.resize(t, 200, 60)
	m.shows(t, "What happens")
	m.press(t, "q")
	m.exits(t, 0)
}

// TestTerminalReplay plays a case, pauses it, goes to its finding and reads its
// lines.
func TestTerminalReplay(t *testing.T) {
	t.Parallel()
	m := start(t, nil, "capdoctor", "replay", absolute(t, "../../fixtures/evento-collapse"), "--speed", "60")
	m.shows(t, "REPLAY 60x")
	m.press(t, " ")
	m.shows(t, "REPLAY paused")
	m.press(t, " n")
	m.shows(t, "CRITICAL  Congestion collapse")
	m.press(t, "6")
	m.shows(t, "catalog-bundle.log:", "events in the last 5 min")
	m.press(t, "q")
	m.exits(t, 0)
}

// TestTerminalPostmortem goes through logs on the screens of the dashboard: to the
// finding, where a step is marked, and on to see what came of it.
func TestTerminalPostmortem(t *testing.T) {
	t.Parallel()
	m := start(t, nil, "capdoctor", "postmortem", "--dashboard", absolute(t, "../../fixtures/evento-collapse/logs"))
	m.shows(t, "POST-MORTEM end")
	m.press(t, "ffn")
	m.shows(t, "Congestion collapse")
	m.press(t, "f")
	m.shows(t, "POST-MORTEM end")
	m.press(t, "3HHHHHHHHHHHHHHHHHHHHn")
	m.shows(t, "LOOKING BACK 09:00:04", "[ ] 1")
	m.press(t, "x")
	m.shows(t, "[x] 1", "TOO EARLY")
	m.press(t, "L")
	m.shows(t, "left of")
	m.press(t, "q")
	m.exits(t, 0)
}

// TestTerminalSuspend suspends the dashboard in a shell and brings it back.
func TestTerminalSuspend(t *testing.T) {
	t.Parallel()
	sh, err := exec.LookPath("bash") // whose job control needs no set-up
	if err != nil {
		t.Skip("needs bash")
	}
	m := start(t, []string{"PS1=ready> "}, sh, "--norc", "--noprofile", "-i")
	m.shows(t, "ready>")
	shell, err := term.GetState(m.line.Fd())
	if err != nil {
		t.Fatal(err)
	}
	m.press(t, "capdoctor replay "+absolute(t, "../../fixtures/evento-collapse")+" --speed 0\n")
	m.shows(t, "REPLAY end", "Congestion collapse")
	m.press(t, "\x1a")
	m.shows(t, "Stopped")
	m.until(t, "to be the shell's", func() bool {
		now, err := term.GetState(m.line.Fd())
		return err == nil && reflect.DeepEqual(shell, now) && !m.screen.IsAltScreen() && !m.screen.CursorHidden()
	})
	m.press(t, "fg\n")
	m.shows(t, "REPLAY end", "Congestion collapse")
	m.press(t, "q")
	m.until(t, "to be left", func() bool { return !m.screen.IsAltScreen() })
	m.press(t, "echo code $?\n")
	m.shows(t, "code 0")
	m.press(t, "exit\n")
	m.exits(t, 0)
}

// TestTerminalPanic holds that a panic in a goroutine gives the terminal back
// before it is printed.
func TestTerminalPanic(t *testing.T) {
	t.Parallel()
	m := start(t, nil, "panics")
	m.shows(t, "capdoctor: panic: in a goroutine", "panics_test.go")
	m.exits(t, exitUsage)
}

// TestTerminalSignal ends the dashboard from outside.
func TestTerminalSignal(t *testing.T) {
	t.Parallel()
	m := start(t, nil, "capdoctor", "replay", absolute(t, "../../fixtures/evento-collapse"))
	m.shows(t, "REPLAY")
	if err := m.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	m.exits(t, exitTerminate)
}

// TestTerminalColours holds that NO_COLOR leaves no colour, and that a terminal
// that cannot move its cursor gets lines.
func TestTerminalColours(t *testing.T) {
	t.Parallel()
	fixture := absolute(t, "../../fixtures/evento-collapse")
	painted := start(t, nil, "capdoctor", "replay", fixture, "--speed", "0")
	plain := start(t, []string{"NO_COLOR=1"}, "capdoctor", "replay", fixture, "--speed", "0")
	for _, m := range []*terminal{painted, plain} {
		m.shows(t, "REPLAY end", "CRITICAL")
		m.press(t, "q")
		m.exits(t, 0)
	}
	const red = "38;5;203"
	if !strings.Contains(painted.written(), red) || strings.Contains(plain.written(), "38;5;") {
		t.Error("NO_COLOR makes no difference")
	}
	dumb := start(t, []string{"TERM=dumb"}, "capdoctor", "replay", fixture, "--speed", "0")
	dumb.exits(t, 0)
	if got := dumb.written(); strings.Contains(got, "\x1b") || !strings.Contains(got, "CRITICAL  Congestion collapse on evento-server") {
		t.Errorf("a dumb terminal gets %q", got)
	}
}

// TestTerminalDrill turns a knob, asks for the same again, and quits.
func TestTerminalDrill(t *testing.T) {
	t.Parallel()
	m := start(t, nil, "capdoctor", "drill", "--speed", "10")
	m.shows(t, "DRILL", "Congestion collapse")
	m.press(t, "-")
	m.shows(t, "writers 20 → 19")
	m.press(t, "v")
	m.shows(t, "saved capdoctor-drill-collapse-")
	m.press(t, "r")
	m.shows(t, "none yet: j k choose a knob")
	m.press(t, "q")
	m.exits(t, 0)
	if !strings.Contains(m.rows(), "requests lost") {
		t.Errorf("no score is left behind:\n%s", m.rows())
	}
	files, err := os.ReadDir(m.cmd.Dir)
	if err != nil || len(files) != 1 {
		t.Fatalf("saved %v, %v", files, err)
	}
	if code := run(context.Background(), []string{"diagnose", m.cmd.Dir + "/" + files[0].Name()}, streams{nil, io.Discard, os.Stderr}); code != 1 {
		t.Errorf("the saved run: exit %d, want 1", code)
	}
}
