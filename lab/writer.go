package lab

import "time"

// A writer imports one product after another: it sends a write, waits for the
// answer, thinks, and goes on. An expired write is sent again if retries are
// left; else the writer pauses, if it is to, and takes the next product.
type writer struct {
	b       *bundle
	number  int
	here    bool // has not left
	pausing bool
	product int64
	retries int // of the present product so far
}

// next takes a product, unless the writer is one too many by now.
func (w *writer) next() {
	w.pausing = false
	if w.number > w.b.m.cfg.Writers {
		w.here = false
		return
	}
	w.b.products++
	w.product = firstProduct + w.b.products
	w.retries = 0
	w.send()
}

const firstProduct = 20000

// send sends the present product's write, or has it refused.
func (w *writer) send() {
	b, m := w.b, w.b.m
	b.offered++
	if limit := m.cfg.MaxInFlight; limit > 0 && b.inFlight.value >= int64(limit) {
		b.refused++
		b.logRefused(w, limit)
		w.pause(m.cfg.PauseAfterRefusal)
		return
	}
	b.inFlight.add(m.agenda.now, 1)
	var r *request
	r = b.tracker.send(AddCommand, func() { w.done(r) }, func() { w.expired(r) })
	m.server.importer(w).deliver(r)
}

func (w *writer) done(r *request) {
	now := w.b.m.agenda.now
	w.b.completed++
	w.b.retries.see(true, w.retries)
	w.b.inFlight.add(now, -1)
	w.b.okTime.see(now, now-r.sent)
	w.b.m.agenda.after(w.b.m.cfg.ThinkTime, nil, w.next)
}

func (w *writer) expired(r *request) {
	b, now := w.b, w.b.m.agenda.now
	b.timedOut++
	b.inFlight.add(now, -1)
	b.lateTime.see(now, now-r.sent)
	b.logWriteFailed(w, r)
	if w.retries < b.m.cfg.Retries && w.number <= b.m.cfg.Writers {
		w.retries++
		b.retried++
		b.m.agenda.after(b.m.cfg.ThinkTime, nil, w.send)
		return
	}
	b.retries.see(false, w.retries)
	w.pause(b.m.cfg.PauseAfterExpiry)
}

func (w *writer) pause(d time.Duration) {
	w.pausing = d > 0
	w.b.m.agenda.after(max(d, w.b.m.cfg.ThinkTime), nil, w.next)
}
