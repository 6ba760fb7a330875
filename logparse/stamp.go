package logparse

import "encoding/binary"

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

// A stampReader reads stamps and remembers the last one up to its seconds, and
// the zone: neighbouring lines mostly share both.
type stampReader struct {
	n      int       // length of what is remembered, 0: nothing; 16 to 24
	seen   int       // how often something new was remembered
	again  bool      // the stamp was like the last one, but for its milliseconds
	words  [3]uint64 // its first, second and last eight bytes
	last   stamp
	zone   uint64 // the bytes after the milliseconds that decide the zone
	mask   uint64 // which bytes those are
	skip   int    // bytes of a separator and milliseconds: 4 or 0
	length int    // of those and the zone
	kept   bool   // mask, zone, skip and length are of the last stamp
	off    int32
	has    hasSet
	name   uint8
}

// read reads the stamp that b begins with into st and returns its length in
// bytes, 0 if there is none.
func (r *stampReader) read(b []byte, st *stamp) int {
	r.again = false
	n := r.n
	if n == 0 || len(b) <= n || !r.same(b) || isDigit(b[n]) {
		return r.readNew(b, st)
	}
	*st = r.last
	tail := b[n:]
	if len(tail) < 12 || !r.kept || word(tail[r.skip:])&r.mask != r.zone {
		return n + readTail(tail, st)
	}
	if r.skip > 0 {
		v, ok := millis(tail)
		if !ok {
			return n + readTail(tail, st)
		}
		st.nsec = v
	}
	st.off, st.zone = r.off, r.name
	st.has |= r.has
	r.again = true
	return n + r.length
}

// same says whether b begins with what is remembered.
func (r *stampReader) same(b []byte) bool {
	return word(b) == r.words[0] && word(b[8:]) == r.words[1] && word(b[r.n-8:]) == r.words[2]
}

func word(b []byte) uint64 { return binary.LittleEndian.Uint64(b) }

// millis reads a separator and three digits, which no digit may follow.
func millis(b []byte) (nsec int32, ok bool) {
	x, y, z := b[1]-'0', b[2]-'0', b[3]-'0'
	if b[0] != '.' && b[0] != ',' || x > 9 || y > 9 || z > 9 || isDigit(b[4]) {
		return 0, false
	}
	return (int32(x)*100 + int32(y)*10 + int32(z)) * 1e6, true
}

// readNew reads a stamp that is not like the last one.
func (r *stampReader) readNew(b []byte, st *stamp) int {
	*st = stamp{}
	n := readStamp(b, st)
	if n == 0 || len(b) > n && isDigit(b[n]) {
		return 0
	}
	keep := st.has&(hasZone|hasWeekYear) == 0 && n >= 16 && n <= 24 && isDigit(b[0])
	if keep {
		r.n, r.last, r.kept = n, *st, false
		r.seen++
		r.words = [3]uint64{word(b), word(b[8:]), word(b[n-8:])}
	}
	length := readTail(b[n:], st)
	if keep {
		r.keepTail(b[n:], length, st)
	}
	return n + length
}

// keepTail remembers how a stamp goes on after its seconds: with milliseconds or
// none, and at most eight bytes for the zone.
func (r *stampReader) keepTail(b []byte, length int, st *stamp) {
	r.kept = false
	if len(b) < 12 {
		return
	}
	r.skip = 0
	if b[0] == '.' || b[0] == ',' {
		if _, ok := millis(b); !ok {
			return
		}
		r.skip = 4
	}
	if length < r.skip || length > r.skip+8 {
		return
	}
	switch b[r.skip] {
	case 'Z', 'z':
		r.mask = 1<<16 - 1 // and the byte after it
	case ' ', '+', '-':
		r.mask = ^uint64(0) // no zone looks further
	default:
		r.mask = 1<<8 - 1
	}
	r.zone, r.length, r.kept = word(b[r.skip:])&r.mask, length, true
	r.off, r.has, r.name = st.off, st.has, st.zone
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
	case b[4] == '-' || b[4] == '/' || b[4] == '.':
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

// readISO reads 2026-03-02T10:15:31, also with a space, with slashes or dots.
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
	era := int(floorDiv(int64(y), 400))
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
