package logparse

import (
	"bytes"
	"slices"
	"strings"
)

// maxText bounds the part of a record that templates are tried on, in bytes.
const maxText = 64 << 10

// maxTraceLines bounds the exception lines of a record that are looked at.
const maxTraceLines = 64

// A Matcher turns records into events. It keeps scratch memory: each goroutine
// needs its own.
type Matcher struct {
	catalog  *Catalog
	set      LiteralSet
	tried    []int32 // candidates of this record
	captures [][]byte
	memory   eventMemory
}

// NewMatcher returns a matcher for the patterns of c.
func (c *Catalog) NewMatcher() *Matcher { return &Matcher{catalog: c} }

// Match appends the events of r to dst. A record yields an event at most once,
// by the first pattern that matches.
func (m *Matcher) Match(r *Record, dst []Event) []Event {
	structured := !bytes.HasSuffix(r.Raw, r.Message)
	if !m.collect(r, structured) {
		return dst
	}
	return m.matchTried(r, structured, dst)
}

// matchTried is Match with the patterns of m.tried.
func (m *Matcher) matchTried(r *Record, structured bool, dst []Event) []Event {
	from := len(dst)
	for _, fallback := range []bool{false, true} {
		if fallback && len(dst) > from {
			break
		}
		for _, id := range m.tried {
			p := m.catalog.patterns[id]
			if p.Fallback != fallback || hasEvent(dst[from:], p.Event) {
				continue
			}
			inTrace, ok := m.try(p, r)
			if !ok && structured {
				ok = m.fits(p, r) && m.tryText(p, r.Raw)
			}
			if ok {
				dst = append(dst, m.newEvent(p, r, inTrace))
			}
		}
	}
	return dst
}

func hasEvent(events []Event, name string) bool {
	return slices.ContainsFunc(events, func(e Event) bool { return e.Pattern.Event == name })
}

// collect finds the patterns of which r holds a literal, in catalogue order.
func (m *Matcher) collect(r *Record, structured bool) bool {
	m.set.Reset()
	m.catalog.filter.Collect(r.Message, &m.set)
	m.catalog.filter.Collect(r.Trace, &m.set)
	if structured {
		m.catalog.filter.Collect(r.Raw, &m.set)
	}
	m.tried = m.tried[:0]
	for _, id := range m.set.ids {
		m.tried = append(m.tried, m.catalog.byLit[id]...)
	}
	slices.Sort(m.tried)
	m.tried = slices.Compact(m.tried)
	return len(m.tried) > 0
}

// try tells whether the message or the trace of r matches p, and fills
// m.captures; inTrace is the line of the trace that does.
func (m *Matcher) try(p *Pattern, r *Record) (inTrace []byte, ok bool) {
	switch {
	case !m.fits(p, r):
		return nil, false
	case m.tryText(p, r.Message):
		return nil, true
	}
	inTrace = m.tryLines(p, r.Trace, p.On != "lines")
	return inTrace, inTrace != nil
}

// fits checks all but the templates of p.
func (m *Matcher) fits(p *Pattern, r *Record) bool {
	return (p.levels == 0 || p.levels>>r.Level&1 != 0) && loggerIs(r.Logger, p.Logger) && p.traceFits(r.Trace)
}

// loggerIs tells whether a logger's name contains want; a record without a
// logger has any.
func loggerIs(logger []byte, want string) bool {
	return want == "" || len(logger) == 0 || bytes.Contains(logger, []byte(want))
}

// traceFits checks what the further lines must and must not hold.
func (p *Pattern) traceFits(trace []byte) bool {
	holds := func(s string) bool { return bytes.Contains(trace, []byte(s)) }
	return (len(p.Trace) == 0 || slices.ContainsFunc(p.Trace, holds)) && !slices.ContainsFunc(p.NoTrace, holds)
}

// tryLines tries p on every line of a trace, or on those that name an
// exception, and returns the first that matches, or nil.
func (m *Matcher) tryLines(p *Pattern, trace []byte, exceptions bool) []byte {
	for range maxTraceLines {
		line, rest, more := bytes.Cut(trace, []byte("\n"))
		if (!exceptions || namesException(line)) && m.tryText(p, line) {
			return line
		}
		if trace = rest; !more {
			return nil
		}
		if exceptions {
			trace = skipFrames(trace)
		}
	}
	return nil
}

// namesException tells the lines of a trace that say what happened from those
// that say where. The console logger of .NET indents both.
func namesException(line []byte) bool {
	if !isFrame(line) {
		return len(line) > 0 && !bytes.HasPrefix(line, []byte("..."))
	}
	text := bytes.TrimLeft(line, " ")
	return isException(bytes.TrimPrefix(text, []byte("---> ")))
}

// isFrame tells whether a line is indented as frames are.
func isFrame(line []byte) bool {
	return bytes.HasPrefix(line, []byte("\t")) || bytes.HasPrefix(line, []byte("    "))
}

// skipFrames skips the frames at the start of a trace.
func skipFrames(trace []byte) []byte {
	for isFrame(trace) && !namesException(trace) {
		_, rest, more := bytes.Cut(trace, []byte("\n"))
		if !more {
			return nil
		}
		trace = rest
	}
	return trace
}

// tryText tries the templates of p on one text.
func (m *Matcher) tryText(p *Pattern, text []byte) bool {
	text = text[:min(len(text), maxText)]
	for _, t := range p.templates {
		m.captures = slices.Grow(m.captures[:0], len(p.captures))[:len(p.captures)]
		clear(m.captures)
		if t.match(text, m.captures) && p.captured(m.captures) {
			return true
		}
	}
	return false
}

// captured checks the values of the captures.
func (p *Pattern) captured(captures [][]byte) bool {
	for name, values := range p.Where {
		if !oneOf(captures[p.slot(name)], values) {
			return false
		}
	}
	for name, values := range p.Unless {
		if oneOf(captures[p.slot(name)], values) {
			return false
		}
	}
	return true
}

// oneOf tells whether v is one of values, in which a * at either end stands for
// any text.
func oneOf(v []byte, values []string) bool {
	return slices.ContainsFunc(values, func(pattern string) bool {
		suffix, anyHead := strings.CutPrefix(pattern, "*")
		middle, anyTail := strings.CutSuffix(suffix, "*")
		switch {
		case anyHead && anyTail:
			return strings.Contains(string(v), middle)
		case anyHead:
			return strings.HasSuffix(string(v), middle)
		case anyTail:
			return strings.HasPrefix(string(v), middle)
		}
		return string(v) == pattern
	})
}
