package logparse

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// seedLines returns the samples of all formats, and a few odd lines.
func seedLines(f *testing.F) []string {
	lines := []string{"", "\tat a.B", "Caused by: a.B: c", "Traceback (most recent call last):", "ValueError: x", "\x1b[31mred\x1b[0m", "plain", "\r", "\x00"}
	for _, format := range builtin(f).list {
		for _, s := range format.Samples {
			lines = append(lines, s.Line)
		}
	}
	return lines
}

// FuzzScanner reads any text: every byte and line must be counted, and with a
// filter everything must be as without.
func FuzzScanner(f *testing.F) {
	lines := seedLines(f)
	for i := range lines {
		f.Add([]byte(strings.Join(lines[i:min(i+3, len(lines))], "\n")), "a")
	}
	f.Add([]byte(strings.Join(lines, "\n")), "at")
	f.Fuzz(func(t *testing.T, text []byte, word string) {
		all := readAll(t, text, Options{Base: sampleBase(), MaxLine: 300}, word, false)
		if n := int64(bytes.Count(text, []byte("\n"))); all.Stats.Bytes != int64(len(text)) || all.Stats.Lines != n && all.Stats.Lines != n+1 {
			t.Errorf("%d bytes of %d, %d lines of %d", all.Stats.Bytes, len(text), all.Stats.Lines, n)
		}
		if strings.Contains(all.Stats.Format, "+") || word == "" || strings.Contains(word, "\n") {
			return // the filter sees what is in the carrier
		}
		some := readAll(t, text, Options{Base: sampleBase(), MaxLine: 300}, word, true)
		if d := cmp.Diff(all.Stats, some.Stats); d != "" {
			t.Error(d)
		}
		if d := cmp.Diff(all.Tally, some.Tally); d != "" {
			t.Error(d)
		}
	})
}

// FuzzHeaders gives any line to every decoder: what it finds must lie within
// the line.
func FuzzHeaders(f *testing.F) {
	for _, line := range seedLines(f) {
		f.Add([]byte(line))
	}
	set := builtin(f)
	f.Fuzz(func(t *testing.T, line []byte) {
		var r stampReader
		for _, format := range set.list {
			for _, d := range format.decoders {
				var h header
				if !d.decode(line, &h, &r) {
					continue
				}
				for _, s := range []span{h.logger, h.thread, h.source, h.message, h.trace} {
					if s.lo < 0 || s.lo > s.hi || s.hi > len(line) {
						t.Fatalf("%s: part %v of a line of %d bytes", format.Name, s, len(line))
					}
				}
				if h.rest < 0 || h.rest > len(line) || h.status < 0 || h.status > 599 {
					t.Fatalf("%s: rest %d, status %d", format.Name, h.rest, h.status)
				}
				c := newClock(Options{Base: sampleBase()})
				c.resolve(&h.stamp)
				h.text(nil, h.message.of(line))
			}
		}
	})
}

// FuzzJoiner splits lines of two streams into parts as a container runtime
// does: they must come out whole and in the order in which they begin.
func FuzzJoiner(f *testing.F) {
	f.Add("one|two|three", []byte{3, 1, 200})
	f.Add("2026-03-02 10:15:31 INFO a|x\ty|z", []byte{1, 1, 1, 1})
	f.Add("", []byte{0})
	f.Fuzz(func(t *testing.T, text string, cuts []byte) {
		if strings.ContainsAny(text, "\n\r\x00\x1b\ufeff") || len(text) > 2000 {
			return
		}
		lines := strings.Split(text, "|")
		for _, line := range lines {
			if line == "" || continues([]byte(line)) {
				return
			}
		}
		log, want := splitLines(lines, cuts)
		s := NewScanner(strings.NewReader(log), "x", Options{Format: "jul"}) // nothing inside is of this format
		var got []string
		var p part
		p.scan(s)
		for _, r := range p.records {
			got = append(got, string(r.Source)+" "+string(r.Message)+string(r.Trace))
		}
		slices.Sort(got)
		slices.Sort(want)
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%q: %s", log, d)
		}
	})
}

// splitLines writes lines to stdout and stderr in turn, in parts as long as
// cuts say, the parts of two lines interleaved.
func splitLines(lines []string, cuts []byte) (log string, want []string) {
	type part struct{ stream, flag, text string }
	var queues [2][]part
	for i, line := range lines {
		stream := []string{"stdout", "stderr"}[i%2]
		want = append(want, stream+" "+line)
		for {
			n := len(line)
			if len(cuts) > 0 {
				n, cuts = min(n, int(cuts[0])), cuts[1:]
			}
			if n == len(line) {
				queues[i%2] = append(queues[i%2], part{stream, "F", line})
				break
			}
			queues[i%2] = append(queues[i%2], part{stream, "P", line[:n]})
			line = line[n:]
		}
	}
	var b strings.Builder
	for i := 0; len(queues[0])+len(queues[1]) > 0; i++ {
		q := &queues[i%2]
		if len(*q) == 0 {
			continue
		}
		p := (*q)[0]
		*q = (*q)[1:]
		fmt.Fprintf(&b, "2026-03-02T10:15:31.%03dZ %s %s %s\n", i%1000, p.stream, p.flag, p.text)
	}
	return b.String(), want
}

// FuzzLayout compiles any layout and reads any line with it.
func FuzzLayout(f *testing.F) {
	for _, format := range builtin(f).list {
		for i, text := range format.Layouts {
			f.Add(text, format.Samples[min(i, len(format.Samples)-1)].Line)
		}
	}
	f.Fuzz(func(t *testing.T, text, line string) {
		l, err := compileLayout(text)
		if err != nil {
			return
		}
		var h header
		var r stampReader
		if l.decode([]byte(line), &h, &r) && (h.message.hi > len(line) || h.message.lo > h.message.hi) {
			t.Errorf("message %v of a line of %d bytes", h.message, len(line))
		}
		l.decodeHead([]byte(line), &h, &r)
	})
}
