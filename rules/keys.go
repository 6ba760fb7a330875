package rules

import (
	"cmp"
	"maps"
	"slices"
	"time"
)

// sortedKeys lists the keys of a map in order.
func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }

// seconds is a duration of that many seconds.
func seconds(v float64) time.Duration { return time.Duration(v * float64(time.Second)) }
