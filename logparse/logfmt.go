package logparse

import "bytes"

// logfmtDecoder reads pairs such as
//
//	time="2026-03-02T10:15:31Z" level=info msg="started" port=8080
//
// A line is one when it begins with a pair and has a time, or a level and a
// message.
type logfmtDecoder struct{}

func (logfmtDecoder) decode(line []byte, h *header, r *stampReader) bool {
	w := jsonWalk{b: line, h: h, r: r}
	p, pairs := 0, 0
	for p < len(line) {
		n := keyEnd(line[p:])
		if n == 0 {
			if pairs == 0 {
				return false
			}
			p = nextWord(line, p)
			continue
		}
		key := line[p : p+n]
		lo, hi, next := pairValue(line, p+n+1)
		kind, rank := classifyPair(key)
		w.keep(kind, rank, lo, hi, true)
		p = skipSpace(line, next)
		pairs++
	}
	if pairs < 2 || h.stamp.has == 0 && (h.level == NoLevel || h.message == span{}) {
		return false
	}
	if (h.message == span{}) {
		h.message = span{0, len(line)}
	}
	return w.told || h.stamp.has != 0
}

// classifyPair is classifyKey without the names that are too short to be sure.
func classifyPair(key []byte) (keyKind, uint8) {
	switch string(key) {
	case "t":
		return keyTime, 2
	case "s", "c", "name", "event", "ctx", "body", "stack", "exception":
		return keyOther, 0
	case "caller", "component":
		return keyLogger, 1
	}
	return classifyTop(key)
}

// keyEnd returns the length of the key that b begins with, before its =.
func keyEnd(b []byte) int {
	for i, c := range b {
		switch {
		case c == '=':
			return i
		case isLetter(c) || c == '_' || c == '.' || c == '@' || c == '-' || (i > 0 && isDigit(c)):
		default:
			return 0
		}
		if i > 64 {
			return 0
		}
	}
	return 0
}

// pairValue returns the value at p, without its quotes, and where it ends.
func pairValue(line []byte, p int) (lo, hi, next int) {
	if p < len(line) && line[p] == '"' {
		end := stringEnd(line, p+1)
		if end < 0 {
			return p + 1, len(line), len(line)
		}
		return p + 1, end, end + 1
	}
	end := nextWord(line, p)
	hi = end
	for hi > p && isSpace(line[hi-1]) {
		hi--
	}
	return p, hi, end
}

// nextWord returns the position after the word at p and the spaces behind it.
func nextWord(line []byte, p int) int {
	i := bytes.IndexByte(line[p:], ' ')
	if i < 0 {
		return len(line)
	}
	return skipSpace(line, p+i)
}
