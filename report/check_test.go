package report_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/common/model"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"

	"github.com/capdoctor/capdoctor/report"
	"github.com/capdoctor/capdoctor/rules"
)

type checkWriter func(io.Writer, rules.CheckResult, report.Options) error

// checkForms are all forms of a check by name.
var checkForms = map[string]checkWriter{
	"text": report.CheckText, "json": report.CheckJSON, "junit": report.CheckJUnit, "sarif": report.CheckSARIF,
	"tap": report.CheckTAP, "github": report.CheckGitHub, "markdown": report.CheckMarkdown,
}

func checkOf(t *testing.T, form string, r rules.CheckResult, o report.Options) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := checkForms[form](&b, r, o); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// checked is a check with a case of every outcome.
func checked() rules.CheckResult {
	pool := model.Metric{"instance": "orders", "resource": "HikariPool-1"}
	exhausted := &rules.Report{
		At: judgedAt,
		Findings: []*rules.Finding{{
			ID: "pool-exhausted", State: rules.Firing, Severity: rules.Warning, Subject: pool, Summary: "10 of 10 in use, 50 waiting.",
			Evidence: []rules.Evidence{{
				Signal: "cap:waiting", Title: "callers waiting", Observed: 50, Op: ">", Threshold: 0, Role: rules.Required, State: rules.Holds,
				Lines: []rules.Line{{File: "orders.log", Number: 7, Text: "Connection is not available"}},
			}},
			RuledOut: []rules.Look{{ID: "held-connections", Evidence: rules.Evidence{
				Signal: "cap:service_seconds", Labels: model.Metric{"pool": "HikariPool-1"}, Observed: 29.4, Op: ">=", Threshold: 30, Unit: "s", State: rules.Fails}}},
			Steps: []rules.Step{{Do: "Allow 9 requests at once."}, {Do: "Raise max_connections to 200."}},
		}},
		Cleared: []rules.Cleared{{ID: "congestion-collapse", Subjects: 1}},
	}
	quiet := &rules.Report{At: judgedAt, Cleared: []rules.Cleared{{ID: "congestion-collapse", Subjects: 1}}}
	r := rules.CheckResult{Took: 600 * time.Millisecond, Cases: []rules.CaseResult{
		rules.Judged("seed0-healthy", "cases/seed0-healthy", rules.Expect{Not: []string{"congestion-collapse", "pool-exhausted"}}, quiet, 9*time.Millisecond),
		rules.Judged("pool", "cases/pool", rules.Expect{Find: []rules.Want{{ID: "pool-exhausted"}}}, exhausted, 14*time.Millisecond),
		rules.Judged("a7-nested-checkout", "cases/a7-nested-checkout", rules.Expect{
			Find: []rules.Want{{ID: "held-connections"}}, Not: []string{"pool-exhausted"},
			AdviceMust: []string{"nest|second connection"}, AdviceMustNot: []string{"max_connections"},
			File: "cases/a7-nested-checkout/case.yaml", Lines: map[string]int{"find[0]": 7, "not[0]": 9, "advice_must[0]": 11},
		}, exhausted, 11*time.Millisecond),
		rules.Judged("empty", "cases/empty.capdoctor", rules.Expect{}, &rules.Report{At: judgedAt}, time.Millisecond),
		rules.Unreadable("broken", "cases/broken", fmt.Errorf("cases/broken/case.yaml:3: unknown field %q in a case", "expects")),
	}}
	r.Matrix = rules.Matrix([]string{"network-partition"}, r.Cases)
	return r
}

func TestCheckForms(t *testing.T) {
	for form := range checkForms {
		t.Run(form, func(t *testing.T) {
			golden(t, "check."+form, checkOf(t, form, checked(), report.Options{Width: 100, Version: "1.2.3"}))
		})
	}
}

// A check of nothing is no success in any form.
func TestCheckOfNothing(t *testing.T) {
	want := map[string]string{
		"text": "exit 3", "json": `"exit": 3`, "junit": `errors="1"`, "sarif": `"executionSuccessful": false`,
		"tap": "Bail out! no case was checked", "github": "::error title=capdoctor check::no case was checked", "markdown": "no case was checked",
	}
	for form, text := range want {
		if got := checkOf(t, form, rules.CheckResult{}, report.Options{}); !strings.Contains(string(got), text) {
			t.Errorf("%s lacks %s:\n%s", form, text, got)
		}
	}
}

