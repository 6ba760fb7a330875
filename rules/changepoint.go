package rules

import (
	"math"
	"time"
)

// The rule for when a signal changed, the same for all of them:
//
// Ticks are put into bins of 10 s, or one tick where ticks are further apart.
// The bins of the half hour before the verdict give a median and a band around
// it: 3 robust standard deviations (1.4826 × the median distance from the
// median), at least a quarter of the median, at least about one event or unit, and for counts 3 times the square root of the median. The signal
// changed in the first bin that leaves the band and is followed, up to the end
// of the incident, by bins outside it on the same side: the next two all, the
// rest mostly. A count that is usually zero changed with its first event that
// is followed by another one within the events window, up to the incident.

// binWidth is the least length of a bin.
const binWidth = 10 * time.Second

// A bin is some neighbouring ticks of a strand, [from, to) as indices.
type bin struct {
	from, to int
	value    float64
}

// bins puts the ticks [from, to) of a strand into bins of a length. Bins do not
// reach over gaps; those without a value are left out.
func (q *inquiry) bins(s *strand, from, to int, width time.Duration) []bin {
	var all []bin
	for i := from; i < to; {
		n := i + 1
		for n < to && q.ticks[n]-q.ticks[i] < width.Milliseconds() && q.ticks[n]-q.ticks[n-1] <= q.quiet() {
			n++
		}
		if v := s.binValue(i, n); !math.IsNaN(v) {
			all = append(all, bin{i, n, v})
		}
		i = n
	}
	return all
}

// binValue is the sum of a count, the mean of all else.
func (s *strand) binValue(from, to int) float64 {
	sum, n := 0.0, 0
	for _, v := range s.values[from:to] {
		if !math.IsNaN(v) {
			sum, n = sum+v, n+1
		}
	}
	switch {
	case n == 0:
		return math.NaN()
	case s.kind == Count:
		return sum
	}
	return sum / float64(n)
}

// A band is where the values of a signal were before.
type band struct{ middle, reach float64 }

// leastBefore is how many bins it takes to know how it was before.
const leastBefore = 3

// bandOf is the band of some bins; ok is false when they are too few.
func (q *inquiry) bandOf(s *strand, before []bin) (b band, ok bool) {
	if len(before) < leastBefore {
		return band{}, false
	}
	values := make([]float64, len(before))
	for i, x := range before {
		values[i] = x.value
	}
	b.middle = median(values)
	for i, v := range values {
		values[i] = math.Abs(v - b.middle)
	}
	b.reach = max(3*1.4826*median(values), math.Abs(b.middle)/4, q.leastReach(s, b.middle))
	if s.kind == Count {
		b.reach = max(b.reach, 3*math.Sqrt(max(b.middle, 0)))
	}
	return b, true
}

// leastReach is what one event or one unit makes of a value; a level that was
// zero is another one with the first unit.
func (q *inquiry) leastReach(s *strand, middle float64) float64 {
	switch {
	case s.kind == PerSecond:
		return 1 / max(binWidth, q.step).Seconds()
	case s.kind == Level && q.unit(s.signal) == "ratio":
		return 0.05
	case s.kind == Level && middle == 0:
		return 0.5
	}
	return 1
}

func (q *inquiry) unit(signal string) string {
	if s := q.catalog.signals[signal]; s != nil {
		return s.Unit
	}
	return "1"
}

// unitOf is the unit of a strand: a count has none.
func (q *inquiry) unitOf(s *strand) string {
	if s.kind == Count {
		return "1"
	}
	return q.unit(s.signal)
}

// side is where a value lies: -1 below the band, 1 above it, 0 in it.
func (b band) side(v float64) int {
	switch {
	case v > b.middle+b.reach:
		return 1
	case v < b.middle-b.reach:
		return -1
	}
	return 0
}

// leaves finds the first bin that leaves the band for good.
func (b band) leaves(bins []bin) (int, bool) {
	const all = 3 // bins that must be outside
	for i, x := range bins[:max(0, len(bins)-all+1)] {
		side := b.side(x.value)
		if side == 0 {
			continue
		}
		outside := 0
		for n, y := range bins[i:] {
			same := b.side(y.value) == side
			if n < all && !same {
				outside = 0
				break
			}
			if same {
				outside++
			}
		}
		if 2*outside > len(bins)-i {
			return i, true
		}
	}
	return 0, false
}

// firstOutside is the first tick of a bin that lies outside on its side.
func (b band) firstOutside(s *strand, x bin) int {
	for i := x.from; i < x.to; i++ {
		if b.side(s.values[i]) == b.side(x.value) {
			return i
		}
	}
	return x.from
}

// rare tells whether most bins are empty.
func rare(bins []bin) bool {
	empty := 0
	for _, b := range bins {
		if b.value == 0 {
			empty++
		}
	}
	return 2*empty > len(bins)
}

// cluster finds the first of the events, in the ticks [from, to), that are no
// further apart than the events window and reach tick at or lie behind it.
func (q *inquiry) cluster(s *strand, from, at, to int) (int, bool) {
	first, last := -1, -1
	for i := from; i < to; i++ {
		if !(s.values[i] > 0) {
			continue
		}
		if last < 0 || q.ticks[i]-q.ticks[last] > EventsWindow.Milliseconds() {
			if last >= at {
				break
			}
			first = i
		}
		last = i
	}
	reaches := last >= 0 && q.ticks[last]+EventsWindow.Milliseconds() >= q.ticks[min(at, len(q.ticks)-1)]
	return first, reaches
}
