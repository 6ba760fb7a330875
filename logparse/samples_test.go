package logparse

import (
	"testing"
	"time"

	"github.com/capdoctor/capdoctor/series"
	"github.com/google/go-cmp/cmp"
)

func testCatalog(t testing.TB) *Catalog {
	t.Helper()
	c, err := LoadCatalog()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// feed gives a sampler one record per second that holds the messages.
func feed(t *testing.T, c *Catalog, s *Sampler, start time.Time, messages ...string) {
	t.Helper()
	m := c.NewMatcher()
	for i, msg := range messages {
		r := &Record{File: "x.log", Line: int64(i + 1), Time: start.Add(time.Duration(i) * time.Second), Level: Warn, Message: []byte(msg), Raw: []byte(msg)}
		s.Lines(r.Time.UnixMilli(), r.Level, 1)
		for _, e := range m.Match(r, nil) {
			s.Add(e)
		}
	}
}

// valuesOf returns the values of one series, by point.
func valuesOf(batches []series.Batch, labels ...string) []float64 {
	var values []float64
	want := series.FromStrings(labels...)
	for _, b := range batches {
		for _, s := range b.Samples {
			if s.Labels.Hash() == want.Hash() {
				values = append(values, s.Value)
			}
		}
	}
	return values
}

func TestCountersBeginWithZero(t *testing.T) {
	c := testCatalog(t)
	g := NewGrid(c, GridOptions{})
	s := g.Sampler("app", "")
	start := time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)
	feed(t, c, s, start, "hello",
		"event=bundle_correlation_expired count=3 pending=1 byType={A=2, B=1}",
		"event=bundle_correlation_expired count=1 pending=0 byType={A=1}")
	batches := s.Batches(0)
	if got := batches[0].Time; got != start.UnixMilli() {
		t.Errorf("first point at %d, want %d", got, start.UnixMilli())
	}
	got := valuesOf(batches, "__name__", EventsMetric, "instance", "app", "event", "bundle_correlation_expired", "type", "A", "level", "warn")
	if diff := cmp.Diff([]float64{0, 0, 2, 3}, got); diff != "" {
		t.Errorf("type A (-want +got):\n%s", diff)
	}
	got = valuesOf(batches, "__name__", "evento_bundle_correlations_pending", "instance", "app")
	if diff := cmp.Diff([]float64{1, 0}, got); diff != "" {
		t.Errorf("pending (-want +got):\n%s", diff)
	}
}
