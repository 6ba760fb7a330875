package logparse

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/capdoctor/capdoctor/logparse/internal/genlog"
)

// followWriter writes numbered lines to a log and rotates it.
type followWriter struct {
	t    *testing.T
	path string
	file *os.File
	gen  *genlog.Generator
	buf  []byte
	n    int
}

func newFollowWriter(t *testing.T, path string) *followWriter {
	w := &followWriter{t: t, path: path, gen: genlog.New(1, time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC))}
	w.create()
	return w
}

func (w *followWriter) create() {
	f, err := os.OpenFile(w.path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		w.t.Error(err)
		return
	}
	w.file = f
}

// write writes lines in pieces that do not end where the lines do.
func (w *followWriter) write(lines int) {
	w.buf = w.buf[:0]
	for range lines {
		w.buf = genlog.Numbered(w.gen, w.buf)
		w.n++
	}
	for b := w.buf; len(b) > 0; {
		n := min(len(b), 1000)
		if _, err := w.file.Write(b[:n]); err != nil {
			w.t.Error(err)
			return
		}
		b = b[n:]
	}
}

func (w *followWriter) rotated(i int) string { return w.path + "." + strconv.Itoa(i) }

// rename moves the log away and begins a new one.
func (w *followWriter) rename(keep int) {
	w.file.Close()
	for i := keep - 1; i > 0; i-- {
		os.Rename(w.rotated(i), w.rotated(i+1))
	}
	if err := os.Rename(w.path, w.rotated(1)); err != nil {
		w.t.Error(err)
	}
	w.create()
}

// copyTruncate copies the log and truncates it; between the two it writes
// lines, which are in neither.
func (w *followWriter) copyTruncate(keep, between int) {
	for i := keep - 1; i > 0; i-- {
		os.Rename(w.rotated(i), w.rotated(i+1))
	}
	in, err := os.Open(w.path)
	if err != nil {
		w.t.Error(err)
		return
	}
	defer in.Close()
	out, err := os.Create(w.rotated(1))
	if err != nil {
		w.t.Error(err)
		return
	}
	io.Copy(out, in)
	out.Close()
	w.write(between)
	if err := w.file.Truncate(0); err != nil {
		w.t.Error(err)
	}
}

// numbers collects the numbers of the lines that a follower hands out.
type numbers struct {
	t    *testing.T
	seen []int
}

func (c *numbers) take(r *Record) {
	s, ok := strings.CutPrefix(string(r.Message), "line ")
	n, err := strconv.Atoi(s)
	if !ok || err != nil {
		c.t.Errorf("record %q of %s:%d is not a line that was written", r.Raw, r.File, r.Line)
	}
	if strings.Contains(string(r.Trace), "line") {
		c.t.Errorf("record %q has further lines %q", r.Raw, r.Trace)
	}
	c.seen = append(c.seen, n)
}

// missing returns the numbers from 1 to last that were not seen. It fails the
// test when one was seen twice or out of order.
func (c *numbers) missing(last int) []int {
	c.t.Helper()
	var out []int
	next := 1
	for _, n := range c.seen {
		if n < next {
			c.t.Fatalf("line %d came after line %d", n, next-1)
		}
		for ; next < n; next++ {
			out = append(out, next)
		}
		next = n + 1
	}
	for ; next <= last; next++ {
		out = append(out, next)
	}
	return out
}

// followWhile polls while work runs, and restarts the follower from its saved
// position every few polls, as if it had been killed.
func followWhile(t *testing.T, path string, restartEvery int, work func()) *numbers {
	t.Helper()
	c := &numbers{t: t}
	f := NewFollower(path, Options{}, Start{})
	poll(t, f, c)
	done := make(chan struct{})
	go func() {
		defer close(done)
		work()
	}()
	for polls, finished := 0, false; ; polls++ {
		select {
		case <-done:
			finished = true
		default:
		}
		news, err := f.Poll(c.take)
		if err != nil {
			t.Fatal(err)
		}
		if finished && !news {
			break
		}
		if restartEvery > 0 && polls%restartEvery == restartEvery-1 {
			at := f.Position()
			f.Close()
			f = NewFollower(path, Options{}, Start{At: at})
		}
	}
	f.Flush(c.take)
	f.Close()
	return c
}

func TestFollowRenames(t *testing.T) {
	for _, restart := range []int{0, 7} {
		t.Run(fmt.Sprintf("restart every %d polls", restart), func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "app.log")
			w := newFollowWriter(t, path)
			c := followWhile(t, path, restart, func() {
				for range 60 {
					w.write(3000)
					w.rename(100)
				}
				w.write(10)
			})
			if lost := c.missing(w.n); len(lost) > 0 {
				t.Errorf("%d of %d lines are missing, the first is %d", len(lost), w.n, lost[0])
			}
		})
	}
}

func TestFollowCopyTruncate(t *testing.T) {
	for _, restart := range []int{0, 5} {
		t.Run(fmt.Sprintf("restart every %d polls", restart), func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "app.log")
			w := newFollowWriter(t, path)
			w.write(1)
			between := map[int]bool{}
			c := followWhile(t, path, restart, func() {
				for range 40 {
					w.write(3000)
					from := w.n
					w.copyTruncate(100, 5)
					for n := from + 1; n <= w.n; n++ {
						between[n] = true
					}
				}
				w.write(10)
			})
			lost := c.missing(w.n)
			for _, n := range lost {
				if !between[n] {
					t.Fatalf("of %d missing lines %d was not written between copy and truncation, the last is %d", len(lost), n, lost[len(lost)-1])
				}
			}
			t.Logf("%d of %d lines written between copy and truncation are missing", len(lost), len(between))
		})
	}
}

func TestFollowLateFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "app.log")
	c := &numbers{t: t}
	f := NewFollower(path, Options{}, Start{End: true})
	defer f.Close()
	poll(t, f, c)
	w := newFollowWriter(t, path)
	w.write(3)
	poll(t, f, c)
	f.Flush(c.take)
	if lost := c.missing(3); len(lost) > 0 {
		t.Errorf("lines %v are missing", lost)
	}
}

func TestFollowFromEnd(t *testing.T) {
	path := filepath.Join(t.TempDir(), "app.log")
	w := newFollowWriter(t, path)
	w.write(5)
	c := &numbers{t: t}
	f := NewFollower(path, Options{}, Start{End: true})
	defer f.Close()
	poll(t, f, c)
	w.write(2)
	w.rename(3)
	w.write(2)
	poll(t, f, c)
	f.Flush(c.take)
	if got := fmt.Sprint(c.seen); got != "[6 7 8 9]" {
		t.Errorf("lines %s, want 6 to 9", got)
	}
}

func TestFollowSince(t *testing.T) {
	path := filepath.Join(t.TempDir(), "app.log")
	w := newFollowWriter(t, path)
	var times []time.Time
	for range 4 {
		w.write(50)
		times = append(times, w.gen.Now())
		w.rename(5)
	}
	w.write(1)
	c := &numbers{t: t}
	f := NewFollower(path, Options{}, Start{Since: times[1].Add(time.Microsecond)})
	defer f.Close()
	poll(t, f, c)
	f.Flush(c.take)
	if len(c.seen) == 0 || c.seen[0] != 101 || c.seen[len(c.seen)-1] != w.n {
		t.Errorf("lines %v, want 101 to %d", c.seen, w.n)
	}
}

// TestFollowSinceKeepsNumbers holds that lines are numbered as in the file when the
// reading begins in its middle.
func TestFollowSinceKeepsNumbers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "app.log")
	start := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	var b strings.Builder
	const total = 40_000
	for i := 1; i <= total; i++ {
		fmt.Fprintf(&b, "%s INFO  [main] c.e.App - line %d\n", start.Add(time.Duration(i)*time.Second).Format("2006-01-02 15:04:05,000"), i)
	}
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	f := NewFollower(path, Options{}, Start{Since: start.Add(39_000 * time.Second)})
	defer f.Close()
	read := 0
	take := func(r *Record) {
		read++
		if want := fmt.Sprintf("line %d", r.Line); string(r.Message) != want {
			t.Fatalf("%q has the number %d", r.Message, r.Line)
		}
	}
	if _, err := f.Poll(take); err != nil {
		t.Fatal(err)
	}
	f.Flush(take)
	if read != 1001 || f.Stats().Lines == total {
		t.Errorf("%d records and %d lines read, want 1001 records and not all lines", read, f.Stats().Lines)
	}
}

func TestFollowSymlinkSwap(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(dir, "current")
	c := &numbers{t: t}
	w := newFollowWriter(t, filepath.Join(dir, "app-2026-03-02.log"))
	if err := os.Symlink(w.path, link); err != nil {
		t.Skip("no symbolic links: ", err)
	}
	f := NewFollower(link, Options{}, Start{})
	defer f.Close()
	w.write(3)
	poll(t, f, c)
	w.write(1)
	w.file.Close()
	w.path = filepath.Join(dir, "app-2026-03-03.log")
	w.create()
	w.write(2)
	os.Remove(link)
	if err := os.Symlink(w.path, link); err != nil {
		t.Fatal(err)
	}
	poll(t, f, c)
	f.Flush(c.take)
	if lost := c.missing(w.n); len(lost) > 0 {
		t.Errorf("lines %v are missing", lost)
	}
}

func TestFollowTornLine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "app.log")
	var got []string
	take := func(r *Record) { got = append(got, string(r.Message)) }
	f := NewFollower(path, Options{}, Start{})
	defer f.Close()
	for _, text := range []string{"2026-03-02T10:00:00Z INFO ha", "lf\n2026-03-02T10:00:01Z INFO two", "\n\tat a.B"} {
		appendFile(t, path, text)
		if _, err := f.Poll(take); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Rename(path, path+".1"); err != nil {
		t.Fatal(err)
	}
	appendFile(t, path, "2026-03-02T10:00:02Z INFO three\n")
	if _, err := f.Poll(take); err != nil {
		t.Fatal(err)
	}
	f.Flush(take)
	if s := strings.Join(got, "|"); s != "half|two|three" {
		t.Errorf("messages %s", s)
	}
}

func TestFollowRunReadsOnTicksAndChanges(t *testing.T) {
	path := filepath.Join(t.TempDir(), "app.log")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ticks := make(chan time.Time)
	handed := make(chan string, 10)
	stopped := make(chan error)
	f := NewFollower(path, Options{}, Start{})
	go func() {
		stopped <- f.Run(ctx, ticks, func(r *Record) { handed <- string(r.Message) })
	}()
	appendFile(t, path, "2026-03-02T10:00:00Z INFO one\n2026-03-02T10:00:01Z INFO two\n")
	ticks <- time.Time{}
	if got := <-handed; got != "one" {
		t.Errorf("first record %q", got)
	}
	// The last record is handed out after two ticks without news.
	for got := ""; got != "two"; {
		select {
		case got = <-handed:
		case ticks <- time.Time{}:
		}
	}
	cancel()
	if err := <-stopped; err != nil {
		t.Error(err)
	}
	f.Close()
}

func poll(t *testing.T, f *Follower, c *numbers) {
	t.Helper()
	if _, err := f.Poll(c.take); err != nil {
		t.Fatal(err)
	}
}

func appendFile(t *testing.T, path, text string) {
	t.Helper()
	file, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := file.WriteString(text); err != nil {
		t.Fatal(err)
	}
}
