package rules

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCatalogIsRefused(t *testing.T) {
	good := diagnosis("x", "cap:waiting > 0")
	system := func(rules string) string { return "groups:\n- name: app\n  rules:\n" + rules }
	tests := []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"the id is not the name", map[string]string{"diagnoses/y.yaml": good}, `
diagnoses/y.yaml:4:5: id "x" in the file of "y"
      - alert: X
        ^
  hint: the id is the name of the file
`},
		{"another id in the file", map[string]string{"diagnoses/x.yaml": good + strings.TrimPrefix(diagnosis("y", "cap:waiting > 0"), "groups:\n- name: y\n  rules:\n")}, `
diagnoses/x.yaml:8:5: id "y" in a file of "x"
      - alert: Y
        ^
  hint: one file is one diagnosis; its alerts are variants
`},
		{"severity", map[string]string{"diagnoses/x.yaml": diagnosis("x", "cap:waiting > 0", "severity: fatal")}, `
diagnoses/x.yaml:4:5: severity "fatal"
      - alert: X
        ^
  hint: critical, warning or info
`},
		{"for", map[string]string{"diagnoses/x.yaml": diagnosis("x", "cap:waiting > 0", "for: soon")}, `
diagnoses/x.yaml:4:5: for: not a valid duration string: "soon"
      - alert: X
        ^
  hint: write a duration such as 20s
`},
		{"an unknown look-alike", map[string]string{"diagnoses/x.yaml": diagnosis("x", "cap:waiting > 0", "differential: y")}, `
diagnoses/x.yaml:4:5: no diagnosis "y"
      - alert: X
        ^
  hint: ids are the names of the files in diagnoses/
`},
		{"a circle", map[string]string{
			"diagnoses/x.yaml": diagnosis("x", "cap:waiting > 0", "explains: y"),
			"diagnoses/y.yaml": diagnosis("y", "cap:waiting > 0", "explains: x"),
		}, "\ndiagnoses/x.yaml: explains runs in a circle: x → y → x\n"},
		{"no alert", map[string]string{"diagnoses/x.yaml": "groups: []\n"}, "\ndiagnoses/x.yaml: a diagnosis without an alert\n"},
		{"a field without effect", map[string]string{"diagnoses/x.yaml": strings.Replace(good, "    labels:", "    keep_firing_for: 5m\n    labels:", 1)}, `
diagnoses/x.yaml:7:5: a rule has no "keep_firing_for"
        keep_firing_for: 5m
        ^^^^^^^^^^^^^^^
  hint: it has record, alert, expr, for, labels, annotations
`},
		{"no YAML", map[string]string{"diagnoses/x.yaml": "groups:\n- name: x\n  rules: [\n"}, "\ndiagnoses/x.yaml:3: did not find expected node content\n"},
		{"a recording rule among diagnoses", map[string]string{"diagnoses/x.yaml": good + "  - {record: \"cap:waiting\", expr: up}\n"}, `
diagnoses/x.yaml:8:5: "cap:waiting" records a signal in a diagnosis
      - {record: "cap:waiting", expr: up}
        ^
  hint: recording rules stand in derived.yaml
`},
		{"an alert among recording rules", map[string]string{"systems/app.yaml": system("  - {alert: X, expr: up}\n")}, `
systems/app.yaml:4:5: alert "X" among recording rules
      - {alert: X, expr: up}
        ^
  hint: alerts stand in diagnoses/
`},
		{"no system", map[string]string{"systems/app.yaml": system("  - {record: \"cap:waiting\", expr: up}\n")}, `
systems/app.yaml:4:5: a system rule without the label system
      - {record: "cap:waiting", expr: up}
        ^
  hint: labels: {system: ...}
`},
		{"an unknown signal", map[string]string{"systems/app.yaml": system("  - {record: \"cap:wating\", expr: up, labels: {system: app}}\n")}, `
systems/app.yaml:4:5: "cap:wating" is not in the vocabulary
      - {record: "cap:wating", expr: up, labels: {system: app}}
        ^
  hint: add it to signals.yaml with a title, a unit and a meaning
`},
		{"a system rule that reads a signal", map[string]string{"systems/app.yaml": system("  - {record: \"cap:waiting\", expr: \"up + cap:pool_busy\", labels: {system: app}}\n")}, `
systems/app.yaml:4:41: system rule reads the signal "cap:pool_busy"
      - {record: "cap:waiting", expr: "up + cap:pool_busy", labels: {system: app}}
                                            ^^^^^^^^^^^^^
  hint: system rules read raw metrics only; move it to derived.yaml
`},
		{"recorded twice", map[string]string{"systems/app.yaml": system("  - {record: \"cap:waiting\", expr: up, labels: {system: app}}\n  - {record: \"cap:waiting\", expr: down, labels: {system: app}}\n")}, `
systems/app.yaml:5:5: cap:waiting is recorded twice with the labels {system="app"}
      - {record: "cap:waiting", expr: down, labels: {system: app}}
        ^
  hint: join both with or in one rule; the other one is systems/app.yaml:4
`},
		{"a window of another length", map[string]string{"systems/app.yaml": system("  - {record: \"cap:waiting\", expr: \"rate(x[2m])\", labels: {system: app}}\n")}, `
systems/app.yaml:4:5: window [2m]: write [1m] for rates, [5m] for events, [30m] for the baseline
      - {record: "cap:waiting", expr: "rate(x[2m])", labels: {system: app}}
        ^
`},
		{"read before it is recorded", map[string]string{"derived.yaml": system("  - {record: \"cap:pool_used_ratio\", expr: \"cap:wait_seconds * 2\"}\n  - {record: \"cap:wait_seconds\", expr: \"cap:waiting * 2\"}\n")}, `
derived.yaml:4:44: reads cap:wait_seconds, which is recorded here or below
      - {record: "cap:pool_used_ratio", expr: "cap:wait_seconds * 2"}
                                               ^^^^^^^^^^^^^^^^
  hint: a rule reads what stands above it: move it down
`},
		{"a template that does not parse", map[string]string{"diagnoses/x.yaml": diagnosis("x", "cap:waiting > 0", "summary: \"{{ if }}\"")}, `
diagnoses/x.yaml:9:7: summary: 1: missing value for if
          summary: "{{ if }}"
          ^^^^^^^
  hint: the functions are those of Prometheus' alert templates
`},
		{"a template of another", map[string]string{"diagnoses/x.yaml": diagnosis("x", "cap:waiting > 0", "summary: \"{{ template `x` }}\"")}, `
diagnoses/x.yaml:9:7: summary: 1:54: <{{template "x"}}> is not supported
          summary: "{{ template ` + "`x`" + ` }}"
          ^^^^^^^
  hint: the functions are those of Prometheus' alert templates
`},
		{"steps that are no list", map[string]string{"diagnoses/x.yaml": diagnosis("x", "cap:waiting > 0", "recovery: |\n  - do: x\n    wy: y")}, `
diagnoses/x.yaml:9:7: recovery: unmarshal errors: line 2: field wy not found in type rules.recoveryText
          recovery: |
          ^^^^^^^^
  hint: a list of do, why, turns, verify, within, risk, reversible; the functions are those of Prometheus' alert templates
`},
		{"a step with an unknown signal", map[string]string{"diagnoses/x.yaml": diagnosis("x", "cap:waiting > 0", "recovery: |\n  - do: x\n    verify: {signal: cap:wating}")}, `
diagnoses/x.yaml:9:7: step 1 of recovery: "cap:wating" is not in the vocabulary
          recovery: |
          ^^^^^^^^
  hint: add it to signals.yaml
`},
		{"a step that turns it does not say what", map[string]string{"diagnoses/x.yaml": diagnosis("x", "cap:waiting > 0", "recovery: |\n  - do: Enlarge the queue.", "avoid: |\n  - do: Look.\n  - do: Use longer timeouts.")}, `
diagnoses/x.yaml:9:7: step 1 of recovery does not say what it turns
          recovery: |
          ^^^^^^^^
  hint: turns: {queue: up}, or turns: {} for nothing; see the package documentation of rules
diagnoses/x.yaml:11:7: entry 2 of avoid does not say what it turns
          avoid: |
          ^^^^^
  hint: turns: {queue: up}, or turns: {} for nothing; see the package documentation of rules
`},
		{"a step does what its advice warns of", map[string]string{"diagnoses/x.yaml": diagnosis("x", "cap:waiting > 0", "recovery: |\n  - do: Make it 512.\n    turns: {queue: up}", "avoid: |\n  - do: Enlarge the queue.\n    turns: {queue: up}")}, `
diagnoses/x.yaml:9:7: step 1 of recovery does what avoid warns of: Enlarge the queue.
          recovery: |
          ^^^^^^^^
  hint: a knob goes one way: change turns of one of them
`},
		{"a knob that is none", map[string]string{"diagnoses/x.yaml": diagnosis("x", "cap:waiting > 0", "avoid: |\n  - do: x\n    turns: {queues: up}")}, `
diagnoses/x.yaml:9:7: avoid: turns: no knob "queues"; there are clients, connections, consumers, cpu, database_connections, deadline, limit, memory, queue, retries, servers, threads
          avoid: |
          ^^^^^
  hint: a list of do, why, turns; the functions are those of Prometheus' alert templates
`},
		{"a source that leads nowhere", map[string]string{"diagnoses/x.yaml": diagnosis("x", "cap:waiting > 0", "sources: |\n  - title: a book\n  - title: a page\n    link: example.org/page")}, `
diagnoses/x.yaml:9:7: entry 2 of sources: link "example.org/page" is no web address
          sources: |
          ^^^^^^^
  hint: a list of title, link
`},
		{"a system twice", map[string]string{"systems.yaml": "systems:\n- {id: a, title: A}\n- {id: a, title: B}\n"}, "\nsystems.yaml: system \"a\" occurs twice\n"},
		{"an unknown field", map[string]string{"systems.yaml": "systems:\n- {id: a, titel: A}\n"}, "\nsystems.yaml:2: field titel not found in type rules.System\n"},
	}
	for _, tt := range tests {
		if got := "\n" + problemsOf(t, tt.files); got != tt.want {
			t.Errorf("%s (-want +got):\n%s", tt.name, cmp.Diff(tt.want, got))
		}
	}
}

