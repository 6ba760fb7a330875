package lab

import "time"

// A level is a number that changes in time and remembers its integral: the
// items in a place, the threads at work, the processors in use.
type level struct {
	value int64
	since time.Duration
	sum   int64 // value · nanoseconds up to since
}

func (l *level) add(now time.Duration, d int64) {
	l.sum = l.integral(now)
	l.since = now
	l.value += d
}

// integral returns value · nanoseconds from the start to now, without changing
// anything: reading must not disturb a run.
func (l *level) integral(now time.Duration) int64 {
	return l.sum + l.value*int64(now-l.since)
}

// A history keeps the last readings of a growing number, one a second, so that
// a rate over the last seconds can be told.
type history struct {
	readings [historySeconds]reading
	next     int
}

type reading struct {
	at    time.Duration
	value int64
}

const historySeconds = 8

func (h *history) keep(now time.Duration, value int64) {
	h.readings[h.next%historySeconds] = reading{now, value}
	h.next++
}

// rate returns the growth per nanosecond since the oldest reading kept; 0 when
// no time has passed.
func (h *history) rate(now time.Duration, value int64) float64 {
	old := h.readings[0]
	if h.next >= historySeconds {
		old = h.readings[h.next%historySeconds]
	}
	if now <= old.at {
		return 0
	}
	return float64(value-old.value) / float64(now-old.at)
}

// A peak is the largest value of the last two to three minutes, as the maximum
// of a Micrometer timer: three buckets of a minute, the oldest dropped in turn.
type peak struct {
	buckets [3]int64
	minute  [3]int64
}

const peakStep = int64(time.Minute)

func (p *peak) see(now time.Duration, v int64) {
	m := int64(now) / peakStep
	i := m % int64(len(p.buckets))
	if p.minute[i] != m {
		p.minute[i], p.buckets[i] = m, 0
	}
	p.buckets[i] = max(p.buckets[i], v)
}

func (p *peak) value(now time.Duration) int64 {
	m := int64(now) / peakStep
	var top int64
	for i, b := range p.buckets {
		if m-p.minute[i] < int64(len(p.buckets)) {
			top = max(top, b)
		}
	}
	return top
}

// A timer counts events, adds up how long they took, and remembers the longest.
type timer struct {
	count int64
	sum   time.Duration
	max   peak
}

func (t *timer) see(now, took time.Duration) {
	t.count++
	t.sum += took
	t.max.see(now, int64(took))
}
