package series

import (
	"unique"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/schema"
)

// A LabelSet stands for Labels: two are equal exactly when their labels are, and
// comparing them costs no more than comparing two pointers.
type LabelSet = unique.Handle[Labels]

// LabelSetOf returns the set that stands for the labels.
func LabelSetOf(l Labels) LabelSet { return unique.Make(l) }

// withoutName drops what names a metric: its name, type and unit.
func withoutName(s LabelSet) LabelSet {
	return LabelSetOf(s.Value().DropReserved(schema.IsMetadataLabel))
}

// only keeps the named labels.
func only(s LabelSet, names []string) LabelSet {
	return LabelSetOf(labels.NewBuilder(s.Value()).Keep(names...).Labels())
}

// without drops the named labels, and what names a metric.
func without(s LabelSet, names []string) LabelSet {
	b := labels.NewBuilder(s.Value()).Del(names...)
	schema.Metadata{}.SetToLabels(b) // empty: deletes
	return LabelSetOf(b.Labels())
}

// A lookup remembers what a function made of label sets. Inputs mostly come in
// the same order as the time before, so that the position tells the answer.
type lookup[K comparable, V any] struct {
	find  func(K) V
	row   []lookedUp[K, V] // by position, of the last time; zero where nothing was asked
	known map[K]V
}

type lookedUp[K comparable, V any] struct {
	key   K
	value V
}

func newLookup[K comparable, V any](find func(K) V) lookup[K, V] {
	return lookup[K, V]{find: find, known: map[K]V{}}
}

// at is the answer for a key that stands at position i of its input.
func (l *lookup[K, V]) at(i int, key K) V {
	if i < len(l.row) && l.row[i].key == key {
		return l.row[i].value
	}
	value, ok := l.known[key]
	if !ok {
		if len(l.known) > 2*len(l.row)+1000 { // most of it is not used any more
			clear(l.known)
		}
		value = l.find(key)
		l.known[key] = value
	}
	for i >= len(l.row) {
		l.row = append(l.row, lookedUp[K, V]{})
	}
	l.row[i] = lookedUp[K, V]{key, value}
	return value
}
