package logparse

import "slices"

// cells are values by the number of their cell, in its order. The records of a
// log mostly come in order, so that a new cell mostly goes to the end. The zero
// value is empty.
type cells[V any] struct {
	keys   []int64
	values []V
}

func (c *cells[V]) len() int { return len(c.keys) }

// at returns the value of a cell, a new one if it has none. The pointer is valid
// until the next cell is added.
func (c *cells[V]) at(key int64) (v *V, added bool) {
	last := len(c.keys) - 1
	if last >= 0 && c.keys[last] == key {
		return &c.values[last], false
	}
	i := last + 1
	if last >= 0 && key < c.keys[last] {
		var found bool
		if i, found = slices.BinarySearch(c.keys, key); found {
			return &c.values[i], false
		}
	}
	var none V
	c.keys = slices.Insert(c.keys, i, key)
	c.values = slices.Insert(c.values, i, none)
	return &c.values[i], true
}

// forget takes the first n cells away.
func (c *cells[V]) forget(n int) {
	c.keys = slices.Delete(c.keys, 0, n)
	c.values = slices.Delete(c.values, 0, n)
}

// coarsen joins every two neighbouring cells: join adds the value of one to the
// cell that it becomes part of, in order.
func (c *cells[V]) coarsen(join func(into *cells[V], key int64, v V)) {
	old := *c
	*c = cells[V]{keys: make([]int64, 0, len(old.keys)/2+1), values: make([]V, 0, len(old.keys)/2+1)}
	for i, key := range old.keys {
		join(c, key>>1, old.values[i])
	}
}