// Folders add to each other; a problem names the folder.
func TestFoldersAdd(t *testing.T) {
	base := Folder{FS: folder(map[string]string{"signals.yaml": testSignals, "diagnoses/x.yaml": diagnosis("x", "cap:waiting > 0")})}
	own := Folder{Name: "/etc/own", FS: folder(map[string]string{"diagnoses/y.yaml": diagnosis("y", "cap:pool_busy > 0", "explains: x")})}
	c, err := Load(base, own)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"x", "y"}, c.IDs()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	_, err = Load(base, own, Folder{Name: "more", FS: folder(map[string]string{"diagnoses/x.yaml": diagnosis("x", "cap:nope > 0")})})
	var problems Problems
	if !errors.As(err, &problems) || problems.Error() != `more/diagnoses/x.yaml: diagnosis "x" occurs twice` {
		t.Errorf("got %v", err)
	}
}

func TestProblemsAreSorted(t *testing.T) {
	_, err := Load(Folder{FS: folder(map[string]string{
		"signals.yaml": testSignals, "diagnoses/b.yaml": diagnosis("b", "cap:nope > 0\nand on (instance) cap:none > 0"), "diagnoses/a.yaml": diagnosis("a", "cap:nope > 0"),
	})})
	var got []string
	for _, p := range err.(Problems) {
		got = append(got, p.Error())
	}
	want := []string{
		`diagnoses/a.yaml:6:7: "cap:nope" is not in the vocabulary`,
		`diagnoses/b.yaml:6:7: "cap:nope" is not in the vocabulary`,
		`diagnoses/b.yaml:7:25: "cap:none" is not in the vocabulary`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if want := want[0] + " (and 2 more)"; err.Error() != want {
		t.Errorf("got %s, want %s", err, want)
	}
}