func TestCheckTextWidths(t *testing.T) {
	r := checked()
	r.Cases[2].Name = strings.Repeat("long-name-", 12)
	for _, width := range []int{60, 80, 100, 160} {
		for _, ascii := range []bool{false, true} {
			o := report.Options{Width: width, ASCII: ascii}
			text := string(checkOf(t, "text", r, o))
			assertWidth(t, fmt.Sprint(width), text, width, o)
			for _, must := range []string{"held-connections first", "29.4 s", ">= 30 s", "case.yaml:7", "ERROR", "case.yaml:3", "exit 2"} {
				if !strings.Contains(strings.Join(strings.Fields(text), " "), must) {
					t.Errorf("%d columns: %q is not shown:\n%s", width, must, text)
				}
			}
		}
	}
}

const caseSchema = `{
	"type": "object", "additionalProperties": false,
	"required": ["schemaVersion", "cases", "matrix"],
	"properties": {
		"schemaVersion": {"const": 1}, "tool": {"type": "object"}, "exit": {"type": "integer"},
		"cases": {"type": "array", "items": {"type": "object", "additionalProperties": false,
			"required": ["name", "pass", "mismatches", "report"],
			"properties": {
				"name": {"type": "string"}, "path": {"type": "string"}, "pass": {"type": "boolean"}, "error": {"type": "string"}, "seconds": {"type": "number"},
				"status": {"enum": ["pass", "fail", "unreadable", "not-judged"]}, "report": {"type": ["object", "null"]},
				"mismatches": {"type": "array", "items": {"type": "object", "additionalProperties": false,
					"required": ["field", "expected", "got", "evidence"],
					"properties": {"field": {"type": "string"}, "id": {"type": "string"}, "expected": {"type": "string"}, "got": {"type": "string"}, "evidence": {"type": "string"}, "where": {"type": "string"}}}}}}},
		"matrix": {"type": "array", "items": {"type": "object", "additionalProperties": false,
			"required": ["id", "hits", "misses", "falseAlarms", "unknown"],
			"properties": {
				"id": {"type": "string"}, "hits": {"type": "integer"}, "misses": {"type": "integer"}, "falseAlarms": {"type": "integer"}, "unknown": {"type": "integer"},
				"precision": {"type": ["number", "null"], "minimum": 0, "maximum": 1}, "recall": {"type": ["number", "null"], "minimum": 0, "maximum": 1},
				"cases": {"type": "array", "items": {"type": "string"}}}}}}}`

// sarifSchema is the part of the published SARIF 2.1.0 schema that is used here.
const sarifSchema = `{
	"type": "object", "additionalProperties": false, "required": ["version", "runs"],
	"properties": {
		"$schema": {"type": "string", "format": "uri"}, "version": {"const": "2.1.0"},
		"runs": {"type": "array", "minItems": 1, "items": {"type": "object", "additionalProperties": false, "required": ["tool"],
			"properties": {
				"tool": {"type": "object", "required": ["driver"], "properties": {"driver": {"type": "object", "additionalProperties": false, "required": ["name"],
					"properties": {"name": {"type": "string"}, "version": {"type": "string"}, "rules": {"type": "array", "uniqueItems": true, "items": {
						"type": "object", "additionalProperties": false, "required": ["id"], "properties": {
							"id": {"type": "string"}, "shortDescription": {"$ref": "#/$defs/text"},
							"defaultConfiguration": {"type": "object", "additionalProperties": false, "properties": {"level": {"enum": ["none", "note", "warning", "error"]}}}}}}}}}},
				"invocations": {"type": "array", "items": {"type": "object", "additionalProperties": false, "required": ["executionSuccessful"],
					"properties": {"executionSuccessful": {"type": "boolean"}, "exitCode": {"type": "integer"}}}},
				"columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
				"results": {"type": "array", "items": {"type": "object", "additionalProperties": false, "required": ["message"],
					"properties": {
						"ruleId": {"type": "string"}, "ruleIndex": {"type": "integer", "minimum": 0}, "level": {"enum": ["none", "note", "warning", "error"]},
						"message": {"$ref": "#/$defs/text"}, "locations": {"$ref": "#/$defs/locations"}, "relatedLocations": {"$ref": "#/$defs/locations"},
						"partialFingerprints": {"type": "object", "minProperties": 1, "additionalProperties": {"type": "string"}}}}}}}}},
	"$defs": {
		"text": {"type": "object", "additionalProperties": false, "required": ["text"], "properties": {"text": {"type": "string", "minLength": 1}}},
		"locations": {"type": "array", "items": {"type": "object", "additionalProperties": false, "required": ["physicalLocation"],
			"properties": {"message": {"$ref": "#/$defs/text"}, "physicalLocation": {"type": "object", "additionalProperties": false, "required": ["artifactLocation"],
				"properties": {
					"artifactLocation": {"type": "object", "additionalProperties": false, "required": ["uri"], "properties": {"uri": {"type": "string", "format": "uri-reference"}}},
					"region": {"type": "object", "additionalProperties": false, "properties": {"startLine": {"type": "integer", "minimum": 1}}}}}}}}}}`

