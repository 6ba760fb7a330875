package rules

import (
	"fmt"
	"net/url"
	"strings"

	"go.yaml.in/yaml/v3"
)

// checkTexts refuses annotations that could not be filled in: templates that do
// not parse, steps that are no YAML, signals that nobody knows.
func (c *Catalog) checkTexts(v *variant) Problems {
	var problems Problems
	for _, name := range sortedKeys(v.texts().wrong) {
		msg := fmt.Sprintf("%s: %s", name, textMessage(v.texts().wrong[name]))
		problems = append(problems, v.file.problemInAnnotation(v.rule, name, msg, textHints[name]))
	}
	for i, s := range v.texts().recovery {
		if s.Verify.Signal != "" && c.signals[s.Verify.Signal] == nil {
			msg := fmt.Sprintf("step %d of recovery: %q is not in the vocabulary", i+1, s.Verify.Signal)
			problems = append(problems, v.file.problemInAnnotation(v.rule, "recovery", msg, "add it to signals.yaml"))
		}
	}
	problems = append(problems, v.checkTurns()...)
	for i, s := range v.texts().sources {
		if why := wrongSource(s); why != "" {
			msg := fmt.Sprintf("entry %d of sources: %s", i+1, why)
			problems = append(problems, v.file.problemInAnnotation(v.rule, "sources", msg, textHints["sources"]))
		}
	}
	return problems
}

// checkTurns refuses steps and advice that read as if they turned a knob and do
// not say which, and steps that do what the advice beside them warns of.
func (v *variant) checkTurns() Problems {
	var problems Problems
	say := func(annotation, msg, hint string) {
		problems = append(problems, v.file.problemInAnnotation(v.rule, annotation, msg, hint))
	}
	for i, s := range v.texts().recovery {
		if !s.Turns.given && readsAsTurn(s.Do.source) {
			say("recovery", fmt.Sprintf("step %d of recovery does not say what it turns", i+1), turnsHint)
		}
		for _, a := range v.texts().avoid {
			if anySame(s.Turns.list, a.Turns.list) {
				say("recovery", fmt.Sprintf("step %d of recovery does what avoid warns of: %s", i+1, a.Do.source), "a knob goes one way: change turns of one of them")
			}
		}
	}
	for i, a := range v.texts().avoid {
		if !a.Turns.given && readsAsTurn(a.Do.source) {
			say("avoid", fmt.Sprintf("entry %d of avoid does not say what it turns", i+1), turnsHint)
		}
	}
	return problems
}

const turnsHint = "turns: {queue: up}, or turns: {} for nothing; see the package documentation of rules"

// wrongSource says what is wrong with a source; empty when nothing is.
func wrongSource(s Source) string {
	switch u, err := url.Parse(s.Link); {
	case strings.TrimSpace(s.Title) == "":
		return "no title"
	case s.Link == "":
		return ""
	case err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "":
		return fmt.Sprintf("link %q is no web address", s.Link)
	}
	return ""
}

const templateHint = "the functions are those of Prometheus' alert templates"

var textHints = map[string]string{
	"title": templateHint, "summary": templateHint, "meaning": templateHint, "first": templateHint,
	"recovery": "a list of do, why, turns, verify, within, risk, reversible; " + templateHint,
	"avoid":    "a list of do, why, turns; " + templateHint,
	"sources":  "a list of title, link",
}

// textMessage is an error of YAML or of a template on one line.
func textMessage(err error) string {
	text := strings.TrimPrefix(strings.TrimPrefix(err.Error(), "yaml: "), "template: annotation:")
	return strings.Join(strings.Fields(text), " ")
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
