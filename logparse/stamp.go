package logparse

// A stamp is a time as it is written, before its zone and missing parts are
// resolved.
type stamp struct {
	naive int64  // seconds from 1970 as if the wall clock were UTC; without a date: seconds from midnight
	nsec  int32  // 0 to 999,999,999
	off   int32  // seconds east of UTC, if has&hasZone
	has   hasSet // what is written
	zone  uint8  // index into zoneTable plus one, when the zone is an abbreviation
}

type hasSet uint8

const (
	hasTime hasSet = 1 << iota
	hasDate        // month and day
	hasYear
	hasZone
	hasWeekYear // the year may be that of the week (the pattern YYYY of Java)
)

// A stampReader reads stamps and remembers the last one up to its seconds:
// neighbouring lines mostly share it.
type stampReader struct {
	prefix [40]byte
	n      int // bytes of prefix in use
	last   stamp
}

// read reads the stamp that b begins with into st and returns its length in
// bytes, 0 if there is none.
func (r *stampReader) read(b []byte, st *stamp) int {
	n := r.n
	if n > 0 && len(b) > n && string(b[:n]) == string(r.prefix[:n]) && !isDigit(b[n]) {
		*st = r.last
		return n + readTail(b[n:], st)
	}
	*st = stamp{}
	n = readStamp(b, st)
	if n == 0 {
		return 0
	}
	if len(b) > n && isDigit(b[n]) {
		return 0
	}
	if st.has&(hasZone|hasWeekYear) == 0 && n < len(r.prefix) && isDigit(b[n-1]) && st.nsec == 0 {
		r.n = copy(r.prefix[:], b[:n])
		r.last = *st
	}
	return n + readTail(b[n:], st)
}

// readStamp reads the stamp that b begins with, up to its seconds (or to its
// end where a form has nothing to add), and returns the length.
func readStamp(b []byte, st *stamp) int {
	if len(b) < 8 {
		return 0
	}
	switch c := b[0]; {
	case isDigit(c):
		return readDigitStamp(b, st)
	case c == '@':
		return readTAI64N(b, st)
	case isLetter(c):
		return readNamedStamp(b, st)
	}
	return 0
}

func readDigitStamp(b []byte, st *stamp) int {
	switch {
	case b[4] == '-' || b[4] == '/':
		return readISO(b, st)
	case b[2] == ':':
		return readClock(b, st)
	case b[2] == '/' || b[2] == '-' || b[2] == ' ' || b[1] == '-' || b[1] == ' ':
		return readDayFirst(b, st)
	case len(b) >= 17 && isDigit(b[2]) && isDigit(b[4]):
		return readCompact(b, st)
	}
	return 0
}

// readISO reads 2026-03-02T10:15:31, also with a space or slashes.
func readISO(b []byte, st *stamp) int {
	if len(b) < 19 || b[7] != b[4] || b[13] != ':' || b[16] != ':' {
		return 0
	}
	if c := b[10]; c != 'T' && c != ' ' && c != 't' && c != '_' {
		return 0
	}
	y := two(b)*100 + two(b[2:])
	if !st.setDate(y, two(b[5:]), two(b[8:])) || !st.addClock(b[11:]) {
		return 0
	}
	st.has |= hasYear
	return 19
}

// readClock reads 10:15:31 without a date.
func readClock(b []byte, st *stamp) int {
	if b[5] != ':' || !st.addClock(b) {
		return 0
	}
	return 8
}

// readCompact reads 20260302101531004, whose year may be a week year, and
// 20260302101531.
func readCompact(b []byte, st *stamp) int {
	n := 0
	for n < len(b) && n < 18 && isDigit(b[n]) {
		n++
	}
	if n != 17 && n != 14 {
		return 0
	}
	y, h, m, s := two(b)*100+two(b[2:]), two(b[8:]), two(b[10:]), two(b[12:])
	if y < 1970 || !st.setDate(y, two(b[4:]), two(b[6:])) || !st.setClock(h, m, s) {
		return 0
	}
	st.has |= hasYear | hasWeekYear
	if n == 17 {
		st.nsec = int32(int(b[14]-'0')*100+two(b[15:])) * 1e6
	}
	return n
}

// two returns the number in the first two bytes of b, -1000 or less if they
// are no digits.
func two(b []byte) int {
	hi, lo := b[0]-'0', b[1]-'0'
	if hi > 9 || lo > 9 {
		return -1 << 20
	}
	return int(hi)*10 + int(lo)
}

// addClock adds the time of day HH:MM:SS that b begins with.
func (st *stamp) addClock(b []byte) bool {
	return len(b) >= 8 && b[2] == ':' && b[5] == ':' && st.setClock(two(b), two(b[3:]), two(b[6:]))
}

// setClock adds a time of day; 60 is a leap second.
func (st *stamp) setClock(h, m, s int) bool {
	if uint(h) > 23 || uint(m) > 59 || uint(s) > 60 {
		return false
	}
	st.naive += int64(h*3600 + m*60 + s)
	st.has |= hasTime
	return true
}

// setDate sets the date; the year 0 is none.
func (st *stamp) setDate(y, m, d int) bool {
	if y < 0 || uint(m-1) > 11 || d < 1 || d > daysIn(y, m) {
		return false
	}
	st.naive += days(y, m, d) * 86400
	st.has |= hasDate
	return true
}

// days returns the days from 1970-01-01 to a date of the Gregorian calendar.
// Formula: Howard Hinnant, days_from_civil.
func days(y, m, d int) int64 {
	if m <= 2 {
		y--
		m += 12
	}
	era := y / 400
	yoe := y - era*400
	doy := (153*(m-3)+2)/5 + d - 1
	return int64(era*146097 + yoe*365 + yoe/4 - yoe/100 + doy - 719468)
}

// daysIn returns the days of a month; February has 29 in the year 0 (unknown).
func daysIn(y, m int) int {
	switch m {
	case 4, 6, 9, 11:
		return 30
	case 2:
		if y%4 == 0 && (y%100 != 0 || y%400 == 0) {
			return 29
		}
		return 28
	}
	return 31
}
