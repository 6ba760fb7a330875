package incident

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/klauspost/compress/zstd"
)

var zstdMagic = []byte{0x28, 0xB5, 0x2F, 0xFD}

// A cursor is one pass over a .capdoctor file. Read reads the present entry.
type cursor struct {
	file *os.File
	dec  *zstd.Decoder
	tar  *tar.Reader
	out  *meter
	head *tar.Header
}

func openCursor(path string) (*cursor, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	c, err := newCursor(f, path)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return c, nil
}

func newCursor(f *os.File, path string) (*cursor, error) {
	if err := checkMagic(f, path); err != nil {
		return nil, err
	}
	in := &meter{r: f}
	dec, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow))
	if err != nil {
		return nil, err
	}
	out := &meter{r: dec, in: in}
	return &cursor{file: f, dec: dec, tar: tar.NewReader(out), out: out}, nil
}

// checkMagic looks at the first bytes of f and goes back to the start.
func checkMagic(f *os.File, path string) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fault(path, 0, "is neither a folder nor a regular file")
	}
	head := make([]byte, len(zstdMagic))
	n, err := io.ReadFull(f, head)
	switch {
	case n == 0:
		return fault(path, 0, "is empty")
	case err != nil && !errors.Is(err, io.ErrUnexpectedEOF):
		return err
	case bytes.HasPrefix(head, []byte("PK")):
		return fault(path, 0, "is a zip file; a %s file is a tar compressed with zstd (tar --zstd -cf)", Extension)
	case !bytes.Equal(head, zstdMagic):
		return fault(path, 0, "is not a %s file: it does not begin with the bytes of zstd", Extension)
	}
	_, err = f.Seek(0, io.SeekStart)
	return err
}

// next goes to the next file and returns its path; io.EOF at the end.
func (c *cursor) next() (string, error) {
	for {
		h, err := c.tar.Next()
		if err != nil {
			return "", err
		}
		c.head = h
		name, err := entryPath(h)
		if err != nil || name != "" {
			return name, err
		}
	}
}

// skipTo goes forward to the named file.
func (c *cursor) skipTo(name string) error {
	for {
		at, err := c.next()
		switch {
		case errors.Is(err, io.EOF):
			return fmt.Errorf("%q is no longer in the file", name)
		case err != nil || at == name:
			return err
		}
	}
}

func (c *cursor) size() int64                { return c.head.Size }
func (c *cursor) Read(p []byte) (int, error) { return c.tar.Read(p) }

// drain reads what stands behind the last entry, so that the checksum of the
// whole is checked.
func (c *cursor) drain() error {
	_, err := io.Copy(io.Discard, c.out)
	return err
}

func (c *cursor) Close() error {
	c.dec.Close()
	return c.file.Close()
}

// A meter counts the bytes that r gave. With in set it refuses to give more
// than a sane multiple of what came in.
type meter struct {
	r  io.Reader
	in *meter
	n  int64
}

func (m *meter) Read(p []byte) (int, error) {
	n, err := m.r.Read(p)
	m.n += int64(n)
	switch {
	case m.in == nil:
		return n, err
	case m.n > maxTotal+maxEntries*1024:
		return 0, fmt.Errorf("unpacks to more than %d bytes", int64(maxTotal))
	case m.n > freeRatio && m.n/maxRatio > m.in.n:
		return 0, fmt.Errorf("unpacks to more than %d times its size", maxRatio)
	}
	return n, err
}
