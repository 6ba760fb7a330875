package incident

import (
	"strings"
	"unicode/utf8"
)

// A line of a log seldom holds a credential, and the expressions that look for
// one are slow. What follows tells cheaply that an expression of redact.go
// cannot match: each of its matches holds one of these texts.
var (
	secretHints = []string{"passw", "passphrase", "pwd", "secret", "token", "key", "credential", "authorization", "cookie", "session"}
	schemeHints = []string{"bearer", "basic"}
	tokenHints  = []string{"eyJ", "AKIA", "ASIA", "gho_", "ghp_", "ghs_", "ghr_", "ghu_", "xox"}
)

// containsAny reports whether s contains one of the hints.
func containsAny(s string, hints []string) bool {
	for _, h := range hints {
		if strings.Contains(s, h) {
			return true
		}
	}
	return false
}

// folded returns s for a comparison without regard to case, and whether it can
// be compared so: a few letters beyond ASCII fold to an ASCII one.
func folded(s string) (lower string, ok bool) {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return "", false
		}
	}
	return strings.ToLower(s), true
}
