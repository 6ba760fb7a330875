package rules

import (
	"strings"
	"time"
	"unicode"

	"github.com/prometheus/common/model"
	"go.yaml.in/yaml/v3"
)

// texts are the annotations of an alert as they stand in the file. YAML inside
// an annotation is parsed before its fields are templated, so that no label
// value can add a step.
type texts struct {
	title, summary, meaning, first string
	recovery, avoid                string
}

func newTexts(annotations map[string]string) texts {
	return texts{
		title:    annotations["title"],
		summary:  annotations["summary"],
		meaning:  annotations["meaning"],
		first:    annotations["first"],
		recovery: annotations["recovery"],
		avoid:    annotations["avoid"],
	}
}

// A recoveryText is one step of a recovery as it stands in the file.
type recoveryText struct {
	Do         string     `yaml:"do"`
	Why        string     `yaml:"why"`
	Verify     verifyText `yaml:"verify"`
	Within     duration   `yaml:"within"`
	Risk       string     `yaml:"risk"`
	Reversible bool       `yaml:"reversible"`
}

type verifyText struct {
	Signal    string  `yaml:"signal"`
	Reaches   string  `yaml:"reaches"`
	Direction string  `yaml:"direction"`
	By        float64 `yaml:"by"`
}

// duration reads 30s, 1m, 1h30m.
type duration time.Duration

func (d *duration) UnmarshalYAML(node *yaml.Node) error {
	parsed, err := model.ParseDuration(node.Value)
	*d = duration(parsed)
	return err
}

func parseSteps(text string) ([]recoveryText, error) {
	var steps []recoveryText
	err := decodeList(text, &steps)
	return steps, err
}

type adviceText struct {
	Do  string `yaml:"do"`
	Why string `yaml:"why"`
}

func parseAdvice(text string) ([]adviceText, error) {
	var advice []adviceText
	err := decodeList(text, &advice)
	return advice, err
}

func decodeList(text string, into any) error {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	return decodeStrict([]byte(text), into)
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
