package logparse

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// orderedLog is a log of n lines, one a second.
func orderedLog(begin time.Time, n int) [][]byte {
	var lines [][]byte
	for i := range n {
		at := begin.Add(time.Duration(i) * time.Second).Format("2006-01-02 15:04:05,000")
		lines = append(lines, fmt.Appendf(nil, "%s INFO  [worker-1] com.example.Feed - record %d of many, with a text that makes it long enough\n", at, i))
	}
	return lines
}

// A file in order is not read to its end when that lies behind Until; the
// records before it are all there.
func TestUntilEndsTheReading(t *testing.T) {
	begin := time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)
	lines := orderedLog(begin, 80_000)
	text := bytes.Join(lines, nil)
	slices.Reverse(lines)
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write(text)
	z.Close()
	dir := t.TempDir()
	for name, content := range map[string][]byte{"app.log": text, "newest.log": bytes.Join(lines, nil), "app.log.gz": packed.Bytes()} {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, content, 0o644); err != nil {
			t.Fatal(err)
		}
		records := 0
		o := Options{Until: begin.Add(1000 * time.Second)}
		_, st, err := ReadFile(t.Context(), file, o, Reading{Record: func(*Record) { records++ }})
		if err != nil {
			t.Fatal(err)
		}
		if records != 1000 || st.Records != 1000 {
			t.Errorf("%s: %d records, %d counted, want 1000", name, records, st.Records)
		}
		if !st.Ended || st.Bytes > int64(len(text))/2 {
			t.Errorf("%s: ended %v after %d of %d bytes", name, st.Ended, st.Bytes, len(text))
		}
	}
}

// Of a file that lies behind Until altogether only the beginning is read.
func TestUntilOfALaterFile(t *testing.T) {
	begin := time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)
	text := bytes.Join(orderedLog(begin, 40_000), nil)
	file := filepath.Join(t.TempDir(), "app.log")
	if err := os.WriteFile(file, text, 0o644); err != nil {
		t.Fatal(err)
	}
	_, st, err := ReadFile(t.Context(), file, Options{Until: begin.Add(-time.Minute)}, Reading{})
	if err != nil {
		t.Fatal(err)
	}
	if st.Records != 0 || !st.Ended || st.Bytes > int64(len(text))/2 {
		t.Errorf("%d records, ended %v after %d of %d bytes", st.Records, st.Ended, st.Bytes, len(text))
	}
}

// A file that is not in order is read to its end.
func TestUntilOfALogOutOfOrder(t *testing.T) {
	begin := time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)
	lines := orderedLog(begin, 15_000)
	text := bytes.Join(slices.Concat(lines[:100], lines[5000:], lines[100:5000]), nil)
	file := filepath.Join(t.TempDir(), "app.log")
	if err := os.WriteFile(file, text, 0o644); err != nil {
		t.Fatal(err)
	}
	_, st, err := ReadFile(t.Context(), file, Options{Until: begin.Add(1000 * time.Second)}, Reading{})
	if err != nil {
		t.Fatal(err)
	}
	if st.Records != 1000 || st.Ended {
		t.Errorf("%d records, ended %v, want all 1000", st.Records, st.Ended)
	}
}
