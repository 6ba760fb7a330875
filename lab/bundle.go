package lab

import (
	"sort"
	"time"
)

// A bundle is the importer and the handlers it brings: its writers, its
// consumers, and the requests of all of them.
type bundle struct {
	m       *Model
	tracker *tracker
	writers []*writer
	log     journal

	consumers []*consumer
	stats     consumerStats

	products  int64 // numbered so far
	offered   int64
	completed int64
	timedOut  int64
	refused   int64
	retried   int64
	retries   retryCounts
	written   int64 // applied by the aggregate, for callers that wait and for others
	late      int64 // of these, applied after the caller had gone
	inFlight  level
	okTime    timer
	lateTime  timer
	recent    history // of completed

	progress int64 // completed at the last progress line
}

const progressEvery = 20 * time.Second

func newBundle(m *Model) *bundle {
	b := &bundle{m: m}
	b.tracker = newTracker(m)
	m.agenda.after(startup, nil, func() {
		b.staff()
		m.agenda.every(progressEvery, nil, b.logProgress)
	})
	m.agenda.every(m.cfg.ConsumerStatsEvery, nil, b.pushStats)
	m.agenda.every(time.Second, nil, func() { b.recent.keep(m.agenda.now, b.completed) })
	return b
}

// staff brings the numbers of writers and consumers to what the configuration
// asks for. Those that are too many leave when their present request is over.
func (b *bundle) staff() {
	var wait time.Duration
	for i := range b.m.cfg.Writers {
		if i == len(b.writers) {
			b.writers = append(b.writers, &writer{b: b, number: i + 1})
		}
		if w := b.writers[i]; !w.here {
			w.here = true
			b.m.agenda.after(wait, nil, w.next)
			wait += b.m.cfg.StartEvery
		}
	}
	for i := range b.m.cfg.Consumers {
		if i == len(b.consumers) {
			b.consumers = append(b.consumers, &consumer{b: b, number: i})
		}
		if c := b.consumers[i]; !c.here {
			c.here = true
			b.m.agenda.after(b.m.vary(b.m.cfg.ConsumerDelay), nil, c.next)
		}
	}
}

// applied notes that the aggregate has written a product.
func (b *bundle) applied(r *request) {
	b.written++
	if !r.open {
		b.late++
	}
}

// retryCounts are how calls ended that may be sent again, as Resilience4j
// counts them.
type retryCounts struct{ ok, okRetried, failed, failedRetried int64 }

func (c *retryCounts) see(ok bool, retries int) {
	switch {
	case ok && retries > 0:
		c.okRetried++
	case ok:
		c.ok++
	case retries > 0:
		c.failedRetried++
	default:
		c.failed++
	}
}

// paused returns how many writers wait between two calls after an expiry or a
// refusal.
func (b *bundle) paused() int {
	n := 0
	for _, w := range b.writers {
		if w.pausing {
			n++
		}
	}
	return n
}

// byType counts requests by payload type, as Java prints a sorted map.
func byType(rs []*request) string {
	counts := map[string]int{}
	for _, r := range rs {
		counts[r.payload]++
	}
	types := make([]string, 0, len(counts))
	for t := range counts {
		types = append(types, t)
	}
	sort.Strings(types)
	text := "{"
	for i, t := range types {
		if i > 0 {
			text += ", "
		}
		text += t + "=" + itoa(counts[t])
	}
	return text + "}"
}
