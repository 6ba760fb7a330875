package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/capdoctor/capdoctor/logparse"
)

// TestLastTimeIsReadFromTheEnd holds that of a large file only the end is read:
// a wrong time far before it is not seen, nor is the line that the end begins in.
func TestLastTimeIsReadFromTheEnd(t *testing.T) {
	last := time.Date(2026, 3, 2, 10, 0, 5, 0, time.UTC)
	line := "2026-03-02T10:00:00.000Z  INFO 1 --- [shop] [main] c.acme.shop.Orders : order 17 stored\n"
	for name, further := range map[string]string{"lines": "", "a trace": strings.Repeat("\tat com.acme.shop.Orders.store(Orders.java:17)\n", 1100)} {
		text := "2031-03-02T10:00:00.000Z  INFO 1 --- [shop] [main] c.acme.shop.Orders : a broken clock\n" +
			strings.Repeat(line, 3*tailSize/len(line)) + further + strings.Repeat(line, (tailSize-len(further)/2)/len(line)) +
			strings.Replace(line, "10:00:00", "10:00:05", 1)
		file := filepath.Join(t.TempDir(), "app.log")
		write(t, file, text)
		got, err := lastTime(t.Context(), file, logparse.Options{})
		if err != nil || !got.Equal(last) {
			t.Errorf("%s: got %v, %v, want %v", name, got, err, last)
		}
	}
}

// TestStreamsAreReadOnce holds that logs which are pipes, as the shell's
// <(command) gives them, tell what the files tell.
func TestStreamsAreReadOnce(t *testing.T) {
	folder := t.TempDir()
	var paths [2]string
	for i, name := range []string{"evento-server.log", "catalog-bundle.log"} {
		paths[i] = filepath.Join(folder, name)
		text, err := os.ReadFile(filepath.Join("../../fixtures/evento-collapse/logs", name))
		if err != nil {
			t.Fatal(err)
		}
		pipe(t, paths[i], text)
	}
	var got, want, complaint bytes.Buffer
	run(t.Context(), []string{"postmortem", paths[0], paths[1]}, streams{strings.NewReader(""), &got, &complaint})
	run(t.Context(), []string{"postmortem", "../../fixtures/evento-collapse/logs"}, streams{strings.NewReader(""), &want, &complaint})
	if diff := cmp.Diff(want.String(), got.String()); diff != "" || complaint.Len() > 0 {
		t.Errorf("(-files +pipes):\n%s\n%s", diff, complaint.String())
	}
}

// pipe makes a pipe and writes a text into it when somebody reads it.
func pipe(t *testing.T, path string, text []byte) {
	t.Helper()
	if out, err := exec.Command("mkfifo", path).CombinedOutput(); err != nil {
		t.Skipf("no pipes here: %v %s", err, out)
	}
	go func() {
		if err := os.WriteFile(path, text, 0); err != nil {
			t.Error(err)
		}
	}()
}

// TestLogsThatBreakOff holds that a damaged file is judged as far as it goes, and
// that one that cannot be read at all does not keep the others from being judged.
func TestLogsThatBreakOff(t *testing.T) {
	folder := t.TempDir()
	text, err := os.ReadFile("../../fixtures/evento-collapse/logs/evento-server.log")
	if err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	for range 40 {
		w.Write(text)
	}
	w.Close()
	write(t, filepath.Join(folder, "server.log.gz"), packed.String()[:packed.Len()*9/10])
	write(t, filepath.Join(folder, "bundle.log.gz"), packed.String()[:15])
	var out, complaint bytes.Buffer
	files := []string{filepath.Join(folder, "server.log.gz"), filepath.Join(folder, "bundle.log.gz")}
	run(t.Context(), append([]string{"postmortem"}, files...), streams{strings.NewReader(""), &out, &complaint})
	for _, say := range []string{"server.log.gz breaks off: unexpected EOF; what stands before was judged", "bundle.log.gz: unexpected EOF; it was not judged"} {
		if !strings.Contains(strings.Join(strings.Fields(out.String()), " "), say) {
			t.Errorf("does not say %q:\n%s%s", say, out.String(), complaint.String())
		}
	}
	out.Reset()
	if code := run(t.Context(), []string{"postmortem", files[1]}, streams{strings.NewReader(""), &out, &complaint}); code != exitUsage || !strings.Contains(complaint.String(), "unexpected EOF") {
		t.Errorf("exit %d: %s%s", code, out.String(), complaint.String())
	}
}

// TestLastTimeOfANewestFirstLog holds that the last time is that of the newest
// record also where a file begins with it, whether a stamp has a date or not.
func TestLastTimeOfANewestFirstLog(t *testing.T) {
	last := time.Date(2026, 3, 2, 10, 0, 5, 0, time.UTC)
	for name, layout := range map[string]string{
		"with a date": "2006-01-02T15:04:05.000Z  INFO 1 --- [shop] [main] c.acme.shop.Orders : order",
		"without":     "15:04:05.000 [main] INFO com.acme.shop.Orders - order",
	} {
		var text strings.Builder
		for i := 0; text.Len() < 3*tailSize; i++ {
			fmt.Fprintf(&text, "%s %d stored\n", last.Add(-time.Duration(i)*100*time.Millisecond).Format(layout), i)
		}
		file := filepath.Join(t.TempDir(), "app.log")
		write(t, file, text.String())
		got, err := lastTime(t.Context(), file, logparse.Options{Base: last})
		if err != nil || !got.Equal(last) {
			t.Errorf("%s: got %v, %v, want %v", name, got, err, last)
		}
	}
}
