package report_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/capdoctor/capdoctor/report"
	"github.com/capdoctor/capdoctor/rules"
)

var update = flag.Bool("update", false, "write the golden files anew")

var samples = []struct {
	name  string
	build func() *rules.Report
}{
	{"collapse", collapse}, {"healthy", healthy}, {"could-not-judge", couldNotJudge}, {"two-causes", twoCauses},
	{"hostile", hostile}, {"one-scrape", oneScrape}, {"many-unknown", manyUnknown}, {"fleet", fleet},
	{"pending", pending}, {"partly-down", partlyDown}, {"unfamiliar", unfamiliar}, {"never-answered", neverAnswered},
}

// golden compares got with a file of testdata, or writes it with -update.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

func textOf(t *testing.T, r *rules.Report, o report.Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := report.Text(&b, r, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestText(t *testing.T) {
	for _, tt := range samples {
		t.Run(tt.name, func(t *testing.T) {
			golden(t, tt.name+".txt", []byte(textOf(t, tt.build(), report.Options{})))
		})
	}
}

func TestTextForms(t *testing.T) {
	tests := []struct {
		name string
		o    report.Options
	}{
		{"collapse-ascii", report.Options{ASCII: true}},
		{"collapse-120", report.Options{Width: 120}},
		{"collapse-dark256", report.Options{Style: report.Dark256}},
		{"collapse-critical-only", report.Options{MinSeverity: rules.Critical, FailOn: rules.Critical, Zone: time.FixedZone("CEST", 7200)}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			golden(t, tt.name+".txt", []byte(textOf(t, collapse(), tt.o)))
		})
	}
}

// No line is wider than asked for, whatever is in it.
func TestTextWidth(t *testing.T) {
	for _, tt := range samples {
		for _, width := range []int{60, 80, 100, 160} {
			for _, ascii := range []bool{false, true} {
				for i, line := range strings.Split(textOf(t, tt.build(), report.Options{Width: width, ASCII: ascii}), "\n") {
					if w := report.Width(line); w > width {
						t.Errorf("%s at %d columns: line %d is %d wide: %q", tt.name, width, i+1, w, line)
					}
				}
			}
		}
	}
}

func TestASCII(t *testing.T) {
	for _, tt := range samples {
		text := textOf(t, tt.build(), report.Options{ASCII: true})
		if i := strings.IndexFunc(text, func(r rune) bool { return r > '~' }); i >= 0 {
			t.Errorf("%s: not ASCII: %q", tt.name, text[i:min(len(text), i+20)])
		}
	}
}

// The first 24 rows of a terminal say what it is, what proves it and what to do first.
func TestFirstScreen(t *testing.T) {
	for _, width := range []int{80, 100} {
		rows := strings.Split(textOf(t, collapse(), report.Options{Width: width}), "\n")
		screen := strings.Join(rows[:24], "\n")
		for _, want := range []string{"CRITICAL", "Congestion collapse on evento-server", "Do first: ", "writes completed", "0.07/s", "time in GC", "DO, IN THIS ORDER", "1 Cut the writers", "Then: writes at 16.0/s"} {
			if !strings.Contains(screen, want) {
				t.Errorf("width %d: the first screen lacks %q:\n%s", width, want, screen)
			}
		}
	}
}

// Findings that are left out are not taken for none.
func TestMinSeverityIsSaid(t *testing.T) {
	r := collapse()
	r.Findings = r.Findings[1:]
	text := textOf(t, r, report.Options{MinSeverity: rules.Critical})
	for _, want := range []string{"Nothing found at critical or above", "2 findings below --min-severity critical not shown", "exit 1: 2 warnings"} {
		if !strings.Contains(text, want) {
			t.Errorf("the text lacks %q:\n%s", want, text)
		}
	}
}

// However much there is, a report stays short enough to be read.
// Logs may tell of a time before the first scrape; a finding that stands since
// that scrape may still be older.
func TestSinceTheFirstScrape(t *testing.T) {
	for _, tt := range []struct {
		first time.Duration // of the target, before the finding began
		want  bool
	}{{time.Second, true}, {10 * time.Minute, false}} {
		r := collapse()
		since := r.Findings[0].Since
		for i := range r.Inputs {
			r.Inputs[i].First = since.Add(-tt.first)
		}
		r.Window.Start = since.Add(-25 * time.Minute)
		if got := strings.Contains(textOf(t, r, report.Options{}), "or before"); got != tt.want {
			t.Errorf("first scrape %s before: or before %t, want %t", tt.first, got, tt.want)
		}
	}
}

func TestTextIsShort(t *testing.T) {
	for _, tt := range samples {
		if n := strings.Count(textOf(t, tt.build(), report.Options{}), "\n"); n > 130 {
			t.Errorf("%s: %d lines", tt.name, n)
		}
	}
}

func TestStyles(t *testing.T) {
	bare := textOf(t, collapse(), report.Options{})
	if strings.Contains(bare, "\x1b") {
		t.Error("a text without style holds escape sequences")
	}
	for _, s := range []report.Style{report.Mono, report.Colour16, report.Dark256, report.Light256} {
		styled := textOf(t, collapse(), report.Options{Style: s})
		if styled == bare {
			t.Errorf("style %d changes nothing", s)
		}
		if diff := cmp.Diff(bare, withoutSGR(styled)); diff != "" {
			t.Errorf("style %d changes the text (-bare +styled):\n%s", s, diff)
		}
	}
}

func withoutSGR(s string) string {
	var b strings.Builder
	for {
		before, after, found := strings.Cut(s, "\x1b[")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		_, s, _ = strings.Cut(after, "m")
	}
}

func TestProvisional(t *testing.T) {
	tests := []struct {
		r    *rules.Report
		want string
	}{
		{collapse(), "~ PROVISIONAL  Congestion collapse is likely on evento-server (bus) (2 scrapes). Firm in 18 s."},
		{healthy(), "~ PROVISIONAL  Nothing found so far on 3 targets, 2 logs (2 scrapes). Firm in 18 s."},
		{pending(), "~ PROVISIONAL  Congestion collapse is possible on evento-server (bus) (2 scrapes). Firm in 18 s."},
		{couldNotJudge(), "~ PROVISIONAL  Nothing could be judged so far (2 scrapes). Firm in 18 s."},
	}
	for _, tt := range tests {
		got := report.Provisional(tt.r, report.Options{Width: 100}, 2, 18*time.Second)
		if got != tt.want {
			t.Errorf("Provisional() = %q, want %q", got, tt.want)
		}
	}
	if got := report.Provisional(hostile(), report.Options{}, 1, time.Second); report.Width(got) > 80 || !strings.HasSuffix(got, "(1 scrape). Firm in 1 s.") {
		t.Errorf("Provisional() of a hostile report = %q", got)
	}
}
