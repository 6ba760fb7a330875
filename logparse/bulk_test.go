package logparse

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/capdoctor/capdoctor/logparse/internal/genlog"
	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"
)

func writeFile(t testing.TB, path string, text []byte) string {
	t.Helper()
	if err := os.WriteFile(path, text, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// numbered returns lines with the numbers from 1 on.
func numbered(n int) []byte {
	g := genlog.New(1, time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC))
	var b []byte
	for range n {
		b = genlog.Numbered(g, b)
	}
	return b
}

func TestCompressedFiles(t *testing.T) {
	text := numbered(20_000)
	dir := t.TempDir()
	pack := func(name string, w func(io.Writer) io.WriteCloser) string {
		var b bytes.Buffer
		z := w(&b)
		if _, err := z.Write(text); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		return writeFile(t, filepath.Join(dir, name), b.Bytes())
	}
	files := []string{
		writeFile(t, filepath.Join(dir, "plain.log"), text),
		pack("a.gz", func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) }),
		pack("wrong-name.log", func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) }),
		pack("b.zst", func(w io.Writer) io.WriteCloser { z, _ := zstd.NewWriter(w); return z }),
		pack("c.xz", func(w io.Writer) io.WriteCloser { z, _ := xz.NewWriter(w); return z }),
	}
	if bz, err := exec.LookPath("bzip2"); err == nil {
		cmd := exec.Command(bz, "-k", files[0])
		if err := cmd.Run(); err != nil {
			t.Fatal(err)
		}
		files = append(files, files[0]+".bz2")
	}
	for _, path := range files {
		c := &numbers{t: t}
		var read atomic.Int64
		_, st, err := ReadFile(t.Context(), path, Options{}, Reading{Record: c.take, Progress: &read})
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		if lost := c.missing(20_000); len(lost) > 0 || st.Bytes != int64(len(text)) || read.Load() != fileSize(path) {
			t.Errorf("%s: %d missing, %d bytes of %d, progress %d of %d", path, len(lost), st.Bytes, len(text), read.Load(), fileSize(path))
		}
		r, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if all, err := io.ReadAll(r); err != nil || !bytes.Equal(all, text) {
			t.Errorf("%s: opened with other content, %v", path, err)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
	broken := writeFile(t, filepath.Join(dir, "broken.gz"), []byte("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03rubbish"))
	if _, _, err := ReadFile(t.Context(), broken, Options{}, Reading{}); err == nil || !strings.Contains(err.Error(), broken) {
		t.Errorf("a broken file: error %v", err)
	}
}

func TestSinceFindsItsPlace(t *testing.T) {
	text := numbered(200_000)
	path := writeFile(t, filepath.Join(t.TempDir(), "app.log"), text)
	all, _ := scanText(t, string(text), Options{})
	for _, n := range []int{0, 1, 77_777, 150_000, 199_999} {
		since := all[n].Time
		var first *Record
		_, st, err := ReadFile(t.Context(), path, Options{Since: since}, Reading{Record: func(r *Record) {
			if first == nil {
				c := *r
				c.Message = bytes.Clone(r.Message)
				first = &c
			}
		}})
		if err != nil {
			t.Fatal(err)
		}
		if first == nil || !first.Time.Equal(since) {
			t.Fatalf("since %v: first record %+v", since, first)
		}
		if n > 50_000 && st.Skipped < int64(len(text)/8) {
			t.Errorf("since record %d: only %d bytes passed over", n, st.Skipped)
		}
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		before, err := LinesBefore(f, st.Skipped)
		f.Close()
		if want := all[n].Line; err != nil || before+first.Line > want || before+first.Line < want-3 || first.Offset < st.Skipped {
			t.Errorf("since record %d: line %d of %d, %v", n, before+first.Line, want, err)
		}
	}
}

func TestSinceInDisorder(t *testing.T) {
	lines := bytes.SplitAfter(numbered(120_000), []byte("\n"))
	half := len(lines) / 2
	text := bytes.Join(append(slices.Clone(lines[half:]), lines[:half]...), nil)
	path := writeFile(t, filepath.Join(t.TempDir(), "app.log"), text)
	recs, _ := scanText(t, string(lines[half+10]), Options{})
	var n int
	if _, _, err := ReadFile(t.Context(), path, Options{Since: recs[0].Time}, Reading{Record: func(*Record) { n++ }}); err != nil {
		t.Fatal(err)
	}
	if want := 120_000 - half - 10; n < want-1 || n > want+1 {
		t.Errorf("%d records, want about %d", n, want)
	}
}

func TestNewestFirst(t *testing.T) {
	lines := bytes.SplitAfter(numbered(100_000), []byte("\n"))
	slices.Reverse(lines)
	for i := range lines {
		if i%1000 == 0 && len(lines[i]) > 0 {
			lines[i] = append(bytes.Clone(lines[i]), "\tat a.B\n"...)
		}
	}
	text := bytes.Join(lines, nil)
	path := writeFile(t, filepath.Join(t.TempDir(), "app.log"), text)
	c := &numbers{t: t}
	var firstLine, offset int64
	tally, st, err := ReadFile(t.Context(), path, Options{}, Reading{Record: func(r *Record) {
		c.take(r)
		if firstLine == 0 {
			firstLine, offset = r.Line, r.Offset
		}
		if !bytes.HasPrefix(text[r.Offset:], r.Raw) {
			t.Fatalf("offset %d of line %d does not lead to it", r.Offset, r.Line)
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	if lost := c.missing(100_000); len(lost) > 0 || !st.Newest || st.Bytes != int64(len(text)) {
		t.Errorf("%d missing, newest first %v, %d of %d bytes", len(lost), st.Newest, st.Bytes, len(text))
	}
	if want := int64(bytes.Count(text[:offset], []byte("\n"))) + 1; firstLine != want {
		t.Errorf("the oldest record is line %d, want %d", firstLine, want)
	}
	if len(tallyText(tally)) == 0 {
		t.Error("nothing was tallied")
	}
}

// TestFileWithoutDates reads a log over two midnights: its last line is of the
// day on which the file was last written to.
func TestFileWithoutDates(t *testing.T) {
	text := "23:59:58.000 INFO  a - x\n00:00:01.000 INFO  a - x\n13:00:00.000 INFO  a - x\n00:00:02.000 INFO  a - x\n"
	path := writeFile(t, filepath.Join(t.TempDir(), "app.log"), []byte(text))
	written := time.Date(2026, 3, 3, 0, 0, 5, 0, time.UTC)
	if err := os.Chtimes(path, written, written); err != nil {
		t.Fatal(err)
	}
	var got []string
	_, st, err := ReadFile(t.Context(), path, Options{}, Reading{Record: func(r *Record) { got = append(got, r.Time.Format("01-02T15:04:05")) }})
	if err != nil {
		t.Fatal(err)
	}
	wantTimes(t, got, "03-01T23:59:58 03-02T00:00:01 03-02T13:00:00 03-03T00:00:02")
	if !strings.Contains(strings.Join(st.Assumed, "; "), "end on 2026-03-03") {
		t.Errorf("assumed %v", st.Assumed)
	}
}

func TestCancelledReading(t *testing.T) {
	path := writeFile(t, filepath.Join(t.TempDir(), "app.log"), numbered(600_000))
	for _, workers := range []int{1, 4} {
		ctx, cancel := context.WithCancel(t.Context())
		_, _, err := ReadFile(ctx, path, Options{}, Reading{Workers: workers, Record: func(*Record) { cancel() }})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%d workers: error %v", workers, err)
		}
	}
	if _, _, err := ReadFile(t.Context(), filepath.Join(t.TempDir(), "no.log"), Options{}, Reading{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that is not there: error %v", err)
	}
}

// TestFileCutWhileRead cuts a file off under the reading of its parts: that must
// be an error, or the end of the log, and never the end of the program.
func TestFileCutWhileRead(t *testing.T) {
	path := writeFile(t, filepath.Join(t.TempDir(), "app.log"), numbered(600_000))
	_, _, err := ReadFile(t.Context(), path, Options{}, Reading{Filter: holds("INFO"), Workers: 1, Record: func(r *Record) {
		if r.Line == 1 {
			if err := os.Truncate(path, 5<<20); err != nil {
				t.Error(err)
			}
		}
	}})
	if err == nil || !strings.Contains(err.Error(), "was cut while it was read") || !strings.Contains(err.Error(), path) {
		t.Errorf("error %v", err)
	}
}

func TestMerge(t *testing.T) {
	log := func(lines ...string) iter.Seq[*Record] {
		s := NewScanner(strings.NewReader(strings.Join(lines, "\n")), "x", Options{})
		return func(yield func(*Record) bool) {
			var rec Record
			for s.Next(&rec) {
				if !yield(&rec) {
					return
				}
			}
		}
	}
	var got []string
	for r := range Merge(
		log("2026-03-02 10:00:01 INFO a1", "2026-03-02 10:00:03 INFO a2", "2026-03-02 10:00:05 INFO a3"),
		log(),
		log("2026-03-02 10:00:02 INFO b1", "2026-03-02 10:00:03 INFO b2"),
	) {
		got = append(got, string(r.Message))
	}
	if s := fmt.Sprint(got); s != "[a1 b1 a2 b2 a3]" {
		t.Errorf("order %s", s)
	}
}

func TestTallyIsBounded(t *testing.T) {
	tally, other := NewTally(), NewTally()
	for i := range int64(500_000) {
		tally.add(i*7-1_000_000, Info, 0)
	}
	other.add(-1_000_000, Warn, 504)
	other.merge(tally)
	if n := len(other.pages); n > maxPages {
		t.Errorf("%d pages", n)
	}
	var sum Counts
	last := time.Unix(-1<<40, 0)
	other.Each(func(at time.Time, c Counts) {
		sum.plus(&c)
		if !at.After(last) {
			t.Fatalf("span %v after %v", at, last)
		}
		last = at
	})
	if sum.Levels[Info] != 500_000 || sum.Levels[Warn] != 1 || sum.Statuses[statusIndex(504)] != 1 {
		t.Errorf("counts %+v", sum)
	}
	if other.Width() < time.Minute {
		t.Errorf("width %v", other.Width())
	}
}
