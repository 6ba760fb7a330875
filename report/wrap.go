package report

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// units stay on the line of their number.
var units = []string{"%", "s", "ms", "min", "h", "d", "B", "kB", "MB", "GB", "TB"}

// The parts of a point in time, which stay on one line.
var (
	dateEnd    = regexp.MustCompile(`\d{4}-\d\d-\d\d$`)
	clockStart = regexp.MustCompile(`^\d\d:\d\d:\d\d`)
	clockEnd   = regexp.MustCompile(`\d\d:\d\d:\d\d$`)
	zoneWord   = regexp.MustCompile(`^(UTC|[A-Z]{3,4}|[+-]\d\d)[.,;:)]?$`)
)

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

// words splits s at spaces, but not between a number and its unit nor within a
// point in time.
func words(s string) []string {
	var out []string
	for _, w := range strings.Fields(s) {
		if n := len(out); n > 0 && stayTogether(out[n-1], w) {
			out[n-1] += " " + w
			continue
		}
		out = append(out, w)
	}
	return out
}

func stayTogether(before, w string) bool {
	if isUnit(w) && endsInDigit(before) {
		return true
	}
	return dateEnd.MatchString(before) && clockStart.MatchString(w) ||
		clockEnd.MatchString(before) && zoneWord.MatchString(w)
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
