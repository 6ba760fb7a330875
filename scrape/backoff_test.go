package scrape

import (
	"fmt"
	"testing"
	"time"
)

func TestBackoff(t *testing.T) {
	const s = time.Second
	for _, test := range []struct {
		interval time.Duration
		slow     int
		took     time.Duration
		want     time.Duration
	}{
		{15 * s, 0, 0, 15 * s},
		{15 * s, 0, 3 * s, 15 * s},
		{15 * s, 0, 5 * s, 20 * s},
		{15 * s, 1, 5 * s, 20 * s},
		{15 * s, 2, 5 * s, 30 * s},
		{15 * s, 3, 5 * s, 60 * s},
		{15 * s, 4, 5 * s, 60 * s},
		{15 * s, 4, 30 * s, 120 * s},
		{5 * s, 1, 0, 5 * s},
		{5 * s, 2, 0, 10 * s},
		{5 * s, 3, 0, 20 * s},
		{5 * s, 4, 0, 40 * s},
		{5 * s, 5, 0, 40 * s},
		{5 * s, 1 << 40, 0, 40 * s},
		{s / 2, 9, 0, 4 * s},
		{120 * s, 0, 0, 120 * s},
		{120 * s, 9, 0, 120 * s},
	} {
		if got := Backoff(test.interval, test.slow, test.took); got != test.want {
			t.Errorf("every %v, %d slow, took %v: got %v, want %v", test.interval, test.slow, test.took, got, test.want)
		}
	}
}

func TestJitter(t *testing.T) {
	seen := make(map[time.Duration]bool)
	for i := range 100 {
		instance := fmt.Sprintf("app-%d:8080", i)
		j := Jitter(instance, 15*time.Second)
		if j < 0 || j >= time.Second || j != Jitter(instance, 15*time.Second) {
			t.Errorf("%s: %v", instance, j)
		}
		if k := Jitter(instance, 100*time.Millisecond); k >= 10*time.Millisecond {
			t.Errorf("%s: %v of 100 ms", instance, k)
		}
		seen[j.Truncate(100*time.Millisecond)] = true
	}
	if len(seen) < 8 {
		t.Errorf("100 instances spread over %d tenths of a second", len(seen))
	}
	if Jitter("a", 0) != 0 {
		t.Error("jitter without an interval")
	}
}
