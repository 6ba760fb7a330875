package logparse

// String returns the level in lower case; "" for NoLevel.
func (l Level) String() string {
	switch l {
	case Trace:
		return "trace"
	case Debug:
		return "debug"
	case Info:
		return "info"
	case Warn:
		return "warn"
	case Error:
		return "error"
	case Fatal:
		return "fatal"
	}
	return ""
}

// levelWord returns the level that b begins with and the length of its word; 0
// if b does not begin with a word for a level.
func levelWord(b []byte) (Level, int) {
	if len(b) > 4 && !isLetter(b[4]) {
		switch string(b[:4]) { // by far the most frequent
		case "INFO":
			return Info, 4
		case "WARN":
			return Warn, 4
		}
	}
	n := 0
	for n < len(b) && n < 14 && isLetter(b[n]) {
		n++
	}
	l, ok := levelNamed(b[:n])
	if !ok || n < 3 {
		return NoLevel, 0
	}
	if n < len(b) && '0' <= b[n] && b[n] <= '9' && l == Debug {
		n++ // DEBUG1 to DEBUG5 of PostgreSQL
	}
	if n < len(b) && (isDigit(b[n]) || isLetter(b[n]) || b[n] == '_') {
		return NoLevel, 0
	}
	return l, n
}

// levelNamed returns the level of a word, in any case.
func levelNamed(word []byte) (Level, bool) {
	switch string(word) { // by far the most frequent
	case "INFO", "info":
		return Info, true
	case "WARN", "warn":
		return Warn, true
	}
	var buf [16]byte
	if len(word) > len(buf) {
		return NoLevel, false
	}
	for i, c := range word {
		if 'a' <= c && c <= 'z' {
			c -= 'a' - 'A'
		}
		buf[i] = c
	}
	switch string(buf[:len(word)]) {
	case "INFO", "INFORMATION", "INFORMATIONAL", "INF", "NOTICE", "CONFIG", "LOG", "NOTE", "SYSTEM", "I":
		return Info, true
	case "WARN", "WARNING", "WRN", "W":
		return Warn, true
	case "ERROR", "ERR", "SEVERE", "E":
		return Error, true
	case "DEBUG", "FINE", "DBG", "D":
		return Debug, true
	case "TRACE", "FINER", "FINEST", "TRC", "VERBOSE", "VRB":
		return Trace, true
	case "FATAL", "CRITICAL", "CRIT", "ALERT", "EMERG", "EMERGENCY", "PANIC", "DPANIC", "FTL", "F":
		return Fatal, true
	}
	return NoLevel, false
}

// levelOf returns the level of a field of a structured log, which may carry
// digits (DEBUG5) or be one of the numbers of pino and bunyan (10 to 60).
func levelOf(value []byte) Level {
	if n := len(value); n == 2 && value[1] == '0' && '1' <= value[0] && value[0] <= '6' {
		return Level(value[0] - '0')
	}
	for len(value) > 0 && isDigit(value[len(value)-1]) {
		value = value[:len(value)-1]
	}
	l, _ := levelNamed(value)
	return l
}

// syslogLevel returns the level of a syslog severity, 0 (emergency) to 7 (debug).
func syslogLevel(severity int) Level {
	switch {
	case severity < 0 || severity > 7:
		return NoLevel
	case severity <= 2:
		return Fatal
	case severity == 3:
		return Error
	case severity == 4:
		return Warn
	case severity <= 6:
		return Info
	}
	return Debug
}

func isDigit(c byte) bool  { return c-'0' <= 9 }
func isLetter(c byte) bool { return (c|0x20)-'a' <= 25 }
func isUpper(c byte) bool  { return c-'A' <= 25 }
func isSpace(c byte) bool  { return c == ' ' || c == '\t' }
