package rules

import (
	"errors"
	"math"
	"strings"
	"testing"
	"text/template"
	"time"

	own "github.com/capdoctor/capdoctor/rules/internal/template"
	"github.com/capdoctor/capdoctor/series"
)

// textTemplate fills annotations in with the standard library's text/template,
// which a Prometheus server uses.
type textTemplate struct {
	r *renderer
}

func (o textTemplate) functions() template.FuncMap {
	number := func(format func(float64) string) func(any) (string, error) {
		return func(v any) (string, error) {
			f, err := toFloat(v)
			if err != nil {
				return "", err
			}
			return format(f), nil
		}
	}
	return template.FuncMap{
		"first": firstSample, "sortByLabel": sortByLabel, "match": match, "reReplaceAll": reReplaceAll,
		"label": func(name string, s *own.Sample) string { return s.Labels[name] }, "value": func(s *own.Sample) float64 { return s.Value },
		"strvalue": func(s *own.Sample) string { return s.Labels["__value__"] },
		"title":    titleWords, "toUpper": strings.ToUpper, "toLower": strings.ToLower,
		"humanize": number(Number), "humanize1024": number(Bytes), "humanizePercentage": number(Percent),
		"humanizeDuration":  number(func(v float64) string { return Value(v, "s") }),
		"humanizeTimestamp": number(func(v float64) string { return time.Unix(0, int64(v*1e9)).UTC().Format(time.RFC3339) }),
		"parseDuration":     parseSeconds, "args": args, "query": o.r.query,
	}
}

func (o textTemplate) parse(source string) (*template.Template, error) {
	return template.New("annotation").Funcs(o.functions()).Option("missingkey=zero").Parse(templateHead + source)
}

func (o textTemplate) text(t *template.Template) (string, error) {
	var b strings.Builder
	err := t.Execute(&b, &o.r.data)
	return fold(b.String()), err
}

// wordings are all annotations of a variant.
func wordings(t texts) []wording {
	all := []wording{t.title, t.summary, t.meaning, t.first}
	for _, s := range t.recovery {
		all = append(all, s.Do, s.Why, s.Verify.Reaches)
	}
	for _, a := range t.avoid {
		all = append(all, a.Do, a.Why)
	}
	return all
}

// answers are what a server may say to a query.
func answers() map[string]func(string) ([]series.Sample, error) {
	sample := func(value float64, labels ...string) series.Sample {
		m := map[string]string{}
		for i := 0; i < len(labels); i += 2 {
			m[labels[i]] = labels[i+1]
		}
		return series.Sample{Labels: series.FromMap(m), Value: value}
	}
	say := func(samples ...series.Sample) func(string) ([]series.Sample, error) {
		return func(string) ([]series.Sample, error) { return samples, nil }
	}
	return map[string]func(string) ([]series.Sample, error){
		"nothing": say(),
		"one":     say(sample(1, "instance", "app", "resource", "heap", "type", "a")),
		"zero":    say(sample(0)),
		"NaN":     say(sample(math.NaN(), "type", "z")),
		"several": say(sample(3.25, "type", "b", "resource", "cpu"), sample(0.5, "type", "a", "resource", "threads"), sample(1e9, "type", hostile[0])),
		"failure": func(string) ([]series.Sample, error) { return nil, errors.New("no engine") },
	}
}

// Every annotation of the catalogue reads as a Prometheus server would write it.
func TestAnnotationsAsTextTemplate(t *testing.T) {
	c := builtIn(t)
	written, failed := 0, 0
	for _, d := range c.Diagnoses {
		for _, v := range d.variants {
			for _, w := range wordings(v.texts()) {
				if w.template == nil {
					continue
				}
				for how, ask := range answers() {
					for _, system := range []string{"evento", "hikaricp", "tomcat", "postgresql", ""} {
						for _, value := range []float64{0, 1, 12.5, math.NaN(), math.Inf(1)} {
							labels := usualLabels(system)
							if value == 0 {
								labels = map[string]string{"system": system, "resource": hostile[1], "waits_on": "x", "source": "lock"}
							}
							r := &renderer{ask: ask, data: own.Sample{Labels: labels, Value: value}}
							other := textTemplate{&renderer{ask: ask, data: r.data}}
							parsed, err := other.parse(w.source)
							if err != nil {
								t.Fatal(err)
							}
							want, wantErr := other.text(parsed)
							got, err := r.text(w)
							if (err != nil) != (wantErr != nil) || err == nil && got != want {
								t.Errorf("%s (answer: %s): %s\n got %s %v\nwant %s %v", d.ID, how, w.source, got, err, want, wantErr)
							}
							written++
							if err != nil {
								failed++
							}
						}
					}
				}
			}
		}
	}
	t.Logf("%d texts, of which %d fail alike", written, failed)
	if written < 10_000 || failed == 0 || failed > written/2 {
		t.Errorf("%d texts were compared, of which %d fail", written, failed)
	}
}

