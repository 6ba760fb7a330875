package report_test

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/capdoctor/capdoctor/report"
	"github.com/capdoctor/capdoctor/rules"
)

const schemaFile = "../docs/report.schema.json"

func jsonOf(t *testing.T, r *rules.Report, o report.Options) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := report.JSON(&b, r, o); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestJSON(t *testing.T) {
	for _, name := range []string{"collapse", "two-causes", "could-not-judge"} {
		t.Run(name, func(t *testing.T) {
			golden(t, name+".json", jsonOf(t, sample(t, name), report.Options{Version: "1.2.3"}))
		})
	}
}

func sample(t *testing.T, name string) *rules.Report {
	t.Helper()
	for _, s := range samples {
		if s.name == name {
			return s.build()
		}
	}
	t.Fatalf("no sample %q", name)
	return nil
}

// strictSchema is the published schema with all objects closed, so that a field
// that it does not describe is found.
func strictSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	text, err := os.ReadFile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	closeObjects(doc)
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("report.schema.json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("report.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func closeObjects(v any) {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			closeObjects(e)
		}
	case map[string]any:
		for _, e := range v {
			closeObjects(e)
		}
		if _, ok := v["properties"].(map[string]any); ok && v["type"] == "object" {
			v["additionalProperties"] = false
		}
	}
}

func TestJSONFollowsSchema(t *testing.T) {
	schema := strictSchema(t)
	for _, s := range samples {
		for _, o := range []report.Options{{}, {MinSeverity: rules.Critical, Zone: time.FixedZone("CEST", 7200), ExitZero: true}} {
			doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(jsonOf(t, s.build(), o)))
			if err != nil {
				t.Fatalf("%s: %v", s.name, err)
			}
			if err := schema.Validate(doc); err != nil {
				t.Errorf("%s: %v", s.name, err)
			}
		}
	}
}

// The schema is able to refuse: a report with a field gone or of another type
// does not pass.
func TestSchemaRefuses(t *testing.T) {
	schema := strictSchema(t)
	spoil := map[string]func(doc map[string]any){
		"no exit":          func(d map[string]any) { delete(d, "exit") },
		"another version":  func(d map[string]any) { d["schemaVersion"] = 2 },
		"a state of clear": func(d map[string]any) { d["findings"].([]any)[0].(map[string]any)["state"] = "clear" },
		"a new field":      func(d map[string]any) { d["findings"].([]any)[0].(map[string]any)["score"] = 1 },
		"a time in words":  func(d map[string]any) { d["at"] = "today" },
	}
	for name, f := range spoil {
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(jsonOf(t, collapse(), report.Options{})))
		if err != nil {
			t.Fatal(err)
		}
		f(doc.(map[string]any))
		if schema.Validate(doc) == nil {
			t.Errorf("the schema passes a report with %s", name)
		}
	}
}

// What a target said comes out of the JSON as it went in, and nothing in the
// bytes can reach a terminal.
func TestJSONIsPlainAndFaithful(t *testing.T) {
	r := hostile()
	doc := jsonOf(t, r, report.Options{})
	assertPlain(t, "json", string(doc))
	var got struct {
		Findings []struct {
			Summary string            `json:"summary"`
			Subject map[string]string `json:"subject"`
		} `json:"findings"`
	}
	if err := json.Unmarshal(doc, &got); err != nil {
		t.Fatal(err)
	}
	if want := strings.ToValidUTF8(r.Findings[0].Summary, "\ufffd"); got.Findings[0].Summary != want {
		t.Errorf("summary %.60q, want %.60q", got.Findings[0].Summary, want)
	}
}
