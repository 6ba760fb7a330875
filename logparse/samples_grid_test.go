package logparse

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/capdoctor/capdoctor/series"
	"github.com/google/go-cmp/cmp"
)

func TestStepKeepsPointsFew(t *testing.T) {
	g := NewGrid(testCatalog(t), GridOptions{})
	s := g.Sampler("app", "")
	for i := range 10_000 {
		take(t, s, line{float64(i), "x"})
	}
	if got := g.Step(); got != 8*time.Second {
		t.Errorf("step %v", got)
	}
	batches := s.Batches(0)
	if len(batches) > MaxPoints {
		t.Errorf("%d points", len(batches))
	}
	got := pointsOf(batches, LinesMetric, "level", "info")
	if last := got[len(got)-1]; last != "10000:10000" {
		t.Errorf("last point %s", last)
	}
	for i, b := range batches[1:] {
		if b.Time-batches[i].Time != 8000 {
			t.Fatalf("points %d and %d are %d ms apart", i, i+1, b.Time-batches[i].Time)
		}
	}
}

// TestMemoryIsBounded holds that the grid is coarsened while it is filled.
func TestMemoryIsBounded(t *testing.T) {
	g := NewGrid(testCatalog(t), GridOptions{})
	s := g.Sampler("app", "")
	m := testCatalog(t).NewMatcher()
	r := &Record{Message: []byte(expiredLine), Raw: []byte(expiredLine), Level: Info}
	for i := range 100_000 {
		r.Time = after(float64(i))
		s.Record(r)
		for _, e := range m.Match(r, nil) {
			s.Add(e)
		}
		if n := s.present.len(); n > g.maxCells()+1 {
			t.Fatalf("%d cells after %d records", n, i)
		}
	}
	got := expiredPoints(s.Batches(0))
	if last := got[len(got)-1]; !strings.HasSuffix(last, ":100000") {
		t.Errorf("last point %s", last)
	}
	if len(got) > MaxPoints {
		t.Errorf("%d points", len(got))
	}
}

func TestGivenStep(t *testing.T) {
	g := NewGrid(testCatalog(t), GridOptions{Step: 10 * time.Second})
	s := g.Sampler("app", "")
	take(t, s, line{3, "x"}, line{12, "x"}, line{19, "x"})
	if diff := cmp.Diff([]string{"0:0", "10:1", "20:3"}, pointsOf(s.Batches(0), LinesMetric, "level", "info")); diff != "" || g.Step() != 10*time.Second {
		t.Errorf("step %v (-want +got):\n%s", g.Step(), diff)
	}
}

