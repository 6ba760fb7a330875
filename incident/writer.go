package incident

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// Options say what a Writer leaves out. The zero value takes out credentials
// and what stands before the @ of a URL, and nothing else.
type Options struct {
	Redact    []string // names of labels whose values are not written
	Secrets   []string // texts that are not written wherever they stand: the passwords and tokens of the targets
	Anonymize bool     // replace host names and addresses
	Hosts     []string // with Anonymize: names of targets that are hosts ("db-1:8080"); what else is a host is guessed
}

// A Writer records an incident. Each scrape is in the file when AddScrape
// returns, so that a recorder that is killed leaves a readable incident. When
// the disk fails a Writer only returns that error from then on; a scrape or log
// that is refused leaves it as it was. It is not safe for concurrent use.
type Writer struct {
	sink    sink
	scrub   *scrubber
	start   time.Time
	targets map[string]*written // by name as given
	logs    map[string]bool     // by name as given
	entries int                 // files written
	total   int64               // bytes written
	err     error               // of the sink
}

// written is how far a target has been recorded.
type written struct {
	dir    string
	offset time.Duration
	any    bool
}

// A sink is where a Writer puts files: a folder or an archive.
type sink interface {
	// put writes a new file.
	put(name string, at time.Time, body []byte) error
	// appendLog writes the next bytes of a log.
	appendLog(name string, at time.Time, b []byte) error
	// flush makes what was put readable.
	flush() error
	Close() error
}

// Create begins an incident at path: one file when path ends in .capdoctor,
// else a folder. There must be nothing at path yet, or an empty folder. Files
// are readable by their owner only.
func Create(path string, o Options) (*Writer, error) {
	open := createFolder
	if strings.HasSuffix(path, Extension) {
		open = createArchive
	}
	s, err := open(path)
	if err != nil {
		return nil, err
	}
	return &Writer{sink: s, scrub: newScrubber(o), targets: map[string]*written{}, logs: map[string]bool{}}, nil
}

// SetCase writes case.yaml of the title, source, confidence, why, start, facts
// and expectation of c. It is called once, before anything else. Start is cut
// to milliseconds.
func (w *Writer) SetCase(c Case) error {
	if !w.start.IsZero() {
		return errors.New("the case was set already")
	}
	c.Start = c.Start.UTC().Truncate(time.Millisecond)
	if c.Title == "" || c.Start.Year() < 1970 {
		return errors.New("a case needs a title and a start")
	}
	c.Title, c.Source, c.Why = w.scrub.text(c.Title), w.scrub.text(c.Source), w.scrub.text(c.Why)
	c.Facts = w.facts(c.Facts)
	data, err := formatCase(&c)
	if err != nil {
		return err
	}
	if err := parseCase(&Case{}, caseYAML, data); err != nil {
		return err
	}
	w.start = c.Start
	if err := w.put(caseYAML, w.start, data); err != nil {
		return err
	}
	return w.flush()
}

// facts gives the targets of facts the names under which they are written.
func (w *Writer) facts(facts map[string]string) map[string]string {
	out := map[string]string{}
	for _, key := range slices.Sorted(maps.Keys(facts)) {
		name := key
		if i := strings.LastIndex(key, ":"); i > 0 {
			name = w.scrub.name(key[:i]) + key[i:]
		}
		out[name] = facts[key]
	}
	return out
}

// AddScrape writes an answer of a target, or with a nil body the lack of one.
// at is when it was asked; it must grow from scrape to scrape of a target.
func (w *Writer) AddScrape(target string, at time.Time, m Meta, body []byte) error {
	offset := at.Sub(w.start).Truncate(time.Millisecond)
	switch {
	case w.start.IsZero():
		return errors.New("the case must be set before its first scrape")
	case offset < 0:
		return fmt.Errorf("a scrape of %q at %s is older than the start of the incident", target, at.UTC().Format(time.RFC3339Nano))
	case len(body) > maxBody:
		return fmt.Errorf("a scrape of %q has %d bytes, more than %d", target, len(body), maxBody)
	}
	if body != nil {
		clean, err := w.scrub.body(m.ContentType, body)
		if err != nil {
			return err
		}
		body = clean
	}
	stem, err := w.stem(target, offset)
	if err != nil {
		return err
	}
	return w.putScrape(stem, offset, at, m, body)
}

