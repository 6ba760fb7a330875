package tui

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// mostMarks is how many combining marks may stand on one character: what
// languages need, and too few to write over the neighbouring rows.
const mostMarks = 2

// clean makes s fit to stand in a row: line breaks and tabs become spaces;
// control characters, invisible ones, changes of writing direction and invalid
// UTF-8 are dropped.
func clean(s string) string {
	if _, ok := narrow(s); ok {
		return s
	}
	var b strings.Builder
	marks := mostMarks // a mark at the start has nothing to stand on
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		raw := s[i : i+size]
		i += size
		switch {
		case r == utf8.RuneError && size == 1:
			continue
		case r == '\n' || r == '\t' || r == '\r' || unicode.Is(unicode.Zs, r):
			b.WriteByte(' ')
		case unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Me, r):
			if marks++; marks <= mostMarks && !unicode.Is(unicode.Variation_Selector, r) {
				b.WriteString(raw)
			}
			continue
		case unicode.IsPrint(r):
			b.WriteString(raw)
		default:
			continue
		}
		marks = 0
	}
	return b.String()
}

// isPlain tells whether s is printable ASCII, as nearly all text is.
func isPlain(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// asciiForms stand for the characters that our own texts use.
var asciiForms = strings.NewReplacer(
	"■", "#", "▲", "!", "▒", "~", "└", `\`, "◄", "<", "·", ".", "►", ">",
	"↑", "^", "↓", "v", "→", "->", "←", "<-", "…", "..", "×", "x", "±", "+/-",
	"─", "-", "│", "|", "┬", "+", "├", "+", "┤", "+", "┼", "+", "┴", "+", "┊", ":", "┃", ":",
	"┌", "+", "┐", "+", "┘", "+", "●", "o", "≤", "<=", "≥", ">=", "÷", "/", "µ", "u", "–", "-",
	"’", "'", "“", `"`, "”", `"`,
)

// toASCII writes our own characters in their ASCII form and all others as "?".
// s must be clean.
func toASCII(s string) string {
	if isPlain(s) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if r > '~' {
			return '?'
		}
		return r
	}, asciiForms.Replace(s))
}

// width is the number of columns that s, which must be clean, takes.
func width(s string) int {
	if w, ok := narrow(s); ok {
		return w
	}
	return ansi.StringWidth(s)
}

// narrow counts the columns of a text that holds nothing but characters that
// take one column each and do no harm: Latin letters and what our own texts,
// rules, bars and charts are made of. That is nearly all text, and counting it
// like this is ten times faster than looking every character up.
func narrow(s string) (columns int, ok bool) {
	for _, r := range s {
		switch {
		case r >= ' ' && r <= '~':
		case r >= 0xa1 && r <= 0x2ff && r != 0xad:
		case r >= 0x2010 && r <= 0x2027: // dashes, quotation marks, dots
		case r >= 0x2190 && r <= 0x22ff: // arrows, signs
		case r >= 0x2500 && r <= 0x25cf: // rules, blocks, shapes
		case r >= 0x2800 && r <= 0x28ff: // braille
		default:
			return 0, false
		}
		columns++
	}
	return columns, true
}

// cutEnd shortens a clean text to at most w columns; its end is lost.
func cutEnd(s string, w int, ellipsis string) string {
	if width(s) <= w {
		return s
	}
	if w < width(ellipsis) {
		return ansi.Truncate(s, max(0, w), "")
	}
	return ansi.Truncate(s, w, ellipsis)
}

// cutMiddle shortens a clean name to at most w columns; its middle is lost,
// because what tells names apart is at either end.
func cutMiddle(s string, w int, ellipsis string) string {
	total := width(s)
	if total <= w {
		return s
	}
	room := w - width(ellipsis)
	if room < 2 {
		return cutEnd(s, w, "")
	}
	left := ansi.Truncate(s, room/2, "")
	right := ansi.TruncateLeft(s, total-(room-width(left)), "")
	for width(left)+width(right) > room { // a wide character stood at the cut
		cluster, _ := ansi.FirstGraphemeCluster(right, ansi.GraphemeWidth)
		right = right[len(cluster):]
	}
	return left + ellipsis + right
}

// units stay on the line of their number.
var units = map[string]bool{"%": true, "s": true, "ms": true, "min": true, "h": true, "d": true, "B": true, "kB": true, "MB": true, "GB": true}

// wrap breaks a text into lines of at most w columns, at spaces, with numbers
// beside their units. Words wider than a line are broken.
func wrap(s string, w int) []string {
	w = max(1, w)
	var lines []string
	line := ""
	for _, word := range words(s) {
		switch {
		case line == "":
			line = word
		case width(line)+1+width(word) <= w:
			line += " " + word
		default:
			lines, line = append(lines, line), word
		}
		for width(line) > w {
			part := ansi.Truncate(line, w, "")
			if part == "" {
				break
			}
			lines, line = append(lines, part), strings.TrimLeft(line[len(part):], " ")
		}
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

func words(s string) []string {
	var out []string
	for _, w := range strings.Fields(clean(s)) {
		n := len(out)
		if n > 0 && units[strings.TrimRight(w, ".,;:)")] && endsInDigit(out[n-1]) {
			out[n-1] += " " + w
			continue
		}
		out = append(out, w)
	}
	return out
}

func endsInDigit(s string) bool { return s != "" && s[len(s)-1] >= '0' && s[len(s)-1] <= '9' }

func joinNonEmpty(sep string, list ...string) string {
	var out []string
	for _, s := range list {
		if s != "" {
			out = append(out, s)
		}
	}
	return strings.Join(out, sep)
}
