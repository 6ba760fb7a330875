package logparse

import "bytes"

// dockerDecoder reads the lines of Docker's json-file driver:
//
//	{"log":"text\n","stream":"stdout","time":"2026-03-02T10:15:31.004Z"}
//
// A text without a newline at its end goes on in the next line of the stream.
type dockerDecoder struct{}

func (dockerDecoder) decode(line []byte, h *header, r *stampReader) bool {
	p := skipBlank(line, 1)
	if len(line) < 20 || p+5 >= len(line) || string(line[p:p+5]) != `"log"` {
		return false
	}
	p = skipBlank(line, p+5)
	if p >= len(line) || line[p] != ':' {
		return false
	}
	p = skipBlank(line, p+1)
	if p >= len(line) || line[p] != '"' {
		return false
	}
	end := stringEnd(line, p+1)
	if end < 0 || !dockerRest(line, end+1, h, r) {
		return false
	}
	h.message, h.escaped = span{p + 1, end}, true
	h.partial = !bytes.HasSuffix(line[p+1:end], []byte(`\n`))
	return true
}

// dockerRest reads the stream and the time that follow the text.
func dockerRest(line []byte, p int, h *header, r *stampReader) bool {
	rest := line[p:]
	if i := bytes.Index(rest, []byte(`"stream"`)); i >= 0 {
		if v, ok := quotedAfter(rest, i+8); ok {
			h.source = v.shift(p)
		}
	}
	i := bytes.LastIndex(rest, []byte(`"time"`))
	if i < 0 {
		return false
	}
	v, ok := quotedAfter(rest, i+6)
	return ok && readStampValue(v.of(rest), &h.stamp, r)
}

// quotedAfter returns the inside of the string after the colon at p.
func quotedAfter(b []byte, p int) (span, bool) {
	p = skipBlank(b, p)
	if p >= len(b) || b[p] != ':' {
		return span{}, false
	}
	p = skipBlank(b, p+1)
	if p >= len(b) || b[p] != '"' {
		return span{}, false
	}
	end := stringEnd(b, p+1)
	return span{p + 1, end}, end >= 0
}
