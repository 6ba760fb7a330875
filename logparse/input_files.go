package logparse

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

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
		return []string{path}, nil
	case !errors.Is(err, fs.ErrNotExist) || !strings.ContainsAny(path, "*?["):
		return nil, err
	}
	matches, err := filepath.Glob(path)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, m := range matches {
		if info, err := os.Stat(m); err == nil && info.Mode().IsRegular() {
			files = append(files, m)
		}
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
	case slices.Contains(head, 0) && len(strings.TrimLeft(string(head), "\x00")) > 0 && head[0] != 0:
		return "it is not text"
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
