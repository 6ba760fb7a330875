package tui

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden views")

// golden compares a view with its file.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s differs (-want +got); go test ./tui -update writes it anew:\n%s", path, diff)
	}
}

// bareView is a view without its colours and trailing blanks.
func bareView(m dashboard) string { return trimmed(m.draw()) }

func trimmed(view string) string {
	rows := lines(view)
	for i, l := range rows {
		rows[i] = strings.TrimRight(l, " ")
	}
	return strings.Join(rows, "\n") + "\n"
}

// lines are the rows of a view without its colours.
func lines(view string) []string { return strings.Split(ansi.Strip(view), "\n") }

var worlds = []struct {
	name  string
	build func() *world
}{
	{"healthy", healthy}, {"collapse", collapse}, {"unknown", silent}, {"down", down}, {"two", two}, {"fleet", fleet},
}

var sizes = [][2]int{{80, 24}, {120, 36}, {200, 60}}

func TestOverviewGolden(t *testing.T) {
	for _, w := range worlds {
		m := watching(t, w.build(), Options{})
		for _, size := range sizes {
			t.Run(fmt.Sprintf("%s %dx%d", w.name, size[0], size[1]), func(t *testing.T) {
				golden(t, fmt.Sprintf("overview-%s-%dx%d.txt", w.name, size[0], size[1]), bareView(sized(m, size[0], size[1])))
			})
		}
	}
}

func TestScreensGolden(t *testing.T) {
	m := watching(t, collapse(), Options{})
	for id, name := range screenNames {
		for _, size := range sizes[:2] {
			t.Run(fmt.Sprintf("%s %dx%d", name, size[0], size[1]), func(t *testing.T) {
				shown := press(sized(m, size[0], size[1]), string(rune('1'+id)))
				golden(t, fmt.Sprintf("screen-%s-%dx%d.txt", name, size[0], size[1]), bareView(shown))
			})
		}
	}
}

// TestStepDetailGolden shows one step of a plan, not done and done.
func TestStepDetailGolden(t *testing.T) {
	m := press(watching(t, collapse(), Options{}), "3", "enter")
	for _, size := range sizes[:2] {
		golden(t, fmt.Sprintf("screen-step-%dx%d.txt", size[0], size[1]), bareView(sized(m, size[0], size[1])))
	}
	shows(t, sized(press(m, "x"), 120, 36), "TOO EARLY")
	m = sized(press(m, "j"), 120, 36)
	shows(t, m, "Step 2 of 3")
	shows(t, press(m, "esc"), "[ ] 1")
	if m = press(m, "esc", "esc"); m.current != overviewScreen {
		t.Error("esc does not lead back")
	}
}

func TestColoursGolden(t *testing.T) {
	light := true
	for _, c := range []struct {
		name    string
		options Display
		profile colorprofile.Profile
	}{
		{"dark", Display{}, colorprofile.TrueColor},
		{"light", Display{Light: &light}, colorprofile.ANSI256},
		{"16", Display{}, colorprofile.ANSI},
		{"none", Display{NoColor: true}, colorprofile.TrueColor},
		{"ascii", Display{ASCII: true, NoColor: true}, colorprofile.ANSI},
		{"no-braille", Display{NoBraille: true, NoColor: true}, colorprofile.ANSI},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := sized(watching(t, collapse(), Options{Display: c.options}), 200, 60)
			m.look.profile = c.profile
			if c.options.NoColor {
				m.look.profile = colorprofile.ASCII
			}
			golden(t, "colours-"+c.name+".ansi", strings.ReplaceAll(m.retheme().draw(), "\x1b", "ESC"))
		})
	}
}

// TestViewFills holds that every view fills its terminal exactly and carries no
// control character but the sequences of the theme.
func TestViewFills(t *testing.T) {
	all := append(sizes, [2]int{60, 16}, [2]int{99, 30}, [2]int{100, 20}, [2]int{159, 24}, [2]int{160, 40}, [2]int{300, 90})
	for _, w := range append(worlds, struct {
		name  string
		build func() *world
	}{"hostile", hostile}) {
		m := watching(t, w.build(), Options{})
		for id := range screenNames {
			for _, size := range all {
				shown := press(sized(m, size[0], size[1]), string(rune('1'+id)))
				checkView(t, fmt.Sprintf("%s, screen %d, %dx%d", w.name, id+1, size[0], size[1]), shown)
				checkView(t, fmt.Sprintf("%s, screen %d, %dx%d, help", w.name, id+1, size[0], size[1]), press(shown, "?"))
			}
		}
	}
}

func checkView(t *testing.T, name string, m dashboard) {
	t.Helper()
	lines := strings.Split(m.draw(), "\n")
	if len(lines) != m.height {
		t.Errorf("%s: %d rows, want %d", name, len(lines), m.height)
	}
	for i, l := range lines {
		bare := ansi.Strip(l)
		if w := ansi.StringWidth(bare); w != m.width {
			t.Errorf("%s: row %d is %d wide, want %d: %q", name, i+1, w, m.width, bare)
		}
		for _, r := range bare {
			if r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 || r == '\u202e' {
				t.Errorf("%s: row %d holds %U: %q", name, i+1, r, bare)
			}
		}
	}
}

// hostile is the collapse with names and texts that try to take the screen over.
func hostile() *world {
	w := collapse()
	const evil = "\x1b[2J\x1b]0;owned\a\u202erever\r\n\tse \xff\u200b字字字字e\u0301\u0301\u0301\u0301"
	for _, f := range w.report.Findings {
		f.Title, f.Summary, f.Meaning, f.First = f.Title+evil, evil+f.Summary, evil, evil
		for i := range f.Evidence {
			f.Evidence[i].Title += evil
			f.Evidence[i].More += evil
		}
		for i := range f.Steps {
			f.Steps[i].Do += evil
			f.Steps[i].Why += evil
		}
		f.Affected = append(f.Affected, evil)
	}
	w.report.Inputs[1].Error = evil
	w.report.Inputs = append(w.report.Inputs, w.report.Inputs[2])
	w.report.Inputs[len(w.report.Inputs)-1].Name = evil
	w.report.Limits[0].Title = evil
	w.report.NotJudged[0].Instance = evil
	w.report.Ledger.Types = map[string]float64{evil: 3}
	return w
}

func TestTooSmall(t *testing.T) {
	m := sized(watching(t, collapse(), Options{}), 58, 14)
	if got := strings.Join(strings.Fields(m.draw()), " "); got != "capdoctor needs 60×16; this terminal is 58×14. Larger, or: capdoctor watch --plain" {
		t.Errorf("got %q", got)
	}
}
