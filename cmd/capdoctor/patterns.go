package main

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/charmbracelet/x/ansi"

	"github.com/capdoctor/capdoctor/logparse"
	"github.com/capdoctor/capdoctor/rules"
)

// A patternSource loads the patterns of log lines once, when the first log asks
// for them.
type patternSource func() (*logparse.Catalog, error)

// patterns are the built-in patterns with the user's own before them. Own ones
// are read at once, so that what is wrong with them is said before anything
// else.
func (f *catalogFlags) patterns() (patternSource, error) {
	source := loadedOnce(f.patternPaths)
	if len(f.patternPaths) == 0 {
		return source, nil
	}
	_, err := source()
	return source, err
}

// loadedOnce loads patterns when they are first asked for.
func loadedOnce(own []string) patternSource {
	return sync.OnceValues(func() (*logparse.Catalog, error) { return loadPatterns(own) })
}

// loadPatterns reads patterns, and refuses facts that no rule knows.
func loadPatterns(own []string) (*logparse.Catalog, error) {
	c, err := logparse.LoadCatalog(own...)
	if err != nil {
		return nil, hinted{err, "the form of pattern files: logparse/patterns/README.md"}
	}
	known := rules.FactNames()
	for i, p := range c.Patterns() {
		for _, f := range p.Facts {
			if !slices.Contains(known, f.Name) {
				return nil, fmt.Errorf("%s: event %q: no fact %q; there are %s", c.Place(i), p.Event, f.Name, strings.Join(known, ", "))
			}
		}
	}
	return c, nil
}

// eventTitles says what the events of logs mean. One that several files of
// patterns tell of, each in words of its own, is called by its name.
func eventTitles(c *logparse.Catalog) map[string]string {
	titles, from := map[string]string{}, map[string]string{}
	for _, f := range c.Files() {
		for _, p := range f.Patterns {
			switch {
			case titles[p.Event] == "":
				titles[p.Event], from[p.Event] = p.Title, f.System
			case from[p.Event] != f.System && titles[p.Event] != p.Title:
				titles[p.Event] = strings.ReplaceAll(p.Event, "_", " ")
			}
		}
	}
	return titles
}

// formats are those of the patterns' files and the built-in ones.
func (s patternSource) formats() (*logparse.Formats, error) {
	c, err := s()
	if err != nil {
		return nil, err
	}
	return c.Formats(), nil
}

// checkFormat refuses the name of a format that there is not.
func checkFormat(flag, name string, patterns patternSource) error {
	if name == "" {
		return nil
	}
	formats, err := patterns.formats()
	if err != nil {
		return err
	}
	if formats.Format(name) == nil {
		return hinted{fmt.Errorf("%s %q: no such format", flag, name), ansi.Wordwrap("there are "+strings.Join(formats.Names(), ", "), 72, "")}
	}
	return nil
}
