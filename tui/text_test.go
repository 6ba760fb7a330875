package tui

import (
	"strings"
	"testing"
	"unicode"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"
)

func TestClean(t *testing.T) {
	for in, want := range map[string]string{
		"plain":                     "plain",
		"tab\tand\nline":            "tab and line",
		"\x1b[31mred\x1b[0m":        "[31mred[0m",
		"\x1b]0;title\a":            "]0;title",
		"\u009b2J":                  "2J",
		"left\u202eright":           "leftright",
		"zero\u200bwidth":           "zerowidth",
		"bad \xff utf-8":            "bad  utf-8",
		"nbsp\u00a0":                "nbsp ",
		"e\u0301\u0301\u0301\u0301": "e\u0301\u0301",
		"\u0301alone":               "alone",
		"字 ü →":                     "字 ü →",
		"soft\u00adhyphen":          "softhyphen",
	} {
		if got := clean(in); got != want {
			t.Errorf("clean(%q) = %q, want %q", in, got, want)
		}
	}
}

func FuzzClean(f *testing.F) {
	f.Add("\x1b[2J\u202e\xffe\u0301\u0301\u0301字")
	f.Fuzz(func(t *testing.T, s string) {
		got := clean(s)
		if again := clean(got); again != got {
			t.Errorf("clean is not stable: %q, then %q", got, again)
		}
		for _, r := range got {
			if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
				t.Errorf("clean(%q) holds %U", s, r)
			}
		}
		if w, ok := narrow(got); ok && w != ansi.StringWidth(got) {
			t.Errorf("narrow(%q) = %d, want %d", got, w, ansi.StringWidth(got))
		}
		for _, r := range toASCII(got) {
			if r < ' ' || r > '~' {
				t.Errorf("toASCII(%q) holds %U", got, r)
			}
		}
		for w := range 12 {
			for _, cut := range []string{cutEnd(got, w, "…"), cutMiddle(got, w, "…")} {
				if ansi.StringWidth(cut) > w {
					t.Errorf("%q cut to %d is %q, %d wide", got, w, cut, ansi.StringWidth(cut))
				}
			}
		}
		for _, l := range wrap(s, 9) {
			if ansi.StringWidth(l) > 9 {
				t.Errorf("wrap(%q, 9) has a line of %d: %q", s, ansi.StringWidth(l), l)
			}
		}
	})
}

func TestCut(t *testing.T) {
	for _, c := range []struct {
		got, want string
	}{
		{cutEnd("catalog-import", 20, "…"), "catalog-import"},
		{cutEnd("catalog-import", 8, "…"), "catalog…"},
		{cutMiddle("catalog-import-rt-1", 12, "…"), "catal…t-rt-1"},
		{cutMiddle("catalog-import-rt-1", 12, ".."), "catal..-rt-1"},
		{cutMiddle("ab", 1, "…"), "a"},
		{cutEnd("字字字", 4, "…"), "字…"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

func TestWrap(t *testing.T) {
	got := wrap("Work waits for 10 min 10 s and then a-very-long-name-without-spaces ends.", 14)
	want := []string{"Work waits for", "10 min 10 s", "and then", "a-very-long-na", "me-without-spa", "ces ends."}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := wrap(" \n\t ", 10); got != nil {
		t.Errorf("blank text wraps to %q", got)
	}
}

func TestPenNeverLeavesItsRow(t *testing.T) {
	th := newTheme(dark256, false, true)
	for w := range 40 {
		p := th.pen(w).put(critical, "■ CRITICAL").cell(plain, "a cell that is long", 9).name(note, "name-of-a-target", 8).num(plain, "123456", 4).tab(20).put(plain, "字字字").right(note, "right")
		r := p.row()
		if got := ansi.StringWidth(r.text); got != w || r.width != w {
			t.Errorf("a row of %d is %d wide, said to be %d: %q", w, got, r.width, ansi.Strip(r.text))
		}
	}
}

func TestNumbersAreNotCut(t *testing.T) {
	th := newTheme(noColour, false, true)
	if got := ansi.Strip(th.pen(20).num(plain, "1234567", 4).row().text); !strings.HasPrefix(got, "1234567") {
		t.Errorf("got %q", got)
	}
}
