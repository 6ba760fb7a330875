package logparse

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/capdoctor/capdoctor/logparse/internal/genlog"
)

// benchFile writes a generated log of 64 MiB, or of BENCH_MIB, and returns its
// path. It stays in the page cache.
func benchFile(b *testing.B, form genlog.Line) (path string, size int64) {
	b.Helper()
	size = 64 << 20
	if n, err := strconv.Atoi(os.Getenv("BENCH_MIB")); err == nil {
		size = int64(n) << 20
	}
	path = filepath.Join(b.TempDir(), "bench.log")
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	if err := genlog.New(1, time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)).Write(f, size, form); err != nil {
		b.Fatal(err)
	}
	return path, fileSize(path)
}

// A peer is another program that looks through a log.
type peer []string

// peers of a log of Spring Boot: all but the last one only look for lines.
func peers(path string) []peer {
	return []peer{
		{"wc", "-l", path},
		{"grep", "-c", "-F", "WARN", path},
		{"rg", "-c", "-F", "WARN", path},
		{"lnav", "-n", "-c", ";SELECT log_level, count(*) FROM all_logs GROUP BY log_level", path},
	}
}

// run runs the program, which is skipped when it is not there.
func (p peer) run(b *testing.B) {
	b.Helper()
	path, err := exec.LookPath(p[0])
	if err != nil {
		b.Skip(p[0], " is not installed")
	}
	cmd := exec.Command(path, p[1:]...)
	cmd.Env = append(os.Environ(), "HOME="+filepath.Dir(p[len(p)-1])) // lnav keeps files there
	out, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		b.Fatal(err)
	}
	defer out.Close()
	cmd.Stdout = out // gigabytes, of what decompresses
	if p[0] == "grep" {
		cmd.Stdout = new(bytes.Buffer) // it stops early when nobody reads
	}
	if err := cmd.Run(); err != nil {
		b.Fatal(err)
	}
}

// benchPeer measures another program.
func benchPeer(b *testing.B, size int64, p peer) {
	b.Helper()
	b.Run(p[0], func(b *testing.B) {
		b.SetBytes(size)
		for b.Loop() {
			p.run(b)
		}
	})
}

// benchBeside reads a log with every pattern and runs another program on it in
// turn, and reports the median of how many times its wall time the reading
// takes: other work on the machine hits both.
func benchBeside(b *testing.B, path string, p peer) {
	b.Helper()
	b.Run("events beside "+p[0], func(b *testing.B) {
		var ratios []float64
		for b.Loop() {
			begin := time.Now()
			readEvents(b, path, 2)
			ours := time.Since(begin)
			begin = time.Now()
			p.run(b)
			ratios = append(ratios, ours.Seconds()/time.Since(begin).Seconds())
		}
		slices.Sort(ratios)
		b.ReportMetric(ratios[len(ratios)/2], "x-"+p[0])
	})
}

// readEvents reads a log as a look back does, up to the samples.
func readEvents(b *testing.B, path string, workers int) {
	b.Helper()
	c := testCatalog(b)
	m := c.NewMatcher()
	sampler := NewGrid(c, GridOptions{}).Sampler("app", "")
	var events []Event
	r := Reading{Filter: c.Prefilter().Find, Workers: workers, Record: func(r *Record) {
		events = m.Match(r, events[:0])
		for _, e := range events {
			sampler.Add(e)
		}
	}}
	tally, _, err := ReadFile(b.Context(), path, Options{}, r)
	if err != nil {
		b.Fatal(err)
	}
	sampler.Count(tally)
}

// benchEvents measures readEvents.
func benchEvents(b *testing.B, path string, size int64, workers int) {
	b.Helper()
	b.Run(fmt.Sprintf("events,workers=%d", workers), func(b *testing.B) {
		b.SetBytes(size)
		testCatalog(b)
		for b.Loop() {
			readEvents(b, path, workers)
		}
		b.ReportMetric(float64(size), "log-bytes")
	})
}

// benchReading measures ReadFile with a filter.
func benchReading(b *testing.B, name, path string, size int64, filter Filter, workers int) {
	b.Helper()
	b.Run(name, func(b *testing.B) {
		b.SetBytes(size)
		for b.Loop() {
			r := Reading{Filter: filter, Workers: workers, Record: func(*Record) {}}
			if _, _, err := ReadFile(b.Context(), path, Options{}, r); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkSpring reads a log of Spring Boot beside other programs:
//
//	BENCH_MIB=1024 go test ./logparse -run - -bench Spring
//
// Counted by callgrind on an EPYC 9004, in instructions per byte (instructions.sh):
// tally 1.7, events 4.6, ripgrep 0.4.
func BenchmarkSpring(b *testing.B) {
	path, size := benchFile(b, genlog.Spring)
	for _, p := range peers(path) {
		benchPeer(b, size, p)
	}
	for _, workers := range []int{1, 2} {
		benchReading(b, fmt.Sprintf("tally,workers=%d", workers), path, size, func([]byte) int { return -1 }, workers)
		benchReading(b, fmt.Sprintf("one literal,workers=%d", workers), path, size, holds("Connection is not available"), workers)
		benchEvents(b, path, size, workers)
	}
	benchReading(b, "every record", path, size, nil, 1)
	for _, p := range peers(path) {
		benchBeside(b, path, p)
	}
}

// BenchmarkJSON reads JSON lines.
func BenchmarkJSON(b *testing.B) {
	path, size := benchFile(b, genlog.JSON)
	benchPeer(b, size, peer{"rg", "-c", "-F", "WARN", path})
	benchReading(b, "tally", path, size, func([]byte) int { return -1 }, 2)
	benchEvents(b, path, size, 1)
	benchEvents(b, path, size, 2)
	benchReading(b, "every record", path, size, nil, 1)
}

// BenchmarkAccess reads an access log.
func BenchmarkAccess(b *testing.B) {
	path, size := benchFile(b, genlog.Access)
	benchReading(b, "tally", path, size, func([]byte) int { return -1 }, 2)
	benchReading(b, "every record", path, size, nil, 1)
}

// BenchmarkCompressed reads compressed logs beside the programs that only
// decompress them.
func BenchmarkCompressed(b *testing.B) {
	path, size := benchFile(b, genlog.Spring)
	for _, c := range []struct{ name, suffix, level string }{{"gzip", ".gz", "-6"}, {"zstd", ".zst", "-3"}} {
		program, err := exec.LookPath(c.name)
		if err != nil {
			continue
		}
		if err := exec.Command(program, "-q", "-k", c.level, path).Run(); err != nil {
			b.Fatal(err)
		}
		p := peer{c.name, "-q", "-d", "-c", path + c.suffix}
		benchPeer(b, size, p)
		benchReading(b, c.name+" tally", path+c.suffix, size, func([]byte) int { return -1 }, 2)
		benchBeside(b, path+c.suffix, p)
	}
}

// BenchmarkSince finds a time near the end of a log.
func BenchmarkSince(b *testing.B) {
	path, _ := benchFile(b, genlog.Spring)
	_, st, err := ReadFile(b.Context(), path, Options{}, Reading{})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, _, err := ReadFile(b.Context(), path, Options{Since: st.Last.Add(-time.Second)}, Reading{}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkFormats compiles the built-in formats and checks their samples.
func BenchmarkFormats(b *testing.B) {
	for b.Loop() {
		if _, err := readFormats(); err != nil {
			b.Fatal(err)
		}
	}
}
