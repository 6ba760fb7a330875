package incident

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// sample is a case that uses every field.
func sample() Case {
	return Case{
		Title: `Pool "orders": exhausted` + "\n# not a comment", Source: "a test: yes", Confidence: "confirmed", Why: "because \x00\u00e9", Start: start,
		Facts: map[string]string{"deadline_seconds": "30", "app:limit": "1m30s", "orders-1:8080:batch": "4"},
		Expect: &Expect{
			Find:    []Want{{ID: "held-connections", Where: map[string]string{"pool": "a: b", "n": "1"}, Says: []string{"10 of 10", "30"}}, {ID: "pool-exhausted"}},
			Not:     []string{"cpu-saturated"},
			Unknown: []string{"database-lock-wait"}, AdviceMust: []string{`(?i)nest|"x"`}, AdviceMustNot: []string{`^\W*(raise) .*`},
		},
	}
}

// record writes a case with good, failed and empty scrapes of two targets and
// two logs.
func record(t *testing.T, path string) {
	t.Helper()
	w, err := Create(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	at := func(ms int) time.Time { return start.Add(time.Duration(ms) * time.Millisecond) }
	steps := []error{
		w.SetCase(sample()),
		w.AddScrape("app", at(0), Meta{Status: 200, Duration: 13*time.Millisecond + 7, ContentType: "text/plain"}, []byte("up 1\n")),
		w.AddScrape("db-1:5432", at(3), Meta{Status: 200}, []byte("pg_up{datname=\"shop\"} 1\r\n\nx")),
		w.AppendLog("app.log", at(500), []byte("one\ntw")),
		w.AddScrape("app", at(1001), Meta{Status: 503, Error: "status 503: \"busy\"\nretry"}, []byte("no")),
		w.AddScrape("app", at(1999), Meta{Error: "timed out after 5 s"}, nil),
		w.AppendLog("app.log", at(2000), []byte("o\nthree")),
		w.AppendLog("web server.log", at(2000), []byte("x\n")),
		w.AddScrape("app", at(12_345_678), Meta{Status: 200}, []byte{}),
		w.Close(),
	}
	for i, err := range steps {
		if err != nil {
			t.Fatalf("step %d: %v", i, err)
		}
	}
}

// content is everything a case gives to a reader.
type content struct {
	Case    Case
	Scrapes []scraped
	Logs    map[string]string
}

type scraped struct {
	Target string
	Offset time.Duration
	Meta   Meta
	Body   []byte
}

func contentOf(t *testing.T, c *Case) content {
	t.Helper()
	out := content{Case: Case{
		Title: c.Title, Source: c.Source, Confidence: c.Confidence, Why: c.Why, Start: c.Start, Facts: c.Facts, Expect: c.Expect,
	}, Logs: map[string]string{}}
	if c.Expect != nil {
		bare := *c.Expect
		bare.File, bare.Lines = "", nil
		out.Case.Expect = &bare
	}
	for target, s := range c.InOrder() {
		body, err := s.Body()
		if err != nil {
			t.Fatal(err)
		}
		out.Scrapes = append(out.Scrapes, scraped{target.Name, s.Offset, s.Meta, body})
	}
	for _, l := range c.Logs {
		r, err := l.Open()
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(r)
		if err != nil || int64(len(b)) != l.Size {
			t.Fatalf("log %s: %d bytes of %d, %v", l.Name, len(b), l.Size, err)
		}
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
		out.Logs[l.Name] = string(b)
	}
	return out
}

func openContent(t *testing.T, path string) content {
	t.Helper()
	c, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	return contentOf(t, c)
}

var caseOptions = cmp.AllowUnexported(Case{})

// What is recorded is read back byte for byte, from a folder and from a file.
func TestRoundTrip(t *testing.T) {
	want := content{Case: sample(), Logs: map[string]string{"app.log": "one\ntwo\nthree", "web server.log": "x\n"}}
	want.Scrapes = []scraped{
		{"app", 0, Meta{200, 13*time.Millisecond + 7, "text/plain", ""}, []byte("up 1\n")},
		{"db-1:5432", 3 * time.Millisecond, Meta{Status: 200}, []byte("pg_up{datname=\"shop\"} 1\r\n\nx")},
		{"app", 1001 * time.Millisecond, Meta{Status: 503, Error: "status 503: \"busy\"\nretry"}, []byte("no")},
		{"app", 1999 * time.Millisecond, Meta{Error: "timed out after 5 s"}, nil},
		{"app", 12_345_678 * time.Millisecond, Meta{Status: 200}, []byte{}},
	}
	for _, name := range []string{"incident", "incident.capdoctor"} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), name)
			record(t, path)
			if diff := cmp.Diff(want, openContent(t, path), caseOptions); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestRecordingTwiceGivesTheSameBytes(t *testing.T) {
	dir := t.TempDir()
	var files [][]byte
	for _, name := range []string{"a.capdoctor", "b.capdoctor"} {
		record(t, filepath.Join(dir, name))
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, b)
	}
	if !bytes.Equal(files[0], files[1]) {
		t.Error("two recordings of the same things differ")
	}
}

