package scrape

import "strconv"

// A number is what follows a series on a line.
type number struct {
	value  float64
	time   int64
	timed  bool
	length int // bytes read, with the newline
}

// readNumber reads the end of a line of the text format: a value, perhaps a
// time in milliseconds, and the newline. rest ends with a newline. ok is false
// where it stands in no plain form: Prometheus' parser has to judge it.
func readNumber(rest []byte) (n number, ok bool) {
	at := skipBlanks(rest, 0)
	end := at
	for ; rest[end] > ' ' && rest[end] != '{'; end++ {
		if c := rest[end]; c == '_' || c|0x20 == 'p' || c >= 0x80 {
			return number{}, false // Go's own forms of numbers
		}
	}
	if n.value, ok = parseValue(rest[at:end]); !ok {
		return number{}, false
	}
	at = skipBlanks(rest, end)
	if rest[at] >= '0' && rest[at] <= '9' {
		if n.time, at, n.timed = readTime(rest, at); !n.timed {
			return number{}, false
		}
	}
	n.length = at + 1
	return n, rest[at] == '\n'
}

// parseValue reads a value; most are small whole numbers.
func parseValue(text []byte) (v float64, ok bool) {
	const exact = 15 // digits that a float64 holds without loss
	if len(text) > 0 && len(text) <= exact {
		whole := 0
		for _, c := range text {
			if c < '0' || c > '9' {
				whole = -1
				break
			}
			whole = whole*10 + int(c-'0')
		}
		if whole >= 0 {
			return float64(whole), true
		}
	}
	v, err := strconv.ParseFloat(string(text), 64)
	return canonical(v), err == nil
}

// readTime reads digits up to the end of the line, which it returns the place of.
func readTime(rest []byte, at int) (ms int64, end int, ok bool) {
	const digits = 18 // any such number is an int64
	for end = at; rest[end] >= '0' && rest[end] <= '9'; end++ {
		ms = ms*10 + int64(rest[end]-'0')
	}
	return ms, skipBlanks(rest, end), end-at <= digits
}

// skipBlanks returns the place of the first byte from at on that is no blank or
// tab. Text that ends with a newline always has one.
func skipBlanks(text []byte, at int) int {
	for text[at] == ' ' || text[at] == '\t' {
		at++
	}
	return at
}
