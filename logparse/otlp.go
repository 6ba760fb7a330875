package logparse

import "bytes"

// otlpDecoder reads the JSON lines that the file exporter of the OpenTelemetry
// collector writes. One line holds many records; header.rest says where the
// next one begins.
type otlpDecoder struct{}

func (otlpDecoder) decode(line []byte, h *header, r *stampReader) bool {
	if !bytes.HasPrefix(line, []byte(`{"resourceLogs"`)) && !bytes.HasPrefix(line, []byte(`{"timeUnixNano"`)) &&
		!bytes.HasPrefix(line, []byte(`{"observedTimeUnixNano"`)) {
		return false
	}
	start := otlpRecord(line)
	if start < 0 {
		return false
	}
	w := jsonWalk{b: line, h: h, r: r}
	end := w.object(start+1, inRecord, 0)
	if h.stamp.has == 0 {
		return false
	}
	if end > 0 {
		if next := otlpRecord(line[end:]); next >= 0 {
			h.rest = end + next
		}
	}
	return true
}

// otlpRecord returns the position of the first log record in b, -1 for none.
func otlpRecord(b []byte) int {
	const time, observed = `{"timeUnixNano"`, `{"observedTimeUnixNano"`
	common := []byte(`imeUnixNano"`)
	for from := 0; ; {
		i := bytes.Index(b[from:], common)
		if i < 0 {
			return -1
		}
		end := from + i + len(common)
		switch {
		case bytes.HasSuffix(b[:end], []byte(time)):
			return end - len(time)
		case bytes.HasSuffix(b[:end], []byte(observed)):
			return end - len(observed)
		}
		from = end
	}
}