// A recorder that is killed at any moment leaves what it had added.
func TestKilledRecorder(t *testing.T) {
	for _, name := range []string{"incident", "incident.capdoctor"} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), name)
			w, err := Create(path, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if err := w.SetCase(Case{Title: "killed", Start: start}); err != nil {
				t.Fatal(err)
			}
			target := newFakeTarget(1500)
			for i := range 5 {
				body := target.page()
				if err := w.AddScrape("app", start.Add(time.Duration(i)*time.Second), Meta{Status: 200}, body); err != nil {
					t.Fatal(err)
				}
				got := openContent(t, path)
				if len(got.Scrapes) != i+1 || !bytes.Equal(got.Scrapes[i].Body, body) {
					t.Fatalf("after scrape %d there are %d in the file", i, len(got.Scrapes))
				}
			}
		})
	}
}

// Cut anywhere, a file gives the scrapes before the cut or says that it has
// none; it never gives half a scrape.
func TestCutOffFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "whole.capdoctor")
	record(t, path)
	whole := openContent(t, path)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	cut := filepath.Join(dir, "cut.capdoctor")
	seen := map[int]bool{}
	for n := range len(data) {
		if err := os.WriteFile(cut, data[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		c, err := Open(cut)
		if err != nil {
			continue // cut before the end of case.yaml
		}
		got := contentOf(t, c)
		if !c.Truncated && n < len(data)-8 { // behind it stand only the end of the tar and a checksum
			t.Fatalf("cut at %d of %d: not called truncated", n, len(data))
		}
		if diff := cmp.Diff(whole.Scrapes[:len(got.Scrapes)], append([]scraped{}, got.Scrapes...)); diff != "" {
			t.Fatalf("cut at %d of %d: %s", n, len(data), diff)
		}
		seen[len(got.Scrapes)] = true
	}
	if !seen[0] || !seen[len(whole.Scrapes)] {
		t.Errorf("cuts gave these numbers of scrapes: %v", seen)
	}
}

func TestWriterRefuses(t *testing.T) {
	dir := t.TempDir()
	w, err := Create(filepath.Join(dir, "a.capdoctor"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	body := []byte("up 1\n")
	want := func(err error, text string) {
		t.Helper()
		if err == nil || err.Error() != text {
			t.Errorf("got %v, want %s", err, text)
		}
	}
	want(w.AddScrape("app", start, Meta{}, body), "the case must be set before its first scrape")
	want(w.AppendLog("app.log", start, body), "the case must be set before its first log")
	want(w.SetCase(Case{Title: "no start"}), "a case needs a title and a start")
	if err := w.SetCase(Case{Title: "t", Start: start}); err != nil {
		t.Fatal(err)
	}
	want(w.SetCase(Case{Title: "t", Start: start}), "the case was set already")
	want(w.AddScrape("app", start.Add(-time.Second), Meta{}, body), `a scrape of "app" at 2026-03-02T13:59:59Z is older than the start of the incident`)
	want(w.AppendLog("app.log.gz", start, body), `log "app.log.gz" is compressed and cannot be searched for credentials; record it unpacked`)
	want(w.AddScrape("app", start, Meta{ContentType: "application/vnd.google.protobuf; proto=x"}, body),
		`a body of type "application/vnd.google.protobuf; proto=x" is not text and cannot be searched for credentials; ask for text`)
	if err := w.AddScrape("app", start.Add(time.Second), Meta{Status: 200}, body); err != nil {
		t.Errorf("after refusals: %v", err)
	}
	want(w.AddScrape("app", start.Add(time.Second), Meta{}, body), `a scrape of "app" at 1s does not come after the one at 1s`)
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	if _, err := Create(filepath.Join(dir, "a.capdoctor"), Options{}); !os.IsExist(err) {
		t.Errorf("an existing file: %v", err)
	}
	if _, err := Create(dir, Options{}); err == nil {
		t.Error("a folder that is not empty was taken")
	}
}

func TestNames(t *testing.T) {
	for _, name := range []string{"app", "orders-1:8080", "[2001:db8::1]:9090", "..", ".hidden", "a/b\\c", "Zürich 1", "100%25"} {
		file := escapeName(name)
		if filepath.Base(file) != file || file[0] == '.' {
			t.Errorf("%q became %q", name, file)
		}
		if back, err := unescapeName(file); err != nil || back != name {
			t.Errorf("%q became %q and then %q, %v", name, file, back, err)
		}
	}
	if got, err := unescapeName("100% sure.log"); err != nil || got != "100% sure.log" {
		t.Errorf("a hand-written name: %q, %v", got, err)
	}
}
