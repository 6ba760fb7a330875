package scrape

import "bytes"

// A scanner walks over the lines of a page in the text format and finds the
// series that are asked for, without looking at more of the others than it must.
//
// A line ends at a newline, except that Prometheus' parser takes a raw newline
// between quotes as part of a label value. No exporter may write one. Where the
// scanner sees that quotes stay open it gives up (odd), and the page is read by
// Prometheus' parser as a whole.
type scanner struct {
	body    []byte // ends with a newline and holds no NUL
	at      int    // where the next line begins
	escapes bool   // there is a backslash on the page
	typeAt  int    // where the text of the last TYPE line begins, after the word TYPE; 0 before the first
	kind    kind   // what it says, where kindAt is typeAt
	kindAt  int
	odd     bool
}

func newScanner(body []byte) scanner {
	return scanner{body: body, escapes: bytes.IndexByte(body, '\\') >= 0}
}

// next goes to the next line that begins with a name of the filter's, or with a
// quoted name. passed counts the samples on the way. ok is false at the end of
// the page and when it is odd.
func (s *scanner) next(f *Filter) (passed int, ok bool) {
	for s.at < len(s.body) {
		line := s.body[s.at:]
		switch first := line[0]; {
		case first == '#':
			s.comment()
		case first == '\n' || first == ' ' || first == '\t':
			s.at++
		case first == '{' || f.wantsLine(line):
			return passed, true
		default:
			end := bytes.IndexByte(line, '\n')
			if s.open(line[:end]) {
				s.odd = true
			}
			passed++
			s.at += end + 1
		}
		if s.odd {
			return passed, false
		}
	}
	return passed, false
}

// open tells whether a quote that begins in line does not end in it.
func (s *scanner) open(line []byte) bool {
	if s.escapes && bytes.IndexByte(line, '\\') >= 0 {
		return openEscaped(line)
	}
	return bytes.Count(line, quote)&1 != 0
}

var quote = []byte{'"'}

func openEscaped(line []byte) bool {
	open := false
	for i := 0; i < len(line); i++ {
		switch {
		case line[i] == '"':
			open = !open
		case line[i] == '\\' && open:
			i++
		}
	}
	return open
}

// comment passes a line that begins with # and notes where a TYPE is stated.
func (s *scanner) comment() {
	word := skipBlanks(s.body, s.at+1)
	end := word + bytes.IndexByte(s.body[word:], '\n')
	if line := s.body[word:end]; word > s.at+1 && len(line) > 5 && isBlank(line[4]) {
		switch {
		case string(line[:4]) == "TYPE":
			s.typeAt = word + 4
			s.odd = s.quoted(line[5:])
		case string(line[:4]) == "HELP":
			s.odd = s.quoted(line[5:])
		}
	}
	s.at = end + 1
}

// quoted tells whether metadata are about a quoted name that may reach over the
// end of the line.
func (s *scanner) quoted(metadata []byte) bool {
	metadata = bytes.TrimLeft(metadata, " \t")
	return len(metadata) > 0 && metadata[0] == '"' && s.open(metadata)
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

// series returns the series that stands at the place of the scanner: the name,
// and the labels in braces. ok is false when its form is not plain.
func (s *scanner) series() (text []byte, ok bool) {
	end := s.at
	for inName(s.body[end]) {
		end++
	}
	brace := skipBlanks(s.body, end)
	if s.body[brace] == '{' {
		end = s.closingBrace(brace)
	}
	return s.body[s.at:max(end, s.at)], end > s.at
}

// closingBrace returns the place after the brace that closes the one at open,
// or -1 when the line ends before.
func (s *scanner) closingBrace(open int) int {
	quoted := false
	for i := open; ; i++ {
		switch c := s.body[i]; {
		case c == '\n':
			return -1
		case c == '"':
			quoted = !quoted
		case c == '\\' && quoted && s.body[i+1] != '\n':
			i++
		case c == '}' && !quoted:
			return i + 1
		}
	}
}

// rest returns the page from the end of a series on the scanner's line.
func (s *scanner) rest(series int) []byte { return s.body[s.at+series:] }

// A kind is what a TYPE line says, as far as labels depend on it: le of a
// histogram and quantile of a summary are written in one way.
type kind uint8

const (
	otherKind kind = iota
	histogramKind
	summaryKind
)

// declared returns what the last TYPE line says.
func (s *scanner) declared() kind {
	if s.kindAt != s.typeAt {
		s.kindAt, s.kind = s.typeAt, kindOf(s.body[s.typeAt:])
	}
	return s.kind
}

// kindOf reads a TYPE line from after the word TYPE on.
func kindOf(text []byte) kind {
	text = text[:bytes.IndexByte(text, '\n')]
	switch {
	case bytes.HasSuffix(text, []byte("histogram")):
		return histogramKind
	case bytes.HasSuffix(text, []byte("summary")):
		return summaryKind
	}
	return otherKind
}

// header is a TYPE line that says k.
func (k kind) header() string {
	switch k {
	case histogramKind:
		return "# TYPE x histogram\n"
	case summaryKind:
		return "# TYPE x summary\n"
	}
	return "# TYPE x untyped\n"
}
