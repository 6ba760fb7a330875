package logparse

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestInstanceOf(t *testing.T) {
	for path, want := range map[string]string{
		"app.log": "app", "/var/log/app.log": "app", "app.log.1": "app", "app.log.2.gz": "app", "app.log.gz": "app",
		"app-2026-01-01.log": "app", "app.2026-01-01.log": "app", "catalina.2026-03-02.log": "catalina", "app-20260101.log": "app",
		"app_2026-01-01_10.log": "app", "server.out": "server.out", "my.service.log": "my.service", "a.logs": "a.logs",
		"x.json.zst": "x.json", "b.log.xz": "b", "c.bz2": "c", "app.log-20260101": "app", "-": "stdin", "0.log": "0", ".log": ".log",
		"app.1.log": "app", "orders-7.log": "orders-7", "web1.example.com.log": "web1.example.com",
	} {
		if got := InstanceOf(path); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}

func TestInputs(t *testing.T) {
	dir := t.TempDir()
	day := func(d int, text string) []byte {
		at := time.Date(2026, 3, d, 10, 0, 0, 0, time.UTC)
		return []byte(at.Format(time.RFC3339) + " INFO " + text + "\n")
	}
	for name, text := range map[string][]byte{
		"app.log": day(9, "x"), "app.log.1": day(8, "x"), "app.log.2": day(7, "x"), "app.log.10": day(1, "x"),
		"web-2026-03-01.log": day(1, "x"), "web-2026-03-02.log": day(2, "x"), "web.log": day(3, "x"),
		"core": {0x7f, 'E', 'L', 'F', 0, 0, 0}, "empty.log": {}, ".hidden.log": day(1, "x"), "odd=name.log": day(1, "x"),
	} {
		writeFile(t, filepath.Join(dir, name), text)
	}
	if err := os.Mkdir(filepath.Join(dir, "old"), 0o755); err != nil {
		t.Fatal(err)
	}
	show := func(inputs []Input) (out []string) {
		for _, in := range inputs {
			names := make([]string, 0, len(in.Files))
			for _, f := range in.Files {
				names = append(names, filepath.Base(f))
			}
			out = append(out, in.Service+"/"+in.Instance+": "+strings.Join(names, " "))
		}
		return out
	}
	for _, c := range []struct {
		args []string
		want []string
	}{
		{[]string{dir + "/app.log*"}, []string{"/app: app.log.10 app.log.2 app.log.1 app.log"}},
		{[]string{"shop/web-1=" + dir + "/web*.log"}, []string{"shop/web-1: web-2026-03-01.log web-2026-03-02.log web.log"}},
		{[]string{"b=" + dir + "/app.log", "a=-"}, []string{"/a: -", "/b: app.log"}},
		{[]string{dir + "/odd=name.log"}, []string{"/odd=name: odd=name.log"}},
		{[]string{dir + "/app.log", dir + "/app.log", dir + "/app.log.1"}, []string{"/app: app.log.1 app.log"}},
		{[]string{dir}, []string{
			"/app: app.log.10 app.log.2 app.log.1 app.log", "/odd=name: odd=name.log", "/web: web-2026-03-01.log web-2026-03-02.log web.log",
		}},
	} {
		inputs, _, err := Inputs(c.args, nil)
		if err != nil {
			t.Errorf("%v: %v", c.args, err)
			continue
		}
		if d := cmp.Diff(c.want, show(inputs)); d != "" {
			t.Errorf("%v: %s", c.args, d)
		}
	}
	_, notes, _ := Inputs([]string{dir}, nil)
	var reasons []string
	for _, n := range notes {
		reasons = append(reasons, strings.TrimPrefix(n, dir+string(filepath.Separator)))
	}
	want := []string{
		".hidden.log is left out: its name begins with a dot", "core is left out: it is not text",
		"empty.log is left out: it is empty", "old is left out: it is a folder",
	}
	if d := cmp.Diff(want, reasons); d != "" {
		t.Error(d)
	}
	for arg, want := range map[string]string{
		dir + "/no.log": "no such file", dir + "/no*.log": "no file matches", "a b=" + dir + "/app.log": "the name before =",
		"a/b/c=x": "the name before =", "a=": "no file after =", dir + "/old": "the folder holds no log",
	} {
		if _, _, err := Inputs([]string{arg}, nil); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), arg) {
			t.Errorf("%s: error %v, want %q", arg, err, want)
		}
	}
}

func TestReadInput(t *testing.T) {
	dir := t.TempDir()
	lines := bytes.SplitAfter(numbered(3000), []byte("\n"))
	var args []string
	for i, name := range []string{"app.log.2", "app.log.1", "app.log"} {
		args = append(args, writeFile(t, filepath.Join(dir, name), bytes.Join(lines[i*1000:(i+1)*1000], nil)))
	}
	inputs, _, err := Inputs(append(args, "std=-"), nil)
	if err != nil {
		t.Fatal(err)
	}
	c := &numbers{t: t}
	_, all, err := inputs[0].Read(t.Context(), nil, Options{}, Reading{Record: c.take})
	if err != nil {
		t.Fatal(err)
	}
	if lost := c.missing(3000); len(lost) > 0 || len(all) != 3 || all[0].File != args[0] {
		t.Errorf("%d missing, %+v", len(lost), all)
	}
	recs, _ := scanText(t, string(lines[2900]), Options{})
	c = &numbers{t: t}
	_, all, err = inputs[0].Read(t.Context(), nil, Options{Since: recs[0].Time}, Reading{Record: c.take})
	if err != nil || len(c.seen) == 0 || c.seen[0] < 2899 || all[0].Skipped != fileSize(args[0]) || all[1].Skipped != fileSize(args[1]) {
		t.Errorf("since: first %v, %v, %+v", c.seen[:min(1, len(c.seen))], err, all)
	}
	c = &numbers{t: t}
	if _, _, err := inputs[1].Read(t.Context(), bytes.NewReader(numbered(10)), Options{}, Reading{Record: c.take}); err != nil || len(c.missing(10)) > 0 {
		t.Errorf("standard input: %v, %v", err, c.seen)
	}
}
