package logparse

import (
	"bufio"
	"compress/bzip2"
	"fmt"
	"io"
	"os"
	"runtime"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"
)

// Open opens a log and takes its compression off: gzip, zstd, bzip2 or xz,
// recognised by its first bytes and not by its name. The caller closes it.
func Open(path string) (io.ReadCloser, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	r, err := decompress(f)
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return &opened{Reader: r, file: f}, nil
}

// opened closes what was opened around a file.
type opened struct {
	io.Reader
	file *os.File
}

// Close closes the decompressor and the file.
func (o *opened) Close() error {
	switch r := o.Reader.(type) {
	case *zstd.Decoder:
		r.Close()
	case io.Closer:
		r.Close()
	}
	return o.file.Close()
}

// A compression is a way in which a file is compressed.
type compression uint8

const (
	plain compression = iota
	gzipped
	zstandard
	bzipped
	xzipped
)

// compressionOf recognises a compression by the first bytes of a file.
func compressionOf(head []byte) compression {
	starts := func(magic string) bool { return len(head) >= len(magic) && string(head[:len(magic)]) == magic }
	switch {
	case starts("\x1f\x8b"):
		return gzipped
	case starts("\x28\xb5\x2f\xfd"):
		return zstandard
	case starts("BZh"):
		return bzipped
	case starts("\xfd7zXZ\x00"):
		return xzipped
	}
	return plain
}

// maxWindow bounds the memory that a zstd stream may ask for, in bytes.
const maxWindow = 128 << 20

// decompress returns r without its compression.
func decompress(r io.Reader) (io.Reader, error) {
	b := bufio.NewReaderSize(r, readSize)
	head, err := b.Peek(6)
	if err != nil && err != io.EOF {
		return nil, err
	}
	switch compressionOf(head) {
	case gzipped:
		return gzip.NewReader(b)
	case zstandard:
		// Half of the processors: the other half reads the lines. One decodes in the
		// goroutine that reads ahead, which costs least.
		return zstd.NewReader(b, zstd.WithDecoderMaxWindow(maxWindow), zstd.WithDecoderConcurrency(max(1, runtime.GOMAXPROCS(0)/2)))
	case bzipped:
		return bzip2.NewReader(b), nil
	case xzipped:
		return xz.NewReader(b)
	}
	return b, nil
}
