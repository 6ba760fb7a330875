package logparse

import "bytes"

// jsonDecoder reads one JSON object per line: the encoders of logstash, ECS,
// GELF, zap, slog, bunyan, pino, log4j2, Serilog, structlog, journald, MongoDB
// and PostgreSQL. A line that was cut off is read as far as it goes. The object
// is walked once; only what classifyKey names is looked at.
type jsonDecoder struct{}

func (jsonDecoder) decode(line []byte, h *header, r *stampReader) bool {
	w := jsonWalk{b: line, h: h, r: r}
	if len(line) < 2 || line[0] != '{' {
		return false
	}
	w.object(1, inTop, 0)
	if h.stamp.has == 0 || !w.told {
		return false
	}
	if h.message == (span{}) && !h.escaped {
		h.message = span{0, len(line)}
	}
	return true
}

// A jsonWalk goes once over an object and keeps the fields it knows.
type jsonWalk struct {
	b     []byte
	h     *header
	r     *stampReader
	ranks [keyKinds]uint8
	told  bool // a level, a message or a status was found
}

// maxDepth bounds how deep objects of interest are entered.
const maxDepth = 3

// object walks the members of an object from p, which is after its brace, and
// returns the position after its closing brace, -1 if the line ends before.
func (w *jsonWalk) object(p int, in jsonPlace, depth int) int {
	b := w.b
	for {
		p = skipBlank(b, p)
		if p >= len(b) {
			return -1
		}
		if b[p] == '}' {
			return p + 1
		}
		if b[p] == ',' {
			p = skipBlank(b, p+1)
		}
		if p >= len(b) || b[p] != '"' {
			return -1
		}
		end := stringEnd(b, p+1)
		if end < 0 {
			return -1
		}
		key := b[p+1 : end]
		p = skipBlank(b, end+1)
		if p >= len(b) || b[p] != ':' {
			return -1
		}
		if p = w.value(key, skipBlank(b, p+1), in, depth); p < 0 {
			return -1
		}
	}
}

// value walks the value at p that belongs to key and returns the position after
// it, -1 if the line ends before.
func (w *jsonWalk) value(key []byte, p int, in jsonPlace, depth int) int {
	b := w.b
	if p >= len(b) {
		return -1
	}
	kind, rank := classifyKey(in, key)
	switch b[p] {
	case '"':
		end := stringEnd(b, p+1)
		if end < 0 {
			w.keep(kind, rank, p+1, len(b), true)
			return -1
		}
		w.keep(kind, rank, p+1, end, true)
		return end + 1
	case '{':
		if inner := innerContext(in, key); inner != inNone && depth < maxDepth {
			return w.object(p+1, inner, depth+1)
		}
		return skipNested(b, p)
	case '[':
		return skipNested(b, p)
	}
	end := p
	for end < len(b) && b[end] != ',' && b[end] != '}' && b[end] != ']' && b[end] > ' ' {
		end++
	}
	if end == p {
		return -1
	}
	w.keep(kind, rank, p, end, false)
	return end
}

// keep takes a value unless one of a better rank was found.
func (w *jsonWalk) keep(kind keyKind, rank uint8, lo, hi int, quoted bool) {
	if kind == keyOther || w.ranks[kind] >= rank || lo >= hi {
		return
	}
	v, h := w.b[lo:hi], w.h
	switch kind {
	case keyTime:
		var st stamp
		if !readStampValue(v, &st, w.r) {
			return
		}
		h.stamp = st
	case keyNanos:
		n, k := digits(v, 9)
		if k == len(v) {
			h.stamp.nsec = int32(n)
		}
	case keyLevel:
		h.level = jsonLevel(v, quoted)
		w.told = true
	case keyPriority:
		n, _ := digits(v, 1)
		h.level = syslogLevel(n)
		w.told = true
	case keyStatus:
		n, k := digits(v, 4)
		if k != len(v) || n < 100 || n > 599 {
			return
		}
		h.status, w.told = n, true
	default:
		if !quoted {
			return
		}
		w.keepText(kind, span{lo, hi})
	}
	w.ranks[kind] = rank
}

func (w *jsonWalk) keepText(kind keyKind, s span) {
	h := w.h
	switch kind {
	case keyMessage:
		h.message, w.told = s, true
	case keyTrace:
		h.trace = s
	case keyLogger:
		h.logger = s
	case keyThread:
		h.thread = s
	case keySource:
		h.source = s
	}
	if bytes.IndexByte(s.of(w.b), '\\') >= 0 {
		h.escaped = true
	}
}

// readStampValue reads a stamp that is the whole of v, as text or as a number.
func readStampValue(v []byte, st *stamp, r *stampReader) bool {
	if n := r.read(v, st); n > 0 && n == len(v) {
		return true
	}
	return readEpoch(v, st)
}

// jsonLevel returns the level of a value: a word, a number of bunyan (10 to
// 60), or a digit of syslog (GELF).
func jsonLevel(v []byte, quoted bool) Level {
	if !quoted && len(v) == 1 && isDigit(v[0]) {
		return syslogLevel(int(v[0] - '0'))
	}
	return levelOf(v)
}

// stringEnd returns the position of the quote that ends a JSON string whose
// inside begins at p, -1 if there is none.
func stringEnd(b []byte, p int) int {
	for {
		i := bytes.IndexByte(b[p:], '"')
		if i < 0 {
			return -1
		}
		end := p + i
		n := end
		for n > p && b[n-1] == '\\' {
			n--
		}
		if (end-n)&1 == 0 {
			return end
		}
		p = end + 1
	}
}

// skipNested returns the position after the object or array that begins at p,
// -1 if it does not end in the line.
func skipNested(b []byte, p int) int {
	depth := 0
	for p < len(b) {
		switch b[p] {
		case '"':
			end := stringEnd(b, p+1)
			if end < 0 {
				return -1
			}
			p = end
		case '{', '[':
			depth++
		case '}', ']':
			depth--
			if depth == 0 {
				return p + 1
			}
		}
		p++
	}
	return -1
}

func skipBlank(b []byte, p int) int {
	for p < len(b) && (b[p] == ' ' || b[p] == '\t' || b[p] == '\r') {
		p++
	}
	return p
}
