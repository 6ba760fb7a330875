package lab

import (
	"testing"
	"time"
)

// 8 processors busy for a day are 8 days of processor time: the sum does not
// overflow.
func TestCPUOfLongRuns(t *testing.T) {
	u := newCPU(Config{Cores: 8})
	var now time.Duration
	for range 24 * 60 {
		takes, share := u.start(now, time.Minute, 8*time.Minute)
		now += takes
		u.stop(now, share)
	}
	if got := u.used(now); got < 192*time.Hour-time.Second || got > 192*time.Hour+time.Second {
		t.Errorf("%v used in %v, want 192 h", got, now)
	}
}
