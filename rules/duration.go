package rules

import (
	"math"
	"strings"
	"time"
)

// Duration writes d as a person says it: "102 ms", "29.4 s", "10 min 10 s",
// "1 h 49 min 10 s", "3 d 4 h". Parts that are zero are left out, seconds have
// one decimal below a minute and none above, days leave minutes out.
func Duration(d time.Duration) string { return formatSeconds(d.Seconds(), 0) }

// formatSeconds is Duration for a number of seconds, which may be NaN or beyond what
// a time.Duration holds.
func formatSeconds(v float64, extra int) string {
	const year = 365 * 24 * 3600
	size := math.Abs(v)
	switch {
	case math.IsNaN(v):
		return unknownNumber
	case v < 0:
		return "-" + formatSeconds(-v, extra)
	case math.IsInf(v, 1):
		return "no end"
	case size >= 100*year:
		return "over 100 years"
	case size == 0:
		return "0 s"
	case size < 0.9995:
		return formatNumber(v*1000, extra) + " ms"
	case size < 59.95 || extra > 0:
		return formatNumber(v, extra) + " s"
	}
	return clockParts(int64(math.Round(v)))
}

func clockParts(s int64) string {
	if s >= 24*3600 {
		h := (s + 1800) / 3600
		return joinParts(clockPart{h / 24, "d"}, clockPart{h % 24, "h"})
	}
	return joinParts(clockPart{s / 3600, "h"}, clockPart{s / 60 % 60, "min"}, clockPart{s % 60, "s"})
}

type clockPart struct {
	n    int64
	unit string
}

func joinParts(parts ...clockPart) string {
	var out []string
	for _, p := range parts {
		if p.n > 0 {
			out = append(out, Number(float64(p.n))+" "+p.unit)
		}
	}
	return strings.Join(out, " ")
}

// windowText writes the length of a window: short ones in seconds alone, as
// rules and Prometheus name them ("60 s", "67.5 s").
func windowText(d time.Duration) string {
	if d < 2*time.Minute {
		return Number(d.Seconds()) + " s"
	}
	return Duration(d)
}
