package logparse

import "time"

// units of time as logs spell them; longer spellings of one unit come first.
var timeUnits = []struct {
	name string
	unit time.Duration
}{
	{"nanoseconds", time.Nanosecond}, {"ns", time.Nanosecond},
	{"microseconds", time.Microsecond}, {"us", time.Microsecond},
	{"\u00b5s", time.Microsecond}, {"\u03bcs", time.Microsecond},
	{"milliseconds", time.Millisecond}, {"MILLISECONDS", time.Millisecond}, {"millis", time.Millisecond}, {"msec", time.Millisecond}, {"ms", time.Millisecond},
	{"minutes", time.Minute}, {"minute(s)", time.Minute}, {"minute", time.Minute}, {"min", time.Minute}, {"m", time.Minute},
	{"seconds", time.Second}, {"SECONDS", time.Second}, {"second(s)", time.Second}, {"second", time.Second}, {"secs", time.Second}, {"sec", time.Second}, {"s", time.Second},
	{"hours", time.Hour}, {"hour(s)", time.Hour}, {"hour", time.Hour}, {"h", time.Hour},
	{"days", 24 * time.Hour}, {"day", 24 * time.Hour}, {"d", 24 * time.Hour},
}

// takeDuration takes one or more numbers with a unit: 30001ms, 4m36s106ms.
func takeDuration(b []byte) int {
	n, _ := scanDuration(b)
	return nonzero(n)
}

func durationValue(b []byte) (float64, bool) {
	n, v := scanDuration(b)
	return v, n > 0
}

// scanDuration returns the length of the duration at the start of b and its
// seconds.
func scanDuration(b []byte) (n int, seconds float64) {
	for {
		d := takeFloat(b[n:])
		if d < 0 {
			return n, seconds
		}
		v, _ := floatValue(b[n : n+d])
		rest := b[n+d:]
		space := 0
		if len(rest) > 0 && rest[0] == ' ' {
			space = 1
		}
		length, unit := cutUnit(rest[space:])
		if length == 0 {
			return n, seconds
		}
		n += d + space + length
		seconds += v * unit.Seconds()
	}
}

// cutUnit returns the unit of time at the start of b and its length in bytes.
func cutUnit(b []byte) (int, time.Duration) {
	for _, u := range timeUnits {
		if hasPrefix(b, u.name) && !letterAt(b, len(u.name)) {
			return len(u.name), u.unit
		}
	}
	return 0, 0
}

func letterAt(b []byte, i int) bool {
	return i < len(b) && ('a' <= b[i] && b[i] <= 'z' || 'A' <= b[i] && b[i] <= 'Z')
}

var byteUnits = []struct {
	name string
	unit float64
}{
	{"KiB", 1 << 10}, {"KB", 1e3}, {"kB", 1e3}, {"MiB", 1 << 20}, {"MB", 1e6}, {"GiB", 1 << 30}, {"GB", 1e9},
	{"TiB", 1 << 40}, {"TB", 1e12}, {"B", 1}, {"bytes", 1}, {"K", 1 << 10}, {"M", 1 << 20}, {"G", 1 << 30},
}

func takeBytes(b []byte) int {
	n, _ := scanBytes(b)
	return nonzero(n)
}

func bytesValue(b []byte) (float64, bool) {
	n, v := scanBytes(b)
	return v, n > 0
}

// scanBytes returns the length of the size at the start of b and its bytes.
func scanBytes(b []byte) (int, float64) {
	n := takeFloat(b)
	if n < 0 {
		return 0, 0
	}
	v, _ := floatValue(b[:n])
	rest := b[n:]
	space := 0
	if len(rest) > 0 && rest[0] == ' ' {
		space = 1
	}
	for _, u := range byteUnits {
		if hasPrefix(rest[space:], u.name) && !letterAt(rest[space:], len(u.name)) {
			return n + space + len(u.name), v * u.unit
		}
	}
	return n, v
}
