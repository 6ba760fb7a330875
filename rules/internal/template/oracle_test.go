package template

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"text/template"
)

// testFunctions are functions of every shape, for both evaluators.
func testFunctions() (Functions, template.FuncMap) {
	first := func(samples []*Sample) (*Sample, error) {
		if len(samples) == 0 {
			return nil, errors.New("no samples")
		}
		return samples[0], nil
	}
	value := func(s *Sample) (float64, error) { return s.Value, nil }
	label := func(name string, s *Sample) (string, error) { return s.Labels[name], nil }
	sorted := func(name string, samples []*Sample) ([]*Sample, error) {
		samples = slices.Clone(samples)
		slices.SortStableFunc(samples, func(a, b *Sample) int { return strings.Compare(a.Labels[name], b.Labels[name]) })
		return samples, nil
	}
	replace := func(old, with, text string) (string, error) { return strings.ReplaceAll(text, old, with), nil }
	number := func(v any) (string, error) {
		if f, ok := v.(float64); ok {
			return fmt.Sprintf("%.1f", f), nil
		}
		return "", fmt.Errorf("no number: %T", v)
	}
	args := func(values ...any) (map[string]any, error) {
		m := map[string]any{}
		for i, v := range values {
			m[fmt.Sprint("arg", i)] = v
		}
		return m, nil
	}
	query := func(expr string) ([]*Sample, error) {
		switch expr {
		case "none":
			return nil, nil
		case "wrong":
			return nil, errors.New("a parse error")
		}
		return []*Sample{{map[string]string{"a": "z"}, 2}, {map[string]string{"a": "y", "b": "1"}, 0}}, nil
	}
	return Functions{
			"first": One(first), "value": One(value), "label": Two(label), "sorted": Two(sorted), "replace": Three(replace),
			"number": One(number), "args": Any(args), "query": One(query),
		}, template.FuncMap{
			"first": first, "value": value, "label": label, "sorted": sorted, "replace": replace,
			"number": number, "args": args, "query": query,
		}
}

// subjects are what the templates are about.
func subjects() []*Sample {
	return []*Sample{
		{map[string]string{"a": "x", "b": ""}, 1.5},
		{map[string]string{}, 0},
	}
}

// theirs fills a text in with text/template.
func theirs(text string, data any, functions template.FuncMap) (string, error) {
	t, err := template.New("t").Funcs(functions).Option("missingkey=zero").Parse(text)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	err = t.Execute(&out, data)
	return out.String(), err
}

// ours fills a text in with this package.
func ours(text string, data any, functions Functions) (string, error) {
	t, err := Parse("t", text, functions)
	if err != nil {
		return "", err
	}
	return t.Execute(data, nil)
}

// bounded tells whether an evaluation was ended by a bound of ours.
func bounded(err error) bool {
	return errors.Is(err, errSteps) || errors.Is(err, errTooMuch) || errors.Is(err, errNested) || errors.Is(err, errAddress)
}
