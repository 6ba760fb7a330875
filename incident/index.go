package incident

import (
	"cmp"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"
	"time"
)

// A store holds the files of an open incident: a folder or an archive.
type store interface {
	// read returns one file.
	read(name string) ([]byte, error)
	// open returns the files one after the other.
	open(names []string) (io.ReadCloser, error)
	Close() error
}

// An index is what was learned of the files of an incident by looking at each
// of them once.
type index struct {
	root  string            // what the paths in errors begin with
	files map[string]file   // by path
	small map[string][]byte // contents of case.yaml, .meta, .status and .delay
	total int64             // bytes of all files
}

// A file is one file of an incident.
type file struct {
	entry
	size  int64
	order int // position in the archive
}

func newIndex(root string) *index {
	return &index{root: root, files: map[string]file{}, small: map[string][]byte{}}
}

// path is how an error names a file of the incident.
func (x *index) path(name string) string { return x.root + "/" + name }

// add takes a file in. The name is clean and slash-separated.
func (x *index) add(name string, size int64) (file, error) {
	at := x.path(name)
	if len(name) > maxName {
		return file{}, fault(x.root, 0, "a file name of %d bytes, more than %d", len(name), maxName)
	}
	e, err := parseEntry(name)
	if err != nil {
		return file{}, fault(at, 0, "%v", err)
	}
	if _, twice := x.files[name]; twice {
		return file{}, fault(at, 0, "stands twice in the file")
	}
	x.total += size
	switch {
	case size < 0 || size > e.limit():
		return file{}, fault(at, 0, "has %d bytes, more than %d", size, e.limit())
	case x.total > maxTotal:
		return file{}, fault(x.root, 0, "holds more than %d bytes", int64(maxTotal))
	case len(x.files) == maxEntries:
		return file{}, fault(x.root, 0, "holds more than %d files", maxEntries)
	}
	f := file{entry: e, size: size, order: len(x.files)}
	x.files[name] = f
	return f, nil
}

// build makes the case of the indexed files.
func (x *index) build(c *Case, s store) error {
	data, ok := x.small[caseYAML]
	if !ok {
		return fault(x.root, 0, "no case.yaml; it must stand at the top, beside scrapes and logs")
	}
	if err := parseCase(c, x.path(caseYAML), data); err != nil {
		return err
	}
	c.store = s
	if err := x.buildTargets(c); err != nil {
		return err
	}
	if err := x.buildTimed(c); err != nil {
		return err
	}
	return x.buildLogs(c)
}

// each yields the files of the given classes by path.
func (x *index) each(classes ...class) iter.Seq2[string, file] {
	return func(yield func(string, file) bool) {
		for _, name := range slices.Sorted(maps.Keys(x.files)) {
			if f := x.files[name]; slices.Contains(classes, f.class) && !yield(name, f) {
				return
			}
		}
	}
}

func (x *index) buildTargets(c *Case) error {
	frames := map[string]map[string]*frame{}
	for name, f := range x.each(scrapeFile) {
		if frames[f.target] == nil {
			frames[f.target] = map[string]*frame{}
		}
		fr := frames[f.target][f.stem]
		if fr == nil {
			fr = newFrame(f, c.store)
			frames[f.target][f.stem] = fr
		}
		if err := fr.add(x, name, f); err != nil {
			return err
		}
	}
	if len(frames) > maxTargets {
		return fault(x.root, 0, "holds %d targets, more than %d", len(frames), maxTargets)
	}
	for _, target := range slices.Sorted(maps.Keys(frames)) {
		scrapes, err := x.scrapes(frames[target])
		if err != nil {
			return err
		}
		c.Targets = append(c.Targets, Target{Name: target, Scrapes: scrapes})
	}
	return nil
}

// scrapes puts the frames of a target in order of time.
func (x *index) scrapes(byStem map[string]*frame) ([]Scrape, error) {
	frames := slices.SortedFunc(maps.Values(byStem), func(a, b *frame) int {
		return cmp.Or(cmp.Compare(a.Offset, b.Offset), cmp.Compare(a.stem, b.stem))
	})
	var out []Scrape
	for i, f := range frames {
		if i > 0 && f.Offset == frames[i-1].Offset {
			return nil, fault(x.path(f.stem), 0, "a second scrape at %s, beside %s", f.Offset, frames[i-1].stem)
		}
		if f.repeats() && i > 0 {
			f.repeat(frames[i-1])
		}
		out = append(out, f.finish())
	}
	return out, nil
}

func (x *index) buildLogs(c *Case) error {
	byName := map[string]*Log{}
	for name, f := range x.each(logFile, logPart) {
		l := byName[f.log]
		if l == nil {
			l = &Log{Name: f.log, store: c.store}
			byName[f.log] = l
		} else if f.class == logFile || x.files[l.parts[0]].class == logFile {
			return fault(x.path(name), 0, "a second log of the name %q", f.log)
		}
		l.parts, l.Size = append(l.parts, name), l.Size+f.size
	}
	if len(byName) > maxLogs {
		return fault(x.root, 0, "holds %d logs, more than %d", len(byName), maxLogs)
	}
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		c.Logs = append(c.Logs, *byName[name])
	}
	return nil
}

// A frame is a scrape while its files are being put together.
type frame struct {
	Scrape
	stem      string
	hasMeta   bool // a .meta or .status says how it went
	hasStatus bool
}

func newFrame(f file, s store) *frame {
	return &frame{Scrape: Scrape{Offset: f.offset, store: s}, stem: f.stem}
}

// add takes one file of the frame in.
func (fr *frame) add(x *index, name string, f file) error {
	switch f.ext {
	case "prom":
		fr.entry, fr.Size = name, f.size
		return nil
	case "meta":
		return fr.addMeta(x.path(name), x.small[name])
	case "status":
		v, err := parseNumberFile(x.path(name), x.small[name], 100, 599)
		fr.Meta.Status, fr.hasMeta, fr.hasStatus = v, true, true
		return err
	}
	v, err := parseNumberFile(x.path(name), x.small[name], 0, int(time.Hour/time.Millisecond))
	fr.Meta.Duration = time.Duration(v) * time.Millisecond
	return err
}

func (fr *frame) addMeta(path string, data []byte) error {
	m, offset, stated, err := parseMeta(path, data)
	if err != nil {
		return err
	}
	if stated {
		if offset.Truncate(time.Second) != fr.Offset.Truncate(time.Second) {
			return fault(path, 0, "offset_ms says %s, the name %s", offset, fr.Offset)
		}
		fr.Offset = offset.Truncate(time.Millisecond)
	}
	fr.hasStatus = m.Status >= 0
	m.Status = max(m.Status, 0)
	fr.Meta, fr.hasMeta = m, true
	return nil
}

// repeats reports whether the frame only says how long the answer took: the
// body is then the one before it.
func (fr *frame) repeats() bool { return !fr.hasMeta && !fr.HasBody() }

func (fr *frame) repeat(before *frame) {
	delay := fr.Meta.Duration
	fr.entry, fr.Size, fr.Meta, fr.hasStatus = before.entry, before.Size, before.Meta, before.hasStatus
	fr.Meta.Duration = delay
}

// finish fills in the status of a scrape that states none.
func (fr *frame) finish() Scrape {
	s := fr.Scrape
	switch {
	case !fr.hasStatus && s.HasBody() && s.Meta.Error == "":
		s.Meta.Status = 200
	case !s.HasBody() && s.Meta.Error == "":
		s.Meta.Error = fmt.Sprintf("no body, HTTP status %d", s.Meta.Status)
	}
	return s
}
