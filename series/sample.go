package series

import (
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/value"
)

// Labels identify a series; the metric name is the label __name__. The type is
// Prometheus' own, named here so that other packages need not import it.
type Labels = labels.Labels

// A Label is one name and value of Labels.
type Label = labels.Label

// FromStrings returns the labels of alternating names and values.
// It panics on an odd number of strings.
func FromStrings(ss ...string) Labels { return labels.FromStrings(ss...) }

// FromMap returns the labels of a map.
func FromMap(m map[string]string) Labels { return labels.FromMap(m) }

// A Sample is one value of one series.
type Sample struct {
	Labels Labels
	Time   int64 // milliseconds since the epoch; 0 takes the time of the batch
	Value  float64
}

// A Point is one value at one time of a series that is named elsewhere.
type Point struct {
	Time  int64 // milliseconds since the epoch
	Value float64
}

// A Series is a named run of points, in time order, without stale markers.
type Series struct {
	Labels Labels
	Points []Point
}

// IsStale tells whether v is Prometheus' stale marker: the series ended here.
func IsStale(v float64) bool { return value.IsStaleNaN(v) }
