package rules

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/promql/parser"
	"go.yaml.in/yaml/v3"
)

// A ruleFile is a Prometheus rule file as it stands, with positions.
type ruleFile struct {
	path  string // within its folder
	shown string // as problems name it

	tested bool // its texts need no check
	lines  []string
	rules  []fileRule
}

// A fileRule is one entry of a rule file.
type fileRule struct {
	Record      string            `yaml:"record"`
	Alert       string            `yaml:"alert"`
	Expr        yaml.Node         `yaml:"expr"`
	For         string            `yaml:"for"`
	Labels      map[string]string `yaml:"labels"`
	Annotations map[string]string `yaml:"annotations"`

	node *yaml.Node
}

// readRuleFile reads the rules of all groups of a file, in order.
func readRuleFile(in catalogFile) (*ruleFile, Problems) {
	f := &ruleFile{path: in.name, shown: in.shown, tested: in.tested, lines: strings.Split(string(in.data), "\n")}
	var doc struct {
		Groups []struct {
			Name  string      `yaml:"name"`
			Rules []yaml.Node `yaml:"rules"`
		} `yaml:"groups"`
	}
	if err := yaml.Unmarshal(in.data, &doc); err != nil {
		return f, Problems{yamlProblem(in.shown, err)}
	}
	var problems Problems
	for _, g := range doc.Groups {
		for i := range g.Rules {
			r := fileRule{node: &g.Rules[i]}
			if err := g.Rules[i].Decode(&r); err != nil {
				problems = append(problems, yamlProblem(in.shown, err))
				continue
			}
			problems = append(problems, f.unknownKeys(r)...)
			f.rules = append(f.rules, r)
		}
	}
	return f, problems
}

// ruleKeys are what a rule may have; what else Prometheus knows would be
// without effect here.
var ruleKeys = []string{"record", "alert", "expr", "for", "labels", "annotations"}

func (f *ruleFile) unknownKeys(r fileRule) Problems {
	var problems Problems
	for i := 0; i < len(r.node.Content); i += 2 {
		if key := r.node.Content[i]; !slices.Contains(ruleKeys, key.Value) {
			problems = append(problems, Problem{
				File: f.shown, Line: key.Line, Column: key.Column, Source: f.lines[min(key.Line, len(f.lines))-1], Length: len(key.Value),
				Msg: fmt.Sprintf("a rule has no %q", key.Value), Hint: "it has " + strings.Join(ruleKeys, ", "),
			})
		}
	}
	return problems
}

// yamlProblem reads the line number out of an error of the YAML decoder.
func yamlProblem(path string, err error) Problem {
	msg := strings.TrimPrefix(err.Error(), "yaml: ")
	msg = strings.TrimPrefix(msg, "unmarshal errors:\n  ")
	p := Problem{File: path, Msg: msg}
	if n, _ := fmt.Sscanf(msg, "line %d:", &p.Line); n == 1 {
		_, p.Msg, _ = strings.Cut(msg, ": ")
	}
	return p
}

// problemAt is a problem at an offset of the expression of a rule.
func (f *ruleFile) problemAt(r fileRule, offset, length int, msg, hint string) Problem {
	line, column := f.position(r.Expr, offset)
	p := Problem{File: f.shown, Line: line, Column: column, Msg: msg, Hint: hint, Length: length}
	if line >= 1 && line <= len(f.lines) {
		p.Source = f.lines[line-1]
	}
	return p
}

// problemIn is a problem of a rule as a whole.
func (f *ruleFile) problemIn(r fileRule, msg, hint string) Problem {
	return Problem{File: f.shown, Line: r.node.Line, Column: r.node.Column, Msg: msg, Hint: hint, Source: f.lines[min(r.node.Line, len(f.lines))-1], Length: 1}
}

// position turns an offset within a scalar into a place in the file. Block
// scalars begin on the line after their marker and are indented evenly; of a
// folded or escaped scalar only the first line is exact.
func (f *ruleFile) position(scalar yaml.Node, offset int) (line, column int) {
	text := scalar.Value
	offset = max(0, min(offset, len(strings.TrimRight(text, " \n"))))
	row := strings.Count(text[:offset], "\n")
	start := strings.LastIndexByte(text[:offset], '\n') + 1
	if scalar.Style&(yaml.LiteralStyle|yaml.FoldedStyle) == 0 {
		quote := 0
		if scalar.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0 {
			quote = 1
		}
		return scalar.Line, scalar.Column + quote + offset
	}
	line = scalar.Line + 1 + row
	if line > len(f.lines) {
		return scalar.Line, scalar.Column
	}
	return line, f.indent(scalar) + offset - start + 1
}

// indent is how far the text of a block scalar is indented: its first line is
// the first that is not blank.
func (f *ruleFile) indent(scalar yaml.Node) int {
	for _, line := range f.lines[min(scalar.Line, len(f.lines)):] {
		if text := strings.TrimLeft(line, " "); text != "" {
			first := strings.TrimLeft(scalar.Value, "\n")
			own := len(first) - len(strings.TrimLeft(first, " "))
			return len(line) - len(text) - own
		}
	}
	return 0
}

// parseExpr parses the expression of a rule.
func (f *ruleFile) parseExpr(p parser.Parser, r fileRule) (parser.Expr, Problems) {
	expr, err := p.ParseExpr(r.Expr.Value)
	if err == nil {
		return expr, nil
	}
	errs, ok := err.(parser.ParseErrors)
	if !ok {
		return nil, Problems{f.problemIn(r, err.Error(), "")}
	}
	var problems Problems
	for _, e := range errs {
		at := int(e.PositionRange.Start)
		problems = append(problems, f.problemAt(r, at, int(e.PositionRange.End)-at, e.Err.Error(), ""))
	}
	return nil, problems
}

// parseFor reads the `for` of a rule; absent is 0.
func parseFor(text string) (time.Duration, error) {
	if text == "" {
		return 0, nil
	}
	d, err := model.ParseDuration(text)
	return time.Duration(d), err
}
