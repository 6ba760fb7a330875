package lab

import "time"

// A life is the time something is there: events of a server that was stopped
// must not happen any more.
type life struct{ over bool }

// An event is something to do at a virtual time.
type event struct {
	at   time.Duration
	turn uint64 // order among events of one time: first planned, first done
	of   *life
	do   func()
}

// An agenda is the virtual clock and what is still to come: a binary heap of
// events by time and turn.
type agenda struct {
	now  time.Duration // since the start of the model
	turn uint64
	heap []event
}

// after plans do for d from now, unless the life it belongs to is over by then.
// A nil life never ends.
func (a *agenda) after(d time.Duration, of *life, do func()) {
	a.turn++
	a.heap = append(a.heap, event{a.now + max(d, 0), a.turn, of, do})
	a.up(len(a.heap) - 1)
}

// every plans do for each multiple of d from now, while the life lasts.
func (a *agenda) every(d time.Duration, of *life, do func()) {
	a.after(d, of, func() {
		do()
		a.every(d, of, do)
	})
}

// runTo does everything due up to and including t and sets the clock to t. A
// time in the past does nothing.
func (a *agenda) runTo(t time.Duration) {
	for len(a.heap) > 0 && a.heap[0].at <= t {
		e := a.pop()
		a.now = e.at
		if e.of == nil || !e.of.over {
			e.do()
		}
	}
	a.now = max(a.now, t)
}

func (a *agenda) pop() event {
	first, last := a.heap[0], len(a.heap)-1
	a.heap[0] = a.heap[last]
	a.heap[last] = event{}
	a.heap = a.heap[:last]
	a.down(0)
	return first
}

func (a *agenda) less(i, j int) bool {
	if a.heap[i].at != a.heap[j].at {
		return a.heap[i].at < a.heap[j].at
	}
	return a.heap[i].turn < a.heap[j].turn
}

func (a *agenda) up(i int) {
	for i > 0 {
		parent := (i - 1) / 2
		if !a.less(i, parent) {
			return
		}
		a.heap[i], a.heap[parent] = a.heap[parent], a.heap[i]
		i = parent
	}
}

func (a *agenda) down(i int) {
	for {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(a.heap); child++ {
			if a.less(child, least) {
				least = child
			}
		}
		if least == i {
			return
		}
		a.heap[i], a.heap[least] = a.heap[least], a.heap[i]
		i = least
	}
}
