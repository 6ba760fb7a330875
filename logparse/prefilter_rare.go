package logparse

import "strings"

// byCommonness lists the bytes of log text from the most common one on, as
// counted over application logs; bytes that are not listed are rarer than all.
const byCommonness = " etaoinsrlc0dm1u2p:.-5h34g678f9bvky/w_x=INTEA[]RDO,qj"

// rarestWindow returns the offset of the n neighbouring bytes of s that are the
// least common in logs; n is at most len(s).
func rarestWindow(s string, n int) int {
	best, bestScore := 0, -1
	for o := 0; o+n <= len(s); o++ {
		score := 0
		for _, c := range []byte(s[o : o+n]) {
			score += rarity(c)
		}
		if score > bestScore {
			best, bestScore = o, score
		}
	}
	return best
}

// rarity is higher for rarer bytes.
func rarity(c byte) int {
	if i := strings.IndexByte(byCommonness, c); i >= 0 {
		return i
	}
	return len(byCommonness)
}
