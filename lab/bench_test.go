package lab

import (
	"testing"
	"time"
)

// BenchmarkModel tells how many virtual seconds pass in a real one.
func BenchmarkModel(b *testing.B) {
	for _, c := range []struct {
		name   string
		config Config
	}{
		{"8 writers", startEight()},
		{"20 writers, stuck", func() Config { c := Evento(); c.StartEvery = 0; return c }()},
		{"20 writers, growing first", EventoGrowFirst()},
		{"28 writers, growing first", busy().Config},
	} {
		b.Run(c.name, func(b *testing.B) {
			m := New(c.config, epoch)
			at := epoch
			for b.Loop() {
				at = at.Add(10 * time.Second)
				m.RunTo(at)
			}
			b.ReportMetric(10*float64(b.N)/b.Elapsed().Seconds(), "virtual-s/s")
		})
	}
}

// BenchmarkPreRoll is what a demonstration waits for.
func BenchmarkPreRoll(b *testing.B) {
	for b.Loop() {
		collapse().Roll(epoch)
	}
}

func BenchmarkPages(b *testing.B) {
	m := collapse().Roll(epoch)
	for b.Loop() {
		m.Pages()
	}
}
