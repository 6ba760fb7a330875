package logparse

import (
	"bytes"
	"fmt"
	"strings"
)

// maxRetries bounds how many places of a text a template is tried at.
const maxRetries = 32

// A template is a message as the program that logs it writes it, with
// placeholders: "pool {pool} has {active:int} of {max:int}". A placeholder is
// {name}, {name:type} or {}, which skips any text; {{ is a brace. A template
// matches anywhere in a text unless it starts with ^. Text before a placeholder
// and after it is literal; nothing is ever tried twice at the same place, so
// matching takes time in proportion to the text.
type template struct {
	source   string
	anchored bool
	lead     *placeholder // before the first literal, read backwards
	first    string
	parts    []templatePart
	rare     string // the literal that the filter looks for
}

// A templatePart is a placeholder and the literal that follows it.
type templatePart struct {
	placeholder
	after string // empty at the end
}

// A placeholder is one capture of a template.
type placeholder struct {
	slot int // index into the captures of a pattern; -1 is skipped text
	kind captureKind
}

// parseTemplate compiles s; slot gives the index of a named capture.
func parseTemplate(s string, slot func(name string, kind captureKind) (int, error)) (*template, error) {
	t := &template{source: s}
	rest, anchored := strings.CutPrefix(s, "^")
	t.anchored = anchored
	var err error
	t.first, rest, err = cutLiteral(rest)
	if err != nil {
		return nil, err
	}
	for rest != "" {
		var p templatePart
		p.placeholder, rest, err = cutPlaceholder(rest, slot)
		if err != nil {
			return nil, err
		}
		p.after, rest, err = cutLiteral(rest)
		if err != nil {
			return nil, err
		}
		if p.after == "" && rest != "" {
			return nil, fmt.Errorf("template %q: two placeholders without text between them", s)
		}
		t.parts = append(t.parts, p)
	}
	return t, t.liftLead()
}

// liftLead makes the first placeholder the lead of a template that starts with
// one.
func (t *template) liftLead() error {
	if t.first != "" {
		return nil
	}
	if len(t.parts) == 0 || t.parts[0].after == "" {
		return fmt.Errorf("template %q: no literal text", t.source)
	}
	p := t.parts[0]
	t.lead, t.first, t.parts = &p.placeholder, p.after, t.parts[1:]
	if !t.anchored && p.kind != kindWord && p.kind != kindInt {
		return fmt.Errorf("template %q: must start with text, a word or an int", t.source)
	}
	return nil
}

// cutLiteral splits s at its first placeholder and undoubles braces.
func cutLiteral(s string) (literal, rest string, err error) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '{' {
			b.WriteByte(s[i])
			continue
		}
		if !strings.HasPrefix(s[i:], "{{") {
			return b.String(), s[i:], nil
		}
		b.WriteByte('{')
		i++
	}
	return b.String(), "", nil
}

// cutPlaceholder reads one {name:type} from the start of s.
func cutPlaceholder(s string, slot func(string, captureKind) (int, error)) (placeholder, string, error) {
	end := strings.IndexByte(s, '}')
	if end < 0 {
		return placeholder{}, "", fmt.Errorf("template: %q has no closing brace", s)
	}
	name, typ, typed := strings.Cut(s[1:end], ":")
	if name == "" && !typed {
		return placeholder{slot: -1, kind: kindText}, s[end+1:], nil
	}
	kind := kindWord
	if typed {
		var ok bool
		if kind, ok = captureKinds[typ]; !ok {
			return placeholder{}, "", fmt.Errorf("template: unknown type %q in %q", typ, s[:end+1])
		}
	}
	if name == "" {
		return placeholder{slot: -1, kind: kind}, s[end+1:], nil
	}
	i, err := slot(name, kind)
	return placeholder{slot: i, kind: kind}, s[end+1:], err
}

// literals returns the literal runs of the template, with braces undoubled.
func (t *template) literals() []string {
	runs := []string{t.first}
	for _, p := range t.parts {
		runs = append(runs, p.after)
	}
	return runs
}

// match tries the template on text and fills captures, which it may leave
// half filled when it returns false.
func (t *template) match(text []byte, captures [][]byte) bool {
	from := 0
	for range maxRetries {
		i := bytes.Index(text[from:], []byte(t.first))
		if i < 0 {
			return false
		}
		from += i
		if t.matchAt(text, from, captures) {
			return true
		}
		if t.anchored && t.lead == nil {
			return false
		}
		from++
	}
	return false
}

// matchAt tries the template with its first literal at text[at:].
func (t *template) matchAt(text []byte, at int, captures [][]byte) bool {
	if !t.matchLead(text[:at], captures) {
		return false
	}
	rest := text[at+len(t.first):]
	for i := range t.parts {
		p := &t.parts[i]
		n := p.kind.take(rest, p.after)
		if n < 0 || !hasPrefix(rest[n:], p.after) {
			return false
		}
		if p.slot >= 0 {
			captures[p.slot] = rest[:n]
		}
		rest = rest[n+len(p.after):]
	}
	return true
}

// matchLead reads the text before the first literal.
func (t *template) matchLead(before []byte, captures [][]byte) bool {
	if t.lead == nil {
		return !t.anchored || len(before) == 0
	}
	value := before
	if !t.anchored {
		value = before[lastBreak(before)+1:]
	}
	if n := t.lead.kind.take(value, ""); n != len(value) {
		return false
	}
	if t.lead.slot >= 0 {
		captures[t.lead.slot] = value
	}
	return true
}

// lastBreak returns the index of the last byte that ends a word, or -1.
func lastBreak(b []byte) int { return bytes.LastIndexAny(b, " \t\n\"'([<") }
