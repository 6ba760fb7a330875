package rules

import (
	"embed"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/prometheus/prometheus/promql/parser"
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
	variants     []*variant
}

// A variant is one alert of a diagnosis.
type variant struct {
	alert string
	form  form
	hold  time.Duration // its for
	texts func() texts
	file  *ruleFile
	rule  fileRule
}

// subject is what the first condition observes: the series that a finding is
// about.
func (v *variant) subject() operand { return v.form.conditions[0].comparisons[0].observed }

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

// add reads one folder. Its files are read side by side and taken in by name.
func (c *Catalog) add(folder Folder) (Problems, error) {
	files, err := folder.files()
	if err != nil {
		return nil, err
	}
	entries := make([]func(*Catalog) Problems, len(files))
	var reading sync.WaitGroup
	for i, f := range files {
		reading.Go(func() { entries[i] = f.read() })
	}
	reading.Wait()
	var problems Problems
	for _, enter := range entries {
		problems = append(problems, enter(c)...)
	}
	return problems, nil
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

// SystemIDs lists the ids of all systems, sorted.
func (c *Catalog) SystemIDs() []string { return sortedKeys(c.systems) }

// Sources lists where the rule and its advice come from.
func (d *Diagnosis) Sources() []Source { return d.variants[0].texts().sources }

// PointsTo lists the diagnoses of which the lines of an event may be the first
// sign, in catalogue order.
func (c *Catalog) PointsTo(event string) []string {
	var ids []string
	for _, d := range c.Diagnoses {
		for _, v := range d.variants {
			signal := v.subject().signal
			if slices.Contains(eventsRead(c.recordings[signal]), event) && !slices.Contains(ids, d.ID) {
				ids = append(ids, d.ID)
			}
		}
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
