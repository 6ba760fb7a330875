package logparse

import "bytes"

// maxMapEntries bounds the entries that are read from one map.
const maxMapEntries = 256

// takeMap takes a map as Java prints one, {A=12, B=3}, also with angle or
// square brackets. Brackets may nest. It returns -1 where b does not start with
// a map or the map does not end.
func takeMap(b []byte) int {
	if len(b) == 0 {
		return -1
	}
	closing := closingBracket(b[0])
	if closing == 0 {
		return -1
	}
	depth := 0
	for i, c := range b {
		switch c {
		case b[0]:
			depth++
		case closing:
			depth--
			if depth == 0 {
				return i + 1
			}
		case '\n':
			return -1
		}
	}
	return -1
}

func closingBracket(open byte) byte {
	switch open {
	case '{':
		return '}'
	case '<':
		return '>'
	case '[':
		return ']'
	}
	return 0
}

// eachEntry calls yield for every key=number of a map that takeMap took.
// Entries without a number are left out.
func eachEntry(b []byte, yield func(key []byte, value float64)) {
	if len(b) < 2 {
		return
	}
	rest := b[1 : len(b)-1]
	for range maxMapEntries {
		entry, after, more := bytes.Cut(rest, []byte(","))
		key, value, ok := bytes.Cut(entry, []byte("="))
		key = bytes.TrimSpace(key)
		if v, isNumber := floatValue(bytes.TrimSpace(value)); ok && isNumber && len(key) > 0 {
			yield(key, v)
		}
		if !more {
			return
		}
		rest = after
	}
}
