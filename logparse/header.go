package logparse

// A span is a part of the text that a header was read from; lo == hi is none.
type span struct{ lo, hi int }

func (s span) of(text []byte) []byte { return text[s.lo:s.hi] }

// shift returns the span in a text that has n more bytes in front.
func (s span) shift(n int) span {
	if s.lo == s.hi {
		return span{}
	}
	return span{s.lo + n, s.hi + n}
}

// A header is what the first line of a record says, as parts of that line.
type header struct {
	stamp   stamp
	level   Level
	status  int
	logger  span
	thread  span
	source  span
	message span
	trace   span // a stack trace inside the line (JSON)
	rest    int  // where the next record of the same line begins; 0: there is none
	escaped bool // the parts are the inside of JSON strings with escapes
	partial bool // the rest of the message comes in a later line of the same source
}

// shift moves every part of h by n bytes.
func (h *header) shift(n int) {
	h.logger, h.thread = h.logger.shift(n), h.thread.shift(n)
	h.source, h.message, h.trace = h.source.shift(n), h.message.shift(n), h.trace.shift(n)
}
