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

// softLine handles a line of a log that may relay lines of another one. It says
// whether the line was a further line of the record before; else h and p are
// what the record begins with.
func (s *Scanner) softLine(p *piece, f *Format, h *header) bool {
	if f.Decoder == "json" {
		s.softJSON(p, h)
		return false
	}
	key := appendKey(append([]byte(nil), p.key...), h.source.of(p.text))
	key = appendKey(key, h.logger.of(p.text))
	key = appendKey(key, h.thread.of(p.text))
	p.key = key
	message := h.message.of(p.text)
	if inner, ih := s.nested(message, f); inner != nil {
		ih.shift(h.message.lo)
		*h = relayed(*h, ih)
		return false
	}
	if e := s.openOf(key); e != nil && len(message) > 0 && continues(message) {
		s.count(p.size)
		s.addLine(e, message)
		return true
	}
	return false
}

// softJSON looks into the message of an object that states no level.
func (s *Scanner) softJSON(p *piece, h *header) {
	if h.level != NoLevel || h.message == (span{}) {
		return
	}
	message := h.message.of(p.text)
	if h.escaped {
		s.scratch.inner[3] = unescape(s.scratch.inner[3][:0], message)
		message = s.scratch.inner[3]
	}
	inner, ih := s.nested(message, nil)
	if inner == nil {
		return
	}
	if stampRank(h.stamp) > stampRank(ih.stamp) {
		ih.stamp = h.stamp
	}
	p.text = message
	*h = ih
}

// nested returns the format of a relayed text, which must not be that of the
// log itself.
func (s *Scanner) nested(text []byte, outer *Format) (*Format, header) {
	if len(text) == 0 {
		return nil, header{}
	}
	for _, c := range s.guess.inner[text[0]] {
		s.trial = header{}
		if c.format != outer && c.format.Wrap == "" && !c.format.Weak && c.decode(text, &s.trial, &s.stamps) {
			return c.format, s.trial
		}
	}
	return nil, header{}
}

// relayed joins the header of a relayed line with that of the line around it.
func relayed(outer, inner header) header {
	if stampRank(outer.stamp) > stampRank(inner.stamp) {
		inner.stamp = outer.stamp
	}
	if inner.level == NoLevel {
		inner.level = outer.level
	}
	if inner.logger == (span{}) {
		inner.logger = outer.logger
	}
	if inner.source == (span{}) {
		inner.source = outer.source
	}
	return inner
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

// journalLine handles a line within an entry of the journal export format.
func (s *Scanner) journalLine(text []byte, size int64) bool {
	e := s.lastOpen()
	if e == nil || e.format == nil || e.format.Decoder != "journal" || s.skipHead {
		return false
	}
	if bytes.HasPrefix(text, []byte("__CURSOR=")) && e.journal.key == nil {
		s.closeJournal(e)
		return false
	}
	s.count(size)
	if !e.journalField(text, &s.stamps) {
		s.closeJournal(e)
	}
	return true
}

// closeJournal completes an entry whose fields were all read.
func (s *Scanner) closeJournal(e *entry) {
	if e.header.stamp.has != 0 {
		s.date(e)
	}
	s.filterFirst(e)
	e.closed = true
}
