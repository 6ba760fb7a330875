package logparse

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/capdoctor/capdoctor/logparse/internal/genlog"
	"github.com/google/go-cmp/cmp"
)

// A reading is everything that comes out of a log.
type readingResult struct {
	Records []string
	Stats   Stats
	Tally   []string
}

func fullText(r *Record) string {
	return fmt.Sprintf("%d at %d, %v, status %d: %s, raw %q", r.Line, r.Offset, r.Time, r.Status, brief(r), r.Raw)
}

func tallyText(t *Tally) (out []string) {
	t.Each(func(at time.Time, c Counts) { out = append(out, fmt.Sprint(at, c)) })
	return out
}

// holds is a filter for lines with a word.
func holds(word string) Filter {
	return func(text []byte) int { return bytes.Index(text, []byte(word)) }
}

// readAll reads a text with a filter, or without one and filters afterwards.
func readAll(t testing.TB, text []byte, o Options, word string, skim bool) readingResult {
	t.Helper()
	s := NewScanner(bytes.NewReader(text), "test.log", o)
	s.tally = NewTally()
	if skim {
		s.filter = holds(word)
	}
	var out readingResult
	var rec Record
	for s.Next(&rec) {
		if skim || recordHolds(&rec, word) {
			out.Records = append(out.Records, fullText(&rec))
		}
	}
	if s.Err() != nil {
		t.Fatal(s.Err())
	}
	out.Stats, out.Tally = s.Stats(), tallyText(s.tally)
	return out
}

func recordHolds(r *Record, word string) bool {
	if bytes.Contains(r.Raw, []byte(word)) {
		return true
	}
	for line := range bytes.Lines(r.Trace) {
		if bytes.Contains(bytes.TrimSuffix(line, []byte("\n")), []byte(word)) {
			return true
		}
	}
	return false
}

// TestFilterChangesNothingElse reads logs with a filter and without: the records
// that are handed out and every count must be the same.
func TestFilterChangesNothingElse(t *testing.T) {
	for name, text := range sampleLogs(t) {
		for _, word := range []string{"refused", "Exception", "e", "timed out", "at com", "xyzzy", "Caused", "line"} {
			all, some := readAll(t, text, Options{Base: sampleBase()}, word, false), readAll(t, text, Options{Base: sampleBase()}, word, true)
			if d := cmp.Diff(all, some); d != "" {
				t.Errorf("%s, filter %q: %s", name, word, d)
				break
			}
		}
	}
}

// sampleLogs returns generated logs, and those of the shared corpus when it is
// there. Logs in carriers are left out: their filter sees what is inside.
func sampleLogs(t testing.TB) map[string][]byte {
	t.Helper()
	logs := map[string][]byte{
		"mixed": []byte("{\"ts\":1772446531,\"level\":\"info\",\"msg\":\"one\"}\nTraceback (most recent call last):\n  line 1\nValueError: e\nplain line\n" +
			strings.Repeat("{\"ts\":1772446532,\"level\":\"info\",\"msg\":\"two\"}\n2026-03-02 10:15:33 INFO refused\n\tat com.x\n", 3)),
		"long trace": []byte("2026-03-02 10:15:31,004 [a] INFO  x.Y - a\n" + strings.Repeat("\tline of a trace, Caused\n", 9000) + "2026-03-02 10:15:31,005 [a] INFO  x.Y - e\n"),
	}
	for form, line := range map[string]genlog.Line{"spring": genlog.Spring, "json": genlog.JSON, "access": genlog.Access} {
		var b bytes.Buffer
		if err := genlog.New(7, time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)).Write(&b, 600<<10, line); err != nil {
			t.Fatal(err)
		}
		logs[form] = b.Bytes()
	}
	for _, pattern := range []string{"../../shared/corpus/logs/*", "../../shared/cases/*/logs/*"} {
		files, _ := filepath.Glob(pattern)
		for _, f := range files {
			if text, err := os.ReadFile(f); err == nil && !strings.Contains(f, "docker") {
				logs[f] = text
			}
		}
	}
	return logs
}

// TestPartsChangeNothing reads a large file in parts side by side and in one
// go: the result must be the same.
func TestPartsChangeNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "app.log")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	g := genlog.New(3, time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC))
	for _, line := range []genlog.Line{genlog.Spring, longTrace, genlog.Spring, genlog.JSON, genlog.Spring} {
		if err := g.Write(f, 6<<20, line); err != nil {
			t.Fatal(err)
		}
	}
	f.Close()
	for _, filter := range []Filter{holds("20"), holds("Connection is not available"), holds("xyzzy")} {
		var want readingResult
		for workers := range 4 {
			got := readFile(t, path, filter, workers)
			if workers == 0 {
				want = got
				continue
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("%d workers: %s", workers, d)
			}
		}
	}
}

// longTrace writes a record that is longer than a part.
func longTrace(g *genlog.Generator, b []byte) []byte {
	b = genlog.Spring(g, b)
	for range 90_000 {
		b = append(b, "\tat com.acme.shop.orders.OrderService.reserve(OrderService.java:77) ~[classes!/:1.4.2] and so on\n"...)
	}
	return b
}

// readFile reads a file with ReadFile; without workers as one stream.
func readFile(t *testing.T, path string, filter Filter, workers int) readingResult {
	t.Helper()
	var out readingResult
	r := Reading{Filter: filter, Workers: workers, Record: func(r *Record) { out.Records = append(out.Records, fullText(r)) }}
	var tally *Tally
	var st Stats
	var err error
	if workers == 0 {
		f, openErr := os.Open(path)
		if openErr != nil {
			t.Fatal(openErr)
		}
		defer f.Close()
		tally, st, err = ReadStream(context.Background(), f, path, Options{}, r)
	} else {
		tally, st, err = ReadFile(context.Background(), path, Options{}, r)
	}
	if err != nil {
		t.Fatal(err)
	}
	out.Stats, out.Tally = st, tallyText(tally)
	return out
}
