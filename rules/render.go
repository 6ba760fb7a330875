package rules

import (
	"fmt"
	"math"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/common/model"

	"github.com/capdoctor/capdoctor/rules/internal/template"
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
	data    template.Sample // the subject of the finding
	queries int
}

// text fills in one annotation. White space is folded: an annotation is one
// paragraph.
func (r *renderer) text(w wording) (string, error) {
	if w.template == nil {
		return fold(w.source), nil
	}
	text, err := w.template.Execute(&r.data, template.Functions{"query": template.One(r.query)})
	return fold(text), err
}

func parseTemplate(source string) (*template.Template, error) {
	return template.Parse("annotation", templateHead+source, pureFunctions())
}

func fold(s string) string { return strings.Join(strings.Fields(s), " ") }

func (r *renderer) query(expr string) ([]*template.Sample, error) {
	if r.queries++; r.queries > maxQueries {
		return nil, fmt.Errorf("more than %d queries in one annotation", maxQueries)
	}
	samples, err := r.ask(expr)
	if err != nil {
		return nil, err
	}
	out := make([]*template.Sample, len(samples))
	for i, s := range samples {
		out[i] = &template.Sample{Labels: s.Labels.Map(), Value: s.Value}
	}
	return out, nil
}

// pureFunctions are those of Prometheus that make sense without its web page;
// query has no answer until a renderer stands behind it.
func pureFunctions() template.Functions {
	return template.Functions{
		"first":              template.One(sure(firstSample)),
		"label":              template.Two(sure2(func(name string, s *template.Sample) string { return s.Labels[name] })),
		"value":              template.One(sure(func(s *template.Sample) float64 { return s.Value })),
		"strvalue":           template.One(sure(func(s *template.Sample) string { return s.Labels["__value__"] })),
		"sortByLabel":        template.Two(sure2(sortByLabel)),
		"match":              template.Two(match),
		"reReplaceAll":       template.Three(reReplaceAll),
		"title":              template.One(sure(titleWords)),
		"toUpper":            template.One(sure(strings.ToUpper)),
		"toLower":            template.One(sure(strings.ToLower)),
		"humanize":           formatter(Number),
		"humanize1024":       formatter(Bytes),
		"humanizePercentage": formatter(Percent),
		"humanizeDuration":   formatter(func(v float64) string { return Value(v, "s") }),
		"humanizeTimestamp":  formatter(func(v float64) string { return time.Unix(0, int64(v*1e9)).UTC().Format(time.RFC3339) }),
		"parseDuration":      template.One(parseSeconds),
		"args":               template.Any(args),
		"query":              template.One(func(string) ([]*template.Sample, error) { return nil, nil }),
	}
}

// sure and sure2 make functions that cannot fail ones that could.
func sure[A, R any](f func(A) R) func(A) (R, error) { return func(a A) (R, error) { return f(a), nil } }

func sure2[A, B, R any](f func(A, B) R) func(A, B) (R, error) {
	return func(a A, b B) (R, error) { return f(a, b), nil }
}

func firstSample(samples []*template.Sample) *template.Sample {
	if len(samples) == 0 {
		return &template.Sample{Labels: map[string]string{}, Value: math.NaN()}
	}
	return samples[0]
}

func sortByLabel(name string, samples []*template.Sample) []*template.Sample {
	slices.SortStableFunc(samples, func(a, b *template.Sample) int { return strings.Compare(a.Labels[name], b.Labels[name]) })
	return samples
}

// Bounds of a regular expression. Matching takes time for the product of its
// instructions and the bytes of the text.
const (
	maxInstructions = 1000
	maxMatched      = 64 << 10 // bytes of the text
	maxReplaced     = 1 << 20  // bytes of the text × bytes of the replacement
)

func compile(pattern, text string) (*regexp.Regexp, error) {
	if len(text) > maxMatched {
		return nil, fmt.Errorf("a text of %d bytes, at most %d are matched", len(text), maxMatched)
	}
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return nil, err
	}
	program, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		return nil, err
	}
	if n := len(program.Inst); n > maxInstructions {
		return nil, fmt.Errorf("a regular expression of %d instructions, at most %d are run", n, maxInstructions)
	}
	return regexp.Compile(pattern)
}

func match(pattern, text string) (bool, error) {
	re, err := compile(pattern, text)
	if err != nil {
		return false, err
	}
	return re.MatchString(text), nil
}

func reReplaceAll(pattern, with, text string) (string, error) {
	if (len(text)+1)*len(with) > maxReplaced {
		return "", fmt.Errorf("a replacement of %d bytes for a text of %d is too long", len(with), len(text))
	}
	re, err := compile(pattern, text)
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
func formatter(format func(float64) string) template.Function {
	return template.One(func(v any) (string, error) {
		f, err := toFloat(v)
		if err != nil {
			return "", err
		}
		return format(f), nil
	})
}

func toFloat(v any) (float64, error) {
	switch v := v.(type) {
	case float64:
		return v, nil
	case int:
		return float64(v), nil
	case string:
		return ParseFactValue(v)
	}
	return 0, fmt.Errorf("cannot make a number of %T", v)
}

func parseSeconds(text string) (float64, error) {
	d, err := model.ParseDuration(text)
	return time.Duration(d).Seconds(), err
}

func args(values ...any) (map[string]any, error) {
	m := map[string]any{}
	for i, v := range values {
		m[fmt.Sprintf("arg%d", i)] = v
	}
	return m, nil
}
