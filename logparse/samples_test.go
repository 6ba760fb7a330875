package logparse

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/capdoctor/capdoctor/series"
	"github.com/google/go-cmp/cmp"
)

var loadOnce = sync.OnceValues(func() (*Catalog, error) { return LoadCatalog() })

func testCatalog(t testing.TB) *Catalog {
	t.Helper()
	c, err := loadOnce()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

var start = time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)

// A line is a message and when it came, in seconds after start.
type line struct {
	at   float64
	text string
}

// after is a time in seconds after start.
func after(seconds float64) time.Time {
	return start.Add(time.Duration(seconds * float64(time.Second)))
}

// take gives a sampler records with the messages.
func take(t testing.TB, s *Sampler, lines ...line) {
	t.Helper()
	m := testCatalog(t).NewMatcher()
	for i, l := range lines {
		r := &Record{File: "x.log", Line: int64(i + 1), Time: after(l.at), Level: Info, Message: []byte(l.text), Raw: []byte(l.text)}
		s.Record(r)
		for _, e := range m.Match(r, nil) {
			s.Add(e)
		}
	}
}

func newTestSampler(t testing.TB, o GridOptions) *Sampler {
	t.Helper()
	return NewGrid(testCatalog(t), o).Sampler("app", "")
}

// pointsOf returns "seconds:value" of one series, seconds counted from start.
func pointsOf(batches []series.Batch, name string, labels ...string) []string {
	want := series.FromStrings(append([]string{"__name__", name, "instance", "app"}, labels...)...)
	var points []string
	for _, b := range batches {
		for _, s := range b.Samples {
			if s.Labels.Hash() != want.Hash() {
				continue
			}
			at := b.Time
			if s.Time != 0 {
				at = s.Time
			}
			points = append(points, fmt.Sprintf("%d:%.6g", (at-start.UnixMilli())/1000, s.Value))
		}
	}
	return points
}

func TestCountersBeginWithZero(t *testing.T) {
	s := newTestSampler(t, GridOptions{})
	take(t, s, line{0.2, "hello"},
		line{1.5, "event=bundle_correlation_expired count=3 pending=1 byType={A=2, B=1}"},
		line{2, "event=bundle_correlation_expired count=1 pending=0 byType={A=1}"})
	batches := s.Batches(0)
	got := pointsOf(batches, EventsMetric, "event", "bundle_correlation_expired", "type", "A", "level", "info")
	if diff := cmp.Diff([]string{"0:0", "1:0", "2:2", "3:3"}, got); diff != "" {
		t.Errorf("expired of type A (-want +got):\n%s", diff)
	}
	got = pointsOf(batches, LinesMetric, "level", "info")
	if diff := cmp.Diff([]string{"0:0", "1:1", "2:2", "3:3"}, got); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
	// What did not happen is none, for a system that was seen.
	got = pointsOf(batches, EventsMetric, "event", "supervisor_gave_up")
	if diff := cmp.Diff([]string{"0:0", "1:0", "2:0", "3:0"}, got); diff != "" {
		t.Errorf("declared (-want +got):\n%s", diff)
	}
	if got := pointsOf(batches, EventsMetric, "event", "disk_full"); len(got) != 4 {
		t.Errorf("disk_full is not declared: %v", got)
	}
	if got := pointsOf(batches, EventsMetric, "event", "hikari_leak"); len(got) != 0 {
		t.Errorf("a system that was not seen is declared: %v", got)
	}
}

func TestGaugeLivesOneWindow(t *testing.T) {
	s := newTestSampler(t, GridOptions{})
	take(t, s, line{0, "P - Pool stats (total=3, active=1, idle=2, waiting=0)"}, line{1, "P - Pool stats (total=3, active=2, idle=1, waiting=0)"})
	for i := 2.0; i < 100; i++ {
		take(t, s, line{i, "tick"})
	}
	got := pointsOf(s.Batches(0), "hikaricp_connections_active", "pool", "P")
	if n := len(got); n != 61 || got[0] != "1:1" || got[1] != "2:2" || got[n-1] != "61:2" {
		t.Errorf("%d points, %v", n, got)
	}
}

func TestConstantLivesOn(t *testing.T) {
	s := newTestSampler(t, GridOptions{})
	take(t, s, line{0, "event=bus_business_executor_configured core=16 max=64 queue=256 keepAliveMs=90000"}, line{200, "x"})
	if got := pointsOf(s.Batches(0), "evento_server_bus_executor_max"); len(got) != 201 {
		t.Errorf("%d points", len(got))
	}
	facts := map[string]float64{}
	for _, f := range s.Facts() {
		facts[f.Name] = f.Value
	}
	if diff := cmp.Diff(map[string]float64{"pool_core": 16, "queue_capacity": 256}, facts); diff != "" {
		t.Errorf("facts (-want +got):\n%s", diff)
	}
}