func TestLogsShareTheGrid(t *testing.T) {
	g := NewGrid(testCatalog(t), GridOptions{})
	long, short := g.Sampler("long", "shop"), g.Sampler("app", "")
	for i := range 3000 {
		take(t, long, line{float64(i), "x"})
	}
	take(t, short, line{5, "x"})
	if g.Step() != 2*time.Second || g.Sampler("app", "") != short {
		t.Errorf("step %v", g.Step())
	}
	if diff := cmp.Diff([]string{"4:0", "6:1"}, pointsOf(short.Batches(0), LinesMetric, "level", "info")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := long.Batches(1)[0].Samples[0].Labels.Get("service"); got != "shop" {
		t.Errorf("service %q", got)
	}
}

func TestGapHasNoPoints(t *testing.T) {
	s := newTestSampler(t, GridOptions{})
	for i := range 101 {
		take(t, s, line{float64(i), "x"})
	}
	take(t, s, line{1000, "x"}, line{1001, "x"})
	var times []int64
	for _, b := range s.Batches(0) {
		times = append(times, (b.Time-start.UnixMilli())/1000)
	}
	if len(times) != 105 || times[101] != 101 || times[102] != 1000 || times[104] != 1002 {
		t.Errorf("%d points: %v", len(times), times)
	}
}

func TestOutlierDoesNotStretchTheGrid(t *testing.T) {
	g := NewGrid(testCatalog(t), GridOptions{})
	s := g.Sampler("app", "")
	s.Lines(1000, Info, 1) // 1970
	for i := range 200 {
		take(t, s, line{float64(i), "x"})
	}
	if g.Step() != time.Second || len(s.Batches(0)) != 201 {
		t.Errorf("step %v, %d points", g.Step(), len(s.Batches(0)))
	}
}

func TestAnyOrderIsOne(t *testing.T) {
	lines := []line{{0, "a"}, {3, "P - Pool stats (total=3, active=1, idle=2, waiting=0)"}, {7, "P - Pool stats (total=3, active=2, idle=1, waiting=0)"}, {9, "z"}}
	forward, backward := newTestSampler(t, GridOptions{}), newTestSampler(t, GridOptions{})
	take(t, forward, lines...)
	for i := range lines {
		take(t, backward, lines[len(lines)-1-i])
	}
	if diff := cmp.Diff(fmt.Sprint(forward.Batches(0)), fmt.Sprint(backward.Batches(0))); diff != "" {
		t.Errorf("(-forward +backward):\n%s", diff)
	}
}

func TestUndatedRecords(t *testing.T) {
	g := NewGrid(testCatalog(t), GridOptions{})
	dated, undated := g.Sampler("x", ""), g.Sampler("app", "")
	take(t, dated, line{0, "x"}, line{60, "x"})
	undated.Lines(0, Warn, 2)
	r := &Record{Message: []byte("  Throughput:  23,6 completed jobs/s"), Raw: []byte("  Throughput:  23,6 completed jobs/s")}
	for _, e := range testCatalog(t).NewMatcher().Match(r, nil) {
		undated.Add(e)
	}
	batches := undated.Batches(0)
	if diff := cmp.Diff([]string{"61:23.6"}, pointsOf(batches, "coordinator_bench_throughput")); diff != "" {
		t.Errorf("throughput (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"60:0", "61:2"}, pointsOf(batches, LinesMetric, "level", "warn")); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
	if undated.Stats.Undated == 0 {
		t.Error("undated records are not counted")
	}
}

func TestUndatedRecordsFollowDatedOnes(t *testing.T) {
	s := newTestSampler(t, GridOptions{})
	take(t, s, line{5, "x"})
	s.Lines(0, Warn, 1)
	if diff := cmp.Diff([]string{"5:0", "6:1"}, pointsOf(s.Batches(0), LinesMetric, "level", "warn")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestDrop(t *testing.T) {
	drop := func(instance, metric string) bool {
		return instance == "app" && metric == "hikaricp_connections_active"
	}
	s := newTestSampler(t, GridOptions{Drop: drop})
	take(t, s, line{0, "P - Pool stats (total=3, active=1, idle=2, waiting=0)"})
	batches := s.Batches(0)
	if got := pointsOf(batches, "hikaricp_connections_active", "pool", "P"); len(got) != 0 {
		t.Errorf("dropped series: %v", got)
	}
	if got := pointsOf(batches, "hikaricp_connections_idle", "pool", "P"); len(got) != 1 {
		t.Errorf("other series: %v", got)
	}
}

func TestRequestsByStatus(t *testing.T) {
	s := newTestSampler(t, GridOptions{})
	for i, status := range []int{200, 500, 503, 504, 0, 1200} {
		s.Record(&Record{Time: after(float64(i)), Status: status})
	}
	batches := s.Batches(0)
	for status, want := range map[string]string{"2xx": "6:1", "4xx": "6:0", "5xx": "6:1", "503": "6:1", "504": "6:1", "502": "6:0"} {
		if got := pointsOf(batches, RequestsMetric, "status", status); len(got) != 7 || got[6] != want {
			t.Errorf("%s: %v, want %s at the end", status, got, want)
		}
	}
	if got := pointsOf(batches, RequestsMetric, "status", "12xx"); len(got) != 0 {
		t.Errorf("1200: %v", got)
	}
}

// TestCountIsLikeRecord holds that a bulk reading's tally gives the same series
// as counting record by record.
func TestCountIsLikeRecord(t *testing.T) {
	one, bulk := newTestSampler(t, GridOptions{}), newTestSampler(t, GridOptions{})
	tally := NewTally()
	for i := range 500 {
		r := Record{Time: after(float64(i / 3)), Level: Level(i % levels), Status: 100 * (i % 6)}
		one.Record(&r)
		tally.add(r.Time.Unix(), r.Level, r.Status)
	}
	bulk.Count(tally)
	if diff := cmp.Diff(describe(one), describe(bulk)); diff != "" {
		t.Errorf("(-record by record +tally):\n%s", diff)
	}
}

func TestCountOfWideSpans(t *testing.T) {
	g := NewGrid(testCatalog(t), GridOptions{})
	s := g.Sampler("app", "")
	tally := NewTally()
	tally.width = 4
	tally.add(start.Unix(), Info, 0)
	s.Count(tally)
	if g.Step() != 4*time.Second {
		t.Errorf("step %v, want that of the tally", g.Step())
	}
}

// TestBatchesFitTheStore holds that the store takes every sample.
func TestBatchesFitTheStore(t *testing.T) {
	g := NewGrid(testCatalog(t), GridOptions{})
	s := g.Sampler("app", "")
	take(t, s, line{0, "x"}, line{1, "P - Pool stats (total=3, active=1, idle=2, waiting=0)"}, line{700, "x"}, line{701, "x"})
	store := series.New(series.Options{})
	id := store.AddSource(series.Source{Instance: "app", Kind: series.Log, Interval: g.Step()})
	for _, b := range s.Batches(id) {
		if got := store.Ingest(b); got.Stored != len(b.Samples) {
			t.Fatalf("at %d: %+v of %d samples", b.Time, got, len(b.Samples))
		}
	}
}
