package series

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestRetention(t *testing.T) {
	const rounds = 1000
	s, id := newSource(Options{Raw: time.Minute, Signals: 5 * time.Minute}, Scrape)
	raw, signal, own := FromStrings("__name__", "raw_total"), FromStrings("__name__", "cap:waiting"), FromStrings("__name__", "capdoctor_scrapes_total")
	for i := range rounds {
		s.Ingest(Batch{Source: id, Time: seconds(10 * i), Samples: []Sample{{Labels: raw, Value: float64(i)}, {Labels: signal}, {Labels: own}}})
	}
	for name, want := range map[string]int{"raw_total": 7, "cap:waiting": 31, "capdoctor_scrapes_total": 31} {
		found := s.Select(name, 0, seconds(10*rounds))
		if len(found) != 1 || len(found[0].Points) != want {
			t.Fatalf("%s: got %v, want %d points", name, found, want)
		}
		if last := found[0].Points[want-1].Time; last != seconds(10*(rounds-1)) {
			t.Errorf("%s: the last point is at %d", name, last)
		}
		if n := cap(s.byName[name].all[0].times); n > 8*want+128 {
			t.Errorf("%s: room for %d points is kept for %d", name, n, want)
		}
	}
}

func TestNothingIsDroppedFromAClosedInput(t *testing.T) {
	s, id := newSource(Options{}, Log)
	feed(t, s, id, 0, strings.Repeat(".", 2000), "a 0+1x1999")
	if found := s.Select("a", 0, seconds(20_000)); len(found[0].Points) != 2000 {
		t.Errorf("got %d points, want 2000", len(found[0].Points))
	}
}

// Names that come and go do not fill the store.
func TestEndedSeriesAreForgotten(t *testing.T) {
	s, id := newSource(Options{Raw: time.Minute, Signals: time.Minute, MaxSeries: 100}, Scrape)
	slots := make([]Slot, 1000/3+1)
	for i := range 1000 {
		pod := FromStrings("__name__", "up_time", "pod", fmt.Sprint(i/3))
		s.Ingest(Batch{Source: id, Time: seconds(10 * i), Samples: []Sample{{Labels: pod}, {Labels: FromStrings("__name__", "b")}}})
		s.Record(&slots[i/3], id, FromStrings("__name__", "cap:x", "pod", fmt.Sprint(i/3)), seconds(10*i), 1)
		s.End(&slots[max(0, i/3-1)], seconds(10*i))
	}
	if got := s.Refused().OverLimit; got != 0 {
		t.Errorf("%d samples were refused", got)
	}
	if s.Len() > 20 {
		t.Errorf("%d series are kept", s.Len())
	}
	if len(s.byHash) > 20 {
		t.Errorf("%d hashes are kept", len(s.byHash))
	}
	if diff := cmp.Diff([]string{"b", "cap:x", "up_time"}, s.Names()); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
}

func TestHasAndPresent(t *testing.T) {
	s := New(Options{})
	for _, name := range []string{"b", "a"} {
		id := s.AddSource(Source{Instance: name, Interval: interval})
		feed(t, s, id, 0, "...", fmt.Sprintf("m{instance=%q, x=\"1\"} 1 1 _", name), fmt.Sprintf("m{instance=%q, x=\"2\"} 1 1 1", name))
	}
	gone := s.AddSource(Source{Instance: "gone", Interval: interval})
	feed(t, s, gone, 0, "..", `m{instance="gone"} 1 _`)
	tests := []struct {
		at   int
		want []string
	}{
		{-1, []string{}},
		{0, []string{"a", "b", "gone"}},
		{10, []string{"a", "b"}},
		{319, []string{"a", "b"}},
		{320, []string{}}, // older than the look-back
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, s.Present("m", seconds(tt.at)), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("at %d s (-want +got):\n%s", tt.at, diff)
		}
	}
	if !s.Has("m") || s.Has("n") {
		t.Error("want m and no n")
	}
}
