package logparse

// A zoneName is an abbreviation of a zone as logs write it. An abbreviation
// that several zones share has the offset of the most frequent one; its use is
// reported as an assumption.
type zoneName struct {
	name   string
	off    int32 // seconds east of UTC
	shared bool
}

// zoneTable lists the abbreviations that are understood. It is never written.
var zoneTable = [...]zoneName{
	{"UTC", 0, false}, {"GMT", 0, false}, {"Z", 0, false}, {"UT", 0, false},
	{"WET", 0, false}, {"WEST", 3600, false},
	{"CET", 3600, false}, {"CEST", 7200, false}, {"MEZ", 3600, false}, {"MESZ", 7200, false},
	{"EET", 7200, false}, {"EEST", 10800, false}, {"MSK", 10800, false}, {"TRT", 10800, false},
	{"BST", 3600, true}, {"IST", 19800, true},
	{"EST", -18000, false}, {"EDT", -14400, false}, {"CST", -21600, true}, {"CDT", -18000, false},
	{"MST", -25200, false}, {"MDT", -21600, false}, {"PST", -28800, false}, {"PDT", -25200, false},
	{"AKST", -32400, false}, {"AKDT", -28800, false}, {"HST", -36000, false}, {"BRT", -10800, false},
	{"JST", 32400, false}, {"KST", 32400, false}, {"HKT", 28800, false}, {"SGT", 28800, false},
	{"AEST", 36000, false}, {"AEDT", 39600, false}, {"ACST", 34200, false}, {"AWST", 28800, false},
	{"NZST", 43200, false}, {"NZDT", 46800, false}, {"SAST", 7200, false},
}

// readTail reads what may follow the seconds of a stamp, a fraction and a zone,
// and returns its length.
func readTail(b []byte, st *stamp) int {
	p := 0
	if len(b) > 1 && (b[0] == '.' || b[0] == ',') && isDigit(b[1]) {
		p = readFraction(b, st)
	}
	if p == len(b) {
		return p
	}
	switch c := b[p]; {
	case c == 'Z' || c == 'z':
		if p+1 < len(b) && isLetter(b[p+1]) {
			return p
		}
		st.has |= hasZone
		return p + 1
	case c == '+' || c == '-':
		return p + readOffset(b[p:], st)
	case c == ' ' && p+1 < len(b):
		return p + readSpacedZone(b[p:], st)
	}
	return p
}

// readFraction reads a fraction of a second with its separator.
func readFraction(b []byte, st *stamp) int {
	if len(b) > 4 && isDigit(b[2]) && isDigit(b[3]) && !isDigit(b[4]) { // milliseconds, by far the most frequent
		st.nsec = (int32(b[1]-'0')*100 + int32(b[2]-'0')*10 + int32(b[3]-'0')) * 1e6
		return 4
	}
	p, unit := 1, int32(1e8)
	st.nsec = 0
	for p < len(b) && isDigit(b[p]) {
		st.nsec += int32(b[p]-'0') * unit
		unit /= 10
		p++
	}
	return p
}

// readOffset reads +0100, +01:00 or +01.
func readOffset(b []byte, st *stamp) int {
	if len(b) < 3 {
		return 0
	}
	h, m, n := two(b[1:]), 0, 3
	switch {
	case len(b) >= 6 && b[3] == ':' && isDigit(b[4]) && isDigit(b[5]):
		m, n = two(b[4:]), 6
	case len(b) >= 5 && isDigit(b[3]) && isDigit(b[4]):
		m, n = two(b[3:]), 5
	}
	if h < 0 || h > 18 || m < 0 || m > 59 || (n < len(b) && (isDigit(b[n]) || b[n] == '-' || isLetter(b[n]))) {
		return 0
	}
	st.off = int32(h*3600 + m*60)
	if b[0] == '-' {
		st.off = -st.off
	}
	st.has |= hasZone
	return n
}

// readSpacedZone reads a zone after a space: an offset of four digits or an
// abbreviation.
func readSpacedZone(b []byte, st *stamp) int {
	if c := b[1]; c == '+' || c == '-' {
		if len(b) < 6 || !isDigit(b[4]) && b[4] != ':' {
			return 0
		}
		if n := readOffset(b[1:], st); n > 0 {
			return n + 1
		}
		return 0
	}
	n := 1
	for n < len(b) && n < 6 && b[n]-'A' <= 25 {
		n++
	}
	if n < 3 || (n < len(b) && (isLetter(b[n]) || isDigit(b[n]))) {
		return 0
	}
	i := zoneIndex(b[1:n])
	if i < 0 {
		return 0
	}
	st.off, st.zone = zoneTable[i].off, uint8(i+1)
	st.has |= hasZone
	return n
}

// zoneIndex returns the position of an abbreviation in zoneTable, -1 if it is
// not there. Level words, which often stand in this place, are told at once.
func zoneIndex(word []byte) int {
	switch string(word) {
	case "INFO", "WARN", "ERROR", "DEBUG", "TRACE", "FATAL":
		return -1
	}
	for i := range zoneTable {
		if zoneTable[i].name == string(word) {
			return i
		}
	}
	return -1
}
