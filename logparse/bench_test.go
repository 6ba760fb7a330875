package logparse

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
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

// benchCommand measures another program, when it is there.
func benchCommand(b *testing.B, size int64, name string, args ...string) {
	b.Helper()
	b.Run(name, func(b *testing.B) {
		path, err := exec.LookPath(name)
		if err != nil {
			b.Skip(name, " is not installed")
		}
		b.SetBytes(size)
		for b.Loop() {
			if _, err := exec.Command(path, args...).Output(); err != nil { // grep stops early when nobody reads
				b.Fatal(err)
			}
		}
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

// BenchmarkSpring reads a log of Spring Boot beside programs that only look for
// lines:
//
//	BENCH_MIB=1024 go test ./logparse -run - -bench Spring
func BenchmarkSpring(b *testing.B) {
	path, size := benchFile(b, genlog.Spring)
	benchCommand(b, size, "wc", "-l", path)
	benchCommand(b, size, "grep", "-c", "-F", "WARN", path)
	benchCommand(b, size, "rg", "-c", "-F", "WARN", path)
	for _, workers := range []int{1, 2} {
		benchReading(b, fmt.Sprintf("tally,workers=%d", workers), path, size, func([]byte) int { return -1 }, workers)
		benchReading(b, fmt.Sprintf("one literal,workers=%d", workers), path, size, holds("Connection is not available"), workers)
	}
	benchReading(b, "every record", path, size, nil, 1)
}

// BenchmarkJSON reads JSON lines.
func BenchmarkJSON(b *testing.B) {
	path, size := benchFile(b, genlog.JSON)
	benchCommand(b, size, "rg", "-c", "-F", "WARN", path)
	benchReading(b, "tally", path, size, func([]byte) int { return -1 }, 2)
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
		benchCommand(b, size, c.name, "-q", "-d", "-c", path+c.suffix)
		benchReading(b, c.name+" tally", path+c.suffix, size, func([]byte) int { return -1 }, 2)
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
