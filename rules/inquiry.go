package rules

import (
	"context"
	"time"
)

// An inquiry looks back at the ticks that a judge kept.
type inquiry struct {
	*Judge
	ctx     context.Context
	ticks   []int64
	step    time.Duration // the most usual time between two ticks
	strands []strand
}

func newInquiry(ctx context.Context, j *Judge) *inquiry {
	q := &inquiry{Judge: j, ctx: ctx, ticks: j.ticks()}
	q.step = usualStep(q.ticks)
	return q
}

// usualStep is the most frequent time between two ticks, the shorter among
// equals; a second where there is only one tick.
func usualStep(ticks []int64) time.Duration {
	counts := map[int64]int{}
	best := int64(1000)
	for i := 1; i < len(ticks); i++ {
		d := ticks[i] - ticks[i-1]
		counts[d]++
		if n := counts[d]; n > counts[best] || n == counts[best] && d < best {
			best = d
		}
	}
	return time.Duration(best) * time.Millisecond
}

// quiet is how far apart two ticks may be without a gap between them.
func (q *inquiry) quiet() int64 { return q.step.Milliseconds() * 5 / 2 }

// index is the first tick at or after t.
func (q *inquiry) index(t time.Time) int {
	lo, hi := 0, len(q.ticks)
	for lo < hi {
		if mid := (lo + hi) / 2; q.ticks[mid] < t.UnixMilli() {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// A stretch is a run of ticks without a gap, [from, to) as indices.
type stretch struct{ from, to int }

// stretches splits the ticks at gaps.
func (q *inquiry) stretches() []stretch {
	var all []stretch
	for i, t := range q.ticks {
		if i == 0 || t-q.ticks[i-1] > q.quiet() {
			all = append(all, stretch{i, i})
		}
		all[len(all)-1].to = i + 1
	}
	return all
}

// even splits a stretch where the distance of its ticks changes, so that each
// part can be queried as a range.
func (q *inquiry) even(s stretch) []stretch {
	var all []stretch
	for i := s.from; i < s.to; {
		n := i + 1
		for n < s.to && (n == i+1 || q.ticks[n]-q.ticks[n-1] == q.ticks[i+1]-q.ticks[i]) {
			n++
		}
		all = append(all, stretch{i, n})
		i = n
	}
	return all
}
