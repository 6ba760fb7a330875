package logparse

import "bytes"

// A piece is a line, or what is left of it after its carriers were taken off.
type piece struct {
	text    []byte
	raw     []byte
	at      int64 // offset in the file
	line    int64
	size    int64   // bytes in the file that are not accounted for yet
	key     []byte  // which writer it is from
	stamp   stamp   // the best one of the carriers
	carrier *Format // the innermost carrier
	depth   int
}

// takeAny handles any line: it takes off carriers, finds the format of what is
// inside, and decides whether the line begins a record.
func (s *Scanner) takeAny(line []byte, at, size int64) {
	s.scratch.key = s.scratch.key[:0]
	text := clean(s.scratch.clean, line)
	if len(text) > 0 && len(line) > 0 && bytes.IndexByte(line, esc) >= 0 {
		s.scratch.clean = text
	}
	if s.journalLine(text, size) {
		return
	}
	s.place(piece{text: text, raw: trimCR(line), at: at, line: s.line + 1, size: size})
}

// place puts a piece where it belongs.
func (s *Scanner) place(p piece) {
	if c, h := s.carrierOf(p); c != nil {
		s.unpack(p, c, h)
		return
	}
	if e := s.openOf(p.key); !s.skipHead && e.addPair(p.text) {
		s.count(p.size)
		s.filterFirst(e)
		return
	}
	f, h := s.formatOf(p.text)
	if f == nil {
		s.placeRest(p)
		return
	}
	if f.Wrap == "soft" {
		if s.softLine(&p, f, &h) {
			return
		}
	}
	s.begin(p, f, h)
}

// begin begins a record with the header h in p.text.
func (s *Scanner) begin(p piece, f *Format, h header) {
	if s.beyond(p.at) {
		return
	}
	s.skipHead = false
	s.count(p.size)
	if stampRank(p.stamp) > stampRank(h.stamp) {
		h.stamp = p.stamp
	}
	s.closeOpen(p.key)
	e := s.open(f, &h, p.at, p.line)
	e.raw, e.text = p.raw, p.text
	e.key = append(e.key, p.key...)
	e.own()
	s.filterFirst(e)
	if h.rest > 0 && h.rest < len(p.text) {
		s.begin2(p, f, h.rest)
	}
}

// begin2 begins the next record of a line that holds several.
func (s *Scanner) begin2(p piece, f *Format, rest int) {
	p.text, p.size = p.text[rest:], 0
	var h header
	if f.decoders[0].decode(p.text, &h, &s.stamps) {
		s.begin(p, f, h)
	}
}

// placeRest puts a piece of no known format: with the record before, if it
// looks like part of it, or as a record of its own.
func (s *Scanner) placeRest(p piece) {
	if s.skipHead {
		return
	}
	s.count(p.size)
	if e := s.openOf(p.key); e != nil && s.belongs(e, p) {
		s.addLine(e, p.text)
		return
	}
	if len(bytes.TrimSpace(p.text)) == 0 && p.carrier == nil {
		return
	}
	s.closeOpen(p.key)
	h := header{stamp: p.stamp, message: span{0, len(p.text)}}
	e := s.open(p.carrier, &h, p.at, p.line)
	e.raw, e.text = p.raw, p.text
	e.key = append(e.key, p.key...)
	e.own()
	e.python = startsTraceback(p.text)
	s.filterFirst(e)
}

// belongs says whether a piece of no known format is a further line of e.
func (s *Scanner) belongs(e *entry, p piece) bool {
	if continues(p.text) {
		return true
	}
	if e.python {
		e.python = false
		return true
	}
	return e.format != nil && e.format != p.carrier && !e.format.Single
}

// carrierOf returns the carrier that the piece is in, if any.
func (s *Scanner) carrierOf(p piece) (*Format, header) {
	if len(p.text) == 0 || p.depth >= maxDepth {
		return nil, header{}
	}
	return s.firstOf(s.guess.carriers[p.text[0]], p.text)
}

// firstOf returns the first format that reads a text, and its header.
func (s *Scanner) firstOf(list []candidate, text []byte) (*Format, header) {
	for _, c := range list {
		s.trial = header{}
		if c.decode(text, &s.trial, &s.stamps) {
			return c.format, s.trial
		}
	}
	return nil, header{}
}

// formatOf returns the format of a text and its header.
func (s *Scanner) formatOf(text []byte) (*Format, header) {
	if len(text) == 0 {
		return nil, header{}
	}
	return s.firstOf(s.guess.inner[text[0]], text)
}

// unpack takes the carrier off a piece and places what is inside.
func (s *Scanner) unpack(p piece, c *Format, h header) {
	content := h.message.of(p.text)
	if h.escaped {
		s.scratch.inner[p.depth] = unescape(s.scratch.inner[p.depth][:0], content)
		content = bytes.TrimSuffix(s.scratch.inner[p.depth], []byte("\n"))
	}
	if stampRank(h.stamp) > stampRank(p.stamp) {
		p.stamp = h.stamp
	}
	s.scratch.key = appendKey(append(s.scratch.key[:0], p.key...), h.source.of(p.text))
	p.key = s.scratch.key
	p.carrier = c
	p.depth++
	p.text = content
	if p.depth == 1 && s.joinPart(&p, h.partial) {
		return
	}
	p.text = clean(s.scratch.clean, p.text)
	s.place(p)
}

func appendKey(key, part []byte) []byte {
	if len(key) > 0 && len(part) > 0 {
		key = append(key, '/')
	}
	return append(key, part...)
}

// stampRank orders stamps by how much of the time they state.
func stampRank(st stamp) int {
	switch {
	case st.has == 0:
		return 0
	case st.has&hasZone != 0 && st.has&hasYear != 0:
		return 4
	case st.has&hasYear != 0:
		return 3
	case st.has&hasDate != 0:
		return 2
	}
	return 1
}

// openOf returns the entry of a writer that may get further lines.
func (s *Scanner) openOf(key []byte) *entry {
	for i := len(s.queue) - 1; i >= 0; i-- {
		if e := s.queue[i]; bytes.Equal(e.key, key) {
			if e.closed {
				return nil
			}
			return e
		}
	}
	return nil
}

// closeOpen closes the entries of a writer.
func (s *Scanner) closeOpen(key []byte) {
	for _, e := range s.queue {
		if bytes.Equal(e.key, key) {
			e.closed = true
		}
	}
}