func assertSchema(t *testing.T, what, schema string, doc []byte) {
	t.Helper()
	s, err := jsonschema.UnmarshalJSON(strings.NewReader(schema))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("schema.json", s); err != nil {
		t.Fatal(err)
	}
	compiled, err := c.Compile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(doc))
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	if err := compiled.Validate(v); err != nil {
		t.Errorf("%s: %v", what, err)
	}
}

// A fingerprint stays when lines move and numbers change, and no two are equal.
func TestSARIFFingerprints(t *testing.T) {
	prints := func(r rules.CheckResult) (out []string) {
		var doc struct {
			Runs []struct {
				Results []struct {
					Fingerprints map[string]string `json:"partialFingerprints"`
				}
			}
		}
		if err := json.Unmarshal(checkOf(t, "sarif", r, report.Options{}), &doc); err != nil {
			t.Fatal(err)
		}
		for _, res := range doc.Runs[0].Results {
			out = append(out, res.Fingerprints["capdoctor/v1"])
		}
		return out
	}
	first, moved := checked(), checked()
	for i := range moved.Cases[2].Mismatches {
		m := &moved.Cases[2].Mismatches[i]
		m.Where, m.Evidence, m.Got = "cases/a7-nested-checkout/case.yaml:70", "cap:waiting 51 > 0", m.Got+" since 14:03"
	}
	a, b := prints(first), prints(moved)
	if !reflect.DeepEqual(a, b) || len(a) != 6 {
		t.Errorf("%v became %v", a, b)
	}
	seen := map[string]bool{}
	for _, p := range a {
		if seen[p] || p == "" {
			t.Errorf("%q stands twice", p)
		}
		seen[p] = true
	}
}

// The worst comes first, and every command is one line.
func TestGitHubOrder(t *testing.T) {
	got := string(checkOf(t, "github", checked(), report.Options{}))
	var titles []string
	for _, m := range regexp.MustCompile(`title=([^:]*)::`).FindAllStringSubmatch(got, -1) {
		titles = append(titles, m[1])
	}
	want := []string{
		"broken%3A unreadable", "a7-nested-checkout%3A find[0].id", "a7-nested-checkout%3A not[0]",
		"a7-nested-checkout%3A advice_must_not[0]", "a7-nested-checkout%3A advice_must[0]", "empty%3A not judged",
	}
	if !reflect.DeepEqual(titles, want) {
		t.Errorf("got  %q\nwant %q", titles, want)
	}
}

func randomCheck(seed uint64) rules.CheckResult {
	rnd := rand.New(rand.NewPCG(seed, 2))
	var r rules.CheckResult
	for range rnd.IntN(4) {
		var e rules.Expect
		fill(rnd, reflect.ValueOf(&e).Elem(), 0)
		switch rnd.IntN(3) {
		case 0:
			r.Cases = append(r.Cases, rules.Unreadable(hostileString(rnd), hostileString(rnd), fmt.Errorf("%s:%d: %s", hostileString(rnd), rnd.IntN(100), hostileString(rnd))))
		default:
			r.Cases = append(r.Cases, rules.Judged(hostileString(rnd), hostileString(rnd), e, randomReport(seed), time.Duration(rnd.IntN(1e9))))
		}
	}
	r.Matrix = rules.Matrix([]string{hostileString(rnd)}, r.Cases)
	return r
}

