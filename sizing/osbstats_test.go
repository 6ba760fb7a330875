package sizing

import (
	"math"
	"strings"
	"testing"
)

func TestJudgeOSB(t *testing.T) {
	none := math.NaN()
	for _, c := range []struct {
		name string
		in   OSBStatistics
		want string
	}{
		{"throttle", OSBStatistics{"Stock/ReserveBS", 60, 1200, 30, 0.4, 0.9, 0.41}, "the value is the limit, not the backend"},
		{"backend", OSBStatistics{"Stock/ReserveBS", 60, 1200, 30, 1.15, 0.9, 0.4}, "The backend got slower, and messages queue"},
		{"backend alone", OSBStatistics{"Stock/ReserveBS", 60, 1200, 0, 1.15, 0, 0.4}, "the throttling value holds nothing back"},
		{"nothing", OSBStatistics{"Stock/ReserveBS", 60, 1200, 0, 0.4, 0, 0.4}, "Nothing waits for the throttling value"},
		{"one reading", OSBStatistics{"Stock/ReserveBS", 0, 1200, 0, 0.4, 0.9, none}, "is told by a second reading"},
	} {
		r, err := JudgeOSB(c.in)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if text := strings.Join(r.Advice, " "); !strings.Contains(text, c.want) {
			t.Errorf("%s: %q, want %q", c.name, text, c.want)
		}
	}
	if _, err := JudgeOSB(OSBStatistics{Service: "A"}); err == nil || !strings.Contains(err.Error(), "no data") {
		t.Errorf("no message: %v", err)
	}
	r, err := JudgeOSB(OSBStatistics{"A", 60, 1200, 30, 0.4, 0.9, 0.41})
	if err != nil || valueOf(t, r, "calls at once at the backend") != 8 {
		t.Errorf("%v, %v: want 20/s × 0.4 s = 8 calls", r.Lines, err)
	}
}
