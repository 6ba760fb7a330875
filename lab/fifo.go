package lab

// A fifo is a queue: first in, first out. The zero value is empty.
type fifo[T any] struct {
	items []T
	head  int
}

func (f *fifo[T]) len() int { return len(f.items) - f.head }

func (f *fifo[T]) push(v T) { f.items = append(f.items, v) }

// pop returns the oldest item. It must not be called on an empty queue.
func (f *fifo[T]) pop() T {
	var none T
	v := f.items[f.head]
	f.items[f.head] = none
	f.head++
	if f.head > 64 && f.head*2 > len(f.items) {
		f.items = append(f.items[:0], f.items[f.head:]...)
		f.head = 0
	}
	return v
}

// oldest returns the item that pop would return next.
func (f *fifo[T]) oldest() T { return f.items[f.head] }
