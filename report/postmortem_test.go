package report_test

import (
	"bytes"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/capdoctor/capdoctor/report"
	"github.com/capdoctor/capdoctor/rules"
)

// lookBacks are shapes of look backs, written by hand.
var lookBacks = []struct {
	name  string
	build func() *rules.Postmortem
}{
	{"postmortem", collapsedLogs}, {"postmortem-ended", endedLogs}, {"postmortem-calm", calmLogs},
	{"postmortem-unknown", unknownLogs}, {"postmortem-pending", pendingLogs}, {"postmortem-hostile", hostileLogs},
}

// minutesOf is a track of one value for each of the columns of a time line.
func minutesOf(values ...float64) []float64 { return values }

// collapsedLogs is the collapse as its logs tell it: ten columns, a gap, two
// columns of a good run.
func collapsedLogs() *rules.Postmortem {
	r := collapse()
	r.Inputs = []rules.Input{
		{Name: "catalog-bundle", Kind: "log", Bytes: 16600, Lines: 124, Records: 120, First: judgedAt.Add(-16 * time.Minute), Last: judgedAt.Add(110 * time.Minute), Note: "stamps without a zone are read as UTC"},
		{Name: "evento-server", Kind: "log", Bytes: 26100, Lines: 213, Records: 84, First: judgedAt.Add(-59 * time.Minute), Last: judgedAt, Gaps: []rules.Gap{{From: judgedAt.Add(-58 * time.Minute), To: judgedAt.Add(-11 * time.Minute)}}, Note: "stamps without a zone are read as UTC"},
	}
	nan := math.NaN()
	line := expiryLines()[0]
	p := &rules.Postmortem{
		First: judgedAt.Add(-59 * time.Minute), Last: judgedAt.Add(110 * time.Minute), Step: time.Second,
		Incidents: []rules.Incident{{
			Finding: r.Findings[0], Onset: judgedAt.Add(-610 * time.Second), Within: 10 * time.Second,
			Worst:  rules.Peak{At: judgedAt.Add(-560 * time.Second), Signal: "cap:goodput_rate", Title: "writes completed", Value: 0.06, Unit: "1/s"},
			Judged: judgedAt, LastSeen: judgedAt, Next: judgedAt.Add(99 * time.Minute),
		}},
		Report: r,
		Movers: []rules.Mover{
			{Time: judgedAt.Add(-612 * time.Second), Title: "oldest expired request was sent (expiry less 30 s)", Before: nan, During: nan, Instance: "evento-server"},
			{Time: judgedAt.Add(-610 * time.Second), Within: 10 * time.Second, Signal: "cap:goodput_rate", Title: "writes completed", Kind: rules.PerSecond, Unit: "1/s", Before: 16, During: 0.07, Instance: "catalog-bundle", Where: &line},
			{Time: judgedAt.Add(-581 * time.Second), Signal: "cap:expired_count", Title: "requests expired", Kind: rules.Count, Unit: "1", Before: nan, During: 110, Until: judgedAt.Add(-69 * time.Second), Instance: "catalog-bundle", Where: &line},
			{Time: judgedAt.Add(-560 * time.Second), Signal: "cap:waiting", Title: "requests waiting (bus)", Unit: "requests", Before: 0, During: 68, Instance: "elsewhere"},
		},
		Fall: &rules.Fall{Title: "writes completed", Before: 16, During: 0.07, After: 25, Missed: 9720},
		Timeline: rules.Timeline{Tracks: []rules.Track{
			{Signal: "cap:clients", Title: "concurrent clients", Unit: "clients", Instance: "catalog-bundle", Values: minutesOf(20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 8, 8), Before: 20, During: 20, After: 8},
			{Signal: "cap:goodput_rate", Title: "writes completed", Unit: "1/s", Kind: rules.PerSecond, Instance: "catalog-bundle", Values: minutesOf(16, 16, 16, 8, 0.07, 0.07, 0.06, 0.07, 0.07, 0.07, 25, 25), Before: 16, During: 0.07, After: 25},
			{Signal: "cap:expired_count", Title: "requests expired", Unit: "1", Kind: rules.Count, Instance: "catalog-bundle", Values: minutesOf(0, 0, 0, 0, 22, 0, 22, 0, 44, 22, 0, 0), Before: 0, During: 110, After: 0},
			{Signal: "cap:handler_timeout_count", Title: "handlers timed out", Unit: "1", Kind: rules.Count, Instance: "evento-server", Values: minutesOf(nan, nan, nan, 0, 3, 4, 4, 5, 5, 20, nan, nan), Before: 0, During: 41, After: nan},
		}},
		Paces:    []rules.Pace{{Clients: 8, Rate: 25, For: 11 * time.Minute}, {Clients: 20, Rate: 16, For: 5 * time.Minute}, {Clients: 20, Rate: 0.07, Incident: true, For: 10 * time.Minute}},
		Outcomes: rules.Ledger{Indeterminate: 110, Refused: 0, Since: judgedAt.Add(-59 * time.Minute), Types: map[string]float64{"CatalogProductAddCommand": 100, "EventFetchRequest": 10}},
		Events: []rules.EventCount{
			{Instance: "catalog-bundle", Event: "bundle_correlation_expired", Title: "requests expired at the caller", Count: 110, Types: []rules.TypeCount{{Type: "CatalogProductAddCommand", Count: 100}, {Type: "EventFetchRequest", Count: 10}}, First: &line, Last: &line},
			{Instance: "evento-server", Event: "process_started", Count: 1},
		},
		Restarts: []rules.Restart{{Time: judgedAt.Add(-59 * time.Minute), Instance: "evento-server", Text: "evento-server started", Where: &rules.Line{File: "logs/evento-server.log", Number: 4, Time: judgedAt.Add(-59 * time.Minute)}}},
	}
	for i := range 12 {
		from := judgedAt.Add(time.Duration(i-12) * time.Minute)
		c := rules.Column{From: from, To: from.Add(time.Minute)}
		if i >= 10 {
			c.From, c.To = c.From.Add(100*time.Minute), c.To.Add(100*time.Minute)
		}
		if i == 10 {
			c.Gap = 99 * time.Minute
		}
		p.Timeline.Columns = append(p.Timeline.Columns, c)
	}
	return p
}

