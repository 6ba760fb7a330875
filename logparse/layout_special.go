package logparse

import "bytes"

// matchKlog matches the head of a klog line, I0507 11:59:44.523502, which has a
// level, a month and a day.
func matchKlog(b []byte, h *header) int {
	if len(b) < 14 || b[5] != ' ' {
		return -1
	}
	switch b[0] {
	case 'I':
		h.level = Info
	case 'W':
		h.level = Warn
	case 'E':
		h.level = Error
	case 'F':
		h.level = Fatal
	}
	h.stamp = stamp{}
	if !h.stamp.setDate(0, two(b[1:]), two(b[3:])) || !h.stamp.addClock(b[6:]) {
		return -1
	}
	return 14 + readTail(b[14:], &h.stamp)
}

// findLevel passes over text up to a level word and over the word. The word
// stands alone in capitals, or in brackets.
func findLevel(b []byte, h *header) int {
	reach := b[:min(len(b), findReach)]
	for p := 0; p < len(reach); p++ {
		if !isLetter(reach[p]) {
			continue
		}
		end := p
		for end < len(b) && (isLetter(b[end]) || isDigit(b[end]) || b[end] == '_') {
			end++
		}
		if l, ok := standingLevel(b, p, end); ok {
			h.level = l
			return end
		}
		p = end
	}
	return -1
}

// standingLevel says whether the word b[p:end] states a level by its look.
func standingLevel(b []byte, p, end int) (Level, bool) {
	l, n := levelWord(b[p:])
	if n == 0 || n != end-p {
		return NoLevel, false
	}
	if p > 0 && bytes.IndexByte([]byte("-.=/\\"), b[p-1]) >= 0 {
		return NoLevel, false
	}
	if p > 0 && b[p-1] == '[' && end < len(b) && (b[end] == ']' || b[end] == ' ') {
		return l, true
	}
	word := string(b[p:end])
	switch word {
	case "TRACE", "DEBUG", "INFO", "WARN", "WARNING", "ERROR", "FATAL", "CRITICAL", "SEVERE", "NOTICE":
		return l, end == len(b) || isSpace(b[end]) || b[end] == ':' || b[end] == ']' || b[end] == '|' || b[end] == ')'
	}
	return NoLevel, false
}

// matchPgLevel matches a severity of PostgreSQL. DETAIL and its like belong to
// the line before and state none.
func matchPgLevel(b []byte, h *header) int {
	if l, n := levelWord(b); n > 0 {
		h.level = l
		return n
	}
	for _, w := range []string{"DETAIL", "HINT", "STATEMENT", "CONTEXT", "QUERY", "LOCATION"} {
		if len(b) >= len(w) && string(b[:len(w)]) == w {
			return len(w)
		}
	}
	return -1
}

// matchStatus matches the three digits of an HTTP status, and the 0 that Envoy
// writes when there was no answer.
func matchStatus(b []byte, h *header) int {
	v, n := digits(b, 4)
	if n == 3 && v >= 100 && v <= 599 || n == 1 && v == 0 {
		h.status = v
		return n
	}
	return -1
}

// matchPri matches the number of a syslog priority, 0 to 191.
func matchPri(b []byte, h *header) int {
	v, n := digits(b, 3)
	if n == 0 || v > 191 {
		return -1
	}
	h.level = syslogLevel(v & 7)
	return n
}

// matchData matches the structured data of RFC 5424, - or elements in brackets,
// with the space and the byte order mark before the message.
func matchData(b []byte) int {
	n := matchElements(b)
	if n > 0 && n < len(b) && b[n] == ' ' {
		n++
	}
	if n > 0 && bytes.HasPrefix(b[n:], []byte("\xef\xbb\xbf")) {
		n += 3
	}
	return n
}

func matchElements(b []byte) int {
	if len(b) > 0 && b[0] == '-' {
		return 1
	}
	p := 0
	for p < len(b) && b[p] == '[' {
		n := elementEnd(b[p:])
		if n == 0 {
			return -1
		}
		p += n
	}
	return positive(p)
}

// elementEnd returns the length of one element, whose quoted values may hold
// escaped quotes and brackets.
func elementEnd(b []byte) int {
	quoted := false
	for p := 1; p < len(b); p++ {
		switch b[p] {
		case '\\':
			p++
		case '"':
			quoted = !quoted
		case ']':
			if !quoted {
				return p + 1
			}
		}
	}
	return 0
}

// matchTail takes the logger from the parentheses at the end of the message, as
// Kafka writes it. It always matches.
func matchTail(line []byte, h *header) int {
	m := h.message.of(line)
	if len(m) == 0 || m[len(m)-1] != ')' {
		return 0
	}
	open := bytes.LastIndexByte(m, '(')
	if open < 1 || m[open-1] != ' ' || bytes.IndexByte(m[open:], ' ') >= 0 {
		return 0
	}
	lo := h.message.lo
	h.logger = span{lo + open + 1, h.message.hi - 1}
	h.message.hi = lo + open - 1
	return 0
}

// matchStream matches the name of an output stream, which becomes the source.
func matchStream(b []byte, p int, h *header) int {
	if len(b) > 6 && (string(b[:6]) == "stdout" || string(b[:6]) == "stderr") {
		h.source = span{p, p + 6}
		return 6
	}
	return -1
}

// matchFlag matches the tag of a CRI line, F or P, perhaps with more tags
// after a colon, and the one space before the content.
func matchFlag(b []byte, h *header) int {
	if len(b) == 0 || b[0] != 'F' && b[0] != 'P' {
		return -1
	}
	h.partial = b[0] == 'P'
	end := bytes.IndexByte(b, ' ')
	switch {
	case end < 0 && len(b) == 1:
		return 1
	case end == 1 || end > 1 && b[1] == ':':
		return end + 1
	}
	return -1
}

// matchMark matches the mark of a Redis line.
func matchMark(b []byte, h *header) int {
	if len(b) < 2 || b[1] != ' ' {
		return -1
	}
	switch b[0] {
	case '.':
		h.level = Debug
	case '-', '*':
		h.level = Info
	case '#':
		h.level = Warn
	default:
		return -1
	}
	return 1
}
