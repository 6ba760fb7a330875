package logparse

// readNamedStamp reads the forms that begin with a month or a weekday:
//
//	Jun 14 15:16:01                   syslog, without a year
//	Mar 2, 2026 10:15:49 AM           WebLogic, java.util.logging
//	Mar 02 2026 10:15:49
//	Wed Oct 11 14:32:52.123456 2000   Apache, ctime
//	Wed, 11 Oct 2000 14:32:52
func readNamedStamp(b []byte, st *stamp) int {
	m := monthNamed(b)
	if m == 0 {
		return readWeekdayStamp(b, st)
	}
	p := skipSpace(b, 3)
	d, n := digits(b[p:], 2)
	if n == 0 || p == 3 {
		return 0
	}
	p += n
	if p < len(b) && b[p] == ',' {
		p++
	}
	p = skipSpace(b, p)
	y := 0
	if v, n := digits(b[p:], 4); n == 4 {
		y, p = v, skipSpace(b, p+4)
		if p < len(b) && b[p] == ',' {
			p = skipSpace(b, p+1)
		}
	}
	if !st.setDate(y, m, d) {
		return 0
	}
	if y > 0 {
		st.has |= hasYear
	}
	n = st.readHours(b[p:])
	if n == 0 {
		return 0
	}
	p += n
	if v, n := trailingYear(b[p:]); y == 0 && n > 0 && d <= daysIn(v, m) {
		st.naive += (days(v, m, d) - days(0, m, d)) * 86400
		st.has |= hasYear
		if b[p] == '.' {
			readFraction(b[p:], st)
		}
		return p + n
	}
	return p
}

// readWeekdayStamp reads a stamp after a weekday.
func readWeekdayStamp(b []byte, st *stamp) int {
	if !isWeekday(b) {
		return 0
	}
	p := 3
	if b[p] == ',' {
		p++
	}
	p = skipSpace(b, p)
	if p == 3 || len(b)-p < 8 {
		return 0
	}
	if isDigit(b[p]) {
		n := readDayFirst(b[p:], st)
		if n == 0 {
			return 0
		}
		return p + n
	}
	if monthNamed(b[p:]) == 0 {
		return 0
	}
	n := readNamedStamp(b[p:], st)
	if n == 0 {
		return 0
	}
	return p + n
}

// trailingYear returns the year that follows a time of day, and the length of
// both it and the fraction before it.
func trailingYear(b []byte) (year, n int) {
	p := 0
	if p < len(b) && b[p] == '.' {
		p++
		for p < len(b) && isDigit(b[p]) {
			p++
		}
	}
	if p+5 > len(b) || b[p] != ' ' {
		return 0, 0
	}
	y, k := digits(b[p+1:], 4)
	if k != 4 || y < 1970 || y > 2100 || (p+5 < len(b) && b[p+5] != ']' && b[p+5] != ' ') {
		return 0, 0
	}
	return y, p + 5
}

// readDayFirst reads the forms that begin with a day:
//
//	02/Mar/2026:10:15:48   access logs
//	02-Mar-2026 10:15:52   Tomcat, PHP-FPM
//	2-Mar-2026::10:15:46   RabbitMQ before 3.7
//	02 Mar 2026 10:15:46   Redis
func readDayFirst(b []byte, st *stamp) int {
	d, n := digits(b, 2)
	if n == 0 || len(b) < n+14 {
		return 0
	}
	sep := b[n]
	p := n + 1
	m := monthNamed(b[p:])
	if m == 0 || b[p+3] != sep {
		return 0
	}
	p += 4
	y, n := digits(b[p:], 4)
	if n != 4 || !st.setDate(y, m, d) {
		return 0
	}
	st.has |= hasYear
	p += 4
	q := p
	for q < len(b) && (b[q] == ':' || b[q] == ' ') && q-p < 2 {
		q++
	}
	if q == p || !st.addClock(b[q:]) {
		return 0
	}
	return q + 8
}

// readHours reads a time of day whose hour may have one digit and which AM or
// PM may follow, and returns its length.
func (st *stamp) readHours(b []byte) int {
	h, n := digits(b, 2)
	if n == 0 || len(b) < n+6 || b[n] != ':' || b[n+3] != ':' {
		return 0
	}
	m, s := two(b[n+1:]), two(b[n+4:])
	n += 6
	if n+1 < len(b) && b[n] == ',' && isDigit(b[n+1]) {
		n += readFraction(b[n:], st)
	}
	if k := n; k+2 < len(b) && (b[k] == ' ' || b[k] == 0xe2) {
		k = skipThinSpace(b, k)
		if k+1 < len(b) && b[k+1]|0x20 == 'm' && (k+2 == len(b) || !isLetter(b[k+2])) {
			switch b[k] | 0x20 {
			case 'p':
				h, n = h%12+12, k+2
			case 'a':
				h, n = h%12, k+2
			}
		}
	}
	if !st.setClock(h, m, s) {
		return 0
	}
	return n
}

// skipThinSpace returns the position after a space, also after the narrow
// no-break space that Java prints before AM from version 20 on.
func skipThinSpace(b []byte, p int) int {
	if b[p] == ' ' {
		return p + 1
	}
	if p+2 < len(b) && b[p+1] == 0x80 && b[p+2] == 0xaf {
		return p + 3
	}
	return p
}

// digits returns the number of up to limit digits that b begins with.
func digits(b []byte, limit int) (value, n int) {
	for n < len(b) && n < limit && isDigit(b[n]) {
		value = value*10 + int(b[n]-'0')
		n++
	}
	return value, n
}

func skipSpace(b []byte, p int) int {
	for p < len(b) && isSpace(b[p]) {
		p++
	}
	return p
}

// monthNamed returns the month that b begins with in English, 0 for none.
func monthNamed(b []byte) int {
	if len(b) < 4 || isLetter(b[3]) {
		return 0
	}
	const names = "janfebmaraprmayjunjulaugsepoctnovdec"
	word := [3]byte{b[0] | 0x20, b[1] | 0x20, b[2] | 0x20}
	for i := 0; i < len(names); i += 3 {
		if names[i:i+3] == string(word[:]) {
			return i/3 + 1
		}
	}
	return 0
}

func isWeekday(b []byte) bool {
	if len(b) < 4 || isLetter(b[3]) {
		return false
	}
	switch string(b[:3]) {
	case "Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun":
		return true
	}
	return false
}
