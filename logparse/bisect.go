package logparse

import (
	"bytes"
	"io"
	"time"
)

const (
	probeSize = 64 << 10 // bytes that one probe reads
	nearSize  = 512 << 10
	disorder  = 5 * time.Second // by which neighbouring lines may be out of order
)

// findTime returns where the records of o.Since begin in a file that is ordered
// by time, or some way before: a place where a record begins. It returns 0 when
// the stamps that it meets are not in order.
func findTime(f io.ReaderAt, size int64, p *plan, o Options) int64 {
	b := bisection{f: f, size: size, guess: p.guess, options: o}
	since := o.Since.Add(-disorder)
	lo, hi := int64(0), size
	_, loTime, ok := b.probe(0)
	if !ok || !loTime.Before(since) {
		return 0
	}
	hiTime := time.Time{}
	for hi-lo > nearSize {
		mid := lo + (hi-lo)/2
		at, t, ok := b.probe(mid)
		switch {
		case !ok || at >= hi:
			hi = mid
			continue
		case t.Add(disorder).Before(loTime) || !hiTime.IsZero() && t.Add(-disorder).After(hiTime):
			return 0
		case t.Before(since):
			lo, loTime = at, t
		default:
			hi, hiTime = mid, t
		}
	}
	return lo
}

// allFrom tells whether the records of a file begin at or after o.Since, as far as
// the first ones and some in its middle and near its end show.
func allFrom(f io.ReaderAt, size int64, p *plan, o Options) bool {
	b := bisection{f: f, size: size, guess: p.guess, options: o}
	for _, at := range []int64{0, size / 2, max(0, size-nearSize)} {
		if _, t, ok := b.probe(at); !ok || t.Before(o.Since) {
			return false
		}
	}
	return true
}

type bisection struct {
	f       io.ReaderAt
	size    int64
	guess   *guess
	options Options
	buf     [probeSize]byte
}

// probe returns where the first record after an offset begins, and its time.
func (b *bisection) probe(offset int64) (at int64, t time.Time, ok bool) {
	n, _ := b.f.ReadAt(b.buf[:], offset)
	text := b.buf[:n]
	at = offset
	if offset > 0 {
		i := bytes.IndexByte(text, '\n')
		if i < 0 {
			return 0, time.Time{}, false
		}
		text, at = text[i+1:], offset+int64(i)+1
	}
	var stamps stampReader
	for {
		line, rest, whole := bytes.Cut(text, []byte("\n"))
		if !whole {
			return 0, time.Time{}, false
		}
		var h header
		if b.guess.fast.decode(trimCR(line), &h, &stamps) && h.stamp.has&hasYear != 0 {
			c := newClock(b.options)
			sec, nsec := c.resolve(&h.stamp)
			return at, time.Unix(sec, int64(nsec)), true
		}
		at += int64(len(line)) + 1
		text = rest
	}
}

// LinesBefore returns the number of lines that end before an offset of a plain
// file. Added to Record.Line it gives the line in the file when the reading
// began in its middle (Stats.Skipped).
func LinesBefore(f io.ReaderAt, offset int64) (int64, error) {
	buf := make([]byte, readSize)
	var lines int64
	for at := int64(0); at < offset; {
		n, err := f.ReadAt(buf[:min(readSize, offset-at)], at)
		lines += int64(bytes.Count(buf[:n], []byte("\n")))
		at += int64(n)
		if err != nil && at < offset {
			return lines, err
		}
	}
	return lines, nil
}
