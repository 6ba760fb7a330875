package logparse

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// IsStream tells whether a path is read as a stream, once and to its end: the
// standard input, or a pipe such as the shell's <(command).
func IsStream(path string) bool {
	if path == "-" {
		return true
	}
	info, err := os.Stat(path)
	return err == nil && info.Mode()&(fs.ModeNamedPipe|fs.ModeSocket|fs.ModeCharDevice) != 0
}

// expand returns the files that a path stands for.
func (s *inputSet) expand(path string) ([]string, error) {
	if path == "-" {
		return []string{path}, nil
	}
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return s.folder(path)
	case err == nil:
		return []string{path}, refuseArchive(path)
	case !errors.Is(err, fs.ErrNotExist) || !strings.ContainsAny(path, "*?["):
		return nil, err
	}
	matches, err := filepath.Glob(path)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, m := range matches {
		if info, err := os.Stat(m); err != nil || !info.Mode().IsRegular() {
			continue
		}
		if err := refuseArchive(m); err != nil {
			s.notes = append(s.notes, fmt.Sprintf("%s is left out: it is %s", m, err))
			continue
		}
		files = append(files, m)
	}
	if len(files) == 0 {
		return nil, errors.New("no file matches")
	}
	return files, nil
}

// folder returns the logs in a folder, without those in folders below it.
func (s *inputSet) folder(path string) ([]string, error) {
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, e := range entries {
		file := filepath.Join(path, e.Name())
		switch reason := leftOut(file, e); reason {
		case "":
			files = append(files, file)
		default:
			s.notes = append(s.notes, fmt.Sprintf("%s is left out: %s", file, reason))
		}
	}
	if len(files) == 0 {
		return nil, errors.New("the folder holds no log")
	}
	return files, nil
}

// leftOut says why a member of a folder is not a log, "" if it is one.
func leftOut(file string, e fs.DirEntry) string {
	info, err := os.Stat(file)
	switch {
	case strings.HasPrefix(e.Name(), "."):
		return "its name begins with a dot"
	case err != nil:
		return "it cannot be read"
	case info.IsDir():
		return "it is a folder"
	case !info.Mode().IsRegular():
		return "it is not a regular file"
	case info.Size() == 0:
		return "it is empty"
	}
	head, err := headOf(file, 512)
	switch {
	case err != nil:
		return "it cannot be read"
	case archiveOf(head) != "":
		return "it is a " + archiveOf(head) + " archive"
	case slices.Contains(head, 0) && len(strings.TrimLeft(string(head), "\x00")) > 0 && head[0] != 0:
		return "it is not text"
	}
	return ""
}

// refuseArchive refuses a file that holds other files: their lines would be taken
// for one log.
func refuseArchive(path string) error {
	if IsStream(path) {
		return nil
	}
	head, err := headOf(path, 512)
	if kind := archiveOf(head); err == nil && kind != "" {
		return fmt.Errorf("a %s archive: unpack it, and name its folder", kind)
	}
	return nil // the reading says what is wrong
}

// archiveOf recognises an archive by its first bytes; "" is none.
func archiveOf(head []byte) string {
	switch {
	case len(head) >= 262 && string(head[257:262]) == "ustar":
		return "tar"
	case bytes.HasPrefix(head, []byte("PK\x03\x04")):
		return "zip"
	}
	return ""
}

// headOf returns the first n bytes of a file, without its compression.
func headOf(path string, n int) ([]byte, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	buf := make([]byte, n)
	k, err := io.ReadFull(f, buf)
	if err == io.ErrUnexpectedEOF || err == io.EOF {
		err = nil
	}
	return buf[:k], err
}
