package logparse

import (
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/capdoctor/capdoctor/logparse/internal/genlog"
)

// TestPipedReadsEachLineOnce writes numbered lines into a pipe in pieces that do
// not end where lines do, and polls beside it.
func TestPipedReadsEachLineOnce(t *testing.T) {
	in, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	const lines = 20_000
	go func() {
		defer out.Close()
		gen, buf := genlog.New(1, time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)), []byte(nil)
		for range lines {
			buf = genlog.Numbered(gen, buf)
		}
		for len(buf) > 0 {
			n := min(len(buf), 777)
			if _, err := out.Write(buf[:n]); err != nil {
				t.Error(err)
				return
			}
			buf = buf[n:]
		}
	}()
	p := NewPiped(in, "pipe", Options{})
	defer p.Close()
	next := 1
	take := func(r *Record) {
		if want := fmt.Sprintf("line %d", next); string(r.Message) != want || r.Line != int64(next) {
			t.Fatalf("record %q at line %d, want %q", r.Message, r.Line, want)
		}
		next++
	}
	for !p.Ended() {
		if _, err := p.Poll(take); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Millisecond)
	}
	p.Flush(take)
	if st := p.Stats(); next != lines+1 || st.Lines != lines || st.Unparsed != 0 {
		t.Errorf("%d records of %d lines, %d unparsed", next-1, st.Lines, st.Unparsed)
	}
}

// TestPipedWaits holds that Poll does not wait for a writer, that a record waits
// for its further lines, and that the format is found when enough has come.
func TestPipedWaits(t *testing.T) {
	in, out := io.Pipe()
	p := NewPiped(in, "pipe", Options{})
	defer p.Close()
	var got []string
	take := func(r *Record) { got = append(got, fmt.Sprintf("%s %s %q", r.Level, r.Message, r.Trace)) }
	poll := func(write string, want ...string) {
		t.Helper()
		if write != "" {
			if _, err := io.WriteString(out, write); err != nil {
				t.Fatal(err)
			}
			for len(p.source.blocks) == 0 { // until it has come
				time.Sleep(time.Millisecond)
			}
		}
		got = nil
		if _, err := p.Poll(take); err != nil {
			t.Fatal(err)
		}
		if strings.Join(got, "|") != strings.Join(want, "|") {
			t.Errorf("after %q: %q, want %q", write, got, want)
		}
	}
	poll("")
	poll("starting up\n")
	const stamp = "2026-03-02T10:00:00.000Z  INFO 1 --- [shop] [main] c.acme.Shop : "
	poll(stamp+"one\n", ` starting up ""`)
	poll("java.lang.Exception: x\n")
	poll("\tat a.b(C.java:1)\n" + stamp + "tw")
	poll("o\n", `info one "java.lang.Exception: x\n\tat a.b(C.java:1)\n"`)
	got = nil
	p.Flush(take)
	if strings.Join(got, "|") != `info two ""` {
		t.Errorf("at last %q", got)
	}
	poll(stamp + "three, without a newline")
	out.Close()
	for got = nil; !p.Ended(); {
		if _, err := p.Poll(take); err != nil {
			t.Fatal(err)
		}
	}
	if strings.Join(got, "|") != `info three, without a newline ""` {
		t.Errorf("at the end %q", got)
	}
}
