package incident

import (
	"cmp"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Extension is the end of the name of a packed incident.
const Extension = ".capdoctor"

// Open reads what an incident is: its case.yaml, which scrapes and logs it has
// and how each scrape went. Bodies and logs are read when they are asked for.
// path is a folder that holds case.yaml or a .capdoctor file. A fault in a file
// is an *Error with file and line.
func Open(path string) (*Case, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	c := &Case{Dir: path, Name: strings.TrimSuffix(filepath.Base(abs), Extension)}
	if info.IsDir() {
		err = openFolder(c)
	} else {
		err = openArchive(c)
	}
	if err != nil {
		return nil, err
	}
	return c, nil
}

// InOrder yields the scrapes of all targets in order of time; those of one time
// by target. Reading the bodies in this order is one pass over the file.
func (c *Case) InOrder() iter.Seq2[*Target, Scrape] {
	type ref struct{ target, scrape int }
	var refs []ref
	for t := range c.Targets {
		for s := range c.Targets[t].Scrapes {
			refs = append(refs, ref{t, s})
		}
	}
	at := func(r ref) Scrape { return c.Targets[r.target].Scrapes[r.scrape] }
	slices.SortStableFunc(refs, func(a, b ref) int { return cmp.Compare(at(a).Offset, at(b).Offset) })
	return func(yield func(*Target, Scrape) bool) {
		for _, r := range refs {
			if !yield(&c.Targets[r.target], at(r)) {
				return
			}
		}
	}
}

// IsCase reports whether path is a folder that holds case.yaml or a file whose
// name ends in .capdoctor. Open says whether it can be read.
func IsCase(path string) bool {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return false
	case info.IsDir():
		return hasCaseYAML(path)
	}
	return strings.HasSuffix(path, Extension)
}

// Find returns the case folders and .capdoctor files that the paths are or
// hold, sorted, each once. Hidden folders are left out. A path without a case
// is an error.
func Find(paths ...string) ([]string, error) {
	var found []string
	for _, p := range paths {
		below, err := findBelow(p)
		if err != nil {
			return nil, err
		}
		if len(below) == 0 {
			return nil, fmt.Errorf("no case in %q: a case is a folder with case.yaml or a %s file", p, Extension)
		}
		found = append(found, below...)
	}
	slices.Sort(found)
	return slices.Compact(found), nil
}

func findBelow(p string) ([]string, error) {
	info, err := os.Stat(p)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return []string{filepath.Clean(p)}, nil
	}
	var found []string
	err = fs.WalkDir(os.DirFS(p), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return fmt.Errorf("%s: %w", filepath.Join(p, name), err)
		case d.IsDir() && name != "." && strings.HasPrefix(d.Name(), "."):
			return fs.SkipDir
		case d.IsDir() && hasCaseYAML(filepath.Join(p, name)):
			found = append(found, filepath.Join(p, name))
			return fs.SkipDir
		case d.Type().IsRegular() && strings.HasSuffix(name, Extension):
			found = append(found, filepath.Join(p, name))
		}
		return nil
	})
	return found, err
}

func hasCaseYAML(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, caseYAML))
	return err == nil
}
