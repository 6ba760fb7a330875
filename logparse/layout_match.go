package logparse

import "bytes"

// findReach is how far into a line a level word is looked for when its place
// is not known.
const findReach = 160

// decode reads the header of a line. Stamps are read through r.
func (l *layout) decode(line []byte, h *header, r *stampReader) bool {
	return decodeSteps(l.steps, line, h, r)
}

// decodeHead reads the time and the level of a line, and says no to a line that
// has no date or does not go that far. A line that it accepts begins a record,
// whatever follows: the loosest formats ask for no more.
func (l *layout) decodeHead(line []byte, h *header, r *stampReader) bool {
	if !l.plain {
		return decodeSteps(l.steps[:l.head], line, h, r) && (h.stamp.has&hasYear != 0 || l.head == len(l.steps))
	}
	p := r.read(line, &h.stamp)
	if p == 0 || p >= len(line) || h.stamp.has&hasYear == 0 || !isSpace(line[p]) {
		return false
	}
	for p < len(line) && isSpace(line[p]) {
		p++
	}
	var n int
	h.level, n = levelWord(line[p:])
	return n > 0
}

func decodeSteps(steps []step, line []byte, h *header, r *stampReader) bool {
	p := 0
	for i := range steps {
		s := &steps[i]
		n := 0
		switch s.op {
		case opLit:
			n = len(s.lit)
			if len(line)-p < n || string(line[p:p+n]) != s.lit {
				return false
			}
		case opSpace:
			for p+n < len(line) && isSpace(line[p+n]) {
				n++
			}
			if n == 0 {
				return false
			}
		case opPad:
			for p+n < len(line) && isSpace(line[p+n]) {
				n++
			}
		case opTime:
			if n = r.read(line[p:], &h.stamp); n == 0 {
				return false
			}
		case opLevel:
			if n = matchLevel(line[p:], h); n == 0 {
				return false
			}
		case opWord, opWordTo, opUntil:
			if n = s.text(line, p, h); n == 0 {
				return false
			}
		case opMessage:
			h.message = span{p, len(line)}
			h.keepFailure(line)
		case opText:
			if p < len(line) && line[p] == ' ' {
				p++
			}
			h.message = span{p, len(line)}
			h.keepFailure(line)
		default:
			if n = s.special(line, p, h, r); n < 0 {
				return false
			}
		}
		p += n
	}
	return true
}

func matchLevel(b []byte, h *header) int {
	p := 0
	for p < len(b) && b[p] == ' ' {
		p++
	}
	var n int
	h.level, n = levelWord(b[p:])
	if n == 0 {
		return 0
	}
	return p + n
}

// text matches a field of free text and returns its length with the literal
// that ends it, 0 if it is not there.
func (s *step) text(line []byte, p int, h *header) int {
	b := line[p:]
	var end, n int
	switch s.op {
	case opWord:
		for end < len(b) && b[end] != ' ' && b[end] != '\t' {
			end++
		}
		n = end
	default:
		end = s.find(b)
		n = end + len(s.lit)
		if end < 0 || s.op == opWordTo && (end == 0 || bytes.IndexByte(bytes.TrimRight(b[:end], " "), ' ') >= 0) {
			return 0
		}
	}
	if s.to == toLogger && n > 0 && (b[0] == '[' || b[0] == '(') {
		return 0 // another field in brackets, which this layout does not have
	}
	if s.to != toNothing && (end != 1 || b[0] != '-') { // - is none
		h.set(s.to, trimSpan(line, p, p+end))
	}
	return n
}

// find returns the position of the literal in b.
func (s *step) find(b []byte) int {
	if len(s.lit) == 1 {
		return bytes.IndexByte(b, s.lit[0])
	}
	for from := s.rare; from < len(b); {
		i := bytes.IndexByte(b[from:], s.lit[s.rare])
		if i < 0 {
			return -1
		}
		at := from + i - s.rare
		if at+len(s.lit) <= len(b) && string(b[at:at+len(s.lit)]) == s.lit {
			return at
		}
		from += i + 1
	}
	return -1
}

func (h *header) set(to field, s span) {
	switch to {
	case toLogger:
		h.logger = s
	case toThread:
		h.thread = s
	case toSource:
		h.source = s
	}
}

// keepFailure gives the message back what a layout took for the logger in front
// of it: "java.io.IOException: Too many open files", "ORA-00018: maximum ...".
func (h *header) keepFailure(line []byte) {
	if h.logger.lo == h.logger.hi || h.logger.hi > h.message.lo {
		return
	}
	between := bytes.TrimSpace(line[h.logger.hi:h.message.lo])
	if len(between) == 1 && between[0] == ':' && namesFailure(h.logger.of(line)) {
		h.message.lo, h.logger = h.logger.lo, span{}
	}
}

func trimSpan(line []byte, lo, hi int) span {
	for lo < hi && isSpace(line[lo]) {
		lo++
	}
	for lo < hi && isSpace(line[hi-1]) {
		hi--
	}
	return span{lo, hi}
}

// special matches the rarer steps; it returns -1 when they do not match.
func (s *step) special(line []byte, p int, h *header, r *stampReader) int {
	b := line[p:]
	switch s.op {
	case opForm:
		n := r.read(b, &h.stamp)
		if n == 0 || !s.form.holds(b, &h.stamp) {
			return -1
		}
		return n
	case opEnd:
		if len(b) > 0 {
			return -1
		}
		return 0
	case opEpoch:
		_, n := digits(b, 19)
		if !readEpoch(b[:n], &h.stamp) {
			return -1
		}
		return n
	case opKlog:
		return matchKlog(b, h)
	case opFindLevel:
		return findLevel(b, h)
	case opPgLevel:
		return matchPgLevel(b, h)
	case opInt:
		_, n := digits(b, 19)
		return positive(n)
	case opStatus:
		return matchStatus(b, h)
	case opPri:
		return matchPri(b, h)
	case opData:
		return matchData(b)
	case opTail:
		return matchTail(line, h)
	case opStream:
		return matchStream(b, p, h)
	case opFlag:
		return matchFlag(b, h)
	case opMark:
		return matchMark(b, h)
	}
	return -1
}

func positive(n int) int {
	if n == 0 {
		return -1
	}
	return n
}
