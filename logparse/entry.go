package logparse

// An entry is a record that is still being read: further lines may follow.
type entry struct {
	format *Format // nil: of no known format
	header header
	sec    int64
	nsec   int32
	dated  bool // the record has a stamp of its own
	wanted bool // the filter said yes, or there is none
	closed bool // no further line can follow
	known  bool // the record was counted before it was found to be wanted
	python bool // in a traceback of Python, whose last line is not indented

	line, offset int64
	raw          []byte // the first line as it stands in the file
	text         []byte // what the header's spans refer to
	trace        []byte
	cut          bool // further lines were left out
	key          []byte

	owned     bool // raw and text are copies
	rawStore  []byte
	textStore []byte
	journal   journalState
}

// reset makes an entry ready for the next record and keeps its memory.
func (e *entry) reset() {
	e.format, e.header = nil, header{}
	e.dated, e.wanted, e.closed, e.known, e.python, e.cut, e.owned = false, false, false, false, false, false, false
	e.raw, e.text, e.trace, e.key = nil, nil, e.trace[:0], e.key[:0]
	e.journal = journalState{}
}

// own copies what points into the reader's buffer, before that is moved.
func (e *entry) own() {
	if e.owned {
		return
	}
	e.owned = true
	same := len(e.raw) == len(e.text) && (len(e.raw) == 0 || &e.raw[0] == &e.text[0])
	e.rawStore = append(e.rawStore[:0], e.raw...)
	e.raw = e.rawStore
	if same {
		e.text = e.raw
		return
	}
	e.textStore = append(e.textStore[:0], e.text...)
	e.text = e.textStore
}

// add appends a further line, as long as there is room.
func (e *entry) add(line []byte) {
	if e.cut || len(e.trace)+len(line)+1 > maxTrace {
		e.cut = true
		return
	}
	e.trace = append(append(e.trace, line...), '\n')
}

// addPair takes the second line of a format of two lines, LEVEL: message. It
// says whether the line was one.
func (e *entry) addPair(line []byte) bool {
	if e == nil || e.closed || e.format == nil || !e.format.Pair || e.header.level != NoLevel || len(e.trace) > 0 {
		return false
	}
	l, n := levelWord(line)
	switch {
	case n == 0 && e.header.logger != (span{}):
		return false
	case n > 0 && (n >= len(line) || line[n] != ':'):
		return false
	}
	if n > 0 {
		n++
	}
	e.own()
	e.header.level = l
	lo := len(e.text) + 1 + skipSpace(line, n)
	e.textStore = append(append(append(e.textStore[:0], e.text...), '\n'), line...)
	e.text = e.textStore
	e.header.message = span{lo, len(e.text)}
	return true
}
