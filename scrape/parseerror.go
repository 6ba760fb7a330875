package scrape

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// A ParseError says why a page cannot be read.
type ParseError struct {
	Kind   Kind   // Garbage, Truncated or TooLarge
	Format Format // the format it was read in
	Line   int    // from 1; 0 when the format has no lines
	Msg    string // with quoted, bounded excerpts of the page
}

// Error returns the message after the line.
func (e *ParseError) Error() string {
	if e.Line == 0 {
		return e.Msg
	}
	return fmt.Sprintf("line %d: %s", e.Line, e.Msg)
}

func tooManySamples(f Format, limit int) error {
	return &ParseError{Kind: TooLarge, Format: f, Msg: fmt.Sprintf("more than %d samples on one page", limit)}
}

// maxMessage bounds what is repeated of a parser's error, in bytes: it quotes
// the line, which can be as long as the page.
const maxMessage = 200

// fail makes a ParseError of what the parser says about the first line after
// those read.
func (p *page) fail(err error) error {
	var e *ParseError
	if !errors.As(err, &e) {
		e = &ParseError{Kind: Garbage, Format: p.format, Msg: shorten(err.Error(), maxMessage)}
	}
	switch {
	case p.format == Protobuf:
		if strings.Contains(e.Msg, "insufficient length") || strings.Contains(e.Msg, "unexpected EOF") {
			e.Kind = Truncated
		}
	case strings.Contains(e.Msg, "does not end with # EOF"):
		e.Kind = Truncated
		e.Line = bytes.Count(p.body, []byte{'\n'})
	default:
		e.Line = p.lineAfter(p.done)
	}
	return e
}

// lineAfter returns the number of the first line from offset on that is not
// blank.
func (p *page) lineAfter(offset int) int {
	offset = min(offset, len(p.body))
	rest := p.body[offset:]
	if p.format == Text {
		blank := len(rest) - len(bytes.TrimLeft(rest, " \t\n"))
		offset += bytes.LastIndexByte(rest[:blank], '\n') + 1
	}
	return 1 + bytes.Count(p.body[:offset], []byte{'\n'})
}

// shorten cuts s to at most n bytes, at a character's border, and says so.
func shorten(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "..."
}
