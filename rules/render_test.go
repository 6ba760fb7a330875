package rules

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/prometheus/promql/parser"
)

func TestTemplates(t *testing.T) {
	tests := []struct {
		text, want string
	}{
		{"plain, with \n  white   space", "plain, with white space"},
		{"{{ $labels.instance }} of {{ $labels.service }}.", "app of ."},
		{"{{ $value }} {{ $value | humanize }}", "1234.5 1234"},
		{"{{ with query \"cap:waiting\" }}{{ . | first | value | humanize }} wait{{ else }}none{{ end }}", "1234 wait"},
		{"{{ with query \"cap:absent\" }}some{{ else }}none{{ end }}", "none"},
		{"{{ query \"cap:absent\" | first | value | humanize }}", "?"},
		{"{{ query \"cap:waiting\" | first | label \"pool\" }}", "a"},
		{"{{ range query \"sort_desc(cap:pool_busy)\" | sortByLabel \"pool\" }}{{ .Labels.pool }}={{ .Value }} {{ end }}", "a=1 b=2"},
		{"{{ 0.25 | humanizePercentage }} {{ 90 | humanizeDuration }} {{ 1500 | humanize1024 }} {{ \"30s\" | humanizeDuration }}", "25 % 1 min 30 s 1.5 kB 30 s"},
		{"{{ 0 | humanizeTimestamp }} {{ parseDuration \"1m30s\" }}", "1970-01-01T00:00:00Z 90"},
		{"{{ reReplaceAll \"p+\" \"P\" $labels.instance }} {{ match \"a.*\" $labels.instance }} {{ toUpper \"x\" }} {{ toLower \"X\" }} {{ title \"two words\" }}", "aP true X x Two Words"},
		{"{{ range $k, $v := args 1 2 }}{{ $k }}={{ $v }} {{ end }}", "arg0=1 arg1=2"},
		{"{{ query \"sum(\" }}", `(text of x not available: template: annotation:1:45: executing "annotation" at <query "sum(">: error calling query: query "sum(": 1:5: parse error: unclosed left parenthesis)`},
	}
	for _, tt := range tests {
		text := diagnosis("x", "cap:waiting > 0", fmt.Sprintf("summary: %q", tt.text))
		c := testCatalog(t, map[string]string{"diagnoses/x.yaml": text})
		s := newScenario(t, c, feed{lines: "cap:waiting{pool=\"a\"} 1234.5\ncap:pool_busy{pool=\"b\"} 2\ncap:pool_busy{pool=\"a\"} 1"}).run()
		if got := s.finding("x").Summary; got != tt.want {
			t.Errorf("%s\ngot  %s\nwant %s", tt.text, got, tt.want)
		}
	}
}

// One text cannot keep the engine busy for ever.
func TestTemplateQueriesAreBounded(t *testing.T) {
	loop := "{{ range query \"cap:waiting\" }}{{ range query \"cap:waiting\" }}{{ with query \"cap:waiting\" }}x{{ end }}{{ end }}{{ end }}"
	var lines strings.Builder
	for n := range 30 {
		fmt.Fprintf(&lines, "cap:waiting{resource=\"r%d\"} 1\n", n)
	}
	c := oneDiagnosis(t, "sum by (instance) (cap:waiting) > 0", fmt.Sprintf("summary: %q", loop))
	s := newScenario(t, c, feed{lines: lines.String()}).run()
	if got := s.finding("x").Summary; !strings.Contains(got, "more than 100 queries in one annotation") {
		t.Errorf("got %.200s", got)
	}
}

// hostile are label values that try to be something else.
var hostile = []string{
	"new\nline\n- do: Delete the database.\n  why: Because a label says so.",
	`quote" } or vector(1) #`, "{{ query \"up\" }}", "{{ end }}", "`backtick`", "$labels.instance", "%!s(MISSING) %d",
	"'single'", "\\", "\x00\x1b[31mred", "\u202egnitirw", "- {do: x}", "a: b", "&anchor", "*alias", "!!binary x", "\xff\xfe", strings.Repeat("long", 500),
}

// Nothing in a label changes the structure of a finding: texts are data, steps
// stay the steps of the file, and queries ask for the very series.
func TestHostileLabels(t *testing.T) {
	c := oneDiagnosis(t, "cap:waiting > 0", "summary: \"{{ $labels.pool }} waits {{ with query (printf \\\"cap:waiting{pool=%q}\\\" $labels.pool) }}{{ . | first | value }}{{ end }}\"",
		"recovery: |\n  - do: Look at {{ $labels.pool }}.\n    why: \"It is {{ $labels.pool }}.\"\n    verify: {signal: cap:waiting, reaches: cap:pool_max}\n    within: 1m\n    risk: low\n    reversible: true",
		"avoid: |\n  - do: Kill {{ $labels.pool }}.\n    why: No.")
	for _, value := range hostile {
		s := newScenario(t, c, feed{lines: "cap:waiting{pool=\"X\"} 3\ncap:pool_max{pool=\"X\"} 7\ncap:waiting{pool=\"other\"} 0"})
		for _, b := range s.batches {
			for i, sample := range b.Samples {
				if sample.Labels.Get("pool") == "X" {
					b.Samples[i].Labels = withLabel(sample.Labels, "pool", value)
				}
			}
		}
		f := s.run().finding("x")
		if f == nil || len(f.Steps) != 1 || len(f.Avoid) != 1 {
			t.Fatalf("%q: got %+v", value, f)
		}
		shown := fold(value)
		got := []string{f.Summary, f.Steps[0].Do, f.Steps[0].Why, f.Avoid[0].Do, f.Avoid[0].Why, Number(f.Steps[0].Verify.Reaches), string(f.Subject["pool"])}
		want := []string{fold(shown + " waits 3"), fold("Look at " + shown + "."), fold("It is " + shown + "."), fold("Kill " + shown + "."), "No.", "7", value}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", value, diff)
		}
	}
}

// FuzzSelector writes labels into a selector that selects exactly them.
func FuzzSelector(f *testing.F) {
	for _, value := range hostile {
		f.Add(value)
	}
	f.Fuzz(func(t *testing.T, value string) {
		expr, err := newParser().ParseExpr(selector("cap:x", metric(withLabel(testLabels, "pool", value))))
		if err != nil {
			t.Fatal(err)
		}
		if got := equalities(expr.(*parser.VectorSelector))["pool"]; got != value {
			t.Errorf("asked for %q, selects %q", value, got)
		}
	})
}
