package logparse

import (
	"context"
	"io"
	"os"
	"runtime"
	"sync/atomic"
)

// A Reading says what is handed out while a file is read.
type Reading struct {
	Filter  Filter        // which records are handed out; nil: all
	Record  func(*Record) // takes them, in the order of the file, one at a time; nil: none are
	Workers int           // goroutines that read side by side; 0: one per processor
	// Progress, unless nil, is set to the bytes of the file that were read: of
	// its compressed form, if it is.
	Progress *atomic.Int64
}

// ReadFile reads a file to its end, also a compressed one, counts every record
// by time and level, and hands out those that the filter wants. A large plain
// file whose stamps have a date is read in parts side by side, which gives the
// same result. It stops with ctx.Err() when ctx is done.
func ReadFile(ctx context.Context, path string, o Options, r Reading) (*Tally, Stats, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, Stats{}, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, Stats{}, err
	}
	b := &bulk{ctx: ctx, path: path, options: o, reading: r, tally: NewTally()}
	if info.Mode().IsRegular() && info.Size() > 2*chunkSize && b.splits(f, info.Size()) {
		err = b.readParts(f, info.Size())
	} else {
		err = b.readStream(f)
	}
	return b.tally, b.stats, err
}

// A bulk is the reading of one file.
type bulk struct {
	ctx     context.Context
	path    string
	options Options
	reading Reading
	guess   *guess
	tally   *Tally
	stats   Stats
}

// splits says whether a file can be read in parts: it is not compressed, has no
// carriers, and its stamps stand for themselves.
func (b *bulk) splits(f io.ReaderAt, size int64) bool {
	head := make([]byte, detectSize)
	n, _ := f.ReadAt(head, 0)
	head = head[:n]
	if compressionOf(head) != plain {
		return false
	}
	probe := NewScanner(io.NewSectionReader(f, 0, int64(n)), b.path, b.options)
	var rec Record
	probe.Next(&rec)
	b.guess = probe.guess
	c := &probe.clock
	return b.guess != nil && b.guess.fast != nil && probe.noted && c.used&^assumedZone == 0 &&
		(c.used == 0 || c.loc == nil)
}

// scanner returns a scanner for one worker.
func (b *bulk) scanner(r io.Reader, tally *Tally) *Scanner {
	s := NewScanner(r, b.path, b.options)
	s.filter, s.tally, s.guess = b.reading.Filter, tally, b.guess
	return s
}

// readStream reads a file from its beginning to its end.
func (b *bulk) readStream(f *os.File) error {
	in := &meter{r: f, ctx: b.ctx, n: b.reading.Progress}
	plain, err := decompress(in)
	if err != nil {
		return err
	}
	ahead := newReadahead(plain)
	defer ahead.Close()
	s := b.scanner(ahead, b.tally)
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
