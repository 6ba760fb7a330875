package rules

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"go.yaml.in/yaml/v3"
)

// files lists the YAML files of a folder by name.
func (folder Folder) files() (files []catalogFile, err error) {
	err = fs.WalkDir(folder.FS, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(name) != ".yaml" {
			return err
		}
		data, err := fs.ReadFile(folder.FS, name)
		files = append(files, catalogFile{name, path.Join(folder.Name, name), data, folder.Tested})
		return err
	})
	return files, err
}

// A catalogFile is one file of a folder.
type catalogFile struct {
	name  string // within the folder: diagnoses/pool-exhausted.yaml
	shown string // as problems name it
	data  []byte

	tested bool // see Folder
}

// read reads a file by itself and returns what enters it into a catalogue.
func (f catalogFile) read() func(*Catalog) Problems {
	switch dir := path.Dir(f.name); {
	case f.name == "signals.yaml":
		return f.readSignals()
	case f.name == "systems.yaml":
		return f.readSystems()
	case f.name == "limits.yaml":
		return f.readLimits()
	case f.name == "derived.yaml", dir == "systems":
		return f.readRecordings()
	case dir == "diagnoses":
		return f.readDiagnosis()
	}
	return unread(nil)
}

// unread enters nothing but the problems of a file.
func unread(problems Problems) func(*Catalog) Problems {
	return func(*Catalog) Problems { return problems }
}

func (f catalogFile) readSignals() func(*Catalog) Problems {
	var doc struct {
		Signals []*Signal `yaml:"signals"`
	}
	if err := decodeStrict(f.data, &doc); err != nil {
		return unread(Problems{yamlProblem(f.shown, err)})
	}
	return func(c *Catalog) Problems {
		for _, s := range doc.Signals {
			c.signals[s.Name] = s
		}
		c.Signals = append(c.Signals, doc.Signals...)
		return nil
	}
}

func (f catalogFile) readSystems() func(*Catalog) Problems {
	var doc struct {
		Systems []*System `yaml:"systems"`
	}
	if err := decodeStrict(f.data, &doc); err != nil {
		return unread(Problems{yamlProblem(f.shown, err)})
	}
	return func(c *Catalog) (problems Problems) {
		for _, s := range doc.Systems {
			if c.systems[s.ID] != nil {
				problems = append(problems, Problem{File: f.shown, Msg: fmt.Sprintf("system %q occurs twice", s.ID)})
				continue
			}
			if err := s.compileMarkers(); err != nil {
				problems = append(problems, Problem{File: f.shown, Msg: fmt.Sprintf("system %q: %s", s.ID, err)})
			}
			c.systems[s.ID] = s
			c.Systems = append(c.Systems, s)
		}
		return problems
	}
}

func (f catalogFile) readRecordings() func(*Catalog) Problems {
	file, problems := readRuleFile(f)
	var recordings []*recording
	for _, r := range file.rules {
		rec, more := newRecording(file, r)
		problems = append(problems, more...)
		if rec != nil {
			recordings = append(recordings, rec)
		}
	}
	return func(c *Catalog) Problems {
		if f.name == "derived.yaml" {
			c.derived = append(c.derived, recordings...)
		} else {
			c.fromSystems = append(c.fromSystems, recordings...)
		}
		for _, rec := range recordings {
			c.recordings[rec.signal] = append(c.recordings[rec.signal], rec)
		}
		return problems
	}
}

func (f catalogFile) readDiagnosis() func(*Catalog) Problems {
	file, problems := readRuleFile(f)
	d := &Diagnosis{File: f.name}
	for _, r := range file.rules {
		v, more := newVariant(file, r)
		problems = append(problems, more...)
		if v == nil {
			continue
		}
		if len(d.variants) == 0 {
			d.ID, d.Severity = r.Labels["id"], r.Labels["severity"]
			d.Explains = strings.Fields(r.Annotations["explains"])
			d.Differential = strings.Fields(r.Annotations["differential"])
		} else if r.Labels["id"] != d.ID {
			problems = append(problems, file.problemIn(r, fmt.Sprintf("id %q in a file of %q", r.Labels["id"], d.ID), "one file is one diagnosis; its alerts are variants"))
		}
		d.variants = append(d.variants, v)
	}
	if len(d.variants) == 0 {
		if len(problems) == 0 {
			problems = Problems{{File: f.shown, Msg: "a diagnosis without an alert"}}
		}
		return unread(problems)
	}
	return func(c *Catalog) Problems {
		if c.diagnoses[d.ID] != nil {
			return append(problems, Problem{File: f.shown, Msg: fmt.Sprintf("diagnosis %q occurs twice", d.ID)})
		}
		c.diagnoses[d.ID] = d
		c.Diagnoses = append(c.Diagnoses, d)
		return problems
	}
}

func newVariant(file *ruleFile, r fileRule) (*variant, Problems) {
	if r.Alert == "" {
		return nil, Problems{file.problemIn(r, fmt.Sprintf("%q records a signal in a diagnosis", r.Record), "recording rules stand in derived.yaml")}
	}
	expr, problems := file.parseExpr(newParser(), r)
	if expr == nil {
		return nil, problems
	}
	f, err := parseForm(expr)
	if err != nil {
		return nil, Problems{file.formProblem(r, err)}
	}
	hold, err := parseFor(r.For)
	if err != nil {
		return nil, Problems{file.problemIn(r, fmt.Sprintf("for: %s", err), "write a duration such as 20s")}
	}
	return &variant{alert: r.Alert, form: f, hold: hold, texts: newTexts(r.Annotations), file: file, rule: r}, nil
}

// formProblem gives an error of the form its place in the file.
func (f *ruleFile) formProblem(r fileRule, err error) Problem {
	var e *formError
	if !errors.As(err, &e) {
		return f.problemIn(r, err.Error(), "")
	}
	pos := e.node.PositionRange()
	return f.problemAt(r, int(pos.Start), int(pos.End-pos.Start), e.msg, e.hint)
}

// decodeStrict decodes YAML and refuses unknown fields.
func decodeStrict(data []byte, into any) error {
	d := yaml.NewDecoder(strings.NewReader(string(data)))
	d.KnownFields(true)
	return d.Decode(into)
}
