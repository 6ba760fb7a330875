package incident

import (
	"bytes"
	"io"
	"time"
)

// A Case is one incident. Close it when its bodies and logs are no longer
// needed. A Case is not safe for concurrent use.
type Case struct {
	Name string // base name of the folder or file, without .capdoctor
	Dir  string // the path that was opened

	Title      string
	Source     string // the public report that the facts come from, or what made the recording
	Confidence string // how sure the answer is: "reporter", "confirmed", "inferred", or empty
	Why        string // why the answer is right
	Start      time.Time
	// Facts are what the user would tell, as a number or a Go duration ("30",
	// "30s"). A key is the fact's name, or TARGET:name for one target.
	Facts map[string]string

	Expect  *Expect  // the right answer; nil in a recording that nobody has judged yet
	Targets []Target // by name
	Logs    []Log    // by name
	// Truncated is set for a .capdoctor file that was never closed: everything
	// up to its last whole entry is here.
	Truncated bool

	file  string         // path of case.yaml, for errors
	lines map[string]int // line in case.yaml of "facts.NAME"
	store store
}

// Confidences are the values that Case.Confidence may have besides empty.
func Confidences() []string { return []string{"reporter", "confirmed", "inferred"} }

// An Expect is the right answer to a case.
type Expect struct {
	Find          []Want   // must fire, the first one leading; empty when nothing may fire
	Not           []string // diagnosis ids that must not fire
	Unknown       []string // diagnosis ids that must be reported as not judged
	AdviceMust    []string // regular expressions; one step at least must match each
	AdviceMustNot []string // regular expressions; no step may match any
	File          string   // path of case.yaml
	// Lines are the lines in File of the entries, from 1: "find", "find[0]",
	// "find[0].where", "find[0].says[1]", "not[0]", "unknown[0]",
	// "advice_must[0]", "advice_must_not[0]".
	Lines map[string]int
}

// A Want is one diagnosis that must fire.
type Want struct {
	ID    string
	Where map[string]string // labels that its subject must have; may be nil
	Says  []string          // texts that the finding must contain, in any letter case
}

// A Target is one endpoint of a case and its scrapes in order of time.
type Target struct {
	Name    string
	Scrapes []Scrape
}

// A Scrape is one answer of a target, or the lack of one.
type Scrape struct {
	Offset time.Duration // since the start of the case; whole milliseconds
	Meta   Meta
	Size   int64 // bytes of the body; 0 when there is none
	entry  string
	inline []byte // the body itself, of a scrape made of timed samples
	store  store
}

// A Meta says how a scrape went.
type Meta struct {
	Status      int           // HTTP status; 0 when no answer came
	Duration    time.Duration // from request to end of answer; 0 unknown
	ContentType string        // as the target sent it; empty unknown
	Error       string        // why there is no usable answer; empty when there is
}

// HasBody reports whether the target sent a body, which may be empty.
func (s Scrape) HasBody() bool { return s.entry != "" || s.inline != nil }

// Body returns the bytes that the target sent, nil when it sent none. Reading
// the scrapes of a case in order of time is one pass over its file.
func (s Scrape) Body() ([]byte, error) {
	switch {
	case s.inline != nil:
		return bytes.Clone(s.inline), nil
	case s.entry == "":
		return nil, nil
	}
	return s.store.read(s.entry)
}

// A Log is one log of a case.
type Log struct {
	Name  string // file name: app.log, app.log.1.gz
	Size  int64  // bytes
	parts []string
	store store
}

// Open returns the bytes of the log as they stand in the case. Close the reader.
func (l Log) Open() (io.ReadCloser, error) { return l.store.open(l.parts) }

// FactAt returns where a fact of Facts stands: the path of case.yaml and the
// line, 0 for a fact that is not there.
func (c *Case) FactAt(key string) (file string, line int) {
	return c.file, c.lines["facts."+key]
}

// Close releases the file behind the case.
func (c *Case) Close() error {
	if c.store == nil {
		return nil
	}
	return c.store.Close()
}
