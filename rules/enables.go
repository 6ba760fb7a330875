package rules

import (
	"slices"
	"strings"
)

// Enables is what would supply the missing signals, in their order, each once
// and without a final full stop. What begins a longer one is left out: "update"
// beside "update; or give --goodput".
func Enables(list []Missing) []string {
	var all []string
	for _, m := range list {
		if text := strings.TrimSuffix(m.Enable, "."); text != "" && !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	said := slices.Clone(all)
	return slices.DeleteFunc(all, func(text string) bool {
		return slices.ContainsFunc(said, func(other string) bool { return strings.HasPrefix(other, text+"; ") })
	})
}
