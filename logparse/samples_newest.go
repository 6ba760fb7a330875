package logparse

import (
	"slices"
	"strings"
)

// Newest returns the newest quotes, at most max, whose text contains filter,
// oldest first. A line that stands for several metrics is there once.
func (q *Quotes) Newest(filter string, max int) []Quote {
	var found []Quote
	for _, list := range q.lists {
		for _, quote := range slices.Concat(list.head, list.middle, list.tail) {
			if strings.Contains(quote.Text, filter) {
				found = append(found, quote)
			}
		}
	}
	slices.SortFunc(found, compareQuotes)
	found = slices.CompactFunc(found, func(a, b Quote) bool { return a.File == b.File && a.Line == b.Line })
	return found[len(found)-min(len(found), max):]
}

func compareQuotes(a, b Quote) int {
	if c := a.Time.Compare(b.Time); c != 0 {
		return c
	}
	if c := strings.Compare(a.File, b.File); c != 0 {
		return c
	}
	return int(a.Line - b.Line)
}
