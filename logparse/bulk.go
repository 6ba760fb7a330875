package logparse

import (
	"context"
	"io"
	"os"
	"runtime"
	"sync/atomic"
)

// A Reading says what is handed out while a log is read.
type Reading struct {
	Filter  Filter        // which records are handed out; nil: all
	Record  func(*Record) // takes them, in the order of time that the file has, one at a time; nil: none are
	Workers int           // goroutines that read side by side; 0: one per processor
	// Progress, unless nil, is advanced by the bytes of the file that were read:
	// of its compressed form, if it is.
	Progress *atomic.Int64
}

// ReadFile reads a file to its end, also a compressed one, counts every record
// by time and level, and hands out those that the filter wants. With a filter a
// large plain file whose stamps have a date is read in parts side by side, which
// gives the same result; a plain file that begins with its newest record is read from its
// end; what lies before Options.Since is passed over where the file is in order.
// It stops with ctx.Err() when ctx is done. Errors name the file.
func ReadFile(ctx context.Context, path string, o Options, r Reading) (*Tally, Stats, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, Stats{}, err
	}
	defer f.Close()
	b := newBulk(ctx, path, o, r)
	b.plan, err = planFile(f, path, &b.options)
	if err == nil {
		err = b.read(f)
	}
	if err != nil && ctx.Err() == nil {
		err = &os.PathError{Op: "read", Path: path, Err: err}
	}
	return b.tally, b.stats, err
}

// ReadStream reads a log that cannot be read twice, such as the standard input,
// as ReadFile does. Records come in the order of the stream.
func ReadStream(ctx context.Context, in io.Reader, file string, o Options, r Reading) (*Tally, Stats, error) {
	b := newBulk(ctx, file, o, r)
	err := b.readStream(in)
	return b.tally, b.stats, err
}

// A bulk is the reading of one file.
type bulk struct {
	ctx     context.Context
	path    string
	options Options
	reading Reading
	plan    plan
	tally   *Tally
	stats   Stats
}

func newBulk(ctx context.Context, path string, o Options, r Reading) *bulk {
	if r.Record == nil {
		r.Filter = func([]byte) int { return -1 }
	}
	return &bulk{ctx: ctx, path: path, options: o, reading: r, tally: NewTally()}
}

func (b *bulk) read(f *os.File) error {
	p := &b.plan
	var err error
	switch {
	case p.seeks && p.newest:
		return b.readNewestFirst(f, p.size)
	case p.seeks && p.absolve && b.reading.Filter != nil && p.size-p.from > 2*chunkSize:
		err = b.readParts(f, p.size)
	case p.seeks:
		err = b.readStream(io.NewSectionReader(f, p.from, p.size-p.from))
	default:
		err = b.readStream(f)
	}
	b.stats.Skipped = p.from
	b.stats.Ended = b.stats.Ended || p.ended
	b.stats.Newest = p.newest
	return err
}

// scanner returns a scanner for one worker.
func (b *bulk) scanner(r io.Reader, tally *Tally) *Scanner {
	s := NewScanner(r, b.path, b.options)
	s.filter, s.tally, s.guess = b.reading.Filter, tally, b.plan.guess
	s.src.base = b.plan.from
	s.clock.begin(b.plan.wall)
	return s
}

// readStream reads from the beginning to the end. What takes time to produce is
// produced in another goroutine.
func (b *bulk) readStream(f io.Reader) error {
	in, err := decompress(&meter{r: f, ctx: b.ctx, n: b.reading.Progress})
	if err != nil {
		return err
	}
	if !b.plan.seeks {
		ahead := newReadahead(in)
		defer ahead.Close()
		in = ahead
	}
	s := b.scanner(in, b.tally)
	var rec Record
	for s.Next(&rec) {
		b.hand(&rec)
	}
	b.stats = s.Stats()
	return s.Err()
}

func (b *bulk) hand(rec *Record) {
	if b.reading.Record != nil {
		b.reading.Record(rec)
	}
}

func (b *bulk) workers() int {
	if b.reading.Workers > 0 {
		return b.reading.Workers
	}
	return runtime.GOMAXPROCS(0)
}

// A meter counts what is read and ends the reading when ctx is done.
type meter struct {
	r   io.Reader
	ctx context.Context
	n   *atomic.Int64
}

// Read implements io.Reader.
func (m *meter) Read(p []byte) (int, error) {
	if err := m.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := m.r.Read(p)
	if m.n != nil {
		m.n.Add(int64(n))
	}
	return n, err
}

var _ io.Reader = (*meter)(nil)
