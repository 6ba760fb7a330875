package report

// The JSON form of a report: names and order of its fields.
type document struct {
	SchemaVersion int            `json:"schemaVersion"`
	Tool          toolDoc        `json:"tool"`
	At            *string        `json:"at"`
	Window        windowDoc      `json:"window"`
	Inputs        []inputDoc     `json:"inputs"`
	Findings      []findingDoc   `json:"findings"`
	NotJudged     []notJudgedDoc `json:"notJudged"`
	Cleared       []clearedDoc   `json:"cleared"`
	NotApplicable int            `json:"notApplicable"`
	Limits        []limitDoc     `json:"limits"`
	Ledger        ledgerDoc      `json:"ledger"`
	Facts         []factDoc      `json:"facts"`
	Vitals        []vitalDoc     `json:"vitals"`
	Notes         []string       `json:"notes"`
	Exit          exitDoc        `json:"exit"`
}

type toolDoc struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

type windowDoc struct {
	Start    *string `json:"start"`
	End      *string `json:"end"`
	Zone     string  `json:"tz"`
	Short    float64 `json:"short"`
	Events   float64 `json:"events"`
	Baseline float64 `json:"baseline"`
}

type inputDoc struct {
	Name     string   `json:"name"`
	Kind     string   `json:"kind"`
	Origin   string   `json:"origin"`
	Scrapes  int      `json:"scrapes"`
	Failed   int      `json:"failed"`
	Restarts int      `json:"restarts"`
	Interval float64  `json:"interval"`
	First    *string  `json:"first"`
	Last     *string  `json:"last"`
	Gaps     []gapDoc `json:"gaps"`
	Error    string   `json:"error"`
	Note     string   `json:"note"`
	Systems  []string `json:"systems"`
	Bytes    int64    `json:"bytes"`
	Duration float64  `json:"duration"`
	Lines    int64    `json:"lines"`
	Records  int64    `json:"records"`
	Unparsed int64    `json:"unparsed"`
	Undated  int64    `json:"undated"`
}

type gapDoc struct {
	From *string `json:"from"`
	To   *string `json:"to"`
}

type findingDoc struct {
	ID             string            `json:"id"`
	State          string            `json:"state"`
	Severity       string            `json:"severity"`
	Subject        map[string]string `json:"subject"`
	Since          *string           `json:"since"`
	SeenOnce       bool              `json:"seenOnce"`
	NotJudgedSince *string           `json:"notJudgedSince"`
	Title          string            `json:"title"`
	Summary        string            `json:"summary"`
	Meaning        string            `json:"meaning"`
	First          string            `json:"first"`
	Evidence       []evidenceDoc     `json:"evidence"`
	RuledOut       []lookDoc         `json:"ruledOut"`
	NotRuledOut    []missingDoc      `json:"notRuledOut"`
	Explains       []referenceDoc    `json:"explains"`
	ExplainedBy    []string          `json:"explainedBy"`
	Affected       []string          `json:"affected"`
	Steps          []stepDoc         `json:"steps"`
	Avoid          []adviceDoc       `json:"avoid"`
}

type evidenceDoc struct {
	Signal    string            `json:"signal"`
	Title     string            `json:"title"`
	Expr      string            `json:"expr"`
	Labels    map[string]string `json:"labels"`
	Observed  *float64          `json:"observed"`
	Op        string            `json:"op"`
	Threshold *float64          `json:"threshold"`
	Unit      string            `json:"unit"`
	Role      string            `json:"role"`
	State     string            `json:"state"`
	More      string            `json:"more"`
	Origin    string            `json:"origin"`
	Lines     []lineDoc         `json:"lines"`
}

type lineDoc struct {
	File string  `json:"file"`
	Line int64   `json:"line"`
	Time *string `json:"time"`
	Text string  `json:"text"`
}

type lookDoc struct {
	ID       string      `json:"id"`
	Instance string      `json:"instance"`
	Evidence evidenceDoc `json:"evidence"`
}

type missingDoc struct {
	ID       string `json:"id"`
	Instance string `json:"instance"`
	Signal   string `json:"signal"`
	Meter    string `json:"meter"`
	Enable   string `json:"enable"`
	Why      string `json:"why,omitempty"`
}

// A referenceDoc names another finding of the same report.
type referenceDoc struct {
	ID      string            `json:"id"`
	Subject map[string]string `json:"subject"`
}

type stepDoc struct {
	Do         string    `json:"do"`
	Why        string    `json:"why"`
	Turns      []turnDoc `json:"turns"`
	Verify     verifyDoc `json:"verify"`
	Within     float64   `json:"within"`
	Risk       string    `json:"risk"`
	Reversible bool      `json:"reversible"`
	From       string    `json:"from"`
}

type verifyDoc struct {
	Signal    string   `json:"signal"`
	Reaches   *float64 `json:"reaches"`
	Direction string   `json:"direction"`
	By        *float64 `json:"by"`
	Text      string   `json:"text"`
}

type adviceDoc struct {
	Do    string    `json:"do"`
	Why   string    `json:"why"`
	Turns []turnDoc `json:"turns"`
}

type turnDoc struct {
	Knob      string `json:"knob"`
	Direction string `json:"direction"`
}

type notJudgedDoc struct {
	ID       string       `json:"id"`
	Title    string       `json:"title"`
	Severity string       `json:"severity"`
	Target   string       `json:"target"`
	Missing  []missingDoc `json:"missing"`
	Why      string       `json:"why"`
}

type clearedDoc struct {
	ID       string   `json:"id"`
	Subjects int      `json:"subjects"`
	Nearest  *nearDoc `json:"nearest"`
}

type nearDoc struct {
	Alert   string            `json:"alert"`
	Subject map[string]string `json:"subject"`
	Failed  []evidenceDoc     `json:"failed"`
}

type limitDoc struct {
	Instance string   `json:"instance"`
	Resource string   `json:"resource"`
	Title    string   `json:"title"`
	InUse    *float64 `json:"inUse"`
	Max      *float64 `json:"max"`
	Binding  bool     `json:"binding"`
	Note     string   `json:"note"`
}

type ledgerDoc struct {
	Indeterminate *float64            `json:"indeterminate"`
	Refused       *float64            `json:"refused"`
	Since         *string             `json:"since"`
	Types         map[string]*float64 `json:"types"`
}

type factDoc struct {
	Instance string   `json:"instance"`
	Name     string   `json:"name"`
	Value    *float64 `json:"value"`
	Origin   string   `json:"origin"`
}

type vitalDoc struct {
	Instance string   `json:"instance"`
	Resource string   `json:"resource"`
	Signal   string   `json:"signal"`
	Title    string   `json:"title"`
	Value    *float64 `json:"value"`
	Unit     string   `json:"unit"`
}

type exitDoc struct {
	Code   int    `json:"code"`
	Reason string `json:"reason"`
}
