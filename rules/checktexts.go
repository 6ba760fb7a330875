package rules

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
)

// checkTexts refuses annotations that could not be filled in: templates that do
// not parse, steps that are no YAML, signals that nobody knows.
func (c *Catalog) checkTexts(v *variant) Problems {
	var problems Problems
	say := func(name, hint, format string, args ...any) {
		problems = append(problems, v.file.problemInAnnotation(v.rule, name, fmt.Sprintf(format, args...), hint))
	}
	check := func(name, where string, templates ...string) {
		for _, source := range templates {
			if _, err := parseTemplate(source, pureFunctions()); err != nil {
				say(name, "the functions are those of Prometheus' alert templates", "%s: %s", where, strings.TrimPrefix(err.Error(), "template: annotation:"))
			}
		}
	}
	check("title", "title", v.texts.title)
	check("summary", "summary", v.texts.summary)
	check("meaning", "meaning", v.texts.meaning)
	check("first", "first", v.texts.first)
	steps, err := parseSteps(v.texts.recovery)
	if err != nil {
		say("recovery", "a list of do, why, verify, within, risk, reversible", "recovery: %s", yamlMessage(err))
	}
	for i, s := range steps {
		where := fmt.Sprintf("step %d of recovery", i+1)
		check("recovery", where, s.Do, s.Why, s.Verify.Reaches)
		if s.Verify.Signal != "" && c.signals[s.Verify.Signal] == nil {
			say("recovery", "add it to signals.yaml", "%s: %q is not in the vocabulary", where, s.Verify.Signal)
		}
	}
	advice, err := parseAdvice(v.texts.avoid)
	if err != nil {
		say("avoid", "a list of do, why", "avoid: %s", yamlMessage(err))
	}
	for i, x := range advice {
		check("avoid", fmt.Sprintf("entry %d of avoid", i+1), x.Do, x.Why)
	}
	return problems
}

func yamlMessage(err error) string {
	return strings.Join(strings.Fields(strings.TrimPrefix(err.Error(), "yaml: ")), " ")
}

// problemInAnnotation is a problem of one annotation of a rule.
func (f *ruleFile) problemInAnnotation(r fileRule, name, msg, hint string) Problem {
	key := mappingKey(mappingValue(r.node, "annotations"), name)
	if key == nil {
		return f.problemIn(r, msg, hint)
	}
	return Problem{File: f.shown, Line: key.Line, Column: key.Column, Msg: msg, Hint: hint, Source: f.lines[min(key.Line, len(f.lines))-1], Length: len(name)}
}

// mappingValue is the value of a key of a mapping, nil when there is none.
func mappingValue(m *yaml.Node, name string) *yaml.Node {
	if m = behindAlias(m); m == nil {
		return nil
	}
	for i := 0; i+1 < len(m.Content); i += 2 {
		if m.Content[i].Value == name {
			return m.Content[i+1]
		}
	}
	return nil
}

// mappingKey is a key of a mapping, nil when there is none.
func mappingKey(m *yaml.Node, name string) *yaml.Node {
	if m = behindAlias(m); m == nil {
		return nil
	}
	for i := 0; i+1 < len(m.Content); i += 2 {
		if m.Content[i].Value == name {
			return m.Content[i]
		}
	}
	return nil
}

func behindAlias(n *yaml.Node) *yaml.Node {
	if n != nil && n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}
