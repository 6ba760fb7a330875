package lab

import (
	"slices"
	"testing"
	"time"
)

// A bench is an executor whose tasks end when told.
type bench struct {
	*executor
	now     time.Duration
	working []*worker
}

func newBench(c Config) *bench {
	b := &bench{}
	b.executor = &executor{keepAlive: 90 * time.Second, now: func() time.Duration { return b.now }}
	b.resize(c)
	return b
}

// put submits n tasks and returns how many the caller had to run.
func (b *bench) put(n int) (callerRan int) {
	for range n {
		if !b.submit(func(w *worker) { b.working = append(b.working, w) }) {
			callerRan++
		}
	}
	return callerRan
}

// end ends n tasks, oldest first.
func (b *bench) end(n int) {
	for range n {
		w := b.working[0]
		b.working = slices.Delete(b.working, 0, 1)
		w.free()
	}
}

func (b *bench) want(t *testing.T, what string, size, busy, queued, submitted int) {
	t.Helper()
	if b.size != size || int(b.busy.value) != busy || b.queue.len() != queued || b.submitted != submitted {
		t.Errorf("%s: size %d, busy %d, queued %d, submitted %d; want %d, %d, %d, %d", what,
			b.size, b.busy.value, b.queue.len(), b.submitted, size, busy, queued, submitted)
	}
}

func TestExecutorQueuesFirst(t *testing.T) {
	b := newBench(Config{Core: 2, Max: 4, Queue: 3})
	b.put(5)
	b.want(t, "queue full", 2, 2, 3, 5)
	b.put(2)
	b.want(t, "at max", 4, 4, 3, 7)
	if ran := b.put(5); ran != 5 {
		t.Errorf("caller ran %d, want 5", ran)
	}
	for len(b.working) > 0 {
		b.end(1)
	}
	b.want(t, "idle: what callers ran is never taken off", 4, 0, 0, 5)
	if b.saturated != 5 {
		t.Errorf("saturated %d, want 5", b.saturated)
	}
}

func TestExecutorGrowsFirst(t *testing.T) {
	b := newBench(Config{Core: 2, Max: 4, Queue: 3, GrowFirst: true})
	b.put(4)
	b.want(t, "grown", 4, 4, 0, 4)
	b.put(3)
	b.want(t, "queue full", 4, 4, 3, 7)
	b.end(7)
	b.want(t, "idle", 4, 0, 0, 0)
	b.put(1)
	b.want(t, "an idle thread takes it", 4, 1, 0, 1)
}

func TestExecutorStartsCoreThreadsFirst(t *testing.T) {
	b := newBench(Config{Core: 3, Max: 3, Queue: 9})
	for range 3 {
		b.put(1)
		b.end(1)
	}
	b.want(t, "a new thread for each, though some were idle", 3, 0, 0, 0)
}

func TestExecutorRetires(t *testing.T) {
	b := newBench(Config{Core: 2, Max: 2, Queue: 9})
	b.put(2)
	b.end(1)
	b.now = 89 * time.Second
	b.retire()
	b.want(t, "not yet", 2, 1, 0, 1)
	b.now = 90 * time.Second
	b.retire()
	b.want(t, "a core thread ends too", 1, 1, 0, 1)
}

func TestExecutorResize(t *testing.T) {
	b := newBench(Config{Core: 2, Max: 2, Queue: 9})
	b.put(6)
	b.resize(Config{Core: 2, Max: 4, Queue: 9})
	b.want(t, "a larger max starts none", 2, 2, 4, 6)
	b.resize(Config{Core: 4, Max: 4, Queue: 9})
	b.want(t, "a larger core does", 4, 4, 2, 6)
	b.resize(Config{Core: 1, Max: 1, Queue: 9})
	b.end(3)
	b.want(t, "threads above max end", 1, 1, 2, 3)
}
