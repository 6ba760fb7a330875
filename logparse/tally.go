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
	Levels [levels]int64 // by Level
	// Statuses are the access lines by status; the index is that of a class of
	// statuses or, for those that tell of a limit, of one.
	Statuses [len(statusLabels)]int64
}

// statusLabels are the values of the label status: refused (429, 503), given up
// by the client (499), not answered in time (504) and no answer at all (502) are
// told apart from the rest of their class.
var statusLabels = [...]string{"", "1xx", "2xx", "3xx", "4xx", "5xx", "429", "499", "502", "503", "504"}

// statusIndex is the index of an HTTP status in statusLabels; 0 is none.
func statusIndex(status int) int {
	switch status {
	case 429:
		return 6
	case 499:
		return 7
	case 502, 503, 504:
		return status - 502 + 8
	}
	if class := status / 100; 1 <= class && class <= 5 {
		return class
	}
	return 0
}

func (c *Counts) plus(o *Counts) {
	for i, n := range o.Levels {
		c.Levels[i] += n
	}
	for i, n := range o.Statuses {
		c.Statuses[i] += n
	}
}

// pageSpans is the number of spans that lie side by side in memory, and
// maxPages how many such groups a tally may have: 18 hours of seconds.
const (
	pageSpans = 256
	maxPages  = 256
)

type tallyPage [pageSpans]Counts

// A Tally counts records by time, level and status. Its memory is bounded, to 10 MB:
// when records lie further apart it makes its spans twice as long. The zero
// value is not ready; use NewTally.
type Tally struct {
	undated Counts // records before the first time of their file
	width   int64  // of a span, in seconds
	pages   map[int64]*tallyPage
	page    *tallyPage // the last one, of number
	num     int64
	cur     *Counts // the last span: the seconds from until to
	from    int64
	to      int64
}

// NewTally returns an empty tally with spans of one second.
func NewTally() *Tally {
	return &Tally{width: 1, pages: map[int64]*tallyPage{}}
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
		t.cur.Statuses[statusIndex(status)]++
	}
}

// addUndated counts one record before which nothing has a time.
func (t *Tally) addUndated(l Level, status int) {
	t.undated.Levels[l]++
	t.undated.Statuses[statusIndex(status)]++
}

// Undated returns the records that have no time, and before which no record of
// the same reading has one. They are in no span.
func (t *Tally) Undated() Counts { return t.undated }

// seek makes the span of sec the current one.
func (t *Tally) seek(sec int64) {
	key := floorDiv(sec, t.width)
	num := floorDiv(key, pageSpans)
	if t.page == nil || num != t.num {
		for t.pages[num] == nil && len(t.pages) >= maxPages {
			t.coarsen()
			key = floorDiv(sec, t.width)
			num = floorDiv(key, pageSpans)
		}
		t.page, t.num = t.at(num), num
	}
	t.cur, t.from, t.to = &t.page[key-num*pageSpans], key*t.width, (key+1)*t.width
}

// at returns the page with a number, which is made if it is not there.
func (t *Tally) at(num int64) *tallyPage {
	p := t.pages[num]
	if p == nil {
		p = new(tallyPage)
		t.pages[num] = p
	}
	return p
}

// coarsen doubles the width of the spans.
func (t *Tally) coarsen() {
	old := t.pages
	t.width *= 2
	t.pages = make(map[int64]*tallyPage, len(old)/2+1)
	t.page, t.cur, t.from, t.to = nil, nil, 0, 0
	for num, p := range old {
		to, half := t.at(floorDiv(num, 2)), mod(num, 2)*pageSpans/2
		for i := range p {
			to[half+int64(i/2)].plus(&p[i])
		}
	}
}

// merge adds another tally.
func (t *Tally) merge(o *Tally) {
	t.undated.plus(&o.undated)
	for t.width < o.width {
		t.coarsen()
	}
	for o.width < t.width {
		o.coarsen()
	}
	for num, p := range o.pages {
		to := t.at(num)
		for i := range p {
			to[i].plus(&p[i])
		}
	}
	for len(t.pages) > maxPages {
		t.coarsen()
	}
}

// Each calls f for every span that holds records, in the order of time.
func (t *Tally) Each(f func(start time.Time, c Counts)) {
	for _, num := range slices.Sorted(maps.Keys(t.pages)) {
		for i := range t.pages[num] {
			if c := &t.pages[num][i]; *c != (Counts{}) {
				f(time.Unix((num*pageSpans+int64(i))*t.width, 0).UTC(), *c)
			}
		}
	}
}

// floorDiv returns a/b rounded down.
func floorDiv(a, b int64) int64 { return (a - mod(a, b)) / b }
