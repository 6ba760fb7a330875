package rules

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/prometheus/promql/parser"
	"go.yaml.in/yaml/v3"
)

//go:embed catalog
var embedded embed.FS

// A Catalog is everything that is known: the vocabulary, how raw metrics become
// signals, and the diagnoses that speak of signals. It is not changed after
// loading and may be shared.
type Catalog struct {
	Signals   []*Signal    // in the order of the file
	Systems   []*System    // in the order of the file
	Diagnoses []*Diagnosis // by id

	fromSystems []*recording // systems/*: any order
	derived     []*recording // derived.yaml: in file order
	signals     map[string]*Signal
	systems     map[string]*System
	diagnoses   map[string]*Diagnosis
	recordings  map[string][]*recording // by the signal they record
	limits      []limitPath
	operands    int                      // how many different ones there are
	comparisons int                      // likewise
	patterns    []*parser.VectorSelector // of system rules that give metric names by a pattern
	matching    nameMemo                 // of patterns
}

// A Diagnosis is one file of diagnoses/.
type Diagnosis struct {
	ID           string
	Severity     string
	File         string
	Explains     []string // ids of findings that this one stands above
	Differential []string // ids of look-alikes
	Sources      []Source // where the rule and its advice come from
	variants     []*variant
}

// A variant is one alert of a diagnosis.
type variant struct {
	alert string
	form  form
	hold  time.Duration // its for
	texts texts
	file  *ruleFile
	rule  fileRule
}

// Default returns the catalogue that is built in.
func Default() (*Catalog, error) {
	root, err := fs.Sub(embedded, "catalog")
	if err != nil {
		return nil, err
	}
	return Load(Folder{FS: root, Tested: true})
}

// DefaultFS is the folder that Default loads.
func DefaultFS() fs.FS {
	root, err := fs.Sub(embedded, "catalog")
	if err != nil {
		panic(err) // the folder is embedded at build time
	}
	return root
}

// A Folder is where a catalogue, or an addition to one, is read from.
type Folder struct {
	Name string // stands before the names of its files in problems; may be empty
	FS   fs.FS
	// Tested says that a test has held the texts of its diagnoses already: they
	// are not parsed before a finding needs them. Zero value: they are checked.
	Tested bool
}

// Load reads one catalogue out of several folders of the same layout, later
// ones adding to earlier ones. A folder may hold signals.yaml, systems.yaml,
// limits.yaml, systems/*.yaml, derived.yaml and diagnoses/*.yaml. The error is Problems when
// a file is wrong.
func Load(folders ...Folder) (*Catalog, error) {
	c := &Catalog{
		signals:    map[string]*Signal{},
		systems:    map[string]*System{},
		diagnoses:  map[string]*Diagnosis{},
		recordings: map[string][]*recording{},
	}
	var problems Problems
	for _, folder := range folders {
		more, err := c.add(folder)
		if err != nil {
			return nil, err
		}
		problems = append(problems, more...)
	}
	slices.SortFunc(c.Diagnoses, func(a, b *Diagnosis) int { return strings.Compare(a.ID, b.ID) })
	c.patterns = c.namePatterns()
	c.number()
	problems = append(problems, c.check()...)
	return c, problems.err()
}

// number gives equal operands, and equal comparisons, one number each.
func (c *Catalog) number() {
	operands, comparisons := map[string]int{}, map[string]int{}
	numberOf := func(known map[string]int, text string) int {
		n, ok := known[text]
		if !ok {
			n = len(known)
			known[text] = n
		}
		return n
	}
	for _, d := range c.Diagnoses {
		for _, v := range d.variants {
			for _, cond := range v.form.conditions {
				for _, cmp := range cond.comparisons {
					cmp.number = numberOf(comparisons, cmp.text)
					cmp.observed.number = numberOf(operands, cmp.observed.text)
					cmp.threshold.number = numberOf(operands, cmp.threshold.text)
				}
			}
		}
	}
	c.operands, c.comparisons = len(operands), len(comparisons)
}

// add reads one folder.
func (c *Catalog) add(folder Folder) (Problems, error) {
	var problems Problems
	err := fs.WalkDir(folder.FS, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(name) != ".yaml" {
			return err
		}
		data, err := fs.ReadFile(folder.FS, name)
		if err != nil {
			return err
		}
		problems = append(problems, c.addFile(catalogFile{name, path.Join(folder.Name, name), data, folder.Tested})...)
		return nil
	})
	return problems, err
}

