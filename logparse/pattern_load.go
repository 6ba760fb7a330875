package logparse

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"regexp"
	"sort"
	"strings"

	"go.yaml.in/yaml/v3"
)

//go:embed patterns/*.yaml
var embedded embed.FS

// LoadCatalog returns the patterns that are built in, and before them those of
// the user's own files: each path is a file of patterns or a folder of them
// (*.yaml). Errors are as those of ReadCatalog, with the path of the file.
func LoadCatalog(own ...string) (*Catalog, error) {
	c := &Catalog{}
	for _, path := range own {
		if err := c.addOwn(path); err != nil {
			return nil, err
		}
	}
	sub, err := fs.Sub(embedded, "patterns")
	if err != nil {
		return nil, err
	}
	if err := c.addAll(sub); err != nil {
		return nil, err
	}
	return c, c.complete()
}

// ReadCatalog returns the patterns of every *.yaml file in fsys, in the order
// of the files' names. Errors name file and line: an unknown field, a template
// that does not parse, a capture that no template has, a sample line that its
// pattern does not match.
func ReadCatalog(fsys fs.FS) (*Catalog, error) {
	c := &Catalog{}
	if err := c.addAll(fsys); err != nil {
		return nil, err
	}
	return c, c.complete()
}

// addAll reads every *.yaml file in fsys.
func (c *Catalog) addAll(fsys fs.FS) error {
	names, err := fs.Glob(fsys, "*.yaml")
	if err != nil {
		return err
	}
	sort.Strings(names)
	for _, name := range names {
		body, err := fs.ReadFile(fsys, name)
		if err != nil {
			return err
		}
		if err := c.addFile(name, body); err != nil {
			return err
		}
	}
	return nil
}

// complete prepares a catalogue whose files were all read, and checks it.
func (c *Catalog) complete() error {
	if err := c.index(); err != nil {
		return err
	}
	if err := c.indexFormats(); err != nil {
		return err
	}
	if err := c.checkKinds(); err != nil {
		return err
	}
	return c.checkLines()
}

// addFile reads one file of patterns.
func (c *Catalog) addFile(name string, body []byte) error {
	file := &PatternFile{}
	dec := yaml.NewDecoder(bytes.NewReader(body))
	dec.KnownFields(true)
	switch err := dec.Decode(file); {
	case err == io.EOF:
		return fmt.Errorf("%s: the file is empty", name)
	case err != nil:
		return yamlError(name, err)
	}
	if err := c.addFormats(name, body, file.Formats); err != nil {
		return err
	}
	for i, p := range file.Patterns {
		at := catalogPlace{name, body, "patterns", i}
		if p == nil {
			return fmt.Errorf("%v: empty pattern", at)
		}
		p.system, p.file = file.System, name
		if err := p.compile(); err != nil {
			return fmt.Errorf("%v: event %q: %w", at, p.Event, err)
		}
		c.patterns = append(c.patterns, p)
		c.places = append(c.places, at)
	}
	c.files = append(c.files, file)
	return nil
}

// A catalogPlace is where a member of a list stands in a file; only an error needs the
// line.
type catalogPlace struct {
	file  string
	body  []byte
	list  string
	index int
}

// String returns file:line.
func (p catalogPlace) String() string {
	doc := map[string]yaml.Node{}
	if yaml.Unmarshal(p.body, &doc) != nil {
		return p.file
	}
	list := doc[p.list]
	if p.index >= len(list.Content) {
		return p.file
	}
	return fmt.Sprintf("%s:%d", p.file, list.Content[p.index].Line)
}

var yamlLine = regexp.MustCompile(`line (\d+): `)

// yamlError puts the file's name and the line in front of a decoding error.
func yamlError(name string, err error) error {
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	m := yamlLine.FindStringSubmatch(text)
	if m == nil {
		return fmt.Errorf("%s: %s", name, text)
	}
	_, text, _ = strings.Cut(text, m[0])
	return fmt.Errorf("%s:%s: %s", name, m[1], text)
}

// checkKinds refuses a metric that is a counter in one pattern and a reading in
// another.
func (c *Catalog) checkKinds() error {
	first := map[string]int{} // metric → pattern
	counter := map[string]bool{}
	for i, p := range c.patterns {
		for _, s := range p.Samples {
			of, seen := first[s.Name]
			if !seen {
				first[s.Name], counter[s.Name] = i, s.kind.counts()
			} else if counter[s.Name] != s.kind.counts() {
				return fmt.Errorf("%v: event %q: sample %q is a counter here or at %v, and a reading at the other", c.places[of], c.patterns[of].Event, s.Name, c.places[i])
			}
		}
	}
	return nil
}

// checkLines holds every pattern to its own sample lines.
func (c *Catalog) checkLines() error {
	m := c.NewMatcher()
	var errs []error
	for i, p := range c.patterns {
		if len(p.Lines) == 0 {
			errs = append(errs, fmt.Errorf("%v: event %q has no sample line", c.places[i], p.Event))
		}
		for _, line := range p.Lines {
			if !m.matches(p, line) {
				errs = append(errs, fmt.Errorf("%v: event %q does not match its line %q", c.places[i], p.Event, line))
			}
		}
		for _, line := range p.Not {
			if m.matches(p, line) {
				errs = append(errs, fmt.Errorf("%v: event %q matches %q, which it must not", c.places[i], p.Event, line))
			}
		}
	}
	return errors.Join(errs...)
}

// matches tells whether p itself matches the record that lines is: a message,
// and after it the further lines.
func (m *Matcher) matches(p *Pattern, lines string) bool {
	first, rest, _ := strings.Cut(lines, "\n")
	r := &Record{Message: []byte(first), Raw: []byte(first), Trace: []byte(rest), Level: p.sampleLevel()}
	for _, e := range m.Match(r, nil) {
		if e.Pattern == p {
			return true
		}
	}
	return false
}

// sampleLevel is the level that a pattern's own sample lines have.
func (p *Pattern) sampleLevel() Level {
	for l := NoLevel; l <= Fatal; l++ {
		if p.levels>>l&1 != 0 {
			return l
		}
	}
	return NoLevel
}
