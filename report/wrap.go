package report

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// units stay on the line of their number.
var units = []string{"%", "s", "ms", "min", "h", "d", "B", "kB", "MB", "GB", "TB"}

// wrap breaks s, which must have been escaped, into lines of at most width
// columns. It breaks at spaces, keeps numbers with their units, and breaks
// inside a word only when the word is wider than a line. No text is no line.
func wrap(s string, width int) []string {
	var lines []string
	line := ""
	for _, word := range words(s) {
		for Width(word) > width {
			if line != "" {
				lines, line = append(lines, line), ""
			}
			part := breakable(word, width)
			lines, word = append(lines, part), strings.TrimLeft(word[len(part):], " ")
		}
		switch {
		case word == "":
		case line == "":
			line = word
		case Width(line)+1+Width(word) <= width:
			line += " " + word
		default:
			lines, line = append(lines, line), word
		}
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// breakable is the start of a word that fills a line; at least one character,
// so that a line narrower than it cannot stop the wrapping.
func breakable(word string, width int) string {
	if part := head(word, width); part != "" {
		return part
	}
	_, size := utf8.DecodeRuneInString(word)
	return word[:size]
}

// words splits s at spaces, but not between a number and its unit.
func words(s string) []string {
	var out []string
	for _, w := range strings.Fields(s) {
		if n := len(out); n > 0 && isUnit(w) && endsInDigit(out[n-1]) {
			out[n-1] += " " + w
			continue
		}
		out = append(out, w)
	}
	return out
}

func isUnit(w string) bool {
	w = strings.TrimRight(w, ".,;:)")
	for _, u := range units {
		if w == u {
			return true
		}
	}
	return false
}

func endsInDigit(w string) bool {
	r, _ := utf8.DecodeLastRuneInString(w)
	return unicode.IsDigit(r)
}
