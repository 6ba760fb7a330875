package scrape

import (
	"time"

	"github.com/capdoctor/capdoctor/series"
)

// metaLabels are the labels of the samples about a target's scrapes.
type metaLabels struct{ up, duration series.Labels }

func newMetaLabels(t Target) metaLabels {
	named := func(name string) series.Labels {
		l := map[string]string{"__name__": name, "instance": t.Instance}
		if t.Service != "" {
			l["service"] = t.Service
		}
		return series.FromMap(l)
	}
	return metaLabels{up: named("up"), duration: named("scrape_duration_seconds")}
}

func (m metaLabels) samples(good bool, took time.Duration) []series.Sample {
	up := 0.0
	if good {
		up = 1
	}
	return []series.Sample{
		{Labels: m.up, Value: up},
		{Labels: m.duration, Value: took.Seconds()},
	}
}
