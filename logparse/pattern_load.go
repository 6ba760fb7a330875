package logparse

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"sort"
	"strings"

	"go.yaml.in/yaml/v3"
)

//go:embed patterns/*.yaml
var embedded embed.FS

// LoadCatalog returns the patterns that are built in.
func LoadCatalog() (*Catalog, error) {
	sub, err := fs.Sub(embedded, "patterns")
	if err != nil {
		return nil, err
	}
	return ReadCatalog(sub)
}

// ReadCatalog returns the patterns of every *.yaml file in fsys, in the order
// of the files' names. Errors name file and line: an unknown field, a template
// that does not parse, a capture that no template has, a sample line that its
// pattern does not match.
func ReadCatalog(fsys fs.FS) (*Catalog, error) {
	names, err := fs.Glob(fsys, "*.yaml")
	if err != nil {
		return nil, err
	}
	sort.Strings(names)
	c := &Catalog{}
	for _, name := range names {
		body, err := fs.ReadFile(fsys, name)
		if err != nil {
			return nil, err
		}
		if err := c.addFile(path.Base(name), body); err != nil {
			return nil, err
		}
	}
	if err := c.index(); err != nil {
		return nil, err
	}
	return c, c.checkLines()
}

// addFile reads one file of patterns.
func (c *Catalog) addFile(name string, body []byte) error {
	file := &PatternFile{}
	dec := yaml.NewDecoder(bytes.NewReader(body))
	dec.KnownFields(true)
	if err := dec.Decode(file); err != nil {
		return yamlError(name, err)
	}
	for i, p := range file.Patterns {
		at := patternPlace{name, body, i}
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

// A patternPlace is where a pattern stands; only an error needs the line.
type patternPlace struct {
	file  string
	body  []byte
	index int
}

// String returns file:line.
func (p patternPlace) String() string {
	var doc struct {
		Patterns []yaml.Node `yaml:"patterns"`
	}
	if yaml.Unmarshal(p.body, &doc) != nil || p.index >= len(doc.Patterns) {
		return p.file
	}
	return fmt.Sprintf("%s:%d", p.file, doc.Patterns[p.index].Line)
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
