package logparse

import (
	"maps"
	"slices"
	"time"
)

// levels is the number of values of Level.
const levels = int(Fatal) + 1

// Counts are the records of one span of time.
type Counts struct {
	Levels  [levels]int64 // by Level
	Classes [6]int64      // access lines by the first digit of their status
}

// A Tally counts records by time and level. Its memory is bounded: beyond
// maxBuckets spans it makes them twice as long. The zero value is not ready;
// use NewTally.
type Tally struct {
	width   int64 // of a span, in seconds
	buckets map[int64]*Counts
	key     int64
	cur     *Counts // of key
	from    int64   // seconds covered by cur: from until to
	to      int64
}

// maxBuckets is the number of spans of a tally: nine hours of seconds.
const maxBuckets = 1 << 15

// NewTally returns an empty tally with spans of one second.
func NewTally() *Tally {
	return &Tally{width: 1, buckets: map[int64]*Counts{}}
}

// Width returns the length of a span: one second, or a power of two of it.
func (t *Tally) Width() time.Duration { return time.Duration(t.width) * time.Second }

// add counts one record at sec, in seconds from 1970.
func (t *Tally) add(sec int64, l Level, status int) {
	if sec < t.from || sec >= t.to {
		t.seek(sec)
	}
	t.cur.Levels[l]++
	if status > 0 {
		t.cur.Classes[status/100%6]++
	}
}

// seek makes the span of sec the current one.
func (t *Tally) seek(sec int64) {
	if len(t.buckets) >= maxBuckets {
		t.coarsen()
	}
	t.key = floorDiv(sec, t.width)
	c := t.buckets[t.key]
	if c == nil {
		c = &Counts{}
		t.buckets[t.key] = c
	}
	t.cur, t.from, t.to = c, t.key*t.width, (t.key+1)*t.width
}

// coarsen doubles the width of the spans.
func (t *Tally) coarsen() {
	old := t.buckets
	t.width *= 2
	t.buckets = make(map[int64]*Counts, len(old)/2)
	t.cur, t.from, t.to = nil, 0, 0
	for key, c := range old {
		half := floorDiv(key, 2)
		if sum := t.buckets[half]; sum != nil {
			sum.plus(c)
		} else {
			t.buckets[half] = c
		}
	}
}

func (c *Counts) plus(o *Counts) {
	for i, n := range o.Levels {
		c.Levels[i] += n
	}
	for i, n := range o.Classes {
		c.Classes[i] += n
	}
}

// merge adds another tally, which may have spans of another length.
func (t *Tally) merge(o *Tally) {
	for t.width < o.width {
		t.coarsen()
	}
	for key, c := range o.buckets {
		if len(t.buckets) >= maxBuckets {
			t.coarsen()
		}
		at := floorDiv(key*o.width, t.width)
		if sum := t.buckets[at]; sum != nil {
			sum.plus(c)
		} else {
			copied := *c
			t.buckets[at] = &copied
		}
	}
	t.cur, t.from, t.to = nil, 0, 0
}

// Each calls f for every span that holds records, in the order of time.
func (t *Tally) Each(f func(start time.Time, c Counts)) {
	for _, key := range slices.Sorted(maps.Keys(t.buckets)) {
		f(time.Unix(key*t.width, 0).UTC(), *t.buckets[key])
	}
}

// floorDiv returns a/b rounded down.
func floorDiv(a, b int64) int64 { return (a - mod(a, b)) / b }
