package logparse

import "bytes"

// A ghost is a record that the filter did not want and that is counted already.
// Its lines stay in the reader's buffer, for the case that a further line turns
// out to be wanted. While a ghost is open no entry is.
type ghost struct {
	open    bool
	outside bool // of Since and Until: never wanted
	python  bool // as in entry
	cut     bool // as in entry
	trace   int  // bytes of its further lines
	head    int  // where its first line begins in the buffer
	line    int64
	level   Level
	at      moment
}

// skim passes over the records in the buffer that the filter does not want. It
// stops before a line that needs more than a look: one of another format, or
// one that is wanted.
func (s *Scanner) skim() {
	for !s.ended {
		if s.quick.ready {
			s.skimQuick()
		}
		b := s.src.buf[s.src.pos:s.src.end]
		i := bytes.IndexByte(b, '\n')
		if i < 0 || i > s.src.max || !s.skimLine(b[:i], s.src.pos) {
			return
		}
		s.src.pos += i + 1
		s.line++
		s.stats.Bytes += int64(i + 1)
	}
}

// skimLine says whether a line was dealt with, but for the count of its bytes;
// at is where it begins in the buffer.
func (s *Scanner) skimLine(line []byte, at int) bool {
	if len(line) == 0 || isSpace(line[0]) && !s.guess.indented {
		return s.skimFurther(line, at)
	}
	s.quick.ready = false
	h := &s.seen
	h.level, h.status = NoLevel, 0
	if s.guess.head != nil {
		if !s.guess.head.decodeHead(line, h, &s.stamps) {
			return s.skimOther(line, at)
		}
	} else if !s.shape.decode(line, h, &s.stamps) {
		*h = header{}
		if !s.guess.fast.decode(line, h, &s.stamps) || h.rest > 0 {
			return s.skimOther(line, at)
		}
		if s.guess.shaped {
			s.shape.learn(line)
		}
	}
	if h.stamp.has == 0 || h.level == NoLevel && s.guess.format.Wrap != "" || s.holds(line, at) {
		s.ghost.open = false
		return false
	}
	if s.beyond(s.src.base + int64(at)) {
		return false
	}
	s.skipHead = false
	if e := s.lastOpen(); e != nil {
		e.closed = true
	}
	s.skimRecord(h, at)
	return true
}

// holds says whether the filter wants a line, which begins in the buffer at at.
// The filter looks at as many lines as there are at once.
func (s *Scanner) holds(line []byte, at int) bool {
	if at >= s.looked {
		s.looked = at + 1 + s.lastNewline(at)
		s.hit = at
		if s.looked == at { // the end of the log, without a newline
			return s.filter(line) >= 0
		}
		s.look(at)
	} else if s.hit < at {
		s.look(at)
	}
	return s.hit < at+len(line)
}

// lookAhead is how far the filter looks at once: as much as stays in the cache
// of a processor until the lines are passed over.
const lookAhead = 64 << 10

// lastNewline returns where the last line ends that the filter looks at when it
// begins at at, counted from there.
func (s *Scanner) lastNewline(at int) int {
	b := s.src.buf[at:s.src.end]
	if i := bytes.LastIndexByte(b[:min(len(b), lookAhead)], '\n'); i >= 0 {
		return i
	}
	return bytes.LastIndexByte(b, '\n')
}

// look looks for the next thing from at on.
func (s *Scanner) look(at int) {
	s.hit = s.looked
	if i := s.filter(s.src.buf[at:s.looked]); i >= 0 {
		s.hit = at + i
	}
}

// skimRecord counts a record that is not wanted.
func (s *Scanner) skimRecord(h *header, at int) {
	sec, nsec := s.timeOf(h)
	s.lastSec, s.lastNsec, s.lastSecSet = sec, nsec, true
	g := &s.ghost
	g.open, g.outside, g.python, g.cut = true, false, false, false
	g.trace, g.level = 0, h.level
	g.head, g.line = at, s.line+1
	g.at.sec, g.at.nsec = sec, nsec
	if sec <= s.since || sec >= s.until {
		g.outside = !s.countEdge(h, sec, nsec)
		return
	}
	s.stats.Records++
	s.note(sec, nsec)
	if s.tally != nil {
		s.tally.add(sec, h.level, h.status)
	}
	s.prime()
}

// timeOf resolves the stamp of a header. A stamp of the same second as the one
// before, and of a zone without a summer time, need not be resolved again.
func (s *Scanner) timeOf(h *header) (sec int64, nsec int32) {
	if s.stamps.again && s.stamps.seen == s.same {
		return s.sameSec, h.stamp.nsec
	}
	sec, nsec = s.clock.resolve(&h.stamp)
	s.same, s.sameSec = 0, sec
	if s.clock.loc == nil && s.clock.skew == 0 && h.stamp.has&(hasYear|hasWeekYear) == hasYear {
		s.same = s.stamps.seen
	}
	return sec, nsec
}

// countEdge counts a record at the edge of Since and Until, or outside.
func (s *Scanner) countEdge(h *header, sec int64, nsec int32) bool {
	e := entry{sec: sec, nsec: nsec, dated: true, format: s.guess.format}
	e.header.level, e.header.status = h.level, h.status
	return s.countRecord(&e)
}

// skimFurther deals with a further line of a ghost.
func (s *Scanner) skimFurther(line []byte, at int) bool {
	g := &s.ghost
	if !g.open {
		return false
	}
	if g.cut {
		return true
	}
	g.trace += len(line) + 1
	if g.trace > maxTrace {
		g.cut = true
		s.stats.Cut++
		return true
	}
	if len(line) == 0 || g.outside || !s.holds(line, at) {
		return true
	}
	s.revive()
	return false
}

// skimOther deals with a line that is not of the main format.
func (s *Scanner) skimOther(line []byte, at int) bool {
	if !s.ghost.open {
		return false
	}
	text := clean(s.scratch.clean, line)
	if isException(text) { // most of these lines; no format begins like that
		return s.skimFurther(line, at)
	}
	p := piece{text: text}
	f, _ := s.formatOf(text)
	c, _ := s.carrierOf(p)
	if f != nil || c != nil || !s.ghost.takes(text, s.guess.format) {
		s.ghost.open = false
		return false
	}
	return s.skimFurther(line, at)
}

// takes says whether a text of no format is a further line of the ghost.
func (g *ghost) takes(text []byte, f *Format) bool {
	if startsTraceback(text) {
		g.python = true
		return true
	}
	if continues(text) || !f.Single {
		return true
	}
	last := g.python
	g.python = false
	return last
}

// revive makes a ghost an entry again, because a further line is wanted.
func (s *Scanner) revive() {
	g := &s.ghost
	g.open = false
	b := s.src.buf[g.head:s.src.pos]
	line, rest, _ := bytes.Cut(b, []byte("\n"))
	text := clean(s.scratch.clean, line)
	f, h := s.formatOf(text)
	e := s.entry()
	e.format, e.header = f, h
	e.line, e.offset = g.line, s.src.base+int64(g.head)
	e.sec, e.nsec, e.dated = g.at.sec, g.at.nsec, true
	e.wanted, e.known, e.python = true, true, g.python
	e.raw, e.text = trimCR(line), text
	e.own()
	for len(rest) > 0 {
		line, rest, _ = bytes.Cut(rest, []byte("\n"))
		e.add(trimCR(line))
	}
	s.queue = append(s.queue, e)
}
