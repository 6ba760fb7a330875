package scrape

import (
	"errors"
	"fmt"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"

	"github.com/capdoctor/capdoctor/series"
)

// errLabelLimit is the answer for a series that is left out.
var errLabelLimit = errors.New("label limit")

// A labeler turns the labels of a page into those of a target's samples.
type labeler struct {
	instance, service    string
	maxLabels, maxLength int
	builder              labels.ScratchBuilder
}

func newLabeler(o ParseOptions) labeler {
	return labeler{
		instance: o.Instance, service: o.Service,
		maxLabels: o.MaxLabels, maxLength: o.MaxLabelLength,
		builder: labels.NewScratchBuilder(16),
	}
}

// label renames what the page may not set, drops labels without a value, and
// adds the target's own. Its errors are errLabelLimit or those for which
// Prometheus refuses a whole scrape: a label that stands twice, a missing
// metric name, and names or values that are not valid UTF-8.
func (b *labeler) label(scraped labels.Labels) (series.Labels, error) {
	if name, twice := scraped.HasDuplicateLabelNames(); twice {
		return labels.EmptyLabels(), fmt.Errorf("label %q stands twice", name)
	}
	b.builder.Reset()
	kept, tooLong := 0, false
	scraped.Range(func(l labels.Label) {
		if l.Value == "" {
			return
		}
		kept++
		tooLong = tooLong || len(l.Name) > b.maxLength || len(l.Value) > b.maxLength
		b.builder.Add(freeName(scraped, l.Name), l.Value)
	})
	if tooLong || kept > b.maxLabels {
		return labels.EmptyLabels(), errLabelLimit
	}
	b.addTarget()
	b.builder.Sort()
	return valid(b.builder.Labels())
}

func (b *labeler) addTarget() {
	if b.instance != "" {
		b.builder.Add("instance", b.instance)
	}
	if b.service != "" {
		b.builder.Add("service", b.service)
	}
}

func valid(l labels.Labels) (series.Labels, error) {
	switch {
	case l.Get(model.MetricNameLabel) == "":
		return l, errors.New("no metric name")
	case !l.IsValid(model.UTF8Validation):
		return l, errors.New("metric or label names that are not valid")
	}
	return l, nil
}

// freeName returns name, or, when it is one that names the target, exported_name
// with as many exported_ as it takes to be free, as Prometheus does.
func freeName(scraped labels.Labels, name string) string {
	if name != "instance" && name != "job" && name != "service" {
		return name
	}
	for {
		name = "exported_" + name
		if !scraped.Has(name) {
			return name
		}
	}
}