// stem is the path of a scrape without its extension: whole seconds, and
// milliseconds where the second has a scrape already.
func (w *Writer) stem(target string, offset time.Duration) (string, error) {
	t := w.targets[target]
	if t == nil {
		t = &written{dir: "scrapes/" + escapeName(w.scrub.name(target))}
		w.targets[target] = t
	}
	if t.any && offset <= t.offset {
		return "", fmt.Errorf("a scrape of %q at %s does not come after the one at %s", target, offset, t.offset)
	}
	second := offset.Truncate(time.Second)
	name := fmt.Sprintf("%s/%04d", t.dir, int64(second.Seconds()))
	if t.any && t.offset >= second {
		name += fmt.Sprintf(".%03d", (offset - second).Milliseconds())
	}
	t.offset, t.any = offset, true
	return name + "s", nil
}

func (w *Writer) putScrape(stem string, offset time.Duration, at time.Time, m Meta, body []byte) error {
	if body != nil {
		if err := w.put(stem+".prom", at, body); err != nil {
			return err
		}
	}
	m.Error = w.scrub.text(m.Error)
	if err := w.put(stem+".meta", at, formatMeta(offset, m)); err != nil {
		return err
	}
	return w.flush()
}

// AppendLog writes the bytes that were appended to a log. Whole lines are
// written at once, the rest of a line when its end has come or at Close.
func (w *Writer) AppendLog(name string, at time.Time, b []byte) error {
	switch {
	case w.start.IsZero():
		return errors.New("the case must be set before its first log")
	case packed(name):
		return fmt.Errorf("log %q is compressed and cannot be searched for credentials; record it unpacked", name)
	}
	w.logs[name] = true
	return w.putLog(name, at, w.scrub.log(name, b))
}

func packed(name string) bool {
	return slices.ContainsFunc([]string{".gz", ".zst", ".bz2", ".xz"}, func(ext string) bool { return strings.HasSuffix(name, ext) })
}

func (w *Writer) putLog(name string, at time.Time, b []byte) error {
	if len(b) == 0 {
		return nil
	}
	path := "logs/" + escapeName(w.logName(name))
	if err := w.write(b, func() error { return w.sink.appendLog(path, at, b) }); err != nil {
		return err
	}
	return w.flush()
}

// logName scrubs the name of a log, whose first part may be a target's.
func (w *Writer) logName(name string) string {
	stem, ext, _ := strings.Cut(name, ".log")
	if w.scrub.anon == nil || stem == name {
		return name
	}
	return w.scrub.anon.text(stem) + ".log" + ext
}

// Close writes what is left and closes the incident.
func (w *Writer) Close() error {
	for _, name := range slices.Sorted(maps.Keys(w.logs)) {
		if w.err != nil {
			break
		}
		w.err = w.putLog(name, w.start, w.scrub.logRest(name))
	}
	return errors.Join(w.err, w.sink.Close())
}

// put writes one file within the bounds of what can be read again.
func (w *Writer) put(name string, at time.Time, body []byte) error {
	return w.write(body, func() error { return w.sink.put(name, at, body) })
}

func (w *Writer) write(body []byte, put func() error) error {
	switch {
	case w.err != nil:
	case w.entries == maxEntries:
		w.err = fmt.Errorf("the recording is full: %d files", maxEntries)
	case w.total+int64(len(body)) > maxTotal:
		w.err = fmt.Errorf("the recording is full: %d bytes", w.total)
	default:
		w.entries++
		w.total += int64(len(body))
		w.err = put()
	}
	return w.err
}

func (w *Writer) flush() error {
	if w.err == nil {
		w.err = w.sink.flush()
	}
	return w.err
}