// Whatever a case, a target or a log says, no form holds anything that a
// terminal or a CI system would obey.
func TestHostileChecks(t *testing.T) {
	command := regexp.MustCompile(`^(::(error|warning) [^:]*::|capdoctor check: )`)
	for seed := range uint64(200) {
		r := randomCheck(seed)
		for form := range checkForms {
			o := report.Options{Width: 100}
			out := string(checkOf(t, form, r, o))
			what := fmt.Sprintf("%s of seed %d", form, seed)
			assertPlain(t, what, out)
			switch form {
			case "text":
				assertWidth(t, what, out, 100, o)
			case "json":
				assertSchema(t, what, caseSchema, []byte(out))
			case "sarif":
				assertSchema(t, what, sarifSchema, []byte(out))
			case "junit":
				assertJUnit(t, what, []byte(out), r)
			case "tap":
				assertTAP(t, what, out, len(r.Cases))
			case "github":
				for _, line := range strings.Split(strings.TrimSuffix(out, "\n"), "\n") {
					if !command.MatchString(line) {
						t.Errorf("%s: %q", what, line)
					}
				}
			}
		}
	}
}

// assertJUnit holds what the JUnit schema and its readers ask for: the counts
// are those of the children, and each case has one outcome at most.
func assertJUnit(t *testing.T, what string, doc []byte, r rules.CheckResult) {
	t.Helper()
	type counts struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Errors   int `xml:"errors,attr"`
		Skipped  int `xml:"skipped,attr"`
	}
	var got struct {
		XMLName xml.Name `xml:"testsuites"`
		counts
		Suite struct {
			counts
			Time  string `xml:"time,attr"`
			Cases []struct {
				Name      string     `xml:"name,attr"`
				ClassName string     `xml:"classname,attr"`
				Failure   []struct{} `xml:"failure"`
				Error     []struct{} `xml:"error"`
				Skipped   []struct{} `xml:"skipped"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal(doc, &got); err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	var sum counts
	for _, c := range got.Suite.Cases {
		sum.Tests++
		sum.Failures += len(c.Failure)
		sum.Errors += len(c.Error)
		sum.Skipped += len(c.Skipped)
		if len(c.Failure)+len(c.Error)+len(c.Skipped) > 1 || c.ClassName == "" {
			t.Errorf("%s: case %q", what, c.Name)
		}
	}
	if sum != got.Suite.counts || sum != got.counts || sum.Tests != max(1, len(r.Cases)) {
		t.Errorf("%s: the cases are %v, the attributes %v and %v", what, sum, got.Suite.counts, got.counts)
	}
}

// assertTAP holds the form of TAP 14: a plan, numbered points, indented YAML.
func assertTAP(t *testing.T, what, out string, cases int) {
	t.Helper()
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	if lines[0] != "TAP version 14" {
		t.Errorf("%s begins with %q", what, lines[0])
	}
	point := regexp.MustCompile(`^(?:not )?ok (\d+) - (?:[^#\\]|\\#|\\\\)*(?: # SKIP [a-z ]*)?$`)
	n := 0
	var block []string
	for _, line := range lines[1:] {
		switch {
		case strings.HasPrefix(line, "  "):
			block = append(block, strings.TrimPrefix(line, "  "))
		case line == fmt.Sprintf("1..%d", cases) || cases == 0 && strings.HasPrefix(line, "Bail out!"):
		case point.MatchString(line):
			if n++; point.FindStringSubmatch(line)[1] != fmt.Sprint(n) {
				t.Errorf("%s: point %d is %q", what, n, line)
			}
		default:
			t.Errorf("%s: %q", what, line)
		}
		if line == "  ..." {
			var v map[string]any
			if err := yaml.Unmarshal([]byte(strings.Join(block[1:len(block)-1], "\n")), &v); err != nil || v["message"] == nil {
				t.Errorf("%s: %v in\n%s", what, err, strings.Join(block, "\n"))
			}
			block = nil
		}
	}
	if n != cases {
		t.Errorf("%s: %d points for %d cases", what, n, cases)
	}
}
