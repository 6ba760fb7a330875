package logparse

// A jsonShape is the beginning that the lines of one encoder share: the texts
// between the values, up to the time and the level. A line that has it is told
// without looking at its keys; one that has not is walked as usual.
type jsonShape struct {
	parts []jsonPart
}

// A jsonPart is a text and the value that follows it.
type jsonPart struct {
	text  string // from the end of the value before: ","level":"
	kind  keyKind
	shape valueShape
}

// A valueShape says how a value ends.
type valueShape uint8

const (
	inQuotes valueShape = iota
	inBraces
	bare
)

// maxParts bounds how far into a line a shape reaches.
const maxParts = 24

// learn takes the shape of a line, or none when its time or its level is not at
// the top.
func (j *jsonShape) learn(line []byte) {
	j.parts = j.parts[:0]
	found := 0
	for p := 0; len(j.parts) < maxParts && found < 2; {
		part, value, ok := partAt(line, p)
		if !ok {
			break
		}
		if part.kind == keyTime || part.kind == keyLevel {
			found++
		}
		if p = part.shape.end(line, value); p < 0 {
			break
		}
		j.parts = append(j.parts, part)
	}
	if found < 2 {
		j.parts = j.parts[:0]
	}
}

// partAt reads the text from p, the end of a value, to the next value.
func partAt(line []byte, p int) (part jsonPart, value int, ok bool) {
	from := p
	if p < len(line) && line[p] == '"' && p > 0 {
		p++
	}
	p = skipBlank(line, p)
	if p >= len(line) || line[p] != ',' && line[p] != '{' {
		return jsonPart{}, 0, false
	}
	p = skipBlank(line, p+1)
	if p >= len(line) || line[p] != '"' {
		return jsonPart{}, 0, false
	}
	end := stringEnd(line, p+1)
	if end < 0 {
		return jsonPart{}, 0, false
	}
	kind, _ := classifyTop(line[p+1 : end])
	nested := innerContext(inTop, line[p+1:end]) != inNone
	p = skipBlank(line, end+1)
	if p >= len(line) || line[p] != ':' {
		return jsonPart{}, 0, false
	}
	p = skipBlank(line, p+1)
	if p >= len(line) {
		return jsonPart{}, 0, false
	}
	shape := bare
	switch line[p] {
	case '"':
		shape = inQuotes
		p++
	case '{', '[':
		if nested {
			return jsonPart{}, 0, false
		}
		shape = inBraces
	}
	return jsonPart{string(line[from:p]), kind, shape}, p, true
}

// end returns the position after a value that begins at p, before its closing
// quote, or -1.
func (v valueShape) end(line []byte, p int) int {
	switch v {
	case inQuotes:
		return stringEnd(line, p)
	case inBraces:
		return skipNested(line, p)
	}
	for p < len(line) && line[p] != ',' && line[p] != '}' && line[p] > ' ' {
		p++
	}
	return p
}

// decode reads the time and the level of a line that has the shape.
func (j *jsonShape) decode(line []byte, h *header, r *stampReader) bool {
	p := 0
	for i := range j.parts {
		part := &j.parts[i]
		if len(line)-p < len(part.text) || string(line[p:p+len(part.text)]) != part.text {
			return false
		}
		p += len(part.text)
		end := part.shape.end(line, p)
		if end < 0 {
			return false
		}
		switch part.kind {
		case keyTime:
			if r.read(line[p:], &h.stamp) != end-p && (part.shape == inBraces || !readStampValue(line[p:end], &h.stamp, r)) {
				return false
			}
		case keyLevel:
			if part.shape == inBraces {
				return false
			}
			h.level = jsonLevel(line[p:end], part.shape == inQuotes)
		}
		p = end
	}
	return len(j.parts) > 0 && h.level != NoLevel
}