// The functions take and refuse the same arguments.
func TestFunctionsAsTextTemplate(t *testing.T) {
	operands := []string{"1", "1.5", `"30s"`, `"a+"`, `"("`, "nil", "true", "$labels", "$value", "$labels.none", `(query "x")`, `(query "x" | first)`, "(args 1)"}
	for name := range pureFunctions() {
		texts := []string{"{{ " + name + " }}"}
		for _, a := range operands {
			texts = append(texts, "{{ "+name+" "+a+" }}", "{{ "+a+" | "+name+" }}")
			for _, b := range operands {
				texts = append(texts, "{{ "+name+" "+a+" "+b+" }}", "{{ "+name+" "+a+" "+b+` "text" }}`)
			}
		}
		good := 0
		for _, text := range texts {
			r := &renderer{ask: answers()["several"], data: own.Sample{Labels: usualLabels("evento"), Value: 3}}
			other := textTemplate{&renderer{ask: r.ask, data: r.data}}
			parsed, wantErr := other.parse(text)
			var want string
			if wantErr == nil {
				want, wantErr = other.text(parsed)
			}
			w, err := newWording(text)
			var got string
			if err == nil {
				got, err = r.text(w)
			}
			if (err != nil) != (wantErr != nil) || err == nil && got != want {
				t.Errorf("%s\n got %s %v\nwant %s %v", text, got, err, want, wantErr)
			}
			if err == nil {
				good++
			}
		}
		if good == 0 {
			t.Errorf("no text with %s can be filled in", name)
		}
	}
}

// A regular expression costs a bounded time.
func TestRegularExpressionsAreBounded(t *testing.T) {
	long := strings.Repeat("a", maxMatched+1)
	for _, test := range []struct{ pattern, text, want string }{
		{"a{999}b{999}", "a", "a regular expression of"},
		{"a", long, "a text of 65537 bytes, at most 65536 are matched"},
		{"(", "a", "missing closing )"},
	} {
		if _, err := match(test.pattern, test.text); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want an error with %q", test.pattern, err, test.want)
		}
	}
	if _, err := reReplaceAll("a", strings.Repeat("b", 100), strings.Repeat("a", maxMatched)); err == nil || !strings.Contains(err.Error(), "too long") {
		t.Errorf("got %v", err)
	}
}

const benchmarkText = `{{ with query "cap:waiting" }}{{ . | first | value | humanize }} wait{{ if eq $labels.system "evento" }} for a thread of {{ $labels.resource }}{{ end }}{{ else }}nobody waits{{ end }}: {{ range $i, $t := query "x" }}{{ if $i }}, {{ end }}{{ $t.Labels.type }} {{ $t.Value | humanizePercentage }}{{ end }}.`

func BenchmarkAnnotation(b *testing.B) {
	r := &renderer{ask: answers()["several"], data: own.Sample{Labels: usualLabels("evento"), Value: 3}}
	other := textTemplate{&renderer{ask: r.ask, data: r.data}}
	b.Run("parse", func(b *testing.B) {
		for b.Loop() {
			if _, err := newWording(benchmarkText); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("parse by text template", func(b *testing.B) {
		for b.Loop() {
			if _, err := other.parse(benchmarkText); err != nil {
				b.Fatal(err)
			}
		}
	})
	w, err := newWording(benchmarkText)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("write", func(b *testing.B) {
		for b.Loop() {
			r.queries = 0
			if _, err := r.text(w); err != nil {
				b.Fatal(err)
			}
		}
	})
	parsed, err := other.parse(benchmarkText)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("write by text template", func(b *testing.B) {
		for b.Loop() {
			other.r.queries = 0
			if _, err := other.text(parsed); err != nil {
				b.Fatal(err)
			}
		}
	})
}
