package logparse

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
