package logparse

import (
	"embed"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"go.yaml.in/yaml/v3"
)

// A Format is one form of first lines. Every format carries samples, which are
// checked when it is loaded.
type Format struct {
	Name    string   `yaml:"name"`  // lower case, with dashes: spring-boot
	Title   string   `yaml:"title"` // where it is found
	Layouts []string `yaml:"layouts,omitempty"`
	Decoder string   `yaml:"decoder,omitempty"` // json, docker-json, logfmt, csv, journal; instead of layouts

	// Wrap says that the message may hold a line of another format: "hard" for a
	// carrier of another program's lines (CRI, Docker), "soft" for a log that
	// may relay one (syslog, JSON).
	Wrap string `yaml:"wrap,omitempty"`
	// Single says that a line of no known format does not belong to a record of
	// this format, unless it looks like part of a stack trace.
	Single bool `yaml:"single,omitempty"`
	// Weak says that the form is so loose that it is accepted only in a file
	// whose first lines are mostly of it.
	Weak bool `yaml:"weak,omitempty"`
	// Pair says that the level and the message stand on the second line.
	Pair bool `yaml:"pair,omitempty"`

	Samples []Sample `yaml:"samples"`

	decoders []decoder
}

// A decoder reads the header of a first line; it says no to any other line.
type decoder interface {
	decode(line []byte, h *header, r *stampReader) bool
}

// Formats is a set of formats, the more telling ones first. It is not modified
// after it was made and may be shared by goroutines.
type Formats struct {
	list    []*Format
	byFirst [256][]candidate
}

// A candidate is one way to read a line that begins with a certain byte.
type candidate struct {
	format *Format
	decoder
}

//go:embed formats/*.yaml
var formatFiles embed.FS

// builtinFormats are the formats that are built in.
var builtinFormats = sync.OnceValues(readFormats)

func readFormats() (*Formats, error) {
	set := &Formats{}
	for _, name := range []string{"carriers", "java", "servers", "languages", "system", "access", "structured", "loose"} {
		f, err := formatFiles.Open("formats/" + name + ".yaml")
		if err != nil {
			return nil, err
		}
		if err := set.load(f); err != nil {
			return nil, fmt.Errorf("formats/%s.yaml: %w", name, err)
		}
	}
	set.index()
	return set, nil
}

// behind returns the formats with others before them, which take the place of
// those that have the same name.
func (s *Formats) behind(first []*Format) *Formats {
	all := &Formats{list: slices.Clone(first)}
	for _, f := range s.list {
		if all.Format(f.Name) == nil {
			all.list = append(all.list, f)
		}
	}
	all.index()
	return all
}

// Names returns the names of all formats, sorted.
func (s *Formats) Names() []string {
	var names []string
	for _, f := range s.list {
		names = append(names, f.Name)
	}
	slices.Sort(names)
	return names
}

// Format returns the format of a name, nil if there is none.
func (s *Formats) Format(name string) *Format {
	for _, f := range s.list {
		if f.Name == name {
			return f
		}
	}
	return nil
}

func (s *Formats) load(r io.Reader) error {
	dec := yaml.NewDecoder(r)
	dec.KnownFields(true)
	var list []*Format
	if err := dec.Decode(&list); err != nil {
		return err
	}
	for _, f := range list {
		if s.Format(f.Name) != nil {
			return fmt.Errorf("format %q is there twice", f.Name)
		}
		if err := f.compile(); err != nil {
			return fmt.Errorf("format %q: %w", f.Name, err)
		}
		s.list = append(s.list, f)
	}
	return nil
}

// compile makes the decoders of a format and checks it.
func (f *Format) compile() error {
	switch {
	case f.Name == "" || f.Title == "":
		return errors.New("name and title are needed")
	case (len(f.Layouts) > 0) == (f.Decoder != ""):
		return errors.New("either layouts or a decoder is needed")
	case f.Wrap != "" && f.Wrap != "hard" && f.Wrap != "soft":
		return fmt.Errorf("wrap is %q, want hard or soft", f.Wrap)
	case len(f.Samples) == 0:
		return errors.New("a sample is needed")
	}
	if f.Decoder != "" {
		d, err := namedDecoder(f.Decoder)
		if err != nil {
			return err
		}
		f.decoders = []decoder{d}
	}
	for _, text := range f.Layouts {
		l, err := compileLayout(text)
		if err != nil {
			return err
		}
		f.decoders = append(f.decoders, l)
	}
	return f.check()
}

func namedDecoder(name string) (decoder, error) {
	switch name {
	case "json":
		return jsonDecoder{}, nil
	case "docker-json":
		return dockerDecoder{}, nil
	case "otlp":
		return otlpDecoder{}, nil
	case "logfmt":
		return logfmtDecoder{}, nil
	case "csv":
		return csvDecoder{}, nil
	case "journal":
		return journalDecoder{}, nil
	}
	return nil, fmt.Errorf("unknown decoder %q", name)
}

// index fills in which decoders are worth trying for a first byte.
func (s *Formats) index() {
	for _, f := range s.list {
		for _, d := range f.decoders {
			for c := range s.byFirst {
				if mayBegin(d, byte(c)) {
					s.byFirst[c] = append(s.byFirst[c], candidate{f, d})
				}
			}
		}
	}
}

func mayBegin(d decoder, c byte) bool {
	switch d := d.(type) {
	case *layout:
		return d.first[c]
	case jsonDecoder, dockerDecoder, otlpDecoder:
		return c == '{'
	case csvDecoder:
		return isDigit(c)
	case journalDecoder:
		return c == '_' || c-'A' <= 25
	}
	return isLetter(c)
}
