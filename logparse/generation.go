package logparse

import (
	"bytes"
	"errors"
	"io"
	"os"
)

// A generation is one file of a followed log, from its creation until it is
// rotated away. It is read while it grows.
type generation struct {
	file   *os.File
	info   os.FileInfo
	offset int64 // of the next byte to read
	mark   mark
	fresh  bool        // nothing was read yet: zero bytes at the beginning are passed over
	first  int64       // where the reading began
	base   int64       // what is added to an offset to get that of the stream
	lines  int64       // lines of the stream before it
	after  os.FileInfo // of the file before it, nil: not known
	wasLog bool        // it was seen under the name of the log
	goesOn bool        // it begins where the file before it was left, perhaps in a line
	sure   func() bool // asked once there is something in a file that was empty; nil: it was
	torn   bool        // the last byte that was read is no newline
}

// mostPassed is how many bytes are looked through only to number the lines behind
// them.
const mostPassed = 4 << 30

// linesPassed is the number of lines before the place where the reading begins; 0
// where they are too many to count.
func (g *generation) linesPassed() int64 {
	if g.offset == 0 || g.offset > mostPassed {
		return 0
	}
	n, err := LinesBefore(g.file, g.offset)
	if err != nil {
		return 0
	}
	return n
}

// openGeneration opens a file at an offset.
func openGeneration(path string, offset int64) (*generation, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &os.PathError{Op: "follow", Path: path, Err: errors.New("not a regular file")}
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	g := &generation{file: f, info: info, offset: offset, fresh: offset == 0}
	g.mark = g.mark.grown(f)
	return g, nil
}

// Read implements io.Reader: io.EOF means that there is no more for now.
func (g *generation) Read(p []byte) (int, error) {
	n, err := g.file.ReadAt(p, g.offset)
	if n > 0 && !g.mark.holds(g.file) {
		return 0, io.EOF // what was read is of another content: truncated tells
	}
	if n == 0 {
		if err == nil {
			err = io.EOF
		}
		return 0, err
	}
	if g.sure != nil && g.unread() && !g.sure() {
		return 0, io.EOF
	}
	g.sure = nil
	if g.mark.len == 0 && g.offset == 0 {
		g.mark = markText(p[:n])
	} else if g.mark.len < markSize {
		g.mark = g.mark.grown(g.file)
	}
	if g.fresh {
		n = g.passZeros(p[:n])
	}
	if n == 0 {
		return g.Read(p)
	}
	g.offset += int64(n)
	g.torn = p[n-1] != '\n'
	return n, nil
}

// passZeros takes the zero bytes off the beginning of a file, which a writer
// leaves that goes on at its old place after a truncation.
func (g *generation) passZeros(p []byte) int {
	rest := bytes.TrimLeft(p, "\x00")
	skipped := int64(len(p) - len(rest))
	g.offset += skipped
	g.first += skipped
	g.base -= skipped
	g.fresh = len(rest) == 0
	return copy(p, rest)
}

// unread says whether nothing was read of a file that was empty when it was
// opened.
func (g *generation) unread() bool { return g.offset == 0 && g.info.Size() == 0 }

// truncated says whether the file was cut since it was read: it is shorter, or
// begins with something else.
func (g *generation) truncated() bool {
	info, err := g.file.Stat()
	return err == nil && (info.Size() < g.offset || !g.mark.holds(g.file))
}

// lineStart returns where the last line of a file begins that has no newline
// yet, else the file's end.
func lineStart(f io.ReaderAt, size int64) int64 {
	buf := make([]byte, 4<<10)
	for end := size; end > 0; {
		n := min(int64(len(buf)), end)
		k, _ := f.ReadAt(buf[:n], end-n)
		if i := bytes.LastIndexByte(buf[:k], '\n'); i >= 0 {
			return end - n + int64(i) + 1
		}
		end -= n
	}
	return 0
}
