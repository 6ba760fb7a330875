package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/capdoctor/capdoctor/logparse"
)

// A tail reads what is appended to a file, from the end it has when it is first
// looked at. A file that was replaced or cut is read from its beginning. A pipe
// is read as its writer writes.
type tail struct {
	name   string // of the log in a recording
	path   string
	file   *os.File
	at     int64
	stream *logparse.Stream // of a pipe
}

// maxTailRead bounds what one read takes, so that a log that is written fast
// cannot hold up a round.
const maxTailRead = 1 << 20

// newTail reads [NAME=]FILE. The file may appear later; - is in.
func newTail(in io.Reader, text string) (*tail, error) {
	name, path, named := strings.Cut(text, "=")
	if !named {
		name, path = "", text
	}
	if path == "" {
		return nil, fmt.Errorf("log %q: want [NAME=]FILE", text)
	}
	t := &tail{name: filepath.Base(path), path: path}
	stream, err := streamOf(in, path)
	switch {
	case err != nil:
		return nil, fmt.Errorf("log %q: %w", text, err)
	case stream != nil:
		t.name, t.stream = logparse.InstanceOf(path)+".log", logparse.NewStream(stream)
	}
	if name != "" {
		t.name = name + ".log"
	}
	if t.stream != nil {
		return t, nil
	}
	if info, err := os.Stat(path); err == nil {
		if !info.Mode().IsRegular() {
			return nil, fmt.Errorf("log %q: not a file", path)
		}
		t.at = info.Size()
	}
	return t, nil
}

// read returns the new bytes, none when there are none.
func (t *tail) read() ([]byte, error) {
	if t.stream != nil {
		return t.readStream()
	}
	if err := t.open(); err != nil || t.file == nil {
		return nil, err
	}
	info, err := t.file.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() < t.at {
		t.at = 0
	}
	b := make([]byte, min(info.Size()-t.at, maxTailRead))
	n, err := t.file.ReadAt(b, t.at)
	t.at += int64(n)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if n == 0 {
		t.reopenReplaced(info)
	}
	return b[:n], nil
}

func (t *tail) readStream() ([]byte, error) {
	var b []byte
	for len(b) < maxTailRead && t.stream.Next() {
		b = append(b, t.stream.Block...)
	}
	return b, t.stream.Err()
}

// left is how many bytes of the file have not been read.
func (t *tail) left() int64 {
	if t.stream != nil || t.open() != nil || t.file == nil {
		return 0
	}
	info, err := t.file.Stat()
	if err != nil {
		return 0
	}
	return max(0, info.Size()-t.at)
}

// open opens the file when it is there.
func (t *tail) open() error {
	if t.file != nil {
		return nil
	}
	f, err := os.Open(t.path)
	if errors.Is(err, fs.ErrNotExist) {
		t.at = 0
		return nil
	}
	t.file = f
	return err
}

// reopenReplaced lets go of a file that is no longer the one of its name, when
// everything in it has been read.
func (t *tail) reopenReplaced(open os.FileInfo) {
	now, err := os.Stat(t.path)
	if err == nil && !os.SameFile(now, open) {
		t.file.Close()
		t.file, t.at = nil, 0
	}
}
