package incident

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// A recording of a 1,500-series target at 1 s for 10 minutes stays small, and
// gives back every byte. The bound is generous; the size is in the log.
func TestRecordingStaysSmall(t *testing.T) {
	if testing.Short() {
		t.Skip("writes 107 MB through the compressor")
	}
	path := filepath.Join(t.TempDir(), "ten-minutes.capdoctor")
	w, err := Create(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.SetCase(Case{Title: "size", Start: start}); err != nil {
		t.Fatal(err)
	}
	const scrapes = 600
	raw := 0
	target := newFakeTarget(1500)
	for i := range scrapes {
		body := target.page()
		raw += len(body)
		m := Meta{Status: 200, Duration: time.Duration(i) * 12345, ContentType: "text/plain; version=0.0.4"}
		if err := w.AddScrape("app", start.Add(time.Duration(i)*time.Second), m, body); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d scrapes, %.1f MB of bodies, %.2f MB in the file, %d bytes a scrape", scrapes, float64(raw)/1e6, float64(info.Size())/1e6, info.Size()/scrapes)
	if info.Size()*10 > int64(raw) {
		t.Errorf("%d bytes of bodies became %d", raw, info.Size())
	}

	c, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if c.store.(*archive).mem != nil {
		t.Error("a large archive is kept in memory")
	}
	again := newFakeTarget(1500)
	n := 0
	for _, s := range c.InOrder() {
		body, err := s.Body()
		if err != nil || !bytes.Equal(body, again.page()) {
			t.Fatalf("scrape %d: %v, or another body", n, err)
		}
		n++
	}
	if n != scrapes {
		t.Errorf("%d scrapes", n)
	}
}
