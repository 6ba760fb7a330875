package logparse

import (
	"errors"
	"io"
	"os"
)

// chunkSize is the length of the parts in which a file is read side by side.
const chunkSize = 4 << 20

// A part is what one worker found in one part of a file.
type part struct {
	stats   Stats
	clock   clock
	noted   bool
	first   moment
	latest  moment
	records []Record
	text    arena // what the records' slices point into
	err     error
}

// reset makes a part ready for use again. Its records are no longer valid.
func (p *part) reset() {
	*p = part{records: p.records[:0], text: p.text}
	p.text.used = 0
	if len(p.text.blocks) > 0 {
		p.text.blocks[0] = p.text.blocks[0][:0]
	}
}

// An arena is memory for texts, which are given back all at once.
type arena struct {
	blocks [][]byte
	used   int // blocks that are full
}

// arenaBlock is the length of a block of an arena.
const arenaBlock = 256 << 10

// copy returns a copy of text that is valid until the arena is used again.
func (a *arena) copy(text []byte) []byte {
	if len(text) == 0 {
		return nil
	}
	for a.used < len(a.blocks) && len(a.blocks[a.used])+len(text) > cap(a.blocks[a.used]) {
		a.used++
		if a.used < len(a.blocks) {
			a.blocks[a.used] = a.blocks[a.used][:0]
		}
	}
	if a.used == len(a.blocks) {
		a.blocks = append(a.blocks, make([]byte, 0, max(arenaBlock, len(text))))
	}
	b := a.blocks[a.used]
	from := len(b)
	b = append(b, text...)
	a.blocks[a.used] = b
	return b[from:len(b):len(b)]
}

// overlap is how far the window of a part reaches into the next one: as far as
// the last record mostly does.
const overlap = 16 << 10

// scanPart reads the records whose first line begins in part n of a file, of
// which the first bytes are passed over, and the lines that belong to the last
// of them. It reads them where the system keeps the file, if it can.
func scanPart(f *os.File, from, size int64, n int, s *Scanner, p *part) {
	var w window
	defer w.close()
	defer p.recoverCut(&w)
	start := from + int64(n)*chunkSize
	s.limit = start + chunkSize
	end := min(s.limit+overlap, size)
	if s.limit >= size {
		s.limit = 0
	}
	if n > 0 {
		start--
		s.src.dropping, s.skipHead = true, true
	}
	s.src.base = start
	w.open(f, start, end-start)
	if w.text != nil {
		start = end
		s.src.lend(w.text)
	}
	s.src.r = io.NewSectionReader(f, start, size-start)
	p.scan(s)
}

// errCut is the end of a file that became shorter while it was read.
var errCut = errors.New("the file was cut while it was read, or cannot be read any more")

// recoverCut turns the fault of reading in a window behind the end of its file
// into an error; the goroutine must be set to panic on faults.
func (p *part) recoverCut(w *window) {
	r := recover()
	if r == nil {
		return
	}
	if fault, ok := r.(interface{ Addr() uintptr }); !ok || !w.holds(fault.Addr()) {
		panic(r)
	}
	p.err = errCut
}

// scan reads a scanner to its end.
func (p *part) scan(s *Scanner) {
	var rec Record
	for s.Next(&rec) {
		p.keep(&rec)
	}
	p.stats, p.clock, p.err = s.Stats(), s.clock, s.Err()
	p.noted, p.first, p.latest = s.noted, s.first, s.latest
}

// keep copies a record.
func (p *part) keep(rec *Record) {
	r := *rec
	r.Raw = p.text.copy(rec.Raw)
	for _, field := range []*[]byte{&r.Source, &r.Logger, &r.Thread, &r.Message, &r.Trace} {
		if lo, ok := partOf(rec.Raw, *field); ok {
			*field = r.Raw[lo : lo+len(*field) : lo+len(*field)]
		} else {
			*field = p.text.copy(*field)
		}
	}
	p.records = append(p.records, r)
}

// partOf returns where in text a part of it begins. It is not ok when the part
// lies elsewhere in memory.
func partOf(text, part []byte) (lo int, ok bool) {
	lo = cap(text) - cap(part)
	if len(part) == 0 || lo < 0 || lo+len(part) > len(text) {
		return 0, false
	}
	return lo, &text[lo] == &part[0]
}
