package rules

import (
	"math"
	"regexp"
	"strconv"
	"testing"
	"time"
)

func TestNumber(t *testing.T) {
	tests := []struct {
		v    float64
		want string
	}{
		{0.0667, "0.07"}, {15.98, "16.0"}, {16, "16"}, {118, "118"}, {117.6, "118"},
		{1024, "1024"}, {160269, "160269"}, {160268.7, "160269"}, {6.67, "6.7"},
		{0.32, "0.32"}, {0, "0"}, {math.Copysign(0, -1), "0"}, {-3.25, "-3.2"},
		{99.96, "100"}, {9.96, "10.0"}, {0.996, "1.0"}, {0.0099, "0.01"},
		{0.004, "0.004"}, {0.00042, "0.0004"}, {0.00001234, "1.2e-05"},
		{7.000000000000001, "7"}, {1e15, "1e+15"}, {1e300, "1e+300"},
		{math.NaN(), "?"}, {math.Inf(1), "inf"}, {math.Inf(-1), "-inf"},
	}
	for _, tt := range tests {
		if got := Number(tt.v); got != tt.want {
			t.Errorf("Number(%v) = %q, want %q", tt.v, got, tt.want)
		}
	}
}

func TestValue(t *testing.T) {
	tests := []struct {
		v    float64
		unit string
		want string
	}{
		{0.007, "ratio", "0.7 %"}, {0.203, "ratio", "20.3 %"}, {0.3, "ratio", "30 %"},
		{0.0002, "ratio", "0.02 %"}, {0.07, "ratio", "7 %"}, {0, "ratio", "0 %"}, {1, "ratio", "100 %"},
		{16, "1/s", "16.0/s"}, {0.0667, "1/s", "0.07/s"}, {118, "1/s", "118/s"}, {0, "1/s", "0/s"},
		{3.2, "1/s", "3.2/s"}, {0.00001, "1/s", "1e-05/s"},
		{30, "s", "30 s"}, {0.102, "s", "102 ms"}, {610, "s", "10 min 10 s"}, {29.4, "s", "29.4 s"},
		{0, "s", "0 s"}, {1e12, "s", "over 100 years"}, {math.Inf(1), "s", "no end"},
		{260, "bytes", "260 B"}, {48000, "bytes", "48 kB"}, {4.1e9, "bytes", "4.1 GB"},
		{999.7e3, "bytes", "1.0 MB"}, {0, "bytes", "0 B"}, {0.4, "s/s", "0.4 s/s"},
		{68, "requests", "68"}, {16, "threads", "16"}, {2.5, "1", "2.5"}, {3, "", "3"},
		{math.NaN(), "ratio", "?"}, {math.NaN(), "1/s", "?"}, {math.NaN(), "s", "?"},
		{math.NaN(), "bytes", "?"}, {math.NaN(), "requests", "?"},
	}
	for _, tt := range tests {
		if got := Value(tt.v, tt.unit); got != tt.want {
			t.Errorf("Value(%v, %q) = %q, want %q", tt.v, tt.unit, got, tt.want)
		}
	}
}

func TestDuration(t *testing.T) {
	tests := []struct {
		d    time.Duration
		want string
	}{
		{30 * time.Second, "30 s"}, {610 * time.Second, "10 min 10 s"}, {10 * time.Minute, "10 min"},
		{time.Hour + 49*time.Minute + 10*time.Second, "1 h 49 min 10 s"},
		{102 * time.Millisecond, "102 ms"}, {1500 * time.Microsecond, "1.5 ms"}, {200 * time.Microsecond, "0.2 ms"},
		{59970 * time.Millisecond, "1 min"}, {67500 * time.Millisecond, "1 min 8 s"}, {3599700 * time.Millisecond, "1 h"},
		{3610 * time.Second, "1 h 10 s"}, {76*time.Hour + 20*time.Minute, "3 d 4 h"}, {48 * time.Hour, "2 d"},
		{0, "0 s"}, {-90 * time.Second, "-1 min 30 s"}, {999700 * time.Microsecond, "1.0 s"},
	}
	for _, tt := range tests {
		if got := Duration(tt.d); got != tt.want {
			t.Errorf("Duration(%v) = %q, want %q", tt.d, got, tt.want)
		}
	}
}

func TestCountIn(t *testing.T) {
	tests := []struct {
		v      float64
		window time.Duration
		want   string
	}{
		{4.0 / 60, time.Minute, "4 in 60 s"}, {0, time.Minute, "0 in 60 s"}, {0.5, 10 * time.Minute, "300 in 10 min"},
		{4.0 / 67.5, 67500 * time.Millisecond, "4 in 67.5 s"},
		{1, time.Minute, ""}, {math.NaN(), time.Minute, ""}, {0.1, 0, ""}, {-1, time.Minute, ""},
	}
	for _, tt := range tests {
		if got := CountIn(tt.v, tt.window); got != tt.want {
			t.Errorf("CountIn(%v, %v) = %q, want %q", tt.v, tt.window, got, tt.want)
		}
	}
}

func TestDistinct(t *testing.T) {
	tests := []struct {
		a, b         float64
		unit         string
		wantA, wantB string
	}{
		{0.0667, 3.2, "1/s", "0.07/s", "3.2/s"},
		{3.18, 3.2, "1/s", "3.18/s", "3.20/s"},
		{0.2998, 0.3, "ratio", "29.98 %", "30 %"},
		{0.3, 0.3, "ratio", "30 %", "30 %"},
		{68, 0, "requests", "68", "0"},
		{610.4, 610, "s", "610.4 s", "610 s"},
		{math.NaN(), 3, "1/s", "?", "3.0/s"},
	}
	for _, tt := range tests {
		a, b := Distinct(tt.a, tt.b, tt.unit)
		if a != tt.wantA || b != tt.wantB {
			t.Errorf("Distinct(%v, %v, %q) = %q, %q, want %q, %q", tt.a, tt.b, tt.unit, a, b, tt.wantA, tt.wantB)
		}
	}
}

// Whatever the value, the text is short, printable and within half a last digit.
func FuzzNumber(f *testing.F) {
	for _, v := range []float64{0, 0.00995, 0.0667, 0.995, 99.95, 1e15, -1e-9, math.MaxFloat64, math.Inf(-1), math.NaN()} {
		f.Add(v)
	}
	form := regexp.MustCompile(`^(\?|-?inf|-?[0-9.]+(e[+-][0-9]+)?)$`)
	f.Fuzz(func(t *testing.T, v float64) {
		s := Number(v)
		if len(s) > 17 || !form.MatchString(s) {
			t.Fatalf("Number(%v) = %q", v, s)
		}
		got, err := strconv.ParseFloat(s, 64)
		if err == nil && !math.IsInf(v, 0) && math.Abs(got-v) > math.Max(0.5, math.Abs(v)*0.01) {
			t.Fatalf("Number(%v) = %q is another number", v, s)
		}
	})
}
