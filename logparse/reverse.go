package logparse

import (
	"bytes"
	"io"
	"slices"
)

// reverseSize is the length of the parts in which a file is read from its end.
const reverseSize = 1 << 20

// readNewestFirst reads a file whose newest record comes first from its end, in
// parts, so that the records come in the order of time.
func (b *bulk) readNewestFirst(f io.ReaderAt, size int64) error {
	lines, err := LinesBefore(f, size)
	if err != nil {
		return err
	}
	if tail := make([]byte, 1); size > 0 {
		if _, err := f.ReadAt(tail, size-1); err == nil && tail[0] != '\n' {
			lines++
		}
	}
	var sum account
	var p part
	for end := size; end > 0; {
		if err := b.ctx.Err(); err != nil {
			return err
		}
		start := b.recordStart(f, end)
		s := b.scanner(io.NewSectionReader(f, start, end-start), b.tally)
		s.src.base = 0
		if sum.noted {
			s.clock.hint(sum.clock.wall)
		}
		p.reset()
		p.scan(s)
		if p.err != nil {
			return p.err
		}
		lines -= p.stats.Lines
		for i := range slices.Backward(p.records) {
			p.records[i].Line += lines
			p.records[i].Offset += start
			b.hand(&p.records[i])
		}
		sum.add(&p)
		sum.clock.wall = p.clock.wall
		if b.reading.Progress != nil {
			b.reading.Progress.Add(end - start)
		}
		if end = start; end > 0 && s.lastSecSet && s.lastSec >= s.until+overrunSeconds {
			sum.stats.Ended = true // all the rest is newer
			break
		}
	}
	b.stats = sum.result(b.path, b.plan.guess)
	b.stats.Newest = true
	return nil
}

// recordStart returns where a record begins, about reverseSize before end. When
// none begins there it looks further ahead, in steps twice as long.
func (b *bulk) recordStart(f io.ReaderAt, end int64) int64 {
	probe := NewScanner(nil, b.path, b.options)
	probe.guess = b.plan.guess
	for n := int64(reverseSize); n < end && n <= 16*reverseSize; n *= 2 {
		from := end - n
		text := make([]byte, min(n, probeSize*4))
		k, _ := f.ReadAt(text, from)
		text = text[:k]
		i := bytes.IndexByte(text, '\n')
		for i >= 0 {
			from += int64(i) + 1
			text = text[i+1:]
			line, _, whole := bytes.Cut(text, []byte("\n"))
			if !whole || from >= end {
				break
			}
			if probe.begins(trimCR(line)) {
				return from
			}
			i = len(line)
		}
	}
	return 0
}

// begins says whether a line begins a record of a known format.
func (s *Scanner) begins(line []byte) bool {
	if c, _ := s.carrierOf(piece{text: line}); c != nil {
		return true
	}
	f, _ := s.formatOf(line)
	return f != nil
}
