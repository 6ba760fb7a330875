package report_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/capdoctor/capdoctor/report"
)

func TestEscape(t *testing.T) {
	tests := []struct{ in, want string }{
		{"HikariPool-1", "HikariPool-1"},
		{"a\nb\tc\rd", `a\nb\tc\rd`},
		{"\x1b[31mred\x1b[0m", `\x1b[31mred\x1b[0m`},
		{"bell\x07 del\x7f nul\x00", `bell\x07 del\x7f nul\x00`},
		{"csi \u009b2J", `csi \u009b2J`},
		{"txt\u202eexe.\u2066", `txt\u202eexe.\u2066`},
		{"zero\u200bwidth\ufeff", `zero\u200bwidth\ufeff`},
		{"line\u2028sep", `line\u2028sep`},
		{"bad\xff\xc3", `bad\xff\xc3`},
		{"nbsp\u00a0wide\u3000", "nbsp wide "},
		{"Füße データ", "Füße データ"},
		{"e\u0301\u0301\u0301", "e\u0301\u0301" + `\u0301`},
		{"\u0301x", `\u0301x`},
		{"tag\U000e0041", `tag\U000e0041`},
		{"warn \u26a0\ufe0f", "warn \u26a0"},
		{`already \x1b`, `already \x1b`},
		{"", ""},
	}
	for _, tt := range tests {
		if got := report.Escape(tt.in); got != tt.want {
			t.Errorf("Escape(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

func TestCut(t *testing.T) {
	tests := []struct {
		in          string
		width       int
		end, middle string
	}{
		{"catalog-import-1", 16, "catalog-import-1", "catalog-import-1"},
		{"catalog-import-1", 10, "catalog-i…", "cata…ort-1"},
		{"データベース", 7, "データ…", "デ…ース"},
		{"データベース", 6, "デー…", "デ…ス"},
		{"ab", 1, "…", "…"},
	}
	for _, tt := range tests {
		if got := report.CutEnd(tt.in, tt.width, "…"); got != tt.end {
			t.Errorf("CutEnd(%q, %d) = %q, want %q", tt.in, tt.width, got, tt.end)
		}
		if got := report.CutMiddle(tt.in, tt.width, "…"); got != tt.middle {
			t.Errorf("CutMiddle(%q, %d) = %q, want %q", tt.in, tt.width, got, tt.middle)
		}
	}
}

// assertPlain fails when s holds anything that a terminal would obey.
func assertPlain(t *testing.T, what, s string) {
	t.Helper()
	if !utf8.ValidString(s) {
		t.Errorf("%s: invalid UTF-8", what)
	}
	for i, r := range s {
		if r != '\n' && !unicode.IsPrint(r) {
			t.Errorf("%s: %U at byte %d: %q", what, r, i, s[max(0, i-20):min(len(s), i+20)])
			return
		}
	}
}

func FuzzEscape(f *testing.F) {
	for _, s := range []string{"", "a\x1b[2J", "\u202e", "\xff\xfe", "z\u0301\u0301\u0301", "\ufe0f\u200d", "デ"} {
		f.Add(s, 10)
	}
	f.Fuzz(func(t *testing.T, s string, width int) {
		got := report.Escape(s)
		assertPlain(t, "Escape", got)
		if strings.Contains(got, "\n") {
			t.Errorf("Escape(%q) = %q has a line break", s, got)
		}
		if again := report.Escape(got); again != got {
			t.Errorf("escaping twice: %q, then %q", got, again)
		}
		width = max(2, width%200)
		for _, cut := range []string{report.CutEnd(got, width, "…"), report.CutMiddle(got, width, "…")} {
			if report.Width(cut) > width {
				t.Errorf("cut to %d: %q is %d wide", width, cut, report.Width(cut))
			}
		}
	})
}
