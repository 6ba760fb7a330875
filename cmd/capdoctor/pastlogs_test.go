package main

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// The past of logs is judged in even steps of their grid, at no more than
// mostPast times, no further back than a baseline reaches, and before the first tick.
func TestPastTicks(t *testing.T) {
	const second, minute = 1000, 60_000
	const first = 100 * minute
	tests := []struct {
		name             string
		told             []int64
		grid             time.Duration
		from, last, step int64 // of the ticks; none for all zero
	}{
		{"no log", nil, time.Second, 0, 0, 0},
		{"a log that begins with the first tick", []int64{first}, time.Second, 0, 0, 0},
		{"a minute on a grid of a second", []int64{first - minute}, time.Second, first - minute, first - second, second},
		{"four minutes are thinned", []int64{first - 4*minute}, time.Second, first - 4*minute, first - 2*second, 2 * second},
		{"the earliest of several logs", []int64{first - minute, first - 2*minute, first - 90*second}, time.Second, first - 2*minute, first - second, second},
		{"an hour goes back as far as a baseline", []int64{first - 60*minute}, 15 * time.Second, first - 30*minute, first - 15*second, 15 * second},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var p past
			for _, at := range tt.told {
				p.tell(at, tt.grid)
			}
			var want []int64
			for at := tt.from; tt.step > 0 && at <= tt.last; at += tt.step {
				want = append(want, at)
			}
			got := p.ticks(first)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if len(got) > mostPast {
				t.Errorf("%d ticks, want at most %d", len(got), mostPast)
			}
		})
	}
}
