package report

import (
	"io"
	"math"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/prometheus/common/model"

	"github.com/capdoctor/capdoctor/rules"
)

// SchemaVersion is the version of the JSON form, as docs/report.schema.json has
// it. It grows when a field goes away or changes its meaning; new fields may
// come at any time.
const SchemaVersion = 1

// JSON writes a report as one JSON document that docs/report.schema.json
// describes. Unknown and infinite numbers are null, times RFC 3339 in o.Zone,
// durations seconds. Characters that a terminal would obey are escaped. The
// only error is one of w.
func JSON(w io.Writer, r *rules.Report, o Options) error {
	return writeJSON(w, newDocument(r, o))
}

// escapeJSON writes all that is not printable as an escape. Such characters can
// stand inside strings only, where the escape means the same.
func escapeJSON(doc []byte) []byte {
	out := make([]byte, 0, len(doc))
	for i := 0; i < len(doc); {
		r, size := utf8.DecodeRune(doc[i:])
		if r == '\n' || r < utf8.RuneSelf && r != 0x7f || unicode.IsPrint(r) {
			out = append(out, doc[i:i+size]...)
		} else {
			out = appendUTF16(out, r)
		}
		i += size
	}
	return out
}

// number is null where it is not known or has no end.
func number(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}

// moment is null where it is not known.
func (d documenter) moment(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	s := t.In(d.clock.zone).Format(time.RFC3339Nano)
	return &s
}

func labels(m model.Metric) map[string]string {
	out := make(map[string]string, len(m))
	for name, value := range m {
		out[string(name)] = string(value)
	}
	return out
}

// list is never null.
func list[T any](in []T) []T {
	if in == nil {
		return []T{}
	}
	return in
}

func each[T, U any](in []T, f func(T) U) []U {
	out := make([]U, 0, len(in))
	for _, v := range in {
		out = append(out, f(v))
	}
	return out
}
