package scrape

import "github.com/capdoctor/capdoctor/series"

// Batch returns the result as the store takes it. Samples of a failed scrape
// are left out, so that every series of the target ends here; the samples about
// the scrape itself stay. A Busy result is not a scrape and must not be stored.
func (r Result) Batch(src series.SourceID) series.Batch {
	b := series.Batch{Source: src, Time: r.At.UnixMilli(), Meta: r.Meta}
	if r.Err != nil {
		b.Failed = true
		return b
	}
	b.Samples = r.Samples
	return b
}
