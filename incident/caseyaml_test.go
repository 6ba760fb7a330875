package incident

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const goodCase = `title: t
start: 2026-03-02T14:00:00Z
`

func TestCaseFaults(t *testing.T) {
	tests := []struct {
		name, yaml, want string
	}{
		{"empty", "", "case.yaml:1: empty"},
		{"comment only", "# nothing\n", "case.yaml:1: empty"},
		{"not YAML", "title: [a\nstart: 2026", "case.yaml:1: not YAML: did not find expected ',' or ']'"},
		{"a list", "- a\n", "case.yaml:1: a case must be a mapping, not a list"},
		{"two documents", goodCase + "---\ntitle: x\n", "case.yaml:3: a second document; write one"},
		{"no title", "start: 2026-03-02T14:00:00Z\n", "case.yaml:1: title is missing"},
		{"no start", "title: t\n", "case.yaml:1: start is missing: the wall time of offset 0, such as 2026-03-02T14:00:00Z"},
		{"bad start", "title: t\nstart: yesterday\n", `case.yaml:2: start "yesterday" is not a time such as 2026-03-02T14:00:00Z`},
		{"start is a list", "title: t\nstart: [1]\n", "case.yaml:2: start must be a time, not a list"},
		{"title is a list", "title: [t]\n", "case.yaml:1: title must be a text, not a list"},
		{"title is nothing", "title:\n", "case.yaml:1: title must be a text, not nothing"},
		{"unknown field", goodCase + "expects: {}\n", `case.yaml:3: unknown field "expects" in a case; known are confidence, expect, facts, source, start, title, why`},
		{"twice", goodCase + "title: u\n", `case.yaml:3: "title" stands twice in a case`},
		{"alias", "title: &a t\nwhy: *a\n", "case.yaml:2: why must be a text, not an alias, which is not used here"},
		{"merge", goodCase + "expect:\n  <<: {find: []}\n", "case.yaml:4: a key of expect must be a plain word, not << (merge)"},
		{"confidence", goodCase + "confidence: sure\n", `case.yaml:3: confidence "sure" is not one of reporter, confirmed, inferred`},
		{"fact", goodCase + "facts:\n  limit: many\n", `case.yaml:4: fact "limit" is "many", neither a number nor a duration such as 30s`},
		{"fact of no size", goodCase + "facts: {limit: .inf}\n", `case.yaml:3: fact "limit" is ".inf", neither a number nor a duration such as 30s`},
		{"fact without name", goodCase + "facts: {'app:': 3}\n", `case.yaml:3: fact "app:" is neither NAME nor TARGET:NAME`},
		{"expect is a list", goodCase + "expect: []\n", "case.yaml:3: expect must be a mapping, not a list"},
		{"no find", goodCase + "expect:\n  not: [a]\n", "case.yaml:4: expect has no find; write find: [] for a case that must stay quiet"},
		{"find is empty", goodCase + "expect:\n  find:\n", "case.yaml:4: find must be a list, not nothing"},
		{"find of words", goodCase + "expect:\n  find: [held]\n", `case.yaml:4: find[0] must be a mapping, not the text "held"`},
		{"find without id", goodCase + "expect:\n  find:\n    - says: [a]\n", "case.yaml:5: find[0] has no id"},
		{"find field", goodCase + "expect:\n  find:\n    - id: a\n      say: [a]\n", `case.yaml:6: unknown field "say" in find[0]; known are id, says, where`},
		{"where", goodCase + "expect:\n  find:\n    - id: a\n      where: {pool: [x]}\n", "case.yaml:6: find[0].where.pool must be a text, not a list"},
		{"says", goodCase + "expect:\n  find:\n    - id: a\n      says:\n      - ok\n      - ''\n", "case.yaml:8: find[0].says[1] is empty"},
		{"pattern", goodCase + "expect:\n  find: []\n  advice_must: ['a', '(']\n", "case.yaml:5: advice_must[1] is not a regular expression: missing closing ): `(`"},
		{"not a pattern", goodCase + "expect:\n  find: []\n  advice_must_not: [true]\n", "case.yaml:5: advice_must_not[0] must be a text, not true (bool)"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, caseYAML), []byte(tt.yaml), 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := Open(dir)
			var fault *Error
			if !errors.As(err, &fault) || fault.File != dir+"/case.yaml" {
				t.Fatalf("got %v", err)
			}
			if got := strings.TrimPrefix(err.Error(), dir+"/"); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestExpectLines(t *testing.T) {
	var c Case
	err := parseCase(&c, "case.yaml", []byte(goodCase+`facts:
  limit: 3
expect:
  find:
    - id: a
      where: {pool: 10}
      says:
        - "1"
        - 2
  not: [b,
    c]
  unknown: [d]
  advice_must: [e]
  advice_must_not: [f]
`))
	if err != nil {
		t.Fatal(err)
	}
	want := &Expect{
		Find:    []Want{{ID: "a", Where: map[string]string{"pool": "10"}, Says: []string{"1", "2"}}},
		Not:     []string{"b", "c"},
		Unknown: []string{"d"}, AdviceMust: []string{"e"}, AdviceMustNot: []string{"f"}, File: "case.yaml",
		Lines: map[string]int{
			"find": 7, "find[0]": 7, "find[0].where": 8, "find[0].says[0]": 10, "find[0].says[1]": 11,
			"not[0]": 12, "not[1]": 13, "unknown[0]": 14, "advice_must[0]": 15, "advice_must_not[0]": 16,
		},
	}
	if diff := cmp.Diff(want, c.Expect); diff != "" {
		t.Error(diff)
	}
	if file, line := c.FactAt("limit"); file != "case.yaml" || line != 4 {
		t.Errorf("the fact stands at %s:%d", file, line)
	}
}

func TestValidate(t *testing.T) {
	var c Case
	err := parseCase(&c, "case.yaml", []byte(goodCase+`facts: {"app:limit": 3, dedline_seconds: 30}
expect:
  find: [{id: held-connections}]
  not: [pool-exausted]
  unknown: [xyz]
`))
	if err != nil {
		t.Fatal(err)
	}
	ids, facts := []string{"held-connections", "pool-exhausted", "xyz"}, []string{"limit", "deadline_seconds"}
	tests := []struct {
		ids, facts []string
		want       string
	}{
		{ids, facts, `case.yaml:3: unknown fact "dedline_seconds"; did you mean "deadline_seconds"?`},
		{ids, append(facts, "dedline_seconds"), `case.yaml:6: unknown diagnosis "pool-exausted"; did you mean "pool-exhausted"?`},
		{append(ids[1:], "pool-exausted"), append(facts, "dedline_seconds"), `case.yaml:5: unknown diagnosis "held-connections"`},
		{append(ids[:2:2], "pool-exausted"), append(facts, "dedline_seconds"), `case.yaml:7: unknown diagnosis "xyz"`},
	}
	for _, tt := range tests {
		if err := c.Validate(tt.ids, tt.facts); err == nil || err.Error() != tt.want {
			t.Errorf("got  %v\nwant %s", err, tt.want)
		}
	}
	if err := c.Validate(append(ids, "pool-exausted"), append(facts, "dedline_seconds")); err != nil {
		t.Error(err)
	}
}

func FuzzCaseYAML(f *testing.F) {
	f.Add([]byte(goodCase))
	f.Add([]byte("title: &a [*a]\n"))
	data, err := formatCase(&Case{Title: "t", Start: start, Facts: map[string]string{"a": "1"}, Expect: &Expect{Find: []Want{{ID: "x"}}}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Fuzz(func(t *testing.T, data []byte) {
		var c Case
		if err := parseCase(&c, "case.yaml", data); err != nil {
			var fault *Error
			if !errors.As(err, &fault) {
				t.Fatalf("%v is not an *Error", err)
			}
			return
		}
		// What can be read can be written, and reads the same again.
		out, err := formatCase(&c)
		if err != nil {
			t.Fatal(err)
		}
		var again Case
		if err := parseCase(&again, "case.yaml", out); err != nil {
			t.Fatalf("%v in\n%s", err, out)
		}
		if c.Expect != nil {
			c.Expect.Lines, again.Expect.Lines = nil, nil
		}
		c.lines, again.lines = nil, nil
		if diff := cmp.Diff(c, again, caseOptions); diff != "" {
			t.Fatalf("%s\n%s", diff, out)
		}
	})
}
