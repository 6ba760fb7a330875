package rules

import (
	"cmp"
	"maps"
	"slices"
	"time"
)

// sortedKeys lists the keys of a map in order.
func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }

// sortedKeysFunc is sortedKeys for keys that have no order of their own.
func sortedKeysFunc[K comparable, V any](m map[K]V, compare func(a, b K) int) []K {
	return slices.SortedFunc(maps.Keys(m), compare)
}

// seconds is a duration of that many seconds.
func seconds(v float64) time.Duration { return time.Duration(v * float64(time.Second)) }
