package logparse

import (
	"slices"
	"testing"
	"time"

	"github.com/capdoctor/capdoctor/series"
	"github.com/google/go-cmp/cmp"
)

const expiredLine = "event=correlations_expired count=1 pending=0"

// expiredPoints are the points of the event that expiredLine yields.
func expiredPoints(batches []series.Batch) []string {
	return pointsOf(batches, EventsMetric, "event", "correlations_expired", "level", "info")
}

func TestAdvanceGivesEachPointOnce(t *testing.T) {
	s := newTestSampler(t, GridOptions{Step: time.Second})
	take(t, s, line{0, "x"})
	first := s.Advance(0, after(2))
	if diff := cmp.Diff([]string{"0:0", "1:1", "2:1"}, pointsOf(first, LinesMetric, "level", "info")); diff != "" {
		t.Errorf("first (-want +got):\n%s", diff)
	}
	take(t, s, line{2.5, expiredLine})
	second := s.Advance(0, after(4))
	if diff := cmp.Diff([]string{"3:2", "4:2"}, pointsOf(second, LinesMetric, "level", "info")); diff != "" {
		t.Errorf("second (-want +got):\n%s", diff)
	}
	// A counter that is new begins with 0 at the point before.
	if diff := cmp.Diff([]string{"2:0", "3:1", "4:1"}, expiredPoints(second)); diff != "" {
		t.Errorf("new counter (-want +got):\n%s", diff)
	}
	if got := s.Advance(0, after(4.5)); len(got) != 0 {
		t.Errorf("points were given out again: %v", got)
	}
}

func TestAdvanceTakesLateLines(t *testing.T) {
	s := newTestSampler(t, GridOptions{Step: time.Second})
	take(t, s, line{0, "x"})
	s.Advance(0, after(100))
	take(t, s, line{99, expiredLine}, line{10, expiredLine}, line{100.5, "x"})
	got := expiredPoints(s.Advance(0, after(101)))
	if diff := cmp.Diff([]string{"100:0", "101:1"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if s.Stats.Late == 0 || s.Stats.TooLate == 0 {
		t.Errorf("late lines are not counted: %+v", s.Stats)
	}
}

func TestAdvanceIsSilentInAGap(t *testing.T) {
	s := newTestSampler(t, GridOptions{Step: 10 * time.Second})
	take(t, s, line{0, "x"})
	n := len(s.Advance(0, after(3600)))
	if n != 31 { // 300 s and the point before
		t.Errorf("%d points after one line", n)
	}
	take(t, s, line{3605, "x"})
	var times []int64
	for _, b := range s.Advance(0, after(3620)) {
		times = append(times, (b.Time-start.UnixMilli())/1000)
	}
	if diff := cmp.Diff([]int64{3600, 3610, 3620}, times); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestLiveIsLikeReadAtOnce holds that a log that is followed line by line
// yields the same counters and gauges as one that is read to its end.
func TestLiveIsLikeReadAtOnce(t *testing.T) {
	lines := []line{
		{0, "x"}, {1, expiredLine}, {4, "P - Pool stats (total=3, active=1, idle=2, waiting=0)"},
		{5, expiredLine}, {5.5, "Worker registered: workerId=w-1 capacity=4 (1 workers online)"}, {9, "x"},
	}
	whole, live := newTestSampler(t, GridOptions{Step: time.Second}), newTestSampler(t, GridOptions{Step: time.Second})
	take(t, whole, lines...)
	want := whole.Batches(0)
	var got []series.Batch
	for i, l := range lines {
		take(t, live, l)
		next := 10.0
		if i+1 < len(lines) {
			next = lines[i+1].at
		}
		got = append(got, live.Advance(0, after(next))...)
	}
	for _, name := range []string{"hikaricp_connections_active", "coordinator_slots", LinesMetric} {
		var labels []string
		switch name {
		case "hikaricp_connections_active":
			labels = []string{"pool", "P"}
		case LinesMetric:
			labels = []string{"level", "info"}
		}
		if diff := cmp.Diff(pointsOf(want, name, labels...), pointsOf(got, name, labels...)); diff != "" {
			t.Errorf("%s (-whole +live):\n%s", name, diff)
		}
	}
	if w, g := expiredPoints(want), expiredPoints(got); w[len(w)-1] != g[len(g)-1] {
		t.Errorf("expired: %v, want %v", g, w)
	}
}

func TestAdvanceForgetsWhatItGaveOut(t *testing.T) {
	s := newTestSampler(t, GridOptions{Step: time.Second})
	for i := range 1000 {
		take(t, s, line{float64(i), expiredLine})
		s.Advance(0, after(float64(i)))
	}
	for _, key := range slices.Collect(func(yield func(string) bool) {
		for k, t := range s.tracks {
			if t.cells.len() > 3 && !yield(k) {
				return
			}
		}
	}) {
		t.Errorf("%q holds %d cells", key, s.tracks[key].cells.len())
	}
	if s.present.len() > 3 {
		t.Errorf("%d cells with records", s.present.len())
	}
}

// TestQuietLogIsWatchedOn holds that a log that falls silent while it is watched
// has the same points when it is read at once as when it is followed.
func TestQuietLogIsWatchedOn(t *testing.T) {
	lines := []line{{0, "x"}, {2, expiredLine}}
	for _, until := range []float64{2, 30, 900} {
		whole := newTestSampler(t, GridOptions{Step: time.Second, Until: after(until)})
		take(t, whole, lines...)
		live := newTestSampler(t, GridOptions{Step: time.Second})
		take(t, live, lines...)
		want := live.Advance(0, after(max(until, 3)))
		if diff := cmp.Diff(pointsOf(want, LinesMetric, "level", "info"), pointsOf(whole.Batches(0), LinesMetric, "level", "info")); diff != "" {
			t.Errorf("until %gs (-live +whole):\n%s", until, diff)
		}
	}
}

// TestAdvanceWaitsForWhatIsToCome follows a log whose clock is ahead: its
// records come out when their time has come.
func TestAdvanceWaitsForWhatIsToCome(t *testing.T) {
	s := newTestSampler(t, GridOptions{Step: time.Second})
	take(t, s, line{100, expiredLine})
	for _, now := range []float64{10, 20} {
		if got := s.Advance(0, after(now)); len(got) > 0 {
			t.Errorf("at %v s: %d points before the first record", now, len(got))
		}
	}
	want := []string{"100:0", "101:1", "102:1"}
	if diff := cmp.Diff(want, expiredPoints(s.Advance(0, after(102)))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
