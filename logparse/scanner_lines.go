package logparse

// advance reads one line; false means that there is none.
func (s *Scanner) advance() bool {
	if s.ended {
		return false
	}
	if !s.started && !s.start() {
		return false
	}
	for {
		skimmed := s.filter != nil && s.guess.fast != nil && len(s.queue) == 0
		if skimmed {
			s.skim()
		}
		at := s.src.offset()
		line, size, ok := s.src.next()
		if ok {
			s.take(line, at, int64(size), skimmed)
			return true
		}
		if s.src.eof || s.ended {
			return s.finish()
		}
		s.refill()
	}
}

// refill reads on after copying what still points into the buffer.
func (s *Scanner) refill() {
	for _, e := range s.queue {
		e.own()
	}
	keep := s.src.pos
	if g := &s.ghost; g.open && keep-g.head <= s.src.max+maxTrace {
		keep = g.head
	} else {
		g.outside = true // too long to come back to
	}
	dropped, _ := s.src.fill(keep)
	s.ghost.head -= keep
	s.hit, s.looked = s.hit-keep, s.looked-keep
	if !s.skipHead {
		s.stats.Bytes += dropped
	}
}

// start finds the format from the first bytes.
func (s *Scanner) start() bool {
	for !s.src.eof && s.src.end-s.src.pos < detectSize {
		s.refill()
	}
	head := s.src.buf[s.src.pos:s.src.end]
	if len(head) == 0 {
		return s.finish()
	}
	s.started = true
	if s.guess == nil {
		s.guess = detect(head[:min(len(head), detectSize)], s.set, s.o.Format)
	}
	s.clock.hint(s.guess.wall)
	return true
}

// finish takes the line without a newline at the end of the source.
func (s *Scanner) finish() bool {
	if s.growing {
		return false
	}
	at := s.src.offset()
	if line, ok := s.src.last(); ok && !s.ended {
		s.take(line, at, int64(len(line)), false)
		s.src.pos = s.src.end
	}
	s.flushJoins()
	s.ended = true
	return len(s.queue) > 0
}

// take accounts for one line and finds out what it is; skimmed says that skim
// stopped before it.
func (s *Scanner) take(line []byte, at, size int64, skimmed bool) {
	if s.guess.fast != nil {
		if start := int(at - s.src.base); s.filter != nil && !skimmed && s.skimLine(line, start) {
			s.count(size)
			return
		}
		if s.ended || s.takeFast(line, at, size) {
			return
		}
	}
	s.takeAny(line, at, size)
}

// count accounts for one line.
func (s *Scanner) count(size int64) {
	if s.skipHead {
		return
	}
	if size > 0 {
		s.line++
	}
	s.stats.Bytes += size
}

// takeFast handles the two frequent cases of a log without carriers: a line of
// the main format, and an indented line after one.
func (s *Scanner) takeFast(line []byte, at, size int64) bool {
	if len(line) == 0 {
		return false
	}
	if isSpace(line[0]) && !s.guess.indented {
		e := s.lastOpen()
		if e == nil || e.format == nil || e.format.Pair || len(e.key) > 0 || line[len(line)-1] == '\r' {
			return false
		}
		s.count(size)
		s.addLine(e, line)
		return true
	}
	h := &s.seen
	*h = header{}
	if line[len(line)-1] == '\r' || !s.guess.fast.decode(line, h, &s.stamps) || h.rest > 0 {
		return false
	}
	if h.level == NoLevel && s.guess.format.Wrap != "" {
		return false
	}
	if s.beyond(at) {
		return true
	}
	s.skipHead = false
	s.count(size)
	if e := s.lastOpen(); e != nil {
		e.closed = true
	}
	e := s.open(s.guess.format, h, at, s.line)
	e.raw, e.text = line, line
	s.filterFirst(e)
	return true
}

// beyond ends the reading when a header belongs to the next part of the file.
func (s *Scanner) beyond(at int64) bool {
	if s.limit > 0 && at >= s.limit {
		s.ended = true
	}
	return s.ended
}

// open begins a record: what came before from the same writer is complete.
func (s *Scanner) open(f *Format, h *header, at, line int64) *entry {
	e := s.entry()
	e.format, e.header = f, *h
	e.line, e.offset = line, at
	if h.stamp.has != 0 {
		s.date(e)
	} else {
		e.sec, e.nsec = s.lastSec, s.lastNsec
	}
	s.queue = append(s.queue, e)
	return e
}

// date resolves the stamp of an entry.
func (s *Scanner) date(e *entry) {
	e.sec, e.nsec = s.clock.resolve(&e.header.stamp)
	e.dated = true
	s.lastSec, s.lastNsec, s.lastSecSet = e.sec, e.nsec, true
}

// entry returns an empty entry.
func (s *Scanner) entry() *entry {
	if n := len(s.free); n > 0 {
		e := s.free[n-1]
		s.free = s.free[:n-1]
		e.reset()
		return e
	}
	return &entry{}
}

func (s *Scanner) lastOpen() *entry {
	if n := len(s.queue); n > 0 && !s.queue[n-1].closed {
		return s.queue[n-1]
	}
	return nil
}

// addLine adds a further line to an entry.
func (s *Scanner) addLine(e *entry, line []byte) {
	if s.filter != nil && !e.wanted && !e.cut && len(e.trace)+len(line) < maxTrace {
		e.wanted = s.filter(line) >= 0
	}
	if startsTraceback(line) {
		e.python = true
	}
	e.add(line)
}

// filterFirst asks the filter about the first line of an entry.
func (s *Scanner) filterFirst(e *entry) {
	e.wanted = s.filter == nil || s.filter(e.text) >= 0
}
