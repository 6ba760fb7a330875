package incident

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestHintsMissNothing holds that wherever an expression that finds a credential
// matches, the cheap look before it says that it may.
func TestHintsMissNothing(t *testing.T) {
	parts := []string{
		"Password", "passwd", "PWD", "pass", "passphrase", "secret", "Token", "api", "access", "private", "key", "_", ".", "-", "credentials", "credential",
		"authorization", "Set-Cookie", "cookie", "jsessionid", "session", "ſession", "toKen", "Bearer", "basic", "digest", " ", "\t", "=", ":", "\"", "'", ",",
		"eyJhbGciOiJIUzI1NiJ9", ".eyJzdWIiOiIx", ".", "AKIAABCDEFGHIJKLMNOP", "ASIA", "ghp_", "gho_ABCDEFGHIJKLMNOPQRSTU", "xoxb-", "0123456789ab", "id", "x", "é",
	}
	random := rand.New(rand.NewPCG(1, 2))
	matched := [3]int{}
	for range 200_000 {
		var b strings.Builder
		for range 2 + random.IntN(7) {
			b.WriteString(parts[random.IntN(len(parts))])
		}
		s := b.String()
		lower, plain := folded(s)
		for i, c := range []struct {
			matches, hinted bool
		}{
			{knownToken().MatchString(s), containsAny(s, tokenHints)},
			{schemePair().MatchString(s), !plain || containsAny(lower, schemeHints)},
			{secretPair().MatchString(s), strings.ContainsAny(s, "=:") && (!plain || containsAny(lower, secretHints))},
		} {
			if c.matches {
				matched[i]++
			}
			if c.matches && !c.hinted {
				t.Fatalf("expression %d matches %q and no hint says so", i, s)
			}
		}
	}
	if min(matched[0], matched[1], matched[2]) < 100 {
		t.Errorf("only %v of the lines match", matched)
	}
}

// BenchmarkRedactLine is a line that holds no credential.
func BenchmarkRedactLine(b *testing.B) {
	const line = "2026-03-02T10:00:00.000Z  INFO 1 --- [shop] [http-nio-8080-exec-7] c.acme.shop.Orders : order 17 of customer 4711 stored in 12 ms, status=ok"
	s := newScrubber(Options{})
	b.SetBytes(int64(len(line)))
	for b.Loop() {
		s.text(line)
	}
}
