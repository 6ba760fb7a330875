package series

import (
	"math"
	"slices"
	"sort"
	"strings"

	"github.com/prometheus/prometheus/model/value"
)

// memSeries is one series: parallel slices of times and values, oldest first.
// head is the index of the oldest point that is kept; what stands before it is
// left behind when it has grown to half of the slice. A point that was written
// is not written again, so that readers may hold parts of the slices.
type memSeries struct {
	labels    Labels
	set       LabelSet // of labels
	instance  string
	source    SourceID
	keep      int64 // milliseconds; 0 keeps everything
	round     int64 // the batch of its source that last had it
	live      bool  // its source lists it among the series of its last batch
	forgotten bool  // the store has it no more
	head      int
	times     []int64
	values    []float64
}

var staleMarker = math.Float64frombits(value.StaleNaN)

// append adds a point; it tells whether it was in order, and if not, whether
// it was a second point for the last time.
func (m *memSeries) append(t int64, v float64) (ok, duplicate bool) {
	if n := len(m.times); n > m.head && t <= m.times[n-1] {
		return false, t == m.times[n-1]
	}
	m.times = append(m.times, t)
	m.values = append(m.values, v)
	m.drop(t)
	return true, false
}

// drop forgets points older than the retention before now.
func (m *memSeries) drop(now int64) {
	if m.keep == 0 {
		return
	}
	for m.head < len(m.times)-1 && m.times[m.head] < now-m.keep {
		m.head++
	}
	if m.head > 64 && m.head > len(m.times)/2 {
		m.times, m.values, m.head = slices.Clone(m.times[m.head:]), slices.Clone(m.values[m.head:]), 0
	}
}

// ended tells whether the last point is a stale marker, or there is none.
func (m *memSeries) ended() bool {
	n := len(m.values)
	return n == m.head || value.IsStaleNaN(m.values[n-1])
}

// expired tells whether all points of a series that ended are too old to keep.
func (m *memSeries) expired(now int64) bool {
	n := len(m.times)
	return m.keep != 0 && m.ended() && (n == m.head || m.times[n-1] < now-m.keep)
}

// between returns the points from min to max, both included. The slices are the
// series' own: they may be read at any time, and not be written.
func (m *memSeries) between(min, max int64) (times []int64, values []float64) {
	to, ok := m.indexAt(max)
	if !ok {
		return nil, nil
	}
	ts := m.times[m.head : to+1]
	from := m.head + sort.Search(len(ts), func(i int) bool { return ts[i] >= min })
	return m.times[from : to+1], m.values[from : to+1]
}

// isSignal tells whether a metric name belongs to the vocabulary.
func isSignal(name string) bool {
	return strings.HasPrefix(name, "cap:") || strings.HasPrefix(name, "capdoctor_")
}

// lastAt returns the last value at or before t.
func (m *memSeries) lastAt(t int64) (float64, bool) {
	i, ok := m.indexAt(t)
	if !ok {
		return 0, false
	}
	return m.values[i], true
}

// indexAt finds the last point at or before t.
func (m *memSeries) indexAt(t int64) (int, bool) {
	ts := m.times[m.head:]
	if n := len(ts); n > 0 && ts[n-1] <= t {
		return len(m.times) - 1, true
	}
	i := sort.Search(len(ts), func(i int) bool { return ts[i] > t })
	return m.head + i - 1, i > 0
}

// presentAt finds the point that a query at t would see.
func (m *memSeries) presentAt(t int64) (int, bool) {
	i, ok := m.indexAt(t)
	return i, ok && m.times[i] > t-Lookback.Milliseconds() && !value.IsStaleNaN(m.values[i])
}
