package series

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSeriesEnd(t *testing.T) {
	tests := []struct {
		name   string
		rounds string
		lines  []string
		want   string
	}{
		{"absent from a good scrape", "....", []string{"a 1 2 _ _", "b 1 1 1 1"}, `{__name__="a"} 0:1 10:2 20:stale`},
		{"back after an absence", ".....", []string{"a 1 _ 3 4 _"}, `{__name__="a"} 0:1 10:stale 20:3 30:4 40:stale`},
		{"a failed scrape", "..x.x", []string{"a 1 2 3 4 5"}, `{__name__="a"} 0:1 10:2 20:stale 30:4 40:stale`},
		{"two failed scrapes end it once", ".xx.", []string{"a 1 2 3 4"}, `{__name__="a"} 0:1 10:stale 30:4`},
		{"one late round is no gap", ".-.", []string{"a 1 2 3"}, `{__name__="a"} 0:1 20:3`},
		{"a gap ends it an interval after the last batch", ".--.", []string{"a 1 2 3 4"}, `{__name__="a"} 0:1 10:stale 30:4`},
		{"a gap, then absent", "..---...", []string{"a 1 2 _ _ _ _ _ _", "b 1 1 1 1 1 1 1 1"}, `{__name__="a"} 0:1 10:2 20:stale`},
		{"absent some rounds after a gap", ".---...", []string{"a 1 _ _ _ 5 6 _"}, `{__name__="a"} 0:1 10:stale 40:5 50:6 60:stale`},
		{"a gap after a failed scrape", ".x---.", []string{"a 1 2 3 4 5 6"}, `{__name__="a"} 0:1 10:stale 50:6`},
		{"resets stay as they are", ".....", []string{"a 5 9 0 3 1"}, `{__name__="a"} 0:5 10:9 20:0 30:3 40:1`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, id := newSource(Options{}, Scrape)
			feed(t, s, id, 0, tt.rounds, tt.lines...)
			if got := stored(s, "a"); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestIngestCounts(t *testing.T) {
	s, id := newSource(Options{MaxSeries: 2}, Scrape)
	a, b, c := FromStrings("__name__", "a"), FromStrings("__name__", "b"), FromStrings("__name__", "c")
	steps := []struct {
		name  string
		batch Batch
		want  Appended
	}{
		{"a second value for one series", Batch{Time: 1000, Samples: []Sample{{Labels: a, Value: 1}, {Labels: a, Value: 2}}}, Appended{Stored: 1, Duplicates: 1}},
		{"the store is full", Batch{Time: 11_000, Samples: []Sample{{Labels: a}, {Labels: b}, {Labels: c}}}, Appended{Stored: 2, OverLimit: 1}},
		{"a time of its own", Batch{Time: 21_000, Samples: []Sample{{Labels: a, Time: 20_500}, {Labels: b}}}, Appended{Stored: 2}},
		{"older than the last", Batch{Time: 31_000, Samples: []Sample{{Labels: a, Time: 20_400}, {Labels: b, Time: 21_000}}}, Appended{OutOfOrder: 1, Duplicates: 1}},
		{"a batch before the last one", Batch{Time: 30_000, Samples: []Sample{{Labels: a}, {Labels: b}}}, Appended{OutOfOrder: 2}},
		{"both end", Batch{Time: 41_000, Failed: true, Samples: []Sample{{Labels: a}}}, Appended{Stale: 2}},
	}
	var sum Appended
	for _, step := range steps {
		step.batch.Source = id
		got := s.Ingest(step.batch)
		sum.add(got)
		if diff := cmp.Diff(step.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", step.name, diff)
		}
	}
	if diff := cmp.Diff(sum, s.Refused()); diff != "" {
		t.Errorf("refused (-want +got):\n%s", diff)
	}
	if s.Len() != 2 {
		t.Errorf("got %d series, want 2", s.Len())
	}
}

// A series that one source supplies is refused from another one, until it ends.
func TestOneSourcePerSeries(t *testing.T) {
	s := New(Options{})
	page := s.AddSource(Source{Instance: "app", Interval: interval})
	log := s.AddSource(Source{Instance: "app", Kind: Log, Interval: interval})
	feed(t, s, page, 0, ".", "a 1")
	if got := feed(t, s, log, 5, ".", "a 7"); got.Duplicates != 1 {
		t.Errorf("got %+v, want one duplicate", got)
	}
	feed(t, s, page, 10, "x", "a 2")
	feed(t, s, log, 15, "..", "a 8 _")
	if want, got := `{__name__="a"} 0:1 10:stale 15:8 25:stale`, stored(s, "a"); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if id, ok := s.SourceOf(FromStrings("__name__", "a")); !ok || id != log {
		t.Errorf("the series belongs to source %d, want %d", id, log)
	}
}

func TestMeterIsGoodWhenTheScrapeIsNot(t *testing.T) {
	s, id := newSource(Options{}, Scrape)
	up := FromStrings("__name__", "up")
	for i, failed := range []bool{false, true, false} {
		v := 1.0
		if failed {
			v = 0
		}
		s.Ingest(Batch{Source: id, Time: seconds(10 * i), Failed: failed, Samples: []Sample{{Labels: FromStrings("__name__", "a")}}, Meta: []Sample{{Labels: up, Value: v}}})
	}
	// After a gap the meter goes on: a scrape that takes long is what it measures.
	s.Ingest(Batch{Source: id, Time: seconds(90), Failed: true, Meta: []Sample{{Labels: up}}})
	if want, got := `{__name__="up"} 0:1 10:0 20:1 90:0`, stored(s, "up"); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if want, got := `{__name__="a"} 0:0 10:stale 20:0 30:stale`, stored(s, "a"); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if src := s.Source(id + 1); src.Kind != Meter || src.Instance != "app" || src.Interval != interval {
		t.Errorf("the meter is %+v", src)
	}
	for _, at := range []int{10, 90} {
		if s.Status(id, seconds(at)).Good || !s.Status(id+1, seconds(at)).Good {
			t.Errorf("at %d s: want the scrape failed and the meter good", at)
		}
	}
	if gaps := s.Gaps(id + 1); gaps != nil {
		t.Errorf("the meter has gaps %v", gaps)
	}
}

func TestRecordAndEnd(t *testing.T) {
	s := New(Options{})
	id := s.AddSource(Source{Kind: Rules, Interval: interval})
	l := FromStrings("__name__", "cap:waiting")
	var slot Slot
	s.End(&slot, 0) // there is nothing to end
	if !s.Record(&slot, id, l, 1000, 1) || s.Record(&slot, id, l, 1000, 2) || !s.Record(&slot, id, l, 2000, math.Inf(1)) {
		t.Error("want the first sample of each time taken and no other")
	}
	s.End(&slot, 3000)
	s.End(&slot, 4000) // it has ended
	if want, got := `{__name__="cap:waiting"} 1:1 2:+Inf 3:stale`, stored(s, "cap:waiting"); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if s.Refused().Duplicates != 1 {
		t.Errorf("got %+v, want one duplicate", s.Refused())
	}
}
