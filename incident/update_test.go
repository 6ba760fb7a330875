package incident

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const commented = `# a case
title:   "t"   # odd layout stays
start: 2026-03-02T14:00:00Z

# what must be found
expect:
  find:
    - id: pool-exhausted   # the consequence
      where: {pool: "HikariPool-1"}
      says: ["10 of 10"]
    - id: gone
  # never these
  not: [cpu-saturated, no-demand]   # idle
  advice_must: ["(?i)nest"]

# why it is right
why: >
  folded
  text
`

func TestUpdateExpect(t *testing.T) {
	tests := []struct {
		name, yaml string
		e          *Expect
		want, diff string
	}{
		{
			"comments stay", commented,
			&Expect{Find: []Want{{ID: "held-connections", Says: []string{"30 s"}}, {ID: "pool-exhausted", Where: map[string]string{"pool": "HikariPool-1"}, Says: []string{"10 of 10"}}},
				Not: []string{"cpu-saturated"}, AdviceMust: []string{"(?i)nest"}},
			`# a case
title:   "t"   # odd layout stays
start: 2026-03-02T14:00:00Z

# what must be found
expect:
  find:
    - id: held-connections
      says: ["30 s"]
    - id: pool-exhausted # the consequence
      where: {pool: "HikariPool-1"}
      says: ["10 of 10"]
  # never these
  not: [cpu-saturated] # idle
  advice_must: ["(?i)nest"]

# why it is right
why: >
  folded
  text
`,
			`  expect:
    find:
-     - id: pool-exhausted   # the consequence
+     - id: held-connections
+       says: ["30 s"]
+     - id: pool-exhausted # the consequence
        where: {pool: "HikariPool-1"}
        says: ["10 of 10"]
-     - id: gone
    # never these
-   not: [cpu-saturated, no-demand]   # idle
+   not: [cpu-saturated] # idle
    advice_must: ["(?i)nest"]
`,
		},
		{"no expectation yet", goodCase[:len(goodCase)-1], &Expect{}, goodCase + "expect:\n  find: []\n", "+ expect:\n+   find: []\n"},
		{"nothing changes", goodCase + "expect:\n  find: []\n  not: [a]\n", &Expect{Not: []string{"a"}}, goodCase + "expect:\n  find: []\n  not: [a]\n", ""},
		{"line ends of Windows", "title: t\r\nexpect:\r\n  find: [{id: a}]\r\nstart: 2026-03-02T14:00:00Z\r\n", &Expect{},
			"title: t\r\nexpect:\r\n  find: []\r\nstart: 2026-03-02T14:00:00Z\r\n", "  expect:\n-   find: [{id: a}]\n+   find: []\n"},
		{"flow", goodCase + "expect: {find: [],\n  not: [a]}\nwhy: w\n", &Expect{}, goodCase + "expect: {find: []}\nwhy: w\n", "- expect: {find: [],\n-   not: [a]}\n+ expect: {find: []}\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := folderOf(t, map[string]string{"case.yaml": tt.yaml})
			u, err := UpdateExpect(dir, tt.e)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.diff, u.Diff); diff != "" {
				t.Error(diff)
			}
			read := func() string {
				b, err := os.ReadFile(filepath.Join(dir, "case.yaml"))
				if err != nil {
					t.Fatal(err)
				}
				return string(b)
			}
			if read() != tt.yaml {
				t.Error("written before Apply")
			}
			if err := u.Apply(); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, read()); diff != "" {
				t.Error(diff)
			}
			if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
				t.Errorf("left behind: %v, %v", entries, err)
			}
		})
	}
}

func TestUpdateExpectInArchive(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.capdoctor")
	record(t, path)
	want := openContent(t, path)
	want.Case.Expect = &Expect{Find: []Want{{ID: "throttled"}}}
	u, err := UpdateExpect(path, want.Case.Expect)
	if err != nil {
		t.Fatal(err)
	}
	if err := u.Apply(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, openContent(t, path), caseOptions); diff != "" {
		t.Error(diff)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
}

// What does not allow a change of the one block is left alone.
func TestUpdateExpectRefuses(t *testing.T) {
	const yaml = "{title: t, start: 2026-03-02T14:00:00Z, expect: {find: []}}\n"
	dir := folderOf(t, map[string]string{"case.yaml": yaml})
	if _, err := UpdateExpect(dir, &Expect{Not: []string{"a"}}); err == nil {
		t.Error("a case in one line was changed")
	}
}
