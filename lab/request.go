package lab

import "time"

// Payload types, as logs and Expired name them.
const (
	AddCommand = "CatalogProductAddCommand" // a write
	CheckQuery = "CatalogProductCheckQuery" // a nested request
	EventFetch = "EventFetchRequest"        // a nested request, or a consumer's
)

// A request is one message that its sender waits for.
type request struct {
	payload  string
	id       string // correlation id
	sent     time.Duration
	deadline time.Duration // how long the sender waits
	open     bool          // the sender still waits
	answered func()
	expired  func()
}

// nestedPayload returns the type of a write's i-th nested request: it loads
// events first, then asks a query, in turn.
func nestedPayload(i int) string {
	if i%2 == 0 {
		return EventFetch
	}
	return CheckQuery
}

// A tracker is the bundle's list of requests that wait for an answer. A sweep
// every half second finds those past their deadline.
type tracker struct {
	m       *Model
	pending []*request // in the order sent; answered ones leave at the next sweep
	open    int
	expired map[string]int64
	latest  []*request // of one sweep, reused
}

const trackerSweep = 500 * time.Millisecond

func newTracker(m *Model) *tracker {
	t := &tracker{m: m, expired: map[string]int64{AddCommand: 0, CheckQuery: 0, EventFetch: 0}}
	m.agenda.every(trackerSweep, nil, t.sweep)
	return t
}

// send notes a request as waiting. Exactly one of answered and expired will be
// called, once.
func (t *tracker) send(payload string, answered, expired func()) *request {
	r := &request{
		payload:  payload,
		sent:     t.m.agenda.now,
		deadline: t.m.cfg.Deadline,
		open:     true,
		answered: answered,
		expired:  expired,
	}
	t.pending = append(t.pending, r)
	t.open++
	return r
}

// answer gives the sender its answer, unless it has gone.
func (t *tracker) answer(r *request) {
	if !r.open {
		return
	}
	r.open = false
	t.open--
	r.answered()
}

// sweep ends the wait of every request past its deadline.
func (t *tracker) sweep() {
	now := t.m.agenda.now
	kept, late := t.pending[:0], t.latest[:0]
	for _, r := range t.pending {
		switch {
		case !r.open:
		case now-r.sent >= r.deadline:
			r.open = false
			t.expired[r.payload]++
			late = append(late, r)
		default:
			kept = append(kept, r)
		}
	}
	clear(t.pending[len(kept):])
	t.pending, t.open = kept, len(kept)
	if len(late) > 0 {
		t.m.bundle.logExpired(late, t.open)
	}
	for _, r := range late {
		r.expired()
	}
	clear(late)
	t.latest = late[:0]
}
