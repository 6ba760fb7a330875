package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"github.com/capdoctor/capdoctor/logparse"
)

// readFile takes a log from a file, or from in where the file is "-". Lines that
// no pattern can match are counted by time and level and not looked at. A file
// that breaks off is judged as far as it goes, which is noted.
func (l *logs) readFile(ctx context.Context, in io.Reader, file, instance, service string, o logparse.Options, progress *atomic.Int64) error {
	sampler := l.grid.Sampler(instance, service)
	o.Formats = l.catalog.Formats()
	stream, err := streamOf(in, file)
	if err != nil {
		return fmt.Errorf("log %q: %w", file, err)
	}
	if stream != nil {
		defer stream.Close()
	}
	if done, err := l.readIfSmall(&stream, file, instance, service, o); done || err != nil {
		return err
	}
	reading := logparse.Reading{
		Progress: progress,
		Filter:   l.catalog.Prefilter().Find,
		Record:   func(r *logparse.Record) { l.take(sampler, r) },
	}
	tally, stats, err := read(ctx, stream, file, o, reading)
	if err != nil && (ctx.Err() != nil || stats.Records == 0) {
		return fmt.Errorf("log %q: %w", file, err)
	}
	if err != nil {
		l.notes = append(l.notes, fmt.Sprintf("%s breaks off: %s; what stands before was judged", l.shown(file), cause(err)))
	}
	sampler.Count(tally)
	if err := l.countSkipped(file, stats.Skipped); err != nil {
		return fmt.Errorf("log %q: %w", file, err)
	}
	l.account(instance, service, sampler, stats)
	return nil
}

// tryFile is readFile, but a log that cannot be read does not keep others from
// being judged.
func (l *logs) tryFile(ctx context.Context, in io.Reader, file, instance, service string, o logparse.Options, progress *atomic.Int64) error {
	err := l.readFile(ctx, in, file, instance, service, o, progress)
	if err != nil && ctx.Err() == nil {
		l.failed = append(l.failed, err)
		return nil
	}
	return err
}

// leaveOut notes the logs that could not be read. It is an error where none could.
func (l *logs) leaveOut() error {
	if len(l.failed) > 0 && len(l.byName) == 0 {
		return l.failed[0]
	}
	for _, err := range l.failed {
		l.notes = append(l.notes, err.Error()+"; it was not judged")
	}
	return nil
}

// mostSkipped is how many bytes are looked through only to number the lines
// behind them.
const mostSkipped = 4 << 30

// countSkipped counts the lines of the part of a file that was passed over, so
// that lines are told by their number in the file.
func (l *logs) countSkipped(file string, size int64) error {
	if size == 0 || size > mostSkipped {
		return nil
	}
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	lines, err := logparse.LinesBefore(f, size)
	if err != nil {
		return err
	}
	l.skipped[file] = lines
	return nil
}

// streamOf opens what can be read only once, nil for a file.
func streamOf(in io.Reader, file string) (io.ReadCloser, error) {
	switch {
	case file == "-":
		return io.NopCloser(in), nil
	case logparse.IsStream(file):
		return os.Open(file)
	}
	return nil, nil
}

// read reads a stream, or the file where there is none.
func read(ctx context.Context, stream io.Reader, file string, o logparse.Options, r logparse.Reading) (*logparse.Tally, logparse.Stats, error) {
	if stream == nil {
		return logparse.ReadFile(ctx, file, o, r)
	}
	if file == "-" {
		file = "standard input"
	}
	return logparse.ReadStream(ctx, stream, file, o, r)
}

// cause is an error without the name of the file, which is told beside it.
func cause(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}

// tailSize is how much of one end of a file is read to find its last time.
const tailSize = 1 << 20

// lastTime is the last time in a file; zero when it has none. Of a large file
// only the end with the newest records is read; of a compressed one, and where
// that end does not tell, all of it.
func lastTime(ctx context.Context, file string, o logparse.Options) (time.Time, error) {
	f, err := os.Open(file)
	if err != nil {
		return time.Time{}, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return time.Time{}, err
	}
	none := logparse.Reading{Filter: func([]byte) int { return -1 }}
	if info.Mode().IsRegular() && info.Size() > tailSize {
		end, err := newestEnd(f, info.Size(), file, o)
		if err != nil {
			return time.Time{}, err
		}
		_, stats, err := logparse.ReadStream(ctx, end, file, o, none)
		if err == nil && 10*stats.Unparsed <= stats.Records && !stats.Last.IsZero() { // the rest of a trace may be unparsed
			return stats.Last, nil
		}
	}
	_, stats, err := logparse.ReadFile(ctx, file, o, none)
	return stats.Last, err
}

// newestEnd is the end of a large file that holds its newest records, without the
// rest of a line; empty where no part tells their time.
func newestEnd(f io.ReaderAt, size int64, file string, o logparse.Options) (io.Reader, error) {
	newest, alone, err := logparse.NewestFirst(file, o)
	switch {
	case err != nil:
		return nil, err
	case newest && !alone:
		return strings.NewReader(""), nil
	case newest:
		head := make([]byte, tailSize)
		n, err := f.ReadAt(head, 0)
		if err != nil && err != io.EOF {
			return nil, err
		}
		return bytes.NewReader(head[:bytes.LastIndexByte(head[:n], '\n')+1]), nil
	}
	tail := bufio.NewReader(io.NewSectionReader(f, size-tailSize, tailSize))
	if _, err := tail.ReadBytes('\n'); err != nil && err != io.EOF {
		return nil, err
	}
	return tail, nil
}

// lastOf is the last time of all inputs.
func lastOf(ctx context.Context, inputs []logparse.Input, options func(file, instance string) logparse.Options) (time.Time, error) {
	var last time.Time
	for _, in := range inputs {
		for _, file := range in.Files {
			if logparse.IsStream(file) {
				return last, errors.New("the standard input and pipes cannot be read twice to find their end; give a time such as 2026-07-02T09:00:00Z")
			}
			t, err := lastTime(ctx, file, options(file, in.Instance))
			if err != nil {
				return last, err
			}
			if t.After(last) {
				last = t
			}
		}
	}
	if last.IsZero() {
		return last, errors.New("no log has a time")
	}
	return last, nil
}
