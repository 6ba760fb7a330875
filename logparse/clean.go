package logparse

import "bytes"

const esc = 0x1b

// clean returns a line without what no format expects: escape sequences for
// colours, a byte order mark, zero bytes that a truncated file begins with, and
// the carriage return at its end. It returns the line itself when there is
// nothing to take out; else the text is built in buf.
func clean(buf, line []byte) []byte {
	for len(line) > 0 && line[0] == 0 {
		line = line[1:]
	}
	line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
	line = trimCR(line)
	i := bytes.IndexByte(line, esc)
	if i < 0 {
		return line
	}
	buf = append(buf[:0], line[:i]...)
	for i < len(line) {
		if line[i] != esc {
			n := bytes.IndexByte(line[i:], esc)
			if n < 0 {
				n = len(line) - i
			}
			buf = append(buf, line[i:i+n]...)
			i += n
			continue
		}
		i += sequenceLen(line[i:])
	}
	return buf
}

func trimCR(line []byte) []byte {
	if n := len(line); n > 0 && line[n-1] == '\r' {
		return line[:n-1]
	}
	return line
}

// sequenceLen returns the length of the escape sequence that b begins with: CSI
// and OSC sequences, and those of two bytes.
func sequenceLen(b []byte) int {
	if len(b) < 2 {
		return len(b)
	}
	switch b[1] {
	case '[':
		for i := 2; i < len(b); i++ {
			if b[i] >= 0x40 && b[i] <= 0x7e {
				return i + 1
			}
		}
		return len(b)
	case ']':
		for i := 2; i < len(b); i++ {
			if b[i] == 7 {
				return i + 1
			}
			if b[i] == esc && i+1 < len(b) && b[i+1] == '\\' {
				return i + 2
			}
		}
		return len(b)
	}
	return 2
}
