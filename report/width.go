package report

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Width is how many columns of a terminal s takes. s must have been escaped.
func Width(s string) int {
	if isPlain(s) {
		return len(s)
	}
	w := 0
	for s != "" {
		cluster, n := ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
		w, s = w+n, s[len(cluster):]
	}
	return w
}

// CutEnd shortens s to at most width columns: what is cut ends in the ellipsis.
// Log lines lose their end.
func CutEnd(s string, width int, ellipsis string) string {
	if Width(s) <= width {
		return s
	}
	return head(s, width-Width(ellipsis)) + ellipsis
}

// CutMiddle shortens s to at most width columns with the ellipsis in its middle.
// Names lose their middle, because what tells them apart is at either end.
func CutMiddle(s string, width int, ellipsis string) string {
	if Width(s) <= width {
		return s
	}
	room := width - Width(ellipsis)
	left := head(s, room/2)
	return left + ellipsis + tail(s, room-Width(left))
}

// head is the longest start of s that takes at most width columns.
func head(s string, width int) string {
	end, w := 0, 0
	for end < len(s) {
		cluster, n := ansi.FirstGraphemeCluster(s[end:], ansi.GraphemeWidth)
		if w+n > width {
			break
		}
		end, w = end+len(cluster), w+n
	}
	return s[:end]
}

// tail is the longest end of s that takes at most width columns.
func tail(s string, width int) string {
	excess := Width(s) - max(width, 0)
	for s != "" && excess > 0 {
		cluster, n := ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
		s, excess = s[len(cluster):], excess-n
	}
	return s
}

func padRight(s string, width int) string {
	return s + strings.Repeat(" ", max(0, width-Width(s)))
}

func padLeft(s string, width int) string {
	return strings.Repeat(" ", max(0, width-Width(s))) + s
}
