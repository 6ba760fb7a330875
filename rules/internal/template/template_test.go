package template

import (
	"slices"
	"strings"
	"sync"
	"testing"
)

func TestWhatIsRefused(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{`{{define "x"}}y{{end}}`, "template: t: define and block are not supported"},
		{`{{block "x" .}}y{{end}}`, "define and block are not supported"},
		{`a {{template "x"}}`, `template: t:1:13: <{{template "x"}}> is not supported`},
		{`{{if true}}{{else}}{{with .}}{{template "x" .}}{{end}}{{end}}`, "is not supported"},
		{`{{range .}}{{print (or 1 2i)}}{{end}}`, "<2i> is not supported"},
		{`{{(args 2i).x}}`, "<2i> is not supported"},
		{`{{html .}}`, `function "html" not defined`},
		{`{{slice "abc" 1}}`, `function "slice" not defined`},
		{`{{call .}}`, `function "call" not defined`},
		{`{{if}}`, "missing value for if"},
		{strings.Repeat("x", maxSource+1), "template: t: 65537 bytes, at most 65536 are read"},
	} {
		functions, _ := testFunctions()
		if _, err := Parse("t", test.text, functions); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%.60s: got %v, want an error with %q", test.text, err, test.want)
		}
	}
}

// A method is no field, whatever text/template says.
func TestMethodsAreNotCalled(t *testing.T) {
	if got, err := ours("{{.Format}}", subjects()[0], nil); err == nil || !strings.Contains(err.Error(), "can't evaluate field Format") {
		t.Errorf("got %q, %v", got, err)
	}
}

// No text keeps the program busy, or fills its memory.
func TestBounds(t *testing.T) {
	doubled := "{{$x := `x`}}{{range 40}}{{$x = %}}{{end}}"
	double := func(with string) string { return strings.ReplaceAll(doubled, "%", with) }
	for _, test := range []struct{ name, text, want string }{
		{"a long range", "{{range 2000000000}}{{end}}", errSteps.Error()},
		{"nested ranges", "{{range 10000}}{{range 10000}}{{range 10000}}{{end}}{{end}}{{end}}", errSteps.Error()},
		{"output", "{{range 100000}}0123456789abcdef{{end}}", errTooMuch.Error()},
		{"a map of long texts", "{{$x := printf `%99999d` 1}}{{$m := args $x $x}}{{print $m $m $m $m $m $m}}", errTooMuch.Error()},
		{"a text that doubles", double("print $x $x"), errSteps.Error()},
		{"a text that doubles by a format", double("printf `%s%s` $x $x"), errTooMuch.Error()},
		{"a map that doubles", double("args $x $x") + "{{$x}}", errNested.Error()},
		{"a map that nests", strings.Replace(double("args $x"), "40", "10000", 1) + "{{print $x}}", errNested.Error()},
		{"a width", "{{printf `%9999999d` 1}}", errTooMuch.Error()},
		{"many widths", "{{printf `" + strings.Repeat("%999999d", 100) + "` 1}}", errTooMuch.Error()},
		{"a width as argument", "{{printf `%*d%[1]*d` 900000 1}}", errTooMuch.Error()},
		{"one argument many times", "{{$x := printf `%99999d` 1}}{{printf `" + strings.Repeat("%[1]s", 20) + "` $x}}", errTooMuch.Error()},
		{"a result", "{{replace `x` `" + strings.Repeat("y", 2000) + "` `" + strings.Repeat("x", 2000) + "`}}", errTooMuch.Error()},
		{"the same long text again and again", "{{$x := printf `%99999d` 1}}{{range 1000}}{{$y := replace `x` `y` $x}}{{end}}", errSteps.Error()},
		{"an address", "{{printf `%-p` .}}", errAddress.Error()},
	} {
		functions, _ := testFunctions()
		_, err := ours(test.text, subjects()[0], functions)
		if !bounded(err) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want an error with %q", test.name, err, test.want)
		}
	}
}

// An answer for a large fleet is no reason to end.
func TestLargeAnswers(t *testing.T) {
	functions, _ := testFunctions()
	functions["query"] = One(func(string) ([]*Sample, error) {
		return slices.Repeat([]*Sample{{map[string]string{"a": strings.Repeat("x", 200)}, 1}}, 20_000), nil
	})
	text := strings.Repeat("{{with query `x`}}{{. | sorted `a` | first | value | number}} {{end}}", 20) + "{{len (query `x`)}} {{range query `x`}}{{if gt .Value 1.0}}{{.Value}}{{end}}{{end}}"
	if got, err := ours(text, subjects()[0], functions); err != nil || !strings.HasSuffix(got, "1.0 20000 ") {
		t.Errorf("got %.100q, %v", got, err)
	}
}

// Several judges share a template.
func TestConcurrentUse(t *testing.T) {
	functions, _ := testFunctions()
	tree, err := Parse("t", "{{range $i, $s := query `x`}}{{$i}}={{$s.Labels.a}} {{end}}", functions)
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 100 {
				if got, err := tree.Execute(subjects()[0], nil); got != "0=z 1=y " || err != nil {
					t.Errorf("got %q, %v", got, err)
				}
			}
		})
	}
	all.Wait()
}
