package rules

import (
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/prometheus/common/model"
	"go.yaml.in/yaml/v3"

	"github.com/capdoctor/capdoctor/rules/internal/template"
)

// texts are the annotations of an alert as they stand in the file. YAML inside
// an annotation is parsed before its fields are templated, so that no label
// value can add a step.
type texts struct {
	title, summary, meaning, first wording
	recovery                       []recoveryText
	avoid                          []adviceText
	sources                        []Source
	wrong                          map[string]error // what is wrong with an annotation, by its name
}

// newTexts reads the annotations when they are asked for: most alerts never fire.
func newTexts(annotations map[string]string) func() texts {
	return sync.OnceValue(func() texts { return readTexts(annotations) })
}

func readTexts(annotations map[string]string) texts {
	t := texts{wrong: map[string]error{}}
	for name, into := range map[string]any{
		"title": &t.title, "summary": &t.summary, "meaning": &t.meaning, "first": &t.first,
		"recovery": &t.recovery, "avoid": &t.avoid, "sources": &t.sources,
	} {
		if err := readAnnotation(annotations[name], into); err != nil {
			t.wrong[name] = err
		}
	}
	return t
}

// readAnnotation reads one wording, or a list of entries that hold some.
func readAnnotation(text string, into any) (err error) {
	if w, ok := into.(*wording); ok {
		*w, err = newWording(text)
		return err
	}
	if strings.TrimSpace(text) == "" {
		return nil
	}
	return decodeStrict([]byte(text), into)
}

// A wording is plain words, or a template that is filled in for each finding.
type wording struct {
	source   string
	template *template.Template // nil for plain words
}

func newWording(source string) (wording, error) {
	if !strings.Contains(source, "{{") {
		return wording{source: source}, nil
	}
	t, err := parseTemplate(source)
	return wording{source, t}, err
}

// UnmarshalYAML reads a wording that stands in a list.
func (w *wording) UnmarshalYAML(node *yaml.Node) (err error) {
	*w, err = newWording(node.Value)
	return err
}

// A recoveryText is one step of a recovery as it stands in the file.
type recoveryText struct {
	Do         wording    `yaml:"do"`
	Why        wording    `yaml:"why"`
	Turns      turns      `yaml:"turns"`
	Verify     verifyText `yaml:"verify"`
	Within     duration   `yaml:"within"`
	Risk       string     `yaml:"risk"`
	Reversible bool       `yaml:"reversible"`
}

type verifyText struct {
	Signal    string  `yaml:"signal"`
	Reaches   wording `yaml:"reaches"`
	Direction string  `yaml:"direction"`
	By        float64 `yaml:"by"`
}

type adviceText struct {
	Do    wording `yaml:"do"`
	Why   wording `yaml:"why"`
	Turns turns   `yaml:"turns"`
}

// duration reads 30s, 1m, 1h30m.
type duration time.Duration

func (d *duration) UnmarshalYAML(node *yaml.Node) error {
	parsed, err := model.ParseDuration(node.Value)
	*d = duration(parsed)
	return err
}

// titleOf makes words of an alert's name: CongestionCollapse is "Congestion collapse".
func titleOf(alert string) string {
	var b strings.Builder
	for i, r := range alert {
		if i > 0 && unicode.IsUpper(r) {
			b.WriteByte(' ')
			r = unicode.ToLower(r)
		}
		b.WriteRune(r)
	}
	return b.String()
}