func TestProgressGrowsEvenly(t *testing.T) {
	s := newTestSampler(t, GridOptions{})
	take(t, s, line{0, " written=100"}, line{4, " written=140"}, line{8, " written=180"}, line{9, "x"}, line{14, "y"})
	got := pointsOf(s.Batches(0), "capdoctor_log_completed_total", "what", "written")
	want := []string{"1:110", "2:120", "3:130", "4:140", "5:150", "6:160", "7:170", "8:180", "9:190", "10:200", "11:210", "12:220", "13:220", "14:220", "15:220"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestProgressThatFallsIsNone(t *testing.T) {
	s := newTestSampler(t, GridOptions{})
	take(t, s, line{0, " completed=5"}, line{1, " completed=7"}, line{2, " completed=4"}, line{3, " completed=6"})
	if got := pointsOf(s.Batches(0), "capdoctor_log_completed_total", "what", "completed"); len(got) != 0 {
		t.Errorf("a count per batch was taken for a counter: %v", got)
	}
}

func TestMembersAreSummed(t *testing.T) {
	s := newTestSampler(t, GridOptions{})
	take(t, s,
		line{0, "Worker registered: workerId=w-1 capacity=4 (1 workers online)"},
		line{1, "Worker registered: workerId=w-2 capacity=8 (2 workers online)"},
		line{2, "Worker registered: workerId=w-1 capacity=4 (2 workers online)"},
		line{3, "Worker connection lost: workerId=w-2 reason=EOF"})
	got := pointsOf(s.Batches(0), "coordinator_slots")
	if diff := cmp.Diff([]string{"1:4", "2:12", "3:12", "4:4"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestSpans(t *testing.T) {
	s := newTestSampler(t, GridOptions{})
	take(t, s,
		line{0, "Job submitted: jobId=a type=SLEEP maxAttempts=3 activeJobs=1/24"},
		line{0, "Job submitted: jobId=b type=SLEEP maxAttempts=3 activeJobs=2/24"},
		line{1.5, "Job assigned: jobId=a workerId=w attempt=1/3 attemptId=1"},
		line{2, "Job completed: jobId=a workerId=w attempts=1"},
		line{2, "Job completed: jobId=unknown workerId=w attempts=1"})
	batches := s.Batches(0)
	for _, want := range []struct{ metric, span, last string }{
		{SpanSumMetric, "schedule_to_start", "3:1.5"}, {SpanCountMetric, "schedule_to_start", "3:1"}, {SpansOpenMetric, "schedule_to_start", "3:1"},
		{SpanSumMetric, "service", "3:0.5"}, {SpanSumMetric, "end_to_end", "3:2"}, {SpansOpenMetric, "end_to_end", "3:1"},
	} {
		got := pointsOf(batches, want.metric, "span", want.span)
		if len(got) == 0 || got[len(got)-1] != want.last {
			t.Errorf("%s of %s: %v, want %s at the end", want.metric, want.span, got, want.last)
		}
	}
}

func TestSpansAreBounded(t *testing.T) {
	var s spans
	forgotten := int64(0)
	for i := range 3*maxOpen + 1 {
		forgotten += s.begin(spanKey{"x", fmt.Sprint(i)}, 1)
	}
	if n := len(s.young) + len(s.old); n > 2*maxOpen || s.open["x"] != n || forgotten != int64(3*maxOpen+1-n) {
		t.Errorf("%d spans, %d open, %d forgotten", n, s.open["x"], forgotten)
	}
}

func TestTypesAreBounded(t *testing.T) {
	s := newTestSampler(t, GridOptions{})
	for i := range 2 * maxTypes {
		take(t, s, line{float64(i), fmt.Sprintf("Bulkhead 'b%d' is full and does not permit further calls", i)})
	}
	got := pointsOf(s.Batches(0), EventsMetric, "event", "bulkhead_full", "type", "other", "level", "info")
	if n := len(got); n == 0 || got[n-1] != fmt.Sprintf("%d:%d", 2*maxTypes, maxTypes) {
		t.Errorf("other: %v", got)
	}
}

func TestSeriesAreBounded(t *testing.T) {
	s := newTestSampler(t, GridOptions{})
	for i := range maxTracks {
		take(t, s, line{0, fmt.Sprintf("P%d - Pool stats (total=3, active=1, idle=2, waiting=0)", i)})
	}
	if len(s.tracks) != maxTracks || s.Stats.Overflow == 0 {
		t.Errorf("%d series, %+v", len(s.tracks), s.Stats)
	}
}

func TestSameFailureThroughTwoLoggers(t *testing.T) {
	s := newTestSampler(t, GridOptions{})
	m := testCatalog(t).NewMatcher()
	text := "P - Connection is not available, request timed out after 5001ms."
	for i, r := range []Record{
		{Logger: []byte("SqlExceptionHelper"), Thread: []byte("exec-1"), Message: []byte(text)},
		{Logger: []byte("dispatcherServlet"), Thread: []byte("exec-1"), Message: []byte("failed"), Trace: []byte("java.sql.SQLTransientConnectionException: " + text)},
		{Logger: []byte("dispatcherServlet"), Thread: []byte("exec-2"), Message: []byte("failed"), Trace: []byte("java.sql.SQLTransientConnectionException: " + text)},
	} {
		r.Raw, r.Time, r.Level = r.Message, after(float64(i)/10), Error
		s.Record(&r)
		for _, e := range m.Match(&r, nil) {
			s.Add(e)
		}
	}
	if s.Stats.Events != 2 || s.Stats.Repeated != 1 {
		t.Errorf("%+v, want 2 events and 1 repeated", s.Stats)
	}
}
