package rules

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// A Problem is something wrong in a catalogue file, and how to write it.
type Problem struct {
	File   string
	Line   int // from 1; 0 when it concerns the whole file
	Column int // from 1, in bytes
	Msg    string
	Hint   string // how to write it; may be empty
	Source string // the offending line as it stands, for the caret
	Length int    // of the offending text, in bytes; 0 is one caret
}

// Error is the first line that compilers write: file:line:column: what is wrong.
func (p Problem) Error() string {
	switch {
	case p.Line == 0:
		return fmt.Sprintf("%s: %s", p.File, p.Msg)
	case p.Column == 0:
		return fmt.Sprintf("%s:%d: %s", p.File, p.Line, p.Msg)
	}
	return fmt.Sprintf("%s:%d:%d: %s", p.File, p.Line, p.Column, p.Msg)
}

// Excerpt is the offending line with carets under the offending text, and the
// hint; it is empty when there is neither.
func (p Problem) Excerpt() string {
	var b strings.Builder
	if p.Source != "" && p.Column > 0 {
		fmt.Fprintf(&b, "    %s\n    %s%s\n", p.Source, caretPad(p.Source, p.Column-1), strings.Repeat("^", max(1, min(p.Length, len(p.Source)-p.Column+1))))
	}
	if p.Hint != "" {
		fmt.Fprintf(&b, "  hint: %s\n", p.Hint)
	}
	return b.String()
}

// caretPad is blank up to a column and keeps tabs, so that the caret lines up.
func caretPad(line string, n int) string {
	var b strings.Builder
	for _, r := range line[:min(n, len(line))] {
		if r != '\t' {
			r = ' '
		}
		b.WriteRune(r)
	}
	return b.String()
}

// Problems are sorted by file, line and column; as an error they say the first
// one and how many more there are.
type Problems []Problem

func (ps Problems) Error() string {
	switch len(ps) {
	case 0:
		return "no problems"
	case 1:
		return ps[0].Error()
	}
	return fmt.Sprintf("%s (and %d more)", ps[0].Error(), len(ps)-1)
}

func (ps Problems) sort() {
	slices.SortStableFunc(ps, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), cmp.Compare(a.Msg, b.Msg))
	})
}

// err is nil when there is no problem.
func (ps Problems) err() error {
	if len(ps) == 0 {
		return nil
	}
	ps.sort()
	return ps
}
