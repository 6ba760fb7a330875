package series

import (
	"fmt"
	"testing"
	"time"
)

// page is a scrape of 1,500 series: 50 metrics of 30 resources.
func page() []Sample {
	var samples []Sample
	for m := range 50 {
		for r := range 30 {
			samples = append(samples, Sample{Labels: FromStrings(
				"__name__", fmt.Sprintf("pool_metric_%d_total", m), "instance", "app", "pool", fmt.Sprintf("pool-%d", r), "kind", "threads")})
		}
	}
	return samples
}

func BenchmarkIngest(b *testing.B) {
	s := New(Options{Raw: 11 * time.Minute})
	id := s.AddSource(Source{Instance: "app", Interval: interval})
	samples := page()
	b.ReportAllocs()
	n := int64(0)
	for b.Loop() {
		n++
		for i := range samples {
			samples[i].Value = float64(n)
		}
		s.Ingest(Batch{Source: id, Time: n * 10_000, Samples: samples})
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n)/float64(len(samples)), "ns/sample")
}

func benchmarkStore() (*Store, int64) {
	s := New(Options{Raw: 11 * time.Minute})
	id := s.AddSource(Source{Instance: "app", Interval: interval})
	samples := page()
	var at int64
	for i := range 70 {
		at = int64(i) * 10_000
		for k := range samples {
			samples[k].Value = float64(i * k)
		}
		s.Ingest(Batch{Source: id, Time: at, Samples: samples})
	}
	return s, at
}

func BenchmarkInstant(b *testing.B) {
	s, at := benchmarkStore()
	for _, expr := range []string{"pool_metric_7_total", "rate(pool_metric_7_total[65s])", "sum by (instance) (pool_metric_7_total)"} {
		b.Run(expr, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if found, err := s.Instant(b.Context(), View{}, expr, at); err != nil || len(found) == 0 {
					b.Fatal(found, err)
				}
			}
		})
	}
}

func BenchmarkRange(b *testing.B) {
	s, at := benchmarkStore()
	b.ReportAllocs()
	for b.Loop() {
		if found, err := s.Range(b.Context(), View{}, "rate(pool_metric_7_total[65s])", at-600_000, at, 10_000); err != nil || len(found) == 0 {
			b.Fatal(found, err)
		}
	}
}
