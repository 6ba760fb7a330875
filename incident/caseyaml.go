package incident

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// parseCase reads case.yaml into c. path is what errors name.
func parseCase(c *Case, path string, data []byte) error {
	p := &caseParser{yamlFile: yamlFile{path}, c: c}
	c.file, c.lines, c.Facts = path, map[string]int{}, map[string]string{}
	root, err := p.root(data)
	if err != nil {
		return err
	}
	err = p.mapping(root, "a case", map[string]field{
		"title":      p.textInto(&c.Title, "title"),
		"source":     p.textInto(&c.Source, "source"),
		"why":        p.textInto(&c.Why, "why"),
		"confidence": p.confidence,
		"start":      p.start,
		"facts":      p.facts,
		"expect":     p.expect,
	})
	switch {
	case err != nil:
		return err
	case c.Title == "":
		return fault(path, 1, "title is missing")
	case c.Start.IsZero():
		return fault(path, 1, "start is missing: the wall time of offset 0, such as 2026-03-02T14:00:00Z")
	}
	return nil
}

type caseParser struct {
	yamlFile
	c *Case
}

func (p *caseParser) textInto(dst *string, what string) field {
	return func(n *yaml.Node) (err error) {
		*dst, err = p.text(n, what)
		return err
	}
}

func (p *caseParser) confidence(n *yaml.Node) error {
	s, err := p.text(n, "confidence")
	if err != nil {
		return err
	}
	if !slices.Contains(Confidences(), s) {
		return p.errorf(n, "confidence %q is not one of %s", s, strings.Join(Confidences(), ", "))
	}
	p.c.Confidence = s
	return nil
}

func (p *caseParser) start(n *yaml.Node) error {
	if n.Kind != yaml.ScalarNode {
		return p.errorf(n, "start must be a time, not %s", kind(n))
	}
	t, err := time.Parse(time.RFC3339Nano, n.Value)
	if err != nil || t.Year() < 1970 {
		return p.errorf(n, "start %q is not a time such as 2026-03-02T14:00:00Z", n.Value)
	}
	p.c.Start = t.UTC()
	return nil
}

func (p *caseParser) facts(n *yaml.Node) error {
	return p.pairs(n, "facts", func(key string, k, value *yaml.Node) error {
		s, err := p.text(value, "fact "+strconv.Quote(key))
		if err != nil {
			return err
		}
		if !isFact(s) {
			return p.errorf(value, "fact %q is %q, neither a number nor a duration such as 30s", key, s)
		}
		if name := key[strings.LastIndex(key, ":")+1:]; name == "" || strings.HasPrefix(key, ":") {
			return p.errorf(k, "fact %q is neither NAME nor TARGET:NAME", key)
		}
		p.c.Facts[key], p.c.lines["facts."+key] = s, value.Line
		return nil
	})
}

func isFact(s string) bool {
	if v, err := strconv.ParseFloat(s, 64); err == nil {
		return !math.IsNaN(v) && !math.IsInf(v, 0)
	}
	_, err := time.ParseDuration(s)
	return err == nil
}

func (p *caseParser) expect(n *yaml.Node) error {
	e := &Expect{File: p.path, Lines: map[string]int{}}
	p.c.Expect = e
	found := false
	err := p.mapping(n, "expect", map[string]field{
		"find": func(n *yaml.Node) error {
			found = true
			return p.finds(e, n)
		},
		"not":             p.words(e, &e.Not, "not", nil),
		"unknown":         p.words(e, &e.Unknown, "unknown", nil),
		"advice_must":     p.words(e, &e.AdviceMust, "advice_must", p.regexp),
		"advice_must_not": p.words(e, &e.AdviceMustNot, "advice_must_not", p.regexp),
	})
	if err == nil && !found {
		return p.errorf(n, "expect has no find; write find: [] for a case that must stay quiet")
	}
	return err
}

func (p *caseParser) finds(e *Expect, n *yaml.Node) error {
	e.Lines["find"] = n.Line
	return p.each(n, "find", func(i int, n *yaml.Node) error {
		at := fmt.Sprintf("find[%d]", i)
		e.Lines[at] = n.Line
		var f Want
		err := p.mapping(n, at, map[string]field{
			"id":    p.textInto(&f.ID, at+".id"),
			"where": func(n *yaml.Node) error { return p.where(e, &f, at+".where", n) },
			"says":  p.words(e, &f.Says, at+".says", nil),
		})
		if err == nil && f.ID == "" {
			return p.errorf(n, "%s has no id", at)
		}
		e.Find = append(e.Find, f)
		return err
	})
}

func (p *caseParser) where(e *Expect, f *Want, at string, n *yaml.Node) error {
	e.Lines[at] = n.Line
	f.Where = map[string]string{}
	return p.pairs(n, at, func(key string, _, value *yaml.Node) error {
		s, err := p.text(value, at+"."+key)
		f.Where[key] = s
		return err
	})
}

// words reads a list of texts; check may refuse one.
func (p *caseParser) words(e *Expect, dst *[]string, at string, check func(*yaml.Node, string) error) field {
	return func(n *yaml.Node) error {
		return p.each(n, at, func(i int, n *yaml.Node) error {
			name := fmt.Sprintf("%s[%d]", at, i)
			s, err := p.text(n, name)
			if err == nil && check != nil {
				err = check(n, name)
			}
			*dst = append(*dst, s)
			e.Lines[name] = n.Line
			return err
		})
	}
}

func (p *caseParser) regexp(n *yaml.Node, at string) error {
	if _, err := regexp.Compile(n.Value); err != nil {
		return p.errorf(n, "%s is not a regular expression: %s", at, strings.TrimPrefix(err.Error(), "error parsing regexp: "))
	}
	return nil
}

// Validate checks the words that this package does not know itself: diagnosis
// ids and names of facts. It returns the first fault, by line.
func (c *Case) Validate(diagnoses, facts []string) error {
	var faults []*Error
	check := func(line int, word, what string, known []string) {
		if !slices.Contains(known, word) {
			faults = append(faults, &Error{c.file, line, fmt.Sprintf("unknown %s %q%s", what, word, nearest(word, known))})
		}
	}
	for key := range c.Facts {
		check(c.lines["facts."+key], key[strings.LastIndex(key, ":")+1:], "fact", facts)
	}
	if e := c.Expect; e != nil {
		for i, f := range e.Find {
			check(e.Lines[fmt.Sprintf("find[%d]", i)], f.ID, "diagnosis", diagnoses)
		}
		for i, id := range e.Not {
			check(e.Lines[fmt.Sprintf("not[%d]", i)], id, "diagnosis", diagnoses)
		}
		for i, id := range e.Unknown {
			check(e.Lines[fmt.Sprintf("unknown[%d]", i)], id, "diagnosis", diagnoses)
		}
	}
	if len(faults) == 0 {
		return nil
	}
	return slices.MinFunc(faults, func(a, b *Error) int {
		if a.Line != b.Line {
			return a.Line - b.Line
		}
		return strings.Compare(a.Msg, b.Msg)
	})
}
