package scrape

import (
	"errors"

	"github.com/capdoctor/capdoctor/series"
)

// Limits of one page where ParseOptions sets none.
const (
	DefaultMaxSamples     = 1_000_000
	DefaultMaxLabels      = 64
	DefaultMaxLabelLength = 4096
)

// ParseOptions say how a page becomes samples. The zero value takes every
// sample, with the default limits.
type ParseOptions struct {
	Instance string // the label instance of every sample; none when empty
	Service  string // the label service; none when empty

	Filter *Filter // the names to take; all when nil

	// HonorTimestamps takes the times on the page. Otherwise every sample
	// counts at the time of the scrape: exporters are known to repeat old
	// times, which would make a living target look stale.
	HonorTimestamps bool

	MaxSamples     int // a page with more is refused; 0 is DefaultMaxSamples
	MaxLabels      int // a series with more is left out; 0 is DefaultMaxLabels
	MaxLabelLength int // bytes; a series with a longer name or value is left out; 0 is DefaultMaxLabelLength
}

// Info says how a page was read.
type Info struct {
	Format       Format
	Fallback     bool // the format is not the one that the Content-Type declares
	FinalNewline bool // the page ends as the text formats want it
	Samples      int  // samples returned
	Skipped      int  // series left out because a label is too long or there are too many
	Unasked      int  // samples passed over because the filter does not want their names
	Native       int  // native histograms, left out: their classic series are taken where there are any
	Timestamps   int  // samples that carry a time of their own
}

// Parse reads a page in the format that contentType declares, text when it is
// empty or unknown, and in another format when that fails. Text needs no final
// newline. Labels called instance, job or service are renamed to
// exported_instance and so on; a label without a value is dropped; label
// values of le and quantile are written as Prometheus writes them. Series named
// _created are samples like others.
//
// An error is a *ParseError that says what is wrong in which line; nothing of
// such a page is returned. A page without samples is no error.
func Parse(body []byte, contentType string, o ParseOptions) ([]series.Sample, Info, error) {
	declared := formatOf(contentType)
	if len(body) == 0 {
		return nil, Info{Format: declared}, nil
	}
	samples, info, err := parseAs(declared, body, o)
	if err == nil {
		return samples, info, nil
	}
	var e *ParseError
	if errors.As(err, &e) && e.Kind == TooLarge {
		return nil, info, err
	}
	for _, other := range alternatives(declared, body) {
		samples, otherInfo, otherErr := parseAs(other, body, o)
		if otherErr == nil && otherInfo.Samples+otherInfo.Unasked > 0 {
			otherInfo.Fallback = true
			return samples, otherInfo, nil
		}
	}
	return nil, info, err
}

// parseAs reads body, which is not empty, in one format.
func parseAs(f Format, body []byte, o ParseOptions) ([]series.Sample, Info, error) {
	var samples []series.Sample
	p := newPage(f, body, o.withDefaults(), func(e entry) {
		if e.fate == kept {
			samples = append(samples, series.Sample{Labels: e.labels, Time: e.time, Value: e.value})
		}
	})
	if err := p.read(); err != nil {
		p.info.Samples = 0
		return nil, p.info, err
	}
	return samples, p.info, nil
}

func (o ParseOptions) withDefaults() ParseOptions {
	o.MaxSamples = orDefault(o.MaxSamples, DefaultMaxSamples)
	o.MaxLabels = orDefault(o.MaxLabels, DefaultMaxLabels)
	o.MaxLabelLength = orDefault(o.MaxLabelLength, DefaultMaxLabelLength)
	return o
}

func orDefault(n, standard int) int {
	if n <= 0 {
		return standard
	}
	return n
}
