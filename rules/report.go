package rules

import (
	"time"

	"github.com/prometheus/common/model"
)

// A State is the verdict of a diagnosis on a subject.
type State uint8

const (
	Unknown State = iota // could not be judged; the zero value, so that nothing is clear by accident
	Clear                // judged, and not so
	Pending              // so, but not yet for long enough
	Firing               // so
)

// Severities, from worst to least.
const (
	Critical = "critical"
	Warning  = "warning"
	Info     = "info"
)

// A Report is the whole answer at one time. The same samples give the same
// Report: every list is sorted.
type Report struct {
	At            time.Time
	Window        Window
	Inputs        []Input
	Findings      []*Finding  // firing, then pending; a cause stands before what it explains
	NotJudged     []NotJudged // diagnoses that would apply but lack a signal, worst severity first
	Cleared       []Cleared   // diagnoses that were judged and do not hold, by id
	NotApplicable int         // diagnoses no recognised system could supply
	Limits        []Limit     // limits in series on the way of a request, in its order
	Ledger        Ledger
	Facts         []Fact   // what no meter exposes, by instance and name
	Vitals        []Vital  // what a person looks for first, also when nothing fires: completions, waiting, CPU; by instance
	Notes         []string // one sentence each: refused duplicates, assumptions, what one scrape cannot tell
}

// Window says which times were judged.
type Window struct {
	Start, End time.Time
	// The lengths the three windows of the rules had at End, of the input that
	// was watched longest.
	Short, Events, Baseline time.Duration
}

// An Input is one target or log and what came of reading it.
type Input struct {
	Name     string // the instance
	Kind     string // "scrape", "prometheus" (stored by a server), "log", "case", "file"
	Origin   string // URL or path, without credentials
	Scrapes  int
	Failed   int
	Restarts int
	Interval time.Duration
	First    time.Time
	Last     time.Time
	Gaps     []Gap
	Error    string // the last failure, one sentence with the likely fix; empty when the last read was good
	Note     string // which path was taken, which parser, what was odd; may be empty
	Systems  []string
	// Own cost of reading it.
	Bytes    int64
	Duration time.Duration // sum of all requests
	// Logs only.
	Lines, Records, Unparsed, Undated int64
}

// A Gap is a time in which an input said nothing.
type Gap struct{ From, To time.Time }

// A Finding is the verdict of one diagnosis on one subject at one time.
type Finding struct {
	ID       string
	Alert    string // the alert of the diagnosis' file that speaks: "CongestionCollapseFromLogs"
	Title    string // the first words of the report: "Congestion collapse"
	State    State
	Severity string
	Subject  model.Metric // instance, system, resource, kind, service and the source's own labels
	Since    time.Time    // first tick of the present run of true verdicts
	SeenOnce bool         // judged on a single tick or on all there are
	// NotJudgedSince is set when the target stopped answering: the state is the last one known.
	NotJudgedSince time.Time

	Summary string // one line, with the numbers
	Meaning string // what is happening and why it does not heal by itself
	First   string // what to do first, one sentence; empty: the first step says it

	Evidence    []Evidence
	RuledOut    []Look // look-alikes that the numbers exclude
	NotRuledOut []Missing
	Explains    []*Finding // consequences, also on other targets; each is in Report.Findings too
	ExplainedBy []string   // ids of the findings that explain this one
	Affected    []string   // instances that only lend evidence
	Steps       []Step
	Avoid       []Advice
	Sources     []Source // of its diagnosis; not changed
}

// Role and Result of one condition.
const (
	Required = "required"
	Excluded = "excluded" // of an unless: the finding needs it to be false

	Holds   = "holds"
	Fails   = "fails"
	Absent  = "missing"
	NoClear = "unseen" // false, but on a window or baseline too short to clear
)

// Evidence is one condition as it was judged.
type Evidence struct {
	Signal    string       // cap:completed_rate
	Title     string       // "writes completed"
	Expr      string       // the comparison, as evaluated
	Labels    model.Metric // of the observed series
	Observed  float64      // NaN when missing
	Op        string       // < <= > >= == !=
	Threshold float64      // NaN when missing
	Unit      string       // a unit of signals.yaml
	Role      string
	State     string
	More      string // context in a few words: "20 % of 16.0/s", "4 in 60 s"
	Origin    string // where a fact or baseline comes from: "Evento's default", "lifetime average"
	Lines     []Line // log lines it was read from, newest last

	kind string // of what it observes; tells it from another row of the same signal
}

// A Look is a look-alike that was judged and does not hold.
type Look struct {
	ID       string
	Instance string
	Evidence Evidence // the condition that excludes it
}

// Missing is a signal that was not there, and what would supply it.
type Missing struct {
	ID       string // the diagnosis that needs it
	Instance string
	Signal   string
	Meter    string // the meter or property that would supply it (container_cpu_cfs_*); may be empty
	Enable   string // a flag, a property, a target to add; may be empty
	Why      string // set instead of a signal when all are there: "not seen in the 10 s watched"
}

// NotJudged is a diagnosis that would apply to a target but lacks signals.
type NotJudged struct {
	ID       string
	Title    string
	Severity string
	Instance string
	Missing  []Missing
	Why      string // set when no signal is missing: "not seen in the 10 s watched", "no time before the trouble was seen"
}

// A Step is one thing to do, in order.
type Step struct {
	Do         string
	Why        string
	Turns      []Turn // the knobs that it turns, by name; none for a step that only looks
	Verify     Verify
	Within     time.Duration
	Risk       string // low, medium, high
	Reversible bool
	From       string // id of the finding it belongs to
}

// Verify says which signal must move, and how.
type Verify struct {
	Signal    string
	Reaches   float64 // NaN when Direction is set
	Direction string  // "up" or "down"; empty when Reaches is set
	By        float64 // how far it must move with Direction; 0 any
	Text      string  // "writes at 16.0/s within 1 min"
}

// A Source is where a formula, a threshold, a log template or an advice comes
// from. Link is empty for what is not on the web.
type Source struct {
	Title string `yaml:"title"`
	Link  string `yaml:"link"`
}

// Advice is what not to do.
type Advice struct {
	Do, Why string
	Turns   []Turn // the knobs that are not to be turned this way, by name
}

// A Line is a log line that was used as evidence. Text is raw: escape it.
type Line struct {
	File     string
	Number   int64
	Time     time.Time
	Instance string
	Event    string
	Text     string
}

// A Limit is one bound on the way of a request.
type Limit struct {
	Instance string
	Resource string
	Title    string
	InUse    float64 // NaN unknown
	Max      float64 // NaN unknown
	Binding  bool
	Note     string // "out of reach", "5 held by locks", "no meter; 4 from log"
}

// A Vital is the present value of a signal that describes the work of a target.
type Vital struct {
	Instance string
	Resource string // may be empty
	Signal   string
	Title    string // "writes completed"
	Value    float64
	Unit     string
}

// Ledger counts requests whose outcome is unknown against those surely refused.
type Ledger struct {
	Indeterminate float64 // timed out: may have been applied; NaN unknown
	Refused       float64 // nothing was sent; NaN unknown
	Since         time.Time
	Types         map[string]float64 // payload type to indeterminate requests
}
