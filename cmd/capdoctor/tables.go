package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/capdoctor/capdoctor/logparse"
	"github.com/capdoctor/capdoctor/report"
	"github.com/capdoctor/capdoctor/scrape"
	"github.com/capdoctor/capdoctor/sizing"
)

// Files that are neither a metrics page nor a log: a table of service statistics
// and the report of a benchmark. They are told by how they begin and read as
// logs are, each row at its time.

const headSize = 16 << 10

// peek looks at how a reader begins; the reader that it returns begins where r did.
func peek(r io.Reader) (io.Reader, []byte) {
	b := bufio.NewReaderSize(r, headSize)
	head, _ := b.Peek(headSize)
	return b, head
}

// readTable takes a table of service statistics.
func (l *logs) readTable(r io.Reader, file string, sampler *logparse.Sampler, service string, o logparse.Options) error {
	counted := &countedReader{in: io.LimitReader(r, mostStatistics)}
	rows, err := logparse.ReadStatistics(counted)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	st := sampler.Statistics(rows, o.Base)
	st.File, st.Bytes = file, counted.n
	l.account(sampler.Instance(), service, sampler, st)
	return nil
}

// readIfSmall takes a file that is a table or a report: those are read as a
// whole, and have to be judged though no line has a time. Of a stream, what was
// looked at stays to be read.
func (l *logs) readIfSmall(stream *io.ReadCloser, file, instance, service string, o logparse.Options) (bool, error) {
	var r io.Reader
	var head []byte
	if *stream != nil {
		r, head = peek(*stream)
		*stream = readCloser{r, *stream}
	} else {
		f, err := logparse.Open(file)
		if err != nil {
			return false, err
		}
		defer f.Close()
		r, head = peek(f)
	}
	if !logparse.HasStatistics(head) && !isBenchReport(head) {
		return false, nil
	}
	return true, l.read(r, file, instance, service, o)
}

type readCloser struct {
	io.Reader
	io.Closer
}

type countedReader struct {
	in io.Reader
	n  int64
}

func (c *countedReader) Read(p []byte) (int, error) {
	n, err := c.in.Read(p)
	c.n += int64(n)
	return n, err
}

// splitTables takes the files out of the targets that are no metrics pages.
func splitTables(args []string) (targets, tables []string) {
	for _, arg := range args {
		if t, err := scrape.ParseTarget(arg); err == nil && t.File != "" && t.File != scrape.Stdin && isTable(t.File) {
			tables = append(tables, arg)
			continue
		}
		targets = append(targets, arg)
	}
	return targets, tables
}

// reportTime is when the first benchmark report among files was written: a
// report has no time of its own. It is zero where there is none.
func reportTime(files []string) time.Time {
	for _, file := range files {
		if info, err := os.Stat(file); err == nil && isReportFile(file) {
			return info.ModTime().Truncate(time.Second)
		}
	}
	return time.Time{}
}

// benchNotes says how far the benchmark reports among logs can be trusted, and
// how each compares with the first.
func benchNotes(all []*followed) []string {
	var files []string
	for _, f := range all {
		if isReportFile(f.path) {
			files = append(files, f.path)
		}
	}
	var benches []sizing.Bench
	for _, file := range files {
		found, err := readBenches(nil, file, shortName(file, files))
		if err != nil {
			return []string{report.Escape(err.Error())}
		}
		benches = append(benches, found...)
	}
	var notes []string
	for i, b := range benches {
		r, err := sizing.JudgeBench(b, sizing.Number{}, sizing.Number{})
		if i > 0 {
			r, err = sizing.CompareBench(benches[0], b)
		} else if len(benches) > 1 {
			continue // what it is worth is said with the comparison
		}
		if err != nil {
			notes = append(notes, report.Escape(err.Error()))
			continue
		}
		for _, line := range r.Advice {
			notes = append(notes, report.Escape(line))
		}
	}
	return notes
}

// isReportFile tells whether a file begins like the report of a benchmark.
func isReportFile(file string) bool { return beginsLike(file, isBenchReport) }

// isTable tells whether a file begins like a table of service statistics or like
// the report of a benchmark.
func isTable(file string) bool {
	return beginsLike(file, func(head []byte) bool { return logparse.HasStatistics(head) || isBenchReport(head) })
}

// beginsLike tells what the first bytes of a regular file look like.
func beginsLike(file string, like func(head []byte) bool) bool {
	info, err := os.Stat(file)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	f, err := logparse.Open(file)
	if err != nil {
		return false
	}
	defer f.Close()
	head, _ := io.ReadAll(io.LimitReader(f, headSize))
	return like(head)
}

// isBenchReport tells whether one of the first lines says that a benchmark begins.
func isBenchReport(head []byte) bool {
	for line := range bytes.Lines(head) {
		if strings.HasPrefix(string(line), "Benchmarking ") && bytes.Contains(line, []byte(" connections, ")) {
			return true
		}
	}
	return false
}
