package incident

import (
	"bytes"
	"strconv"
	"strings"
)

// rewriteSample calls change for each label value of one line of an exposition
// and returns the line with the values it gave; names and numbers stay. ok is
// false when the line is not a sample: it is then text.
func rewriteSample(line []byte, change func(name, value string) string) (out []byte, ok bool) {
	if !startsSample(line) {
		return nil, false
	}
	out = make([]byte, 0, len(line)+16)
	name := ""
	for i := 0; i < len(line); {
		if line[i] != '"' {
			out = append(out, line[i])
			i++
			continue
		}
		raw, after, closed := cutQuoted(line[i:])
		if !closed {
			return nil, false
		}
		i += after
		value := unescapeValue(raw)
		if isValue(out) {
			name = labelName(out)
			value = change(name, value)
		}
		out = appendQuoted(out, raw, value)
	}
	return out, endsSample(line)
}

// startsSample reports whether the line begins with a metric name or with a
// brace and a quoted one.
func startsSample(line []byte) bool {
	if len(line) == 0 {
		return false
	}
	c := line[0]
	return c == '{' && bytes.HasPrefix(bytes.TrimLeft(line[1:], " \t"), []byte(`"`)) || c == '_' || c == ':' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

// endsSample reports whether what follows the labels is made of numbers, or of
// an exemplar.
func endsSample(line []byte) bool {
	rest := line
	if i := bytes.IndexByte(line, '{'); i >= 0 {
		end := labelsEnd(line[i:])
		if end < 0 {
			return false
		}
		rest = line[i+end:]
	} else if i := bytes.IndexAny(line, " \t"); i >= 0 {
		rest = line[i:]
	} else {
		return false
	}
	rest, _, _ = bytes.Cut(rest, []byte("#"))
	words := bytes.Fields(rest)
	if len(words) == 0 || len(words) > 2 {
		return false
	}
	for _, w := range words {
		if _, err := strconv.ParseFloat(string(w), 64); err != nil {
			return false
		}
	}
	return true
}

// labelsEnd is the index behind the brace that closes the labels at the start
// of b, or -1.
func labelsEnd(b []byte) int {
	for i := 0; i < len(b); i++ {
		switch b[i] {
		case '"':
			_, after, closed := cutQuoted(b[i:])
			if !closed {
				return -1
			}
			i += after - 1
		case '}':
			return i + 1
		}
	}
	return -1
}

// cutQuoted returns what stands between the quote at b[0] and the next quote
// that is not escaped, and the index behind it.
func cutQuoted(b []byte) (raw []byte, after int, closed bool) {
	for i := 1; i < len(b); i++ {
		switch b[i] {
		case '\\':
			i++
		case '"':
			return b[1:i], i + 1, true
		}
	}
	return nil, len(b), false
}

// isValue reports whether a quote behind before opens a label value.
func isValue(before []byte) bool {
	return bytes.HasSuffix(bytes.TrimRight(before, " \t"), []byte("="))
}

// labelName is the label name that stands before the last equals sign.
func labelName(before []byte) string {
	s := bytes.TrimRight(bytes.TrimSuffix(bytes.TrimRight(before, " \t"), []byte("=")), " \t")
	if i := bytes.LastIndexAny(s, "{, \t"); i >= 0 {
		s = s[i+1:]
	}
	return strings.Trim(string(s), `"`)
}

var (
	valueUnescaper = strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\"`, `"`)
	valueEscaper   = strings.NewReplacer(`\`, `\\`, "\n", `\n`, `"`, `\"`)
)

func unescapeValue(raw []byte) string {
	if bytes.IndexByte(raw, '\\') < 0 {
		return string(raw)
	}
	return valueUnescaper.Replace(string(raw))
}

// appendQuoted writes value in quotes, as raw when it is what raw says.
func appendQuoted(out, raw []byte, value string) []byte {
	out = append(out, '"')
	if value == unescapeValue(raw) {
		out = append(out, raw...)
	} else {
		out = append(out, valueEscaper.Replace(value)...)
	}
	return append(out, '"')
}
