package logparse

import (
	"bytes"
	"strconv"
	"strings"
)

// A captureKind says which text a placeholder takes and how it is read as a
// number.
type captureKind uint8

const (
	kindWord     captureKind = iota // one or more bytes up to the next literal, no white space
	kindText                        // any text up to the next literal
	kindInt                         // 12, -1, 8,192
	kindFloat                       // 12, 23.6, 23,6, 1.5e3
	kindDuration                    // 30001ms, 5 seconds, 4m36s106ms: a value in seconds
	kindMillis                      // 30000 of a unit that is not printed, milliseconds: a value in seconds
	kindBytes                       // 512, 4KiB, 16 MB: a value in bytes
	kindMap                         // {A=12, B=3} or <A=12, B=3>
)

var captureKinds = map[string]captureKind{
	"word": kindWord, "text": kindText, "int": kindInt, "float": kindFloat,
	"duration": kindDuration, "ms": kindMillis, "bytes": kindBytes, "map": kindMap,
}

// take returns how many bytes at the start of b belong to a capture that the
// literal after follows, or -1.
func (k captureKind) take(b []byte, after string) int {
	switch k {
	case kindWord:
		return takeWord(b, after)
	case kindText:
		return takeText(b, after)
	case kindInt:
		return takeInt(b)
	case kindFloat, kindMillis:
		return takeFloat(b)
	case kindDuration:
		return takeDuration(b)
	case kindBytes:
		return takeBytes(b)
	default:
		return takeMap(b)
	}
}

// value reads a captured text as a number; a map is the sum of its values.
func (k captureKind) value(b []byte) (float64, bool) {
	switch k {
	case kindInt:
		return intValue(b)
	case kindDuration:
		return durationValue(b)
	case kindMillis:
		v, ok := floatValue(b)
		return v / 1000, ok
	case kindBytes:
		return bytesValue(b)
	case kindMap:
		sum := 0.0
		eachEntry(b, func(_ []byte, v float64) { sum += v })
		return sum, true
	default:
		return floatValue(b)
	}
}

func takeText(b []byte, after string) int {
	if after == "" {
		return len(b)
	}
	return bytes.Index(b, []byte(after))
}

func takeWord(b []byte, after string) int {
	end := len(b)
	if i := bytes.IndexAny(b, " \t\r\n"); i >= 0 {
		end = i
	}
	if after == "" {
		return nonzero(end)
	}
	// The literal may itself begin with the space that ends the word.
	n := bytes.Index(b[:min(len(b), end+len(after))], []byte(after))
	if n > end {
		return -1
	}
	return nonzero(n)
}

// nonzero turns an empty capture into none.
func nonzero(n int) int {
	if n == 0 {
		return -1
	}
	return n
}

// takeInt takes digits with an optional sign, in groups of three where they
// are grouped with commas.
func takeInt(b []byte) int {
	sign := takeSign(b)
	n := sign + takeDigits(b[sign:])
	if n == sign {
		return -1
	}
	if n-sign > 3 {
		return n
	}
	for n+4 <= len(b) && b[n] == ',' && takeDigits(b[n+1:]) == 3 {
		n += 4
	}
	return n
}

func takeSign(b []byte) int {
	if len(b) > 0 && (b[0] == '-' || b[0] == '+') {
		return 1
	}
	return 0
}

func takeDigits(b []byte) int {
	n := 0
	for n < len(b) && '0' <= b[n] && b[n] <= '9' {
		n++
	}
	return n
}

// takeFloat takes a number whose decimals stand after a point or a comma.
func takeFloat(b []byte) int {
	n := takeSign(b)
	digits := takeDigits(b[n:])
	if digits == 0 {
		return -1
	}
	n += digits
	if n+1 < len(b) && (b[n] == '.' || b[n] == ',') {
		if d := takeDigits(b[n+1:]); d > 0 {
			n += 1 + d
		}
	}
	return n + takeExponent(b[n:])
}

func takeExponent(b []byte) int {
	if len(b) < 2 || (b[0] != 'e' && b[0] != 'E') {
		return 0
	}
	sign := takeSign(b[1:])
	d := takeDigits(b[1+sign:])
	if d == 0 {
		return 0
	}
	return 1 + sign + d
}

func intValue(b []byte) (float64, bool) {
	n := takeSign(b)
	v := 0.0
	for _, c := range b[n:] {
		if c == ',' {
			continue
		}
		if c < '0' || '9' < c {
			return 0, false
		}
		v = 10*v + float64(c-'0')
	}
	if n > 0 && b[0] == '-' {
		v = -v
	}
	return v, len(b) > n
}

func floatValue(b []byte) (float64, bool) {
	if digits := takeDigits(b); digits == len(b) && digits < 16 {
		return intValue(b)
	}
	v, err := strconv.ParseFloat(strings.Replace(string(b), ",", ".", 1), 64)
	return v, err == nil
}
