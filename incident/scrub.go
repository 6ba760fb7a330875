package incident

import (
	"bytes"
	"fmt"
	"mime"
	"strings"
)

// A scrubber makes bodies, logs and texts fit to be written down.
type scrubber struct {
	redact *redactor
	anon   *anonymizer // nil when host names and addresses may stay
	cache  map[labelPair]string
	logs   map[string]*logTail
}

type labelPair struct{ name, value string }

// A logTail is the unfinished last line of a log.
type logTail struct {
	rest []byte
	key  keyBlock
}

const (
	maxCached = 50_000  // label values whose scrubbed form is remembered
	maxLine   = 1 << 20 // bytes of a log line that are looked at as one
)

func newScrubber(o Options) *scrubber {
	s := &scrubber{redact: newRedactor(o.Redact, o.Secrets), cache: map[labelPair]string{}, logs: map[string]*logTail{}}
	if o.Anonymize {
		s.anon = newAnonymizer(o.Hosts)
	}
	return s
}

// text scrubs one line of text.
func (s *scrubber) text(line string) string {
	line = s.redact.text(line)
	if s.anon != nil {
		line = s.anon.text(line)
	}
	return line
}

// label scrubs one label value.
func (s *scrubber) label(name, value string) string {
	return s.remember(labelPair{name, value}, func() string {
		out := s.redact.label(name, value)
		if s.anon != nil {
			out = s.anon.label(name, out)
		}
		return out
	})
}

// help scrubs the text of a HELP line, which comes again with each body.
func (s *scrubber) help(text string) string {
	return s.remember(labelPair{"", text}, func() string { return s.text(text) })
}

// remember calls scrub once for each key.
func (s *scrubber) remember(key labelPair, scrub func() string) string {
	if out, ok := s.cache[key]; ok {
		return out
	}
	known := s.hostCount()
	out := scrub()
	if s.hostCount() > known {
		clear(s.cache) // a text seen before may hold the new host name
	}
	if len(s.cache) < maxCached {
		s.cache[key] = out
	}
	return out
}

func (s *scrubber) hostCount() int {
	if s.anon == nil {
		return 0
	}
	return len(s.anon.names)
}

// name scrubs the name of a target.
func (s *scrubber) name(target string) string {
	if s.anon == nil {
		return target
	}
	return s.anon.target(target)
}

// body scrubs what a target sent: label values of samples, and all other lines
// as text. A body that is not text cannot be looked through.
func (s *scrubber) body(contentType string, body []byte) ([]byte, error) {
	media, _, err := mime.ParseMediaType(contentType)
	if err == nil && strings.Contains(media, "protobuf") || bytes.IndexByte(body, 0) >= 0 {
		return nil, fmt.Errorf("a body of type %q is not text and cannot be searched for credentials; ask for text", contentType)
	}
	out := make([]byte, 0, len(body)+64)
	var key keyBlock
	for len(body) > 0 {
		line, rest, whole := bytes.Cut(body, []byte("\n"))
		out = append(out, s.bodyLine(key.line(line))...)
		if whole {
			out = append(out, '\n')
		}
		body = rest
	}
	return out, nil
}

func (s *scrubber) bodyLine(line []byte) []byte {
	switch {
	case len(line) == 0 || bytes.HasPrefix(line, []byte("# TYPE ")) || bytes.HasPrefix(line, []byte("# UNIT ")):
		return line
	case bytes.HasPrefix(line, []byte("# HELP ")):
		name, help, ok := bytes.Cut(line[len("# HELP "):], []byte(" "))
		if !ok {
			return line
		}
		return []byte("# HELP " + string(name) + " " + s.help(string(help)))
	case isPlainSample(line):
		return line
	}
	if out, ok := rewriteSample(line, s.label); ok {
		return out
	}
	return []byte(s.text(string(line)))
}

// isPlainSample reports whether the line is a sample without labels.
func isPlainSample(line []byte) bool {
	return bytes.IndexByte(line, '"') < 0 && startsSample(line) && endsSample(line)
}

// log takes bytes that were appended to a log and returns the whole lines that
// are ready to be written; the rest waits for its end of line.
func (s *scrubber) log(name string, b []byte) []byte {
	tail := s.logs[name]
	if tail == nil {
		tail = &logTail{}
		s.logs[name] = tail
	}
	tail.rest = append(tail.rest, b...)
	cut := bytes.LastIndexByte(tail.rest, '\n') + 1
	if cut == 0 && len(tail.rest) > maxLine {
		cut = len(tail.rest)
	}
	out := s.logLines(tail, tail.rest[:cut])
	tail.rest = bytes.Clone(tail.rest[cut:])
	return out
}

// logRest returns what a log has behind its last end of line.
func (s *scrubber) logRest(name string) []byte {
	tail := s.logs[name]
	out := s.logLines(tail, tail.rest)
	tail.rest = nil
	return out
}

func (s *scrubber) logLines(tail *logTail, b []byte) []byte {
	out := make([]byte, 0, len(b))
	for len(b) > 0 {
		line, rest, whole := bytes.Cut(b, []byte("\n"))
		out = append(out, s.text(string(tail.key.line(line)))...)
		if whole {
			out = append(out, '\n')
		}
		b = rest
	}
	return out
}
