package incident

import (
	"fmt"
	"strings"
)

const maxDiff = 4 << 20 // pairs of lines that are compared

// diffLines shows the lines of a and b, those of a alone with -, those of b
// alone with +.
func diffLines(a, b []byte) string {
	x, y := textLines(a), textLines(b)
	if len(x)*len(y) > maxDiff {
		return fmt.Sprintf("- %d lines\n+ %d lines\n", len(x), len(y))
	}
	common := longestCommon(x, y)
	var out strings.Builder
	i, j := 0, 0
	for i < len(x) || j < len(y) {
		switch {
		case i < len(x) && j < len(y) && x[i] == y[j]:
			fmt.Fprintf(&out, "  %s\n", x[i])
			i, j = i+1, j+1
		case j == len(y) || i < len(x) && common[i+1][j] >= common[i][j+1]:
			fmt.Fprintf(&out, "- %s\n", x[i])
			i++
		default:
			fmt.Fprintf(&out, "+ %s\n", y[j])
			j++
		}
	}
	return out.String()
}

func textLines(b []byte) []string {
	s := strings.TrimSuffix(strings.ReplaceAll(string(b), "\r\n", "\n"), "\n")
	if s == "" {
		return nil
	}
	return strings.Split(s, "\n")
}

// longestCommon gives for each i and j how many lines x[i:] and y[j:] have in
// common, in order.
func longestCommon(x, y []string) [][]int {
	n := make([][]int, len(x)+1)
	for i := range n {
		n[i] = make([]int, len(y)+1)
	}
	for i := len(x) - 1; i >= 0; i-- {
		for j := len(y) - 1; j >= 0; j-- {
			n[i][j] = max(n[i+1][j], n[i][j+1])
			if x[i] == y[j] {
				n[i][j] = n[i+1][j+1] + 1
			}
		}
	}
	return n
}
