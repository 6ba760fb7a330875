//go:build unix

package tui

import (
	"io"
	"syscall"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
)

// cpuTime is what the process has used of its processors.
func cpuTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkCPU runs a whole program at a steady rate of frames and reports the
// share of one core that it takes, its renderer included.
func BenchmarkCPU(b *testing.B) {
	for _, c := range []struct {
		name  string
		pause time.Duration
		w     *world
	}{
		{"collapse/idle", 0, collapse()}, {"collapse/1Hz", time.Second, collapse()}, {"collapse/10Hz", time.Second / 10, collapse()},
		{"fleet/idle", 0, fleet()}, {"fleet/1Hz", time.Second, fleet()}, {"fleet/10Hz", time.Second / 10, fleet()},
	} {
		b.Run(c.name, func(b *testing.B) { benchmarkRate(b, c.w, c.pause) })
	}
}

// benchmarkRate feeds a program a frame every pause, or only one.
func benchmarkRate(b *testing.B, w *world, pause time.Duration) {
	const length = 5 * time.Second
	for range b.N {
		frames, done := make(chan Frame), make(chan error)
		in, keys := io.Pipe()
		go func() {
			_, err := run(b.Context(), in, io.Discard, Options{Store: w.store, Frames: frames, Start: noon, Catalog: wordCatalog()}, tea.WithWindowSize(200, 60))
			in.Close()
			done <- err
		}()
		frames <- Frame{Report: w.report}
		time.Sleep(200 * time.Millisecond)
		before, begun := cpuTime(b), time.Now()
		for n := 1; time.Since(begun) < length; n++ {
			if pause == 0 {
				time.Sleep(length)
				break
			}
			r := *w.report
			r.At = noon.Add(time.Duration(n) * pause)
			frames <- Frame{Report: &r}
			time.Sleep(pause)
		}
		b.ReportMetric(100*float64(cpuTime(b)-before)/float64(time.Since(begun)), "%core")
		if _, err := io.WriteString(keys, "q"); err != nil {
			b.Fatal(err)
		}
		if err := <-done; err != nil {
			b.Fatal(err)
		}
	}
}
