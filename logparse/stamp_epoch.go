package logparse

// taiOffset is what a TAI64 label adds to seconds of the Unix epoch, with the
// ten leap seconds of 1970 that daemontools uses.
const taiOffset = 1<<62 + 10

// readTAI64N reads @ and 24 hexadecimal digits, as multilog writes them.
func readTAI64N(b []byte, st *stamp) int {
	if len(b) < 25 {
		return 0
	}
	sec, ok := hex(b[1:17])
	nsec, ok2 := hex(b[17:25])
	if !ok || !ok2 || sec < taiOffset || nsec > 999999999 {
		return 0
	}
	*st = epochStamp(int64(sec-taiOffset), int32(nsec))
	return 25
}

func hex(b []byte) (v uint64, ok bool) {
	for _, c := range b {
		switch {
		case isDigit(c):
			c -= '0'
		case (c|0x20)-'a' <= 5:
			c = (c | 0x20) - 'a' + 10
		default:
			return 0, false
		}
		v = v<<4 | uint64(c)
	}
	return v, true
}

// epochStamp returns the stamp of a time that was written as a number.
func epochStamp(sec int64, nsec int32) stamp {
	return stamp{naive: sec, nsec: nsec, has: hasTime | hasDate | hasYear | hasZone}
}

// readEpoch reads a number of seconds, milliseconds, microseconds or
// nanoseconds from 1970, told apart by their size; seconds may have a fraction.
func readEpoch(b []byte, st *stamp) bool {
	v, n := int64(0), 0
	for n < len(b) && n < 19 && isDigit(b[n]) {
		v = v*10 + int64(b[n]-'0')
		n++
	}
	if n < 9 || v < 0 || (n < len(b) && b[n] != '.') {
		return false
	}
	switch {
	case n <= 11:
		*st = epochStamp(v, 0)
		if n < len(b) {
			return n+1 < len(b) && n+readFraction(b[n:], st) == len(b)
		}
	case n <= 14:
		*st = epochStamp(v/1e3, int32(v%1e3)*1e6)
	case n <= 17:
		*st = epochStamp(v/1e6, int32(v%1e6)*1e3)
	default:
		*st = epochStamp(v/1e9, int32(v%1e9))
	}
	return true
}