// endedLogs has two incidents, of which the second one is over and was there
// from a gap on.
func endedLogs() *rules.Postmortem {
	p := collapsedLogs()
	second := p.Incidents[0]
	never := neverGrows(judgedAt.Add(100 * time.Minute))
	second.Finding, second.Onset, second.Within = never, never.Since, 0
	second.After, second.End, second.LastSeen = judgedAt.Add(90*time.Minute), judgedAt.Add(105*time.Minute), judgedAt.Add(105*time.Minute)
	second.Worst = rules.Peak{At: never.Since, Title: "in use", Value: 16, Unit: "1"}
	p.Incidents = append(p.Incidents, second)
	p.Incidents[0].AtStart, p.Incidents[0].Next = true, time.Time{}
	return p
}

func calmLogs() *rules.Postmortem {
	p := collapsedLogs()
	p.Main, p.Incidents, p.Movers, p.Fall, p.Paces = -1, nil, nil, nil, nil
	p.Report.Findings = nil
	p.Outcomes = rules.Ledger{Indeterminate: math.NaN(), Refused: 12}
	return p
}

func unknownLogs() *rules.Postmortem {
	return &rules.Postmortem{
		Main: -1, Outcomes: rules.Ledger{Indeterminate: math.NaN(), Refused: math.NaN()},
		Report: &rules.Report{Inputs: []rules.Input{{Name: "notes", Kind: "log", Bytes: 460, Lines: 15, Records: 15, Unparsed: 15, Undated: 15}}},
	}
}

func pendingLogs() *rules.Postmortem {
	p := calmLogs()
	f := *neverGrows(judgedAt)
	f.State, f.ExplainedBy = rules.Pending, nil
	p.Report.Findings = []*rules.Finding{&f}
	return p
}

// hostileLogs has text from logs that tries to be something else.
func hostileLogs() *rules.Postmortem {
	p := collapsedLogs()
	p.Report = hostile()
	evil := "\x1b[2Jevil\u202e\r\n| `x` |" + strings.Repeat("long", 99)
	line := rules.Line{File: "../" + evil, Number: 7, Time: judgedAt, Text: evil, Event: evil}
	p.Incidents[0].Finding = p.Report.Findings[0]
	p.Incidents[0].Worst.Title, p.Incidents[0].Worst.Unit = evil, evil
	p.Movers[0].Title, p.Movers[1].Where, p.Movers[3].Instance = evil, &line, evil
	p.Fall.Title = evil
	p.Timeline.Tracks[0].Title, p.Timeline.Tracks[1].Instance = evil, evil
	p.Events[0] = rules.EventCount{Instance: evil, Event: evil, Title: evil, Count: 3, Types: []rules.TypeCount{{Type: evil, Count: 2}, {Type: "b", Count: 1}}, First: &line, Last: &line}
	p.Restarts[0] = rules.Restart{Time: judgedAt, Instance: evil, Text: evil, Where: &line}
	p.Outcomes.Types = map[string]float64{evil: 110}
	return p
}

