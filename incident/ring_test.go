package incident

import (
	"bytes"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestRing(t *testing.T) {
	r, err := NewRing(5*time.Second, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	if !r.Start().IsZero() {
		t.Error("an empty ring has a start")
	}
	target := newFakeTarget(10)
	var pages [][]byte
	for i := range 20 {
		at := start.Add(time.Duration(i) * time.Second)
		pages = append(pages, target.page())
		r.AddScrape("app", at, Meta{Status: 200}, pages[i])
		r.AddScrape("db", at, Meta{Error: "refused"}, nil)
		r.AppendLog("app.log", at, []byte{byte('a' + i), '\n'})
	}
	if want := start.Add(14 * time.Second); !r.Start().Equal(want) {
		t.Errorf("the ring starts at %s, not %s", r.Start(), want)
	}
	path := filepath.Join(t.TempDir(), "fired.capdoctor")
	w, err := Create(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.SetCase(Case{Title: "fired", Start: r.Start()}); err != nil {
		t.Fatal(err)
	}
	if err := r.Drain(w); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	got := openContent(t, path)
	var want []scraped
	for i := range 6 {
		at := time.Duration(i) * time.Second
		want = append(want, scraped{"app", at, Meta{Status: 200}, pages[14+i]}, scraped{"db", at, Meta{Error: "refused"}, nil})
	}
	if diff := cmp.Diff(want, got.Scrapes); diff != "" {
		t.Error(diff)
	}
	if got.Logs["app.log"] != "o\np\nq\nr\ns\nt\n" || r.Dropped() != 0 || !r.Start().IsZero() {
		t.Errorf("log %q, %d dropped, start %s", got.Logs["app.log"], r.Dropped(), r.Start())
	}
}

func TestRingIsBounded(t *testing.T) {
	r, err := NewRing(time.Hour, 100)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 50 {
		r.AppendLog("a.log", start.Add(time.Duration(i)*time.Second), bytes.Repeat([]byte{byte(i)}, 1000))
	}
	if r.bytes > 100 || len(r.items) == 0 || r.Dropped() != 50-len(r.items) {
		t.Errorf("%d bytes in %d items, %d dropped", r.bytes, len(r.items), r.Dropped())
	}
}
