package main

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain lets scripts and terminals run the command as capdoctor, and one whose
// dashboard meets a panic as panics.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"capdoctor": main, "panics": panicking})
}

// TestScripts runs the scripts of testdata/script. A script finds, in its
// environment, SHARED (the shared corpus, empty when it is not there), and the
// addresses of servers: HANGS accepts and never answers, REFUSES has no
// listener, PAGES serves the files of the script's folder pages.
func TestScripts(t *testing.T) {
	t.Parallel()
	shared := sharedFolder()
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(e *testscript.Env) error {
			hangs := listen(t)
			refuses := listen(t)
			refuses.Close()
			pages := httptest.NewServer(http.FileServer(http.Dir(filepath.Join(e.WorkDir, "pages"))))
			e.Defer(pages.Close)
			e.Defer(func() { hangs.Close() })
			e.Vars = append(e.Vars,
				"SHARED="+shared,
				"FIXTURES="+absolute(t, "../../fixtures"),
				"HANGS="+hangs.Addr().String(),
				"REFUSES="+refuses.Addr().String(),
				"PAGES="+pages.Listener.Addr().String(),
				"COLUMNS=80",
			)
			return nil
		},
		Condition: func(name string) (bool, error) {
			if name == "shared" {
				return shared != "", nil
			}
			return false, fmt.Errorf("unknown condition %q", name)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"within": within},
	})
}

// within runs a command that must end in a time: within 8s capdoctor ...
func within(ts *testscript.TestScript, neg bool, args []string) {
	limit, err := time.ParseDuration(args[0])
	ts.Check(err)
	begin := time.Now()
	err = ts.Exec(args[1], args[2:]...)
	if neg != (err != nil) {
		ts.Fatalf("%v: %v", args[1:], err)
	}
	if took := time.Since(begin); took > limit {
		ts.Fatalf("took %s, want at most %s", took, limit)
	}
}

func listen(t *testing.T) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// sharedFolder is where the shared corpus lies when it is present.
func sharedFolder() string {
	path, err := filepath.Abs("../../../shared")
	if err != nil {
		return ""
	}
	if _, err := os.Stat(filepath.Join(path, "cases")); err != nil {
		return ""
	}
	return path
}

func absolute(t *testing.T, path string) string {
	t.Helper()
	abs, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return abs
}