func lookBackText(t *testing.T, p *rules.Postmortem, o report.Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := report.PostmortemText(&b, p, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestPostmortemText(t *testing.T) {
	for _, tt := range lookBacks {
		t.Run(tt.name, func(t *testing.T) {
			golden(t, tt.name+".txt", []byte(lookBackText(t, tt.build(), report.Options{Width: 100})))
		})
	}
	golden(t, "postmortem-80.txt", []byte(lookBackText(t, collapsedLogs(), report.Options{})))
	golden(t, "postmortem-ascii.txt", []byte(lookBackText(t, collapsedLogs(), report.Options{ASCII: true, Width: 100, Zone: time.FixedZone("CEST", 7200)})))
}

// No line is wider than asked for, and nothing that a log says reaches the
// terminal unescaped.
func TestPostmortemTextIsSafe(t *testing.T) {
	for _, tt := range lookBacks {
		for _, width := range []int{60, 80, 100, 160} {
			for _, ascii := range []bool{false, true} {
				text := lookBackText(t, tt.build(), report.Options{Width: width, ASCII: ascii})
				assertPlain(t, tt.name, text)
				for i, line := range strings.Split(text, "\n") {
					if w := report.Width(line); w > width {
						t.Errorf("%s at %d columns: line %d is %d wide: %q", tt.name, width, i+1, w, line)
					}
				}
				if i := strings.IndexFunc(text, func(r rune) bool { return r > '~' }); ascii && i >= 0 {
					t.Errorf("%s: not ASCII: %q", tt.name, text[i:min(len(text), i+20)])
				}
			}
		}
	}
}

func TestPostmortemMarkdown(t *testing.T) {
	for _, tt := range lookBacks {
		var b bytes.Buffer
		if err := report.PostmortemMarkdown(&b, tt.build(), report.Options{}); err != nil {
			t.Fatal(err)
		}
		assertPlain(t, tt.name, b.String())
		if tt.name == "postmortem" || tt.name == "postmortem-hostile" {
			golden(t, tt.name+".md", b.Bytes())
		}
	}
}

func postmortemJSON(t *testing.T, p *rules.Postmortem, o report.Options) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := report.PostmortemJSON(&b, p, o); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// strictPostmortemSchema is the published schema, and that of the report that it
// speaks of, with all objects closed.
func strictPostmortemSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	const base = "https://github.com/capdoctor/capdoctor/blob/main/docs/"
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	for _, name := range []string{"report.schema.json", "postmortem.schema.json"} {
		text, err := os.ReadFile("../docs/" + name)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		closeObjects(doc)
		if err := c.AddResource(base+name, doc); err != nil {
			t.Fatal(err)
		}
	}
	schema, err := c.Compile(base + "postmortem.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func TestPostmortemJSONFollowsSchema(t *testing.T) {
	schema := strictPostmortemSchema(t)
	for _, tt := range lookBacks {
		for _, o := range []report.Options{{}, {MinSeverity: rules.Critical, Zone: time.FixedZone("CEST", 7200)}} {
			text := postmortemJSON(t, tt.build(), o)
			assertPlain(t, tt.name, string(text))
			doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
			if err != nil {
				t.Fatalf("%s: %v", tt.name, err)
			}
			if err := schema.Validate(doc); err != nil {
				t.Errorf("%s: %v", tt.name, err)
			}
		}
	}
	golden(t, "postmortem.json", postmortemJSON(t, collapsedLogs(), report.Options{Version: "1.2.3"}))
}

// The schema is able to refuse.
func TestPostmortemSchemaRefuses(t *testing.T) {
	schema := strictPostmortemSchema(t)
	spoil := map[string]func(doc map[string]any){
		"no incidents field": func(d map[string]any) { delete(d, "incidents") },
		"another version":    func(d map[string]any) { d["schemaVersion"] = 2 },
		"a new field":        func(d map[string]any) { d["movers"].([]any)[0].(map[string]any)["score"] = 1 },
		"a time in words":    func(d map[string]any) { d["first"] = "monday" },
		"a report spoiled":   func(d map[string]any) { delete(d["report"].(map[string]any), "exit") },
	}
	for name, f := range spoil {
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(postmortemJSON(t, collapsedLogs(), report.Options{})))
		if err != nil {
			t.Fatal(err)
		}
		f(doc.(map[string]any))
		if schema.Validate(doc) == nil {
			t.Errorf("the schema passes a look back with %s", name)
		}
	}
}
