package logparse

import (
	"math"
	"testing"
)

func TestCaptureValues(t *testing.T) {
	tests := []struct {
		kind  captureKind
		text  string
		taken string
		value float64
	}{
		{kindInt, "12, 13", "12", 12},
		{kindInt, "-1)", "-1", -1},
		{kindInt, "8,192 elements", "8,192", 8192},
		{kindInt, "1,234,567", "1,234,567", 1234567},
		{kindInt, "3,5,main", "3", 3},
		{kindInt, "12,5", "12", 12},
		{kindInt, "x", "", 0},
		{kindInt, "-", "", 0},
		{kindFloat, "23.6 jobs", "23.6", 23.6},
		{kindFloat, "23,6 jobs", "23,6", 23.6},
		{kindFloat, "10, 11", "10", 10},
		{kindFloat, "2.1E9]", "2.1E9", 2.1e9},
		{kindFloat, "7.", "7", 7},
		{kindFloat, ".5", "", 0},
		{kindMillis, "30000)", "30000", 30},
		{kindDuration, "30001ms (", "30001ms", 30.001},
		{kindDuration, "5 seconds (waited", "5 seconds", 5},
		{kindDuration, "5.000166496 seconds)", "5.000166496 seconds", 5.000166496},
		{kindDuration, "1 minute(s)", "1 minute(s)", 60},
		{kindDuration, "4m36s106ms250\u00b5s342ns).", "4m36s106ms250\u00b5s342ns", 276.106250342},
		{kindDuration, "3,9 ms   p95", "3,9 ms", 0.0039},
		{kindDuration, "5 sessions", "", 0},
		{kindDuration, "5", "", 0},
		{kindDuration, "180000 MILLISECONDS", "180000 MILLISECONDS", 180},
		{kindBytes, "4KiB,", "4KiB", 4096},
		{kindBytes, "16 MB of", "16 MB", 16e6},
		{kindBytes, "2047M->", "2047M", 2047 << 20},
		{kindBytes, "33554432 bytes", "33554432 bytes", 33554432},
		{kindBytes, "7 Bananas", "7", 7},
		{kindMap, "{A=12, B=3} x", "{A=12, B=3}", 15},
		{kindMap, "<A=12, B=3>", "<A=12, B=3>", 15},
		{kindMap, "{}", "{}", 0},
		{kindMap, "{A={B=1}, C=2}", "{A={B=1}, C=2}", 2},
		{kindMap, "{A=12, B=3", "", 0},
		{kindMap, "A=12", "", 0},
	}
	for _, tt := range tests {
		n := max(tt.kind.take([]byte(tt.text), ""), 0)
		if tt.text[:n] != tt.taken {
			t.Errorf("kind %d of %q takes %q, want %q", tt.kind, tt.text, tt.text[:n], tt.taken)
			continue
		}
		if n == 0 {
			continue
		}
		if v, ok := tt.kind.value([]byte(tt.text[:n])); !ok || math.Abs(v-tt.value) > 1e-9*max(1, tt.value) {
			t.Errorf("kind %d of %q is %v, want %v", tt.kind, tt.taken, v, tt.value)
		}
	}
}

// FuzzCapture holds that what a capture takes is within the text and that a
// number it took can be read.
func FuzzCapture(f *testing.F) {
	for _, s := range []string{"8,192 elements", "23,6", "4m36s106ms250\u00b5s", "1 minute(s)", "16 MB", "{A=12, B=3}", "1e999", "-"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, k := range []captureKind{kindWord, kindText, kindInt, kindFloat, kindDuration, kindMillis, kindBytes, kindMap} {
			n := k.take(b, "")
			if n > len(b) {
				t.Fatalf("kind %d takes %d of %d bytes", k, n, len(b))
			}
			if n <= 0 || k == kindWord || k == kindText {
				continue
			}
			if v, ok := k.value(b[:n]); !ok && !math.IsInf(v, 0) {
				t.Errorf("kind %d takes %q and cannot read it", k, b[:n])
			}
		}
	})
}
