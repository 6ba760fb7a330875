package logparse

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// compiled parses a template and returns the names of its captures.
func compiled(t testing.TB, s string) (*template, *Pattern) {
	t.Helper()
	p := &Pattern{}
	tmpl, err := parseTemplate(s, p.addCapture)
	if err != nil {
		t.Fatalf("template %q: %v", s, err)
	}
	return tmpl, p
}

// captureAll matches text and returns the captures by name, nil without a match.
func captureAll(t testing.TB, source, text string) map[string]string {
	t.Helper()
	tmpl, p := compiled(t, source)
	captures := make([][]byte, len(p.captures))
	if !tmpl.match([]byte(text), captures) {
		return nil
	}
	got := map[string]string{}
	for i, c := range p.captures {
		got[c.name] = string(captures[i])
	}
	return got
}

func TestTemplateMatch(t *testing.T) {
	tests := []struct {
		name, template, text string
		want                 map[string]string // nil: no match
	}{
		{"word to the end", "pool {p}", "the pool main is full", map[string]string{"p": "main"}},
		{"anywhere", "limit {n:int} reached", "x: limit 17 reached, sorry", map[string]string{"n": "17"}},
		{"second place", "limit {n:int} reached", "limit none, limit 4 reached", map[string]string{"n": "4"}},
		{"lead", "{pool} - is full", "failed: Shop-1 - is full", map[string]string{"pool": "Shop-1"}},
		{"lead at the start", "{pool} - is full", "Shop-1 - is full", map[string]string{"pool": "Shop-1"}},
		{"lead in quotes", "{pool} - is full", `msg="Shop-1 - is full"`, map[string]string{"pool": "Shop-1"}},
		{"lead number", "{n:int} worker_connections are not enough", "1024 worker_connections are not enough", map[string]string{"n": "1024"}},
		{"empty lead", "{pool} - is full", " - is full", nil},
		{"anchored", "^written={n:int}", "written=3", map[string]string{"n": "3"}},
		{"not at the start", "^written={n:int}", "overwritten=3", nil},
		{"anchored lead", "^{what:text}: done", "all of it: done", map[string]string{"what": "all of it"}},
		{"no number", "limit {n:int} reached", "limit ten reached", nil},
		{"word holds no space", "<{w}>", "<a b>", nil},
		{"text holds spaces", "'{w:text}' is full", "'a b' is full", map[string]string{"w": "a b"}},
		{"skip", "a {} b {n:int}", "a x y z b 7", map[string]string{"n": "7"}},
		{"map", "byType={m:map}!", "byType={A=12, B=3}!", map[string]string{"m": "{A=12, B=3}"}},
		{"doubled brace", "pool@{id}{{{n:int},", "pool@1f{8,", map[string]string{"id": "1f", "n": "8"}},
		{"unit", "after {d:duration} (total", "after 30001ms (total", map[string]string{"d": "30001ms"}},
		{"text to the end", "cause: {c:text}", "cause: all of it, to the end", map[string]string{"c": "all of it, to the end"}},
		{"nothing left", "cause={c:text}", "cause=", map[string]string{"c": ""}},
		{"empty word", "id={c} x", "id= x", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, captureAll(t, tt.template, tt.text)); diff != "" {
				t.Errorf("%q on %q (-want +got):\n%s", tt.template, tt.text, diff)
			}
		})
	}
}

func TestTemplateErrors(t *testing.T) {
	tests := []struct{ template, want string }{
		{"a {b c", "no closing brace"},
		{"a {b:number} c", `unknown type "number"`},
		{"a {b}{c} d", "two placeholders without text between them"},
		{"{b}", "no literal text"},
		{"{b:text} c", "must start with text, a word or an int"},
		{"a {b:int} c {b:float} d", `capture "b" has two types`},
	}
	for _, tt := range tests {
		p := &Pattern{}
		if _, err := parseTemplate(tt.template, p.addCapture); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("template %q: got %v, want %q", tt.template, err, tt.want)
		}
	}
}

// TestTemplateGivesUp holds that a template is tried at a bounded number of
// places, so that hostile text costs a bounded time.
func TestTemplateGivesUp(t *testing.T) {
	near := strings.Repeat("limit x ", maxRetries-1) + "limit 7 reached"
	if got := captureAll(t, "limit {n:int} reached", near); got["n"] != "7" {
		t.Errorf("place %d: got %v", maxRetries, got)
	}
	far := strings.Repeat("limit x ", maxRetries) + "limit 7 reached"
	if got := captureAll(t, "limit {n:int} reached", far); got != nil {
		t.Errorf("place %d: got %v", maxRetries+1, got)
	}
}

func FuzzTemplate(f *testing.F) {
	for _, s := range []string{"{pool} - is full", "a {n:int} b {d:duration} c {m:map}", "^x={y:text}"} {
		f.Add(s, "pool-1 - is full a 12 b 3ms c {A=1} x=")
	}
	f.Fuzz(func(t *testing.T, source, text string) {
		p := &Pattern{}
		tmpl, err := parseTemplate(source, p.addCapture)
		if err != nil {
			return
		}
		captures := make([][]byte, len(p.captures))
		if !tmpl.match([]byte(text), captures) {
			return
		}
		if !strings.Contains(text, tmpl.first) {
			t.Errorf("%q matches %q without %q", source, text, tmpl.first)
		}
		for i, c := range p.captures {
			c.kind.value(captures[i])
		}
	})
}
