package rules

import (
	"strings"
	"unicode"
)

// LowerFirst writes a sentence so that it can follow a colon. Names and
// abbreviations keep their capitals.
func LowerFirst(s string) string {
	word, _, _ := strings.Cut(s, " ")
	for i, r := range word {
		if (i == 0) != unicode.IsUpper(r) || !unicode.IsLetter(r) {
			return s
		}
	}
	if word == "" {
		return s
	}
	return strings.ToLower(word[:1]) + s[1:]
}

// Sentence ends s with a period unless it ends like a sentence.
func Sentence(s string) string {
	s = strings.TrimSpace(s)
	if s == "" || strings.ContainsAny(s[len(s)-1:], ".!?") {
		return s
	}
	return s + "."
}