// A catalogFile is one file of a folder.
type catalogFile struct {
	name  string // within the folder: diagnoses/pool-exhausted.yaml
	shown string // as problems name it
	data  []byte

	tested bool // see Folder
}

func (c *Catalog) addFile(f catalogFile) Problems {
	switch dir := path.Dir(f.name); {
	case f.name == "signals.yaml":
		return c.addSignals(f)
	case f.name == "systems.yaml":
		return c.addSystems(f)
	case f.name == "limits.yaml":
		return c.addLimits(f)
	case f.name == "derived.yaml", dir == "systems":
		return c.addRecordings(f)
	case dir == "diagnoses":
		return c.addDiagnosis(f)
	}
	return nil
}

func (c *Catalog) addSignals(f catalogFile) Problems {
	var doc struct {
		Signals []*Signal `yaml:"signals"`
	}
	if err := decodeStrict(f.data, &doc); err != nil {
		return Problems{yamlProblem(f.shown, err)}
	}
	for _, s := range doc.Signals {
		c.signals[s.Name] = s
	}
	c.Signals = append(c.Signals, doc.Signals...)
	return nil
}

func (c *Catalog) addSystems(f catalogFile) Problems {
	var doc struct {
		Systems []*System `yaml:"systems"`
	}
	if err := decodeStrict(f.data, &doc); err != nil {
		return Problems{yamlProblem(f.shown, err)}
	}
	var problems Problems
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

func (c *Catalog) addRecordings(f catalogFile) Problems {
	file, problems := readRuleFile(f)
	for _, r := range file.rules {
		rec, more := newRecording(file, r)
		problems = append(problems, more...)
		if rec == nil {
			continue
		}
		if f.name == "derived.yaml" {
			c.derived = append(c.derived, rec)
		} else {
			c.fromSystems = append(c.fromSystems, rec)
		}
		c.recordings[rec.signal] = append(c.recordings[rec.signal], rec)
	}
	return problems
}

func (c *Catalog) addDiagnosis(f catalogFile) Problems {
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
			d.Sources = v.texts.sources
		} else if r.Labels["id"] != d.ID {
			problems = append(problems, file.problemIn(r, fmt.Sprintf("id %q in a file of %q", r.Labels["id"], d.ID), "one file is one diagnosis; its alerts are variants"))
		}
		d.variants = append(d.variants, v)
	}
	if len(d.variants) == 0 {
		if len(problems) == 0 {
			problems = Problems{{File: f.shown, Msg: "a diagnosis without an alert"}}
		}
		return problems
	}
	if c.diagnoses[d.ID] != nil {
		return append(problems, Problem{File: f.shown, Msg: fmt.Sprintf("diagnosis %q occurs twice", d.ID)})
	}
	c.diagnoses[d.ID] = d
	c.Diagnoses = append(c.Diagnoses, d)
	return problems
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

func newParser() parser.Parser { return parser.NewParser(parser.Options{}) }

// Signal returns the entry of the vocabulary of that name, or nil.
func (c *Catalog) Signal(name string) *Signal { return c.signals[name] }

// System returns the system of that id, or nil.
func (c *Catalog) System(id string) *System { return c.systems[id] }

// Diagnosis returns the diagnosis of that id, or nil.
func (c *Catalog) Diagnosis(id string) *Diagnosis { return c.diagnoses[id] }

// IDs lists the ids of all diagnoses, sorted.
func (c *Catalog) IDs() []string {
	ids := make([]string, 0, len(c.Diagnoses))
	for _, d := range c.Diagnoses {
		ids = append(ids, d.ID)
	}
	return ids
}

// Signals lists the signals that the first alert of a diagnosis requires, sorted.
func (d *Diagnosis) Signals() []string {
	needed := map[string]bool{}
	for _, c := range d.variants[0].form.conditions {
		for _, cmp := range c.comparisons {
			for _, o := range []operand{cmp.observed, cmp.threshold} {
				if o.signal != "" && !c.unless {
					needed[o.signal] = true
				}
			}
		}
	}
	return sortedKeys(needed)
}

// title is what a signal is called, on a system where that is known.
func (c *Catalog) title(signal, system string) string {
	if s := c.systems[system]; s != nil && s.Titles[signal] != "" {
		return s.Titles[signal]
	}
	if s := c.signals[signal]; s != nil {
		return s.Title
	}
	return signal
}
