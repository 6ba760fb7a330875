package series

import (
	"slices"

	"github.com/prometheus/prometheus/model/labels"
)

// instanceLabel is the label that most selectors ask for.
const instanceLabel = "instance"

// A family is the series of one metric name. Its lists are sorted by labels.
type family struct {
	all        []*memSeries
	byInstance map[string][]*memSeries
	version    int // counts what came and went
}

func newFamily() *family { return &family{byInstance: map[string][]*memSeries{}} }

func (f *family) insert(m *memSeries) {
	f.version++
	f.all = insertSorted(f.all, m)
	f.byInstance[m.instance] = insertSorted(f.byInstance[m.instance], m)
}

func insertSorted(list []*memSeries, m *memSeries) []*memSeries {
	at, _ := slices.BinarySearchFunc(list, m.labels, func(m *memSeries, l Labels) int { return labels.Compare(m.labels, l) })
	return slices.Insert(list, at, m)
}

// remove takes the series out for which f is true; it returns them.
func (f *family) remove(gone func(*memSeries) bool) []*memSeries {
	var removed []*memSeries
	for name, list := range f.byInstance {
		for _, m := range list {
			if gone(m) {
				removed = append(removed, m)
			}
		}
		if f.byInstance[name] = slices.DeleteFunc(list, gone); len(f.byInstance[name]) == 0 {
			delete(f.byInstance, name)
		}
	}
	if len(removed) > 0 {
		f.version++
		f.all = slices.DeleteFunc(f.all, gone)
	}
	return removed
}

// series lists the series of a family, which may be nil.
func (f *family) series() []*memSeries {
	if f == nil {
		return nil
	}
	return f.all
}

// candidates lists the series that may match: those of one instance where the
// matchers ask for one.
func (f *family) candidates(matchers []*labels.Matcher) []*memSeries {
	if f == nil {
		return nil
	}
	for _, m := range matchers {
		if m.Name == instanceLabel && m.Type == labels.MatchEqual {
			return f.byInstance[m.Value]
		}
	}
	return f.all
}
