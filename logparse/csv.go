package logparse

import "bytes"

// csvDecoder reads the csvlog of PostgreSQL: time, user, database, process,
// client, session, line, command, session start, virtual transaction,
// transaction, severity, code, message, detail ...
type csvDecoder struct{}

// Positions of the fields of csvlog.
const (
	csvSeverity = 11
	csvMessage  = 13
)

func (csvDecoder) decode(line []byte, h *header, r *stampReader) bool {
	p := r.read(line, &h.stamp)
	if p == 0 || p >= len(line) || line[p] != ',' {
		return false
	}
	for i := 1; i <= csvMessage; i++ {
		p++
		s, next, ok := csvField(line, p)
		if !ok {
			return i == csvMessage && h.setMessage(s)
		}
		switch i {
		case 1, 2:
			h.source = s
		case csvSeverity:
			if n := matchPgLevel(s.of(line), h); n < 0 {
				return false
			}
		case csvMessage:
			return h.setMessage(s)
		}
		if p = next; p >= len(line) || line[p] != ',' {
			return false
		}
	}
	return false
}

func (h *header) setMessage(s span) bool {
	h.message = s
	return true
}

// csvField returns the field at p without its quotes and the position after it;
// not ok means that its closing quote is in a later line.
func csvField(line []byte, p int) (s span, next int, ok bool) {
	if p < len(line) && line[p] == '"' {
		for end := p + 1; end < len(line); end++ {
			if line[end] != '"' {
				continue
			}
			if end+1 < len(line) && line[end+1] == '"' {
				end++
				continue
			}
			return span{p + 1, end}, end + 1, true
		}
		return span{min(p+1, len(line)), len(line)}, len(line), false
	}
	end := bytes.IndexByte(line[min(p, len(line)):], ',')
	if end < 0 {
		return span{p, len(line)}, len(line), true
	}
	return span{p, p + end}, p + end, true
}
