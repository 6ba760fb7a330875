package logparse

import "unicode/utf8"

// unescape appends the text of the inside of a JSON string to buf. An escape
// that is none is kept as it stands.
func unescape(buf, s []byte) []byte {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c != '\\' || i+1 == len(s) {
			buf = append(buf, c)
			continue
		}
		i++
		switch s[i] {
		case 'n':
			buf = append(buf, '\n')
		case 't':
			buf = append(buf, '\t')
		case 'r':
			buf = append(buf, '\r')
		case 'b':
			buf = append(buf, '\b')
		case 'f':
			buf = append(buf, '\f')
		case '"', '\\', '/':
			buf = append(buf, s[i])
		case 'u':
			r, n := unicodeEscape(s[i+1:])
			if n == 0 {
				buf = append(buf, '\\', 'u')
				continue
			}
			buf = utf8.AppendRune(buf, r)
			i += n
		default:
			buf = append(buf, '\\', s[i])
		}
	}
	return buf
}

// unicodeEscape reads the digits after \u, and a second escape when the first
// one is half of a surrogate pair; n is the number of bytes read.
func unicodeEscape(s []byte) (r rune, n int) {
	if len(s) < 4 {
		return 0, 0
	}
	v, ok := hex(s[:4])
	if !ok {
		return 0, 0
	}
	if v < 0xd800 || v > 0xdbff || len(s) < 10 || s[4] != '\\' || s[5] != 'u' {
		return rune(v), 4
	}
	low, ok := hex(s[6:10])
	if !ok || low < 0xdc00 || low > 0xdfff {
		return rune(v), 4
	}
	return rune(0x10000 + (v-0xd800)<<10 + (low - 0xdc00)), 10
}
