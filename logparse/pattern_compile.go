package logparse

import (
	"fmt"
	"regexp"
	"sort"
	"strings"
)

var eventName = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

var metricName = regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_]*$`)

// compile checks a pattern and prepares it for matching.
func (p *Pattern) compile() error {
	if !eventName.MatchString(p.Event) {
		return fmt.Errorf("event must be snake_case")
	}
	if p.Title == "" || strings.HasSuffix(p.Title, ".") {
		return fmt.Errorf("title must be there and not end with a period")
	}
	for _, step := range []func() error{p.compileTemplates, p.compileFilters, p.compileCount, p.compileSamples, p.compileRest} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

func (p *Pattern) compileTemplates() error {
	if len(p.Match) == 0 {
		return fmt.Errorf("no template to match")
	}
	for _, s := range p.Match {
		t, err := parseTemplate(s, p.addCapture)
		if err != nil {
			return err
		}
		if t.rare = bestLiteral(t); t.rare == "" {
			return fmt.Errorf("template %q has no literal of %d bytes", s, MinLiteral)
		}
		p.templates = append(p.templates, t)
	}
	return nil
}

// addCapture returns the slot of a capture; it has the same type in all
// templates of a pattern.
func (p *Pattern) addCapture(name string, kind captureKind) (int, error) {
	if i := p.slot(name); i >= 0 {
		if p.captures[i].kind != kind {
			return 0, fmt.Errorf("capture %q has two types", name)
		}
		return i, nil
	}
	p.captures = append(p.captures, capture{name, kind})
	return len(p.captures) - 1, nil
}

// bestLiteral returns the part of a template that the filter looks for: the
// literal with the rarest window, and of these one without quotes, which a JSON
// line has escaped.
func bestLiteral(t *template) string {
	var plain []string
	for _, run := range t.literals() {
		plain = append(plain, strings.FieldsFunc(run, func(r rune) bool { return r == '"' || r == '\\' || r == '\t' })...)
	}
	best, score := rarestOf(plain)
	if score >= cleanScore {
		return best
	}
	if quoted, higher := rarestOf(t.literals()); higher > score {
		return quoted
	}
	return best
}

func rarestOf(runs []string) (best string, score int) {
	score = -1
	for _, run := range runs {
		if _, n := rarestWindow(run); n > score {
			best, score = run, n
		}
	}
	return best, score
}

func (p *Pattern) compileFilters() error {
	if p.On != "" && p.On != "lines" {
		return fmt.Errorf("on %q: want lines or nothing", p.On)
	}
	for _, l := range p.Levels {
		level, ok := levelNames[l]
		if !ok {
			return fmt.Errorf("unknown level %q", l)
		}
		p.levels |= 1 << level
	}
	for _, m := range []map[string][]string{p.Where, p.Unless} {
		for name := range m {
			if p.slot(name) < 0 {
				return fmt.Errorf("no template captures %q", name)
			}
		}
	}
	return nil
}

func (p *Pattern) compileCount() error {
	if p.Count == "" || p.Count == "none" {
		return nil
	}
	var err error
	p.count, err = p.parseOperand(p.Count)
	return err
}

func (p *Pattern) compileSamples() error {
	for i := range p.Samples {
		s := &p.Samples[i]
		if err := s.compile(p); err != nil {
			return fmt.Errorf("sample %q: %w", s.Name, err)
		}
	}
	return nil
}

func (s *SampleSpec) compile(p *Pattern) error {
	if !metricName.MatchString(s.Name) {
		return fmt.Errorf("not the name of a metric")
	}
	var ok bool
	if s.kind, ok = sampleKinds[s.Kind]; !ok {
		return fmt.Errorf("unknown kind %q", s.Kind)
	}
	var err error
	if s.value, err = p.parseOperand(s.Value); err != nil {
		return err
	}
	if s.of, err = p.addText(s.Of); err != nil {
		return err
	}
	names := make([]string, 0, len(s.Labels))
	for name := range s.Labels {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		value, err := p.addText(s.Labels[name])
		if err != nil {
			return err
		}
		s.labels = append(s.labels, labelText{name, value})
	}
	return nil
}

func (p *Pattern) compileRest() error {
	var err error
	if p.typ, err = p.addText(p.Type); err != nil {
		return err
	}
	for i := range p.Facts {
		if p.Facts[i].value, err = p.parseOperand(p.Facts[i].Value); err != nil {
			return err
		}
	}
	for i := range p.Spans {
		if p.Spans[i].id, err = p.addText(p.Spans[i].ID); err != nil {
			return err
		}
	}
	return nil
}
