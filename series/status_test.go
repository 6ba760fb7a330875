package series

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestStatus(t *testing.T) {
	s, id := newSource(Options{}, Scrape)
	feed(t, s, id, 100, "..xx..-----...x", "a 1x15")
	tests := []struct {
		at      int
		seen    bool
		good    bool
		watched time.Duration
		batches int64
		last    int // good one
	}{
		{99, false, false, 0, 0, 0},
		{100, true, true, 0, 1, 100},
		{109, true, true, 9 * time.Second, 1, 100},
		{110, true, true, 10 * time.Second, 2, 110},
		{120, true, false, 20 * time.Second, 3, 110},
		{139, true, false, 39 * time.Second, 4, 110},
		{140, true, true, 40 * time.Second, 5, 140},
		{155, true, true, 55 * time.Second, 6, 150},
		{175, true, true, 60 * time.Second, 6, 150}, // 2.5 intervals: not yet a gap
		{176, true, false, 60 * time.Second, 6, 150},
		{209, true, false, 60 * time.Second, 6, 150},
		{210, true, true, 0, 7, 210},
		{235, true, true, 25 * time.Second, 9, 230},
		{240, true, false, 30 * time.Second, 10, 230},
		{900, true, false, 40 * time.Second, 10, 230},
	}
	for _, tt := range tests {
		got := s.Status(id, seconds(tt.at))
		want := Status{
			Source: s.Source(id), Seen: tt.seen, Good: tt.good, Watched: tt.watched, Batches: tt.batches,
			First: seconds(100), Last: seconds(240), LastGood: seconds(tt.last), GoodOnes: 7,
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("at %d s (-want +got):\n%s", tt.at, diff)
		}
	}
	if diff := cmp.Diff([]Gap{{seconds(150), seconds(210)}}, s.Gaps(id)); diff != "" {
		t.Errorf("gaps (-want +got):\n%s", diff)
	}
}

func TestStatusOfASourceWithoutBatches(t *testing.T) {
	s, id := newSource(Options{}, Scrape)
	if diff := cmp.Diff(Status{Source: s.Source(id)}, s.Status(id, seconds(5))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A log may be quiet for long: that is no failure.
func TestAQuietLogStaysGood(t *testing.T) {
	s, id := newSource(Options{}, Log)
	feed(t, s, id, 0, ".", "a 1")
	if st := s.Status(id, seconds(3600)); !st.Good || st.Watched != interval {
		t.Errorf("got %+v", st)
	}
}

// The number of batches is that of the time asked for, however many follow.
func TestBatchesWithRetention(t *testing.T) {
	s, id := newSource(Options{Raw: time.Minute}, Scrape)
	for i := range int64(500) {
		s.Ingest(Batch{Source: id, Time: 1000 + i*1000})
		for back := range min(i, 50) {
			if got := s.Status(id, 1000+(i-back)*1000).Batches; got != i-back+1 {
				t.Fatalf("at round %d, %d rounds back: got %d", i, back, got)
			}
		}
	}
}
