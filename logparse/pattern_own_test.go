package logparse

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Own patterns come before the built-in ones.
func TestOwnPatternsComeFirst(t *testing.T) {
	file := filepath.Join(t.TempDir(), "own.yaml")
	writeFile(t, file, []byte(strings.Replace(goodPattern, "the pool a is", "a pool a is", 1)))
	if _, err := LoadCatalog(file); err == nil || !strings.Contains(err.Error(), file+":4: ") {
		t.Fatalf("got %v, want an error at %s:4", err, file)
	}
	body := strings.Replace(goodPattern, "the pool {pool} is full", "{pool} - Connection is not available", 1)
	writeFile(t, file, []byte(strings.Replace(body, "the pool a is full", "P - Connection is not available, request timed out after 5001ms.", 1)))
	c, err := LoadCatalog(filepath.Dir(file))
	if err != nil {
		t.Fatal(err)
	}
	r := &Record{Message: []byte("P - Connection is not available, request timed out after 5001ms."), Level: Warn}
	r.Raw = r.Message
	events := c.NewMatcher().Match(r, nil)
	if len(events) != 2 || events[0].Pattern.Event != "full" {
		t.Errorf("got %+v, want full before the built-in event", events)
	}
}

func TestOwnPatternsAreBounded(t *testing.T) {
	dir := t.TempDir()
	big := filepath.Join(dir, "big.yaml")
	writeFile(t, big, []byte("title: X #"+strings.Repeat("x", maxPatternFile)))
	many := filepath.Join(dir, "many.yaml")
	writeFile(t, many, []byte("system: x\ntitle: X\npatterns:\n"+strings.Repeat("- {event: e, title: t, match: [abcdefghijk], lines: [abcdefghijk]}\n", maxOwnPatterns+1)))
	deep := filepath.Join(dir, "deep.yaml")
	writeFile(t, deep, []byte("title: "+strings.Repeat("[", 100_000)))
	empty := filepath.Join(dir, "empty")
	if err := os.Mkdir(empty, 0o755); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		big: "bytes, want at most 1048576", many: "more than 5000 patterns", deep: "exceeded max depth", empty: "no *.yaml file",
		filepath.Join(dir, "none.yaml"): "no such file", os.DevNull: "not a file",
	} {
		if _, err := LoadCatalog(path); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: got %v, want %q", path, err, want)
		}
	}
}
