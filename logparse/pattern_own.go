package logparse

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Bounds of a user's own files of patterns.
const (
	maxPatternFile  = 1 << 20 // bytes
	maxPatternFiles = 200     // in one folder
	maxOwnPatterns  = 5000    // patterns and formats of all files
)

// addOwn reads a file of patterns, or every *.yaml file of a folder.
func (c *Catalog) addOwn(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return c.addOwnFile(path)
	}
	files, err := filepath.Glob(filepath.Join(filepath.Clean(path), "*.yaml"))
	switch {
	case err != nil:
		return err
	case len(files) == 0:
		return fmt.Errorf("patterns %q: no *.yaml file in the folder", path)
	case len(files) > maxPatternFiles:
		return fmt.Errorf("patterns %q: %d files, want at most %d", path, len(files), maxPatternFiles)
	}
	for _, file := range files {
		if err := c.addOwnFile(file); err != nil {
			return err
		}
	}
	return nil
}

func (c *Catalog) addOwnFile(path string) error {
	body, err := readBounded(path, maxPatternFile)
	if err != nil {
		return fmt.Errorf("patterns %q: %w", path, err)
	}
	if err := c.addFile(path, body); err != nil {
		return err
	}
	if len(c.patterns)+len(c.own) > maxOwnPatterns {
		return fmt.Errorf("%s: more than %d patterns", path, maxOwnPatterns)
	}
	return nil
}

// readBounded reads a regular file of at most most bytes.
func readBounded(path string, most int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errors.New("not a file")
	case info.Size() > most:
		return nil, fmt.Errorf("%d bytes, want at most %d", info.Size(), most)
	}
	return io.ReadAll(io.LimitReader(f, most))
}

// addFormats takes the formats of one file.
func (c *Catalog) addFormats(name string, body []byte, formats []*Format) error {
	for i, f := range formats {
		at := catalogPlace{name, body, "formats", i}
		if f == nil {
			return fmt.Errorf("%v: empty format", at)
		}
		if err := f.compile(); err != nil {
			return fmt.Errorf("%v: format %q: %w", at, f.Name, err)
		}
		for _, other := range c.own {
			if other.Name == f.Name {
				return fmt.Errorf("%v: format %q is there twice", at, f.Name)
			}
		}
		c.own = append(c.own, f)
	}
	return nil
}

// indexFormats puts the files' formats before the built-in ones. One that has
// the name of a built-in format takes its place.
func (c *Catalog) indexFormats() error {
	var err error
	c.formats, err = builtinFormats()
	if err != nil || len(c.own) == 0 {
		return err
	}
	c.formats = c.formats.behind(c.own)
	return nil
}
