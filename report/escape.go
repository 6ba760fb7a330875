package report

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// mostMarks is how many combining marks may stand on one character: what
// languages need, and too few to write over the neighbouring lines.
const mostMarks = 2

// Escape makes s fit to stand on one line of a terminal: control characters,
// line breaks, changes of writing direction, invisible characters and invalid
// UTF-8 become visible escapes as Go writes them (\n, \x1b, \u202e, \xff), other
// spaces a plain one. Escaping twice changes nothing.
func Escape(s string) string {
	if isPlain(s) {
		return s
	}
	var b strings.Builder
	marks := mostMarks // a mark at the start has nothing to stand on
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Me, r) {
			marks++
		} else {
			marks = 0
		}
		writeEscaped(&b, r, s[i:i+size], marks > mostMarks)
		i += size
	}
	return b.String()
}

// isPlain reports whether s is printable ASCII, as nearly all names are.
func isPlain(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

func writeEscaped(b *strings.Builder, r rune, raw string, tooMany bool) {
	switch {
	case r == utf8.RuneError && len(raw) == 1:
		fmt.Fprintf(b, `\x%02x`, raw[0])
	case r == '\n':
		b.WriteString(`\n`)
	case r == '\t':
		b.WriteString(`\t`)
	case r == '\r':
		b.WriteString(`\r`)
	case r == 0x7f || r < ' ':
		fmt.Fprintf(b, `\x%02x`, r)
	case unicode.Is(unicode.Zs, r):
		b.WriteByte(' ')
	case unicode.Is(unicode.Variation_Selector, r):
		// Chooses between two looks of a character, with different widths.
	case tooMany || !unicode.IsPrint(r):
		b.WriteString(runeEscape(r))
	default:
		b.WriteString(raw)
	}
}

func runeEscape(r rune) string {
	if r > 0xffff {
		return fmt.Sprintf(`\U%08x`, r)
	}
	return fmt.Sprintf(`\u%04x`, r)
}

// asciiForms are what stands for the characters that our own texts use.
var asciiForms = strings.NewReplacer(
	"■", "#", "▲", "!", "▒", "~", "└", `\`, "◄", "<", "·", ".",
	"↑", "^", "↓", "v", "→", "->", "…", "..", "×", "x", "±", "+/-",
	"≤", "<=", "≥", ">=", "÷", "/", "µ", "u", "–", "-", "—", "-",
	"‘", "'", "’", "'", "“", `"`, "”", `"`,
)

// toASCII writes our own characters in their ASCII form and escapes all others.
// s must have been escaped.
func toASCII(s string) string {
	if isPlain(s) {
		return s
	}
	var b strings.Builder
	for _, r := range asciiForms.Replace(s) {
		if r > '~' {
			b.WriteString(runeEscape(r))
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}
