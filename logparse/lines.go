package logparse

import (
	"bytes"
	"io"
)

// readSize is the size of one read. Larger reads are not faster.
const readSize = 256 << 10

// A lineReader splits a stream into lines within a buffer of fixed size. Lines
// point into the buffer and stay valid until fill is called.
type lineReader struct {
	r        io.Reader
	buf      []byte
	lent     bool   // buf belongs to somebody else: it is not written to, and r goes on behind it
	spare    []byte // to read into when what is lent is used up
	pos, end int
	base     int64 // offset in the stream of buf[0]
	max      int   // length at which a line is cut
	dropping bool  // the rest of a line that was cut is being passed over
	eof      bool
	err      error
	cut      int64 // lines that were cut
}

func newLineReader(r io.Reader, maxLine int) lineReader {
	return lineReader{r: r, max: maxLine}
}

// offset returns the position in the stream of the next line.
func (l *lineReader) offset() int64 { return l.base + int64(l.pos) }

// next returns the next line without its newline, and the bytes it takes up in
// the stream. It is not ok when the buffer holds no whole line: then fill, or
// the end.
func (l *lineReader) next() (line []byte, size int, ok bool) {
	b := l.buf[l.pos:l.end]
	i := bytes.IndexByte(b, '\n')
	switch {
	case i >= 0 && i <= l.max:
		l.pos += i + 1
		return b[:i], i + 1, true
	case i >= 0:
		l.cut++
		l.pos += i + 1
		return b[:l.max], i + 1, true
	case len(b) > l.max:
		l.cut++
		l.dropping = true
		l.pos = l.end
		return b[:l.max], len(b), true
	}
	return nil, 0, false
}

// last returns what stands after the last newline, and stays before it.
func (l *lineReader) last() (line []byte, ok bool) {
	b := l.buf[l.pos:l.end]
	return b, len(b) > 0
}

// breakLine ends a line whose newline never came.
func (l *lineReader) breakLine() {
	l.dropping = false
	if l.buf == nil {
		return
	}
	if l.end == len(l.buf) {
		copy(l.buf, l.buf[l.pos:l.end])
		l.base += int64(l.pos)
		l.end -= l.pos
		l.pos = 0
	}
	l.end += copy(l.buf[l.end:], "\n")
}

// fill reads more into the buffer and moves what is in it from keep on to the
// front; keep is at most the position. It returns the bytes of a cut line that
// were passed over, and false at the end of the stream, or when a source that
// grows has no more for now.
func (l *lineReader) fill(keep int) (dropped int64, more bool) {
	if l.lent {
		keep = l.giveBack(keep)
	}
	if l.buf == nil {
		l.buf = l.newBuffer()
	}
	for {
		if keep > 0 {
			copy(l.buf, l.buf[keep:l.end])
			l.base += int64(keep)
			l.end -= keep
			l.pos -= keep
			keep = 0
		}
		n, err := l.r.Read(l.buf[l.end:min(len(l.buf), l.end+readSize)])
		l.end += n
		if l.dropping {
			dropped += l.drop()
			keep = l.pos
		}
		if err != nil {
			l.eof = true
			if err != io.EOF {
				l.err = err
			}
			return dropped, n > 0
		}
		if n > 0 && !l.dropping {
			return dropped, true
		}
	}
}

func (l *lineReader) newBuffer() []byte { return make([]byte, max(readSize, l.max)+l.max+2*maxTrace) }

// lend lets the reader begin with a text that it does not read itself.
func (l *lineReader) lend(text []byte) {
	l.spare, l.buf, l.end, l.lent = l.buf, text, len(text), true
	if l.dropping {
		l.drop()
	}
}

// giveBack copies what is left of a lent text, from keep on, which is at most
// what a line and its trace take up, and returns where that begins.
func (l *lineReader) giveBack(keep int) int {
	if l.spare == nil {
		l.spare = l.newBuffer()
	}
	l.base += int64(keep)
	l.end, l.pos = copy(l.spare, l.buf[keep:l.end]), l.pos-keep
	l.buf, l.spare, l.lent = l.spare, nil, false
	return 0
}

// own returns the reader's own buffer, for another one to use.
func (l *lineReader) own() []byte {
	if l.lent {
		return l.spare
	}
	return l.buf
}

// drop passes over the buffer up to the end of a cut line.
func (l *lineReader) drop() int64 {
	i := bytes.IndexByte(l.buf[l.pos:l.end], '\n')
	n := l.end - l.pos
	if i >= 0 {
		n, l.dropping = i+1, false
	}
	l.pos += n
	return int64(n)
}
