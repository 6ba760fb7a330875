package logparse

import "slices"

// EventsMetric counts events; its labels are event, type, level and waits_on,
// the last three only where they are known.
const EventsMetric = "capdoctor_log_events_total"

// A PatternFile is one file of the catalogue: the lines of one system.
type PatternFile struct {
	System   string     `yaml:"system"` // evento: as in the rules' catalogue where that knows the system
	Title    string     `yaml:"title"`
	Always   bool       `yaml:"always,omitempty"` // its events are counted, as none, in logs without any of its lines
	Patterns []*Pattern `yaml:"patterns"`
	// Formats are forms of first lines that the built-in formats do not know;
	// see the package's description.
	Formats []*Format `yaml:"formats,omitempty"`
}

// A Pattern recognises one kind of record and says what samples it yields.
// Several patterns may yield the same event.
type Pattern struct {
	Event string `yaml:"event"` // snake_case: the label event
	Title string `yaml:"title"` // what happened; lower case, no period

	// Match holds templates; the first one that matches gives the captures. They
	// are tried on the message, on the lines of the trace that name an exception
	// (on every further line with On: lines) and, where a record is structured
	// (JSON, logfmt), on the whole line.
	Match []string `yaml:"match"`
	On    string   `yaml:"on,omitempty"`

	Levels  []string `yaml:"levels,omitempty"`  // the record has one of these; empty is any
	Logger  string   `yaml:"logger,omitempty"`  // the logger's name contains it, where there is one
	Trace   []string `yaml:"trace,omitempty"`   // further lines hold one of these
	NoTrace []string `yaml:"notrace,omitempty"` // further lines hold none of these
	// Where lists the values that a capture may have, Unless those it may not.
	// A * at the beginning or end of a value stands for any text.
	Where  map[string][]string `yaml:"where,omitempty"`
	Unless map[string][]string `yaml:"unless,omitempty"`

	// Count is how many events one record stands for: a capture, whose entries
	// are counted by type when it is a map. Empty is 1, "none" counts no event.
	Count string `yaml:"count,omitempty"`
	// Type is the label type: text with {captures}. {frame} is the first class
	// of the application in the trace.
	Type    string `yaml:"type,omitempty"`
	WaitsOn bool   `yaml:"waits_on,omitempty"` // the label waits_on is read from the trace
	// Fallback patterns are left out where another pattern has an event for the
	// record: "a timeout" beside "the handler of X timed out" is no news.
	Fallback bool         `yaml:"fallback,omitempty"`
	Quiet    bool         `yaml:"quiet,omitempty"` // too many to quote: counted only
	Samples  []SampleSpec `yaml:"samples,omitempty"`
	Facts    []FactSpec   `yaml:"facts,omitempty"`
	Spans    []SpanSpec   `yaml:"spans,omitempty"`

	Lines []string `yaml:"lines"`         // records that it must match
	Not   []string `yaml:"not,omitempty"` // records that it must not match

	system    string
	file      string
	templates []*template
	captures  []capture
	texts     []text // of type, labels, parts and ids, each once
	count     operand
	typ       int    // index into texts; -1 none
	levels    uint16 // bit set of Level; 0 is any
}

// A SampleSpec is one sample that a pattern's record yields, beside its event.
type SampleSpec struct {
	Name string `yaml:"name"` // the exporter's name of the meter, or one of ours
	// Kind is
	//   gauge     a reading: it lives until the next one, at most a short window
	//   constant  a setting: it lives until it is set again
	//   count     how many more: a counter that starts at 0
	//   total     a counter's reading
	//   progress  a counter's reading that is printed at intervals: it grows
	//             evenly between two readings
	//   member    a part that joined, with its size: a gauge of the sum
	//   leave     a part that left
	Kind string `yaml:"kind"`
	// Value is a number or captures with + and -, where time is the record's in
	// seconds since the epoch; empty is 1.
	Value  string            `yaml:"value,omitempty"`
	Of     string            `yaml:"of,omitempty"` // member, leave: text with {captures} that names the part
	Labels map[string]string `yaml:"labels,omitempty"`

	kind   sampleKind
	value  operand
	of     int // index into the pattern's texts; -1 none
	labels []labelText
}

// A FactSpec is something that no meter exposes, read from a line.
type FactSpec struct {
	Name  string `yaml:"fact"` // one of the closed list of the rules
	Value string `yaml:"value"`
	// Floor rounds down to a multiple, where what is printed is the setting and
	// a little more.
	Floor float64 `yaml:"floor,omitempty"`

	value operand
}

// A SpanSpec is a time between two records that name the same id.
type SpanSpec struct {
	Name string `yaml:"span"` // the label span: schedule_to_start, service
	ID   string `yaml:"id"`   // text with {captures}
	End  bool   `yaml:"end,omitempty"`

	id int // index into the pattern's texts
}

// A capture is a named placeholder of a pattern.
type capture struct {
	name string
	kind captureKind
}

// A labelText is a label and the index of its value in the pattern's texts.
type labelText struct {
	name  string
	value int
}

type sampleKind uint8

const (
	gaugeSample sampleKind = iota
	constantSample
	countSample
	totalSample
	progressSample
	memberSample
	leaveSample
)

var sampleKinds = map[string]sampleKind{
	"gauge": gaugeSample, "constant": constantSample, "count": countSample, "total": totalSample,
	"progress": progressSample, "member": memberSample, "leave": leaveSample,
}

// counts tells whether the samples of a kind make a counter.
func (k sampleKind) counts() bool {
	return k == countSample || k == totalSample || k == progressSample
}

// System returns the system whose lines the pattern recognises.
func (p *Pattern) System() string { return p.system }

// slot returns the index of a capture, which it adds when it is new.
func (p *Pattern) slot(name string) int {
	return slices.IndexFunc(p.captures, func(c capture) bool { return c.name == name })
}
