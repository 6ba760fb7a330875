package incident

import (
	"archive/tar"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"time"

	"github.com/klauspost/compress/zstd"
)

// A folderSink writes an incident as a folder.
type folderSink struct{ root *os.Root }

func createFolder(dir string) (sink, error) {
	if err := os.MkdirAll(filepath.Dir(filepath.Clean(dir)), 0o755); err != nil {
		return nil, err
	}
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	if len(entries) > 0 {
		return nil, fmt.Errorf("%q exists and is not empty", dir)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return &folderSink{root}, nil
}

// put writes a hidden file and renames it, so that no half a file is seen.
func (s *folderSink) put(name string, _ time.Time, body []byte) error {
	if err := s.root.MkdirAll(path.Dir(name), 0o700); err != nil {
		return err
	}
	part := path.Join(path.Dir(name), "."+path.Base(name))
	if err := s.root.WriteFile(part, body, 0o600); err != nil {
		return err
	}
	return s.root.Rename(part, name)
}

func (s *folderSink) appendLog(name string, _ time.Time, b []byte) error {
	if err := s.root.MkdirAll(path.Dir(name), 0o700); err != nil {
		return err
	}
	f, err := s.root.OpenFile(name, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	return errors.Join(err, f.Close())
}

func (s *folderSink) flush() error { return nil }
func (s *folderSink) Close() error { return s.root.Close() }

// An archiveSink writes an incident as one stream: a tar in one zstd frame,
// whose history lets a body cost only what differs from those before it. Every
// flush ends a block, and all blocks before the end of a cut-off file can be
// read.
type archiveSink struct {
	file *os.File
	zstd *zstd.Encoder
	tar  *tar.Writer
	logs map[string]int64 // bytes of each log so far
}

func createArchive(path string) (sink, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	s, err := newArchiveSink(f)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	s.file = f
	return s, nil
}

func newArchiveSink(w io.Writer) (*archiveSink, error) {
	enc, err := zstd.NewWriter(w,
		zstd.WithEncoderConcurrency(1), // the same bytes in any case
		zstd.WithEncoderLevel(zstd.SpeedBestCompression),
		zstd.WithWindowSize(writeWindow))
	if err != nil {
		return nil, err
	}
	return &archiveSink{zstd: enc, tar: tar.NewWriter(enc), logs: map[string]int64{}}, nil
}

func (s *archiveSink) put(name string, at time.Time, body []byte) error {
	h := &tar.Header{
		Typeflag: tar.TypeReg, Name: name, Size: int64(len(body)), Mode: 0o600,
		ModTime: at.UTC().Truncate(time.Second),
	}
	if err := s.tar.WriteHeader(h); err != nil {
		return err
	}
	_, err := s.tar.Write(body)
	return err
}

// appendLog writes a part of the log, named by where it begins.
func (s *archiveSink) appendLog(name string, at time.Time, b []byte) error {
	at0 := s.logs[name]
	s.logs[name] += int64(len(b))
	return s.put(fmt.Sprintf("%s/%012d", name, at0), at, b)
}

func (s *archiveSink) flush() error {
	return errors.Join(s.tar.Flush(), s.zstd.Flush())
}

// finish writes the end of the archive.
func (s *archiveSink) finish() error {
	return errors.Join(s.tar.Close(), s.zstd.Close())
}

func (s *archiveSink) Close() error { return errors.Join(s.finish(), s.file.Close()) }
