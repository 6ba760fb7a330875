package series

import (
	"sort"

	"github.com/prometheus/prometheus/model/histogram"
	"github.com/prometheus/prometheus/tsdb/chunkenc"
)

// iterator walks over the points of a selected series. The store holds floats
// only, so the histogram methods are never called.
type iterator struct {
	selected
	at int
}

var _ chunkenc.Iterator = (*iterator)(nil)

func (i *iterator) Next() chunkenc.ValueType {
	i.at++
	return i.valueType()
}

// millis is a time in milliseconds since the epoch. The alias keeps go vet from
// taking Seek for io.Seeker's.
type millis = int64

func (i *iterator) Seek(t millis) chunkenc.ValueType {
	from := max(i.at, 0)
	i.at = from + sort.Search(len(i.times)-min(from, len(i.times)), func(k int) bool { return i.times[from+k] >= t })
	return i.valueType()
}

func (i *iterator) valueType() chunkenc.ValueType {
	if i.at >= len(i.times) {
		return chunkenc.ValNone
	}
	return chunkenc.ValFloat
}

func (i *iterator) At() (int64, float64) { return i.times[i.at], i.values[i.at] }
func (i *iterator) AtT() int64           { return i.times[i.at] }
func (i *iterator) AtST() int64          { return 0 }
func (i *iterator) Err() error           { return nil }

func (i *iterator) AtHistogram(*histogram.Histogram) (int64, *histogram.Histogram) {
	return i.times[i.at], nil
}

func (i *iterator) AtFloatHistogram(*histogram.FloatHistogram) (int64, *histogram.FloatHistogram) {
	return i.times[i.at], nil
}
