package logparse

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/capdoctor/capdoctor/series"
)

// sampleFile reads a log into a sampler, as a command does.
func sampleFile(t testing.TB, c *Catalog, s *Sampler, path string, base time.Time) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	scanner := NewScanner(f, filepath.Base(path), Options{Base: base})
	m := c.NewMatcher()
	var r Record
	for scanner.Next(&r) {
		s.Record(&r)
		for _, e := range m.Match(&r, nil) {
			s.Add(e)
		}
	}
	if err := scanner.Err(); err != nil {
		t.Fatal(err)
	}
}

// summary lists the last values of all series that are not zero.
func summary(batches []series.Batch) string {
	last := map[string]float64{}
	for _, b := range batches {
		for _, s := range b.Samples {
			last[s.Labels.String()] = s.Value
		}
	}
	var b strings.Builder
	for _, k := range slices.Sorted(maps.Keys(last)) {
		if last[k] != 0 {
			fmt.Fprintf(&b, "  %s %.6g\n", strings.NewReplacer("__name__=", "", "instance=", "").Replace(k), last[k])
		}
	}
	return b.String()
}

// TestSharedCases prints what the logs of the shared cases yield.
func TestSharedCases(t *testing.T) {
	logs, err := filepath.Glob("../../shared/cases/*/logs/*.log")
	if err != nil || len(logs) == 0 {
		t.Skip("the shared cases are not there")
	}
	c := testCatalog(t)
	for _, path := range logs {
		g := NewGrid(c, GridOptions{Undated: time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC)})
		s := g.Sampler("i", "")
		sampleFile(t, c, s, path, time.Date(2026, 7, 2, 12, 0, 0, 0, time.UTC))
		batches := s.Batches(0)
		t.Logf("%s: step %v, %d points, %+v\n%s", strings.TrimPrefix(path, "../../shared/cases/"), g.Step(), len(batches), s.Stats, summary(batches))
		for _, f := range s.Facts() {
			t.Logf("  fact %s=%g %s:%d", f.Name, f.Value, f.Quote.File, f.Quote.Line)
		}
	}
}
