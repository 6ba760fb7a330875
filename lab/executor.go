package lab

import (
	"strconv"
	"time"
)

// A task is a piece of work for a thread. It calls back worker.free when done.
type task func(*worker)

// A worker is a thread of the pool, or an I/O thread that had to run a task
// itself.
type worker struct {
	name   string
	pooled bool          // of the pool
	idle   time.Duration // since when; of no meaning while it works
	free   func()        // gives the thread back
}

// An executor is a Java ThreadPoolExecutor with a bounded queue and
// CallerRunsPolicy, in one of two manners.
//
// The old one starts a thread up to core, then queues, and starts more only
// when the queue is full. The other (GrowthFirst, as in Tomcat and Evento 2.4)
// starts threads up to max first and then queues. In both, a submission that
// finds max threads and a full queue is run by the thread that submits it.
type executor struct {
	core, max, capacity int
	growFirst           bool
	keepAlive           time.Duration
	now                 func() time.Duration
	// handOver calls back when an idle thread has woken up and looks into the
	// queue. Nil: a task goes to an idle thread at once, without the queue.
	handOver func(func())

	size    int
	started int // threads so far: the number in a thread's name
	waking  int // idle threads on their way to the queue
	idle    fifo[*worker]
	queue   fifo[task]
	depth   level // of the queue
	busy    level

	// submitted is queued + running, as the server's own count has it: what a
	// caller had to run is added and never taken off again.
	submitted int
	saturated int64
}

// submit hands a task to the pool. It returns false when the caller has to run
// the task itself.
func (e *executor) submit(t task) bool {
	e.submitted++
	switch {
	case e.size < e.core:
		e.start(t)
	case e.growFirst && e.submitted > e.size && e.size < e.max:
		e.start(t)
	case e.idle.len() > 0 && e.handOver == nil:
		e.run(e.idle.pop(), t)
	case e.queue.len() < e.capacity:
		e.queue.push(t)
		e.depth.add(e.now(), 1)
		e.wake()
	case e.size < e.max:
		e.start(t)
	default:
		e.saturated++
		return false
	}
	return true
}

// wake lets one more idle thread look into the queue.
func (e *executor) wake() {
	if e.waking >= e.idle.len() {
		return
	}
	e.waking++
	e.handOver(func() {
		e.waking--
		if e.idle.len() > 0 && e.queue.len() > 0 {
			e.run(e.idle.pop(), e.next())
		}
	})
}

// next takes the oldest task out of the queue.
func (e *executor) next() task {
	e.depth.add(e.now(), -1)
	return e.queue.pop()
}

func (e *executor) start(t task) {
	e.size++
	e.started++
	w := &worker{name: "bus-business-" + strconv.Itoa(e.started), pooled: true}
	w.free = func() { e.done(w) }
	e.run(w, t)
}

func (e *executor) run(w *worker, t task) {
	e.busy.add(e.now(), 1)
	t(w)
}

// done takes a worker back: it gets the oldest queued task, or waits for one.
func (e *executor) done(w *worker) {
	e.submitted--
	e.busy.add(e.now(), -1)
	switch {
	case e.size > e.max:
		e.size--
	case e.queue.len() > 0:
		e.run(w, e.next())
	default:
		w.idle = e.now()
		e.idle.push(w)
	}
}

// retire ends the threads that have been idle for longer than the keep-alive
// time, core threads too.
func (e *executor) retire() {
	for e.idle.len() > 0 && e.now()-e.idle.oldest().idle >= e.keepAlive {
		e.idle.pop()
		e.size--
	}
}

// resize changes the limits while work goes on. As in Java, a larger core
// starts threads for what is queued; a larger max alone starts none.
func (e *executor) resize(c Config) {
	grown := c.Core - e.core
	e.core, e.max, e.capacity, e.growFirst = c.Core, c.Max, c.Queue, c.GrowFirst
	for ; grown > 0 && e.queue.len() > 0 && e.size < e.core; grown-- {
		e.start(e.next())
	}
}
