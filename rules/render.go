package rules

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"text/template"
	"time"

	"github.com/prometheus/common/model"

	"github.com/capdoctor/capdoctor/series"
)

// The annotations are written in Prometheus' template language, so that the
// same file works on a Prometheus server. Here humanize, humanizePercentage and
// humanizeDuration write the house formats, and a query without an answer gives
// "?" instead of an error.

// templateHead makes $labels and $value of the data, as Prometheus does.
const templateHead = `{{$labels := .Labels}}{{$value := .Value}}`

// maxQueries bounds what one annotation may ask.
const maxQueries = 100

// A renderer fills in the annotations of one finding.
type renderer struct {
	ask     func(expr string) ([]series.Sample, error)
	data    templateData
	queries int
}

type templateData struct {
	Labels map[string]string
	Value  float64
}

// A templateSample is one element of a query's answer, as templates see it.
type templateSample struct {
	Labels map[string]string
	Value  float64
}

// text fills in one annotation. White space is folded: an annotation is one
// paragraph.
func (r *renderer) text(w wording) (string, error) {
	if w.template == nil {
		return fold(w.source), nil
	}
	t, err := w.template.Clone() // a catalogue may serve several judges
	if err != nil {
		return "", err
	}
	t.Funcs(template.FuncMap{"query": r.query})
	var b strings.Builder
	if err := t.Execute(&b, r.data); err != nil {
		return "", err
	}
	return fold(b.String()), nil
}

func parseTemplate(source string, functions template.FuncMap) (*template.Template, error) {
	return template.New("annotation").Funcs(functions).Option("missingkey=zero").Parse(templateHead + source)
}

func fold(s string) string { return strings.Join(strings.Fields(s), " ") }

func (r *renderer) query(expr string) ([]*templateSample, error) {
	if r.queries++; r.queries > maxQueries {
		return nil, fmt.Errorf("more than %d queries in one annotation", maxQueries)
	}
	samples, err := r.ask(expr)
	if err != nil {
		return nil, err
	}
	out := make([]*templateSample, len(samples))
	for i, s := range samples {
		out[i] = &templateSample{Labels: s.Labels.Map(), Value: s.Value}
	}
	return out, nil
}

// pureFunctions are those of Prometheus that make sense without its web page;
// query has no answer until a renderer stands behind it.
func pureFunctions() template.FuncMap {
	return template.FuncMap{
		"first":              firstSample,
		"label":              func(name string, s *templateSample) string { return s.Labels[name] },
		"value":              func(s *templateSample) float64 { return s.Value },
		"strvalue":           func(s *templateSample) string { return s.Labels["__value__"] },
		"sortByLabel":        sortByLabel,
		"match":              regexp.MatchString,
		"reReplaceAll":       reReplaceAll,
		"title":              titleWords,
		"toUpper":            strings.ToUpper,
		"toLower":            strings.ToLower,
		"humanize":           formatter(Number),
		"humanize1024":       formatter(Bytes),
		"humanizePercentage": formatter(Percent),
		"humanizeDuration":   formatter(func(v float64) string { return Value(v, "s") }),
		"humanizeTimestamp":  formatter(func(v float64) string { return time.Unix(0, int64(v*1e9)).UTC().Format(time.RFC3339) }),
		"parseDuration":      parseSeconds,
		"args":               args,
		"query":              func(string) []*templateSample { return nil },
	}
}

func firstSample(samples []*templateSample) *templateSample {
	if len(samples) == 0 {
		return &templateSample{Labels: map[string]string{}, Value: math.NaN()}
	}
	return samples[0]
}

func sortByLabel(name string, samples []*templateSample) []*templateSample {
	slices.SortStableFunc(samples, func(a, b *templateSample) int { return strings.Compare(a.Labels[name], b.Labels[name]) })
	return samples
}

func reReplaceAll(pattern, with, text string) (string, error) {
	re, err := regexp.Compile(pattern)
	if err != nil {
		return "", err
	}
	return re.ReplaceAllString(text, with), nil
}

func titleWords(s string) string {
	words := strings.Fields(s)
	for i, w := range words {
		words[i] = strings.ToUpper(w[:1]) + w[1:]
	}
	return strings.Join(words, " ")
}

// formatter accepts what Prometheus' functions accept: numbers and their text.
func formatter(format func(float64) string) func(any) (string, error) {
	return func(v any) (string, error) {
		f, err := toFloat(v)
		if err != nil {
			return "", err
		}
		return format(f), nil
	}
}

func toFloat(v any) (float64, error) {
	switch v := v.(type) {
	case float64:
		return v, nil
	case int:
		return float64(v), nil
	case int64:
		return float64(v), nil
	case time.Duration:
		return v.Seconds(), nil
	case string:
		return ParseFactValue(v)
	}
	return 0, fmt.Errorf("cannot make a number of %T", v)
}

func parseSeconds(text string) (float64, error) {
	d, err := model.ParseDuration(text)
	return time.Duration(d).Seconds(), err
}

func args(values ...any) map[string]any {
	m := map[string]any{}
	for i, v := range values {
		m[fmt.Sprintf("arg%d", i)] = v
	}
	return m
}
