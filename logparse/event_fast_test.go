package logparse

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/capdoctor/capdoctor/logparse/internal/genlog"
)

// everyEvent reads a log line by line and tries every pattern on every record.
func everyEvent(t *testing.T, text []byte) (events []string) {
	t.Helper()
	c := testCatalog(t)
	m := c.NewMatcher()
	for i := range c.patterns {
		m.tried = append(m.tried, int32(i))
	}
	s := NewScanner(bytes.NewReader(text), "test.log", Options{Base: sampleBase()})
	var rec Record
	for s.Next(&rec) {
		for _, e := range m.matchTried(&rec, !bytes.HasSuffix(rec.Raw, rec.Message), nil) {
			events = append(events, eventText(&e))
		}
	}
	return events
}

func eventText(e *Event) string {
	return fmt.Sprint(e.Line, e.Time, e.Level, e.Pattern.Event, e.Type, e.WaitsOn, e.Count, e.Text, len(e.readings))
}

// filteredEvents reads a log as a look back does.
func filteredEvents(t *testing.T, text []byte, workers int) (events []string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "test.log")
	if err := os.WriteFile(path, text, 0o644); err != nil {
		t.Fatal(err)
	}
	c := testCatalog(t)
	m := c.NewMatcher()
	r := Reading{Filter: c.Prefilter().Find, Workers: workers, Record: func(r *Record) {
		for _, e := range m.Match(r, nil) {
			events = append(events, eventText(&e))
		}
	}}
	if _, _, err := ReadFile(t.Context(), path, Options{Base: sampleBase()}, r); err != nil {
		t.Fatal(err)
	}
	return events
}

// knownLines returns a log of Spring Boot in which every sample line of every
// pattern stands, at its level and at one that only counts, between others.
func knownLines(t *testing.T) []byte {
	t.Helper()
	g := genlog.New(5, time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC))
	var b []byte
	for _, p := range testCatalog(t).Patterns() {
		for _, line := range p.Lines {
			for _, level := range []Level{max(p.sampleLevel(), Info), Info} {
				for range 2 {
					b = genlog.Spring(g, b)
				}
				stamp := g.Now().Format("2006-01-02T15:04:05.000Z07:00")
				b = fmt.Appendf(b, "%s %5s 1 --- [shop] [nio-8080-exec-1 ] %-40s : %s\n", stamp, strings.ToUpper(level.String()), "c.acme.shop.Known", line)
			}
		}
	}
	return b
}

// TestFastReadingFindsEveryEvent holds the filtered reading to trying every
// pattern on every record. A log that begins with its newest record comes in the
// order of time from a file, so the order is left out.
func TestFastReadingFindsEveryEvent(t *testing.T) {
	logs := sampleLogs(t)
	for name, text := range logs {
		logs[name] = text[:1+bytes.LastIndexByte(text[:min(len(text), 100<<10)], '\n')]
	}
	logs["sample lines of all patterns"] = knownLines(t)
	for name, text := range logs {
		want, got := everyEvent(t, text), filteredEvents(t, text, 2)
		slices.Sort(want)
		slices.Sort(got)
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s (-every pattern on every record +filtered):\n%s", name, d)
		}
		if strings.HasPrefix(name, "sample") && len(want) < len(testCatalog(t).Patterns()) {
			t.Errorf("%s: only %d events", name, len(want))
		}
	}
}
