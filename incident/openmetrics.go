package incident

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A Label is one label of a series.
type Label struct{ Name, Value string }

// An Exporter collects samples and writes them as OpenMetrics with timestamps,
// which promtool tsdb create-blocks-from openmetrics loads into Prometheus. The
// zero value is empty and ready. It is not safe for concurrent use.
type Exporter struct {
	families map[string]map[string]*exported // by metric name, by written labels
}

// exported are the samples of one series.
type exported struct{ points []exportedPoint }

type exportedPoint struct {
	ms    int64
	value float64
}

// staleMarker are the bits of the NaN with which Prometheus ends a series.
const staleMarker = 0x7ff0000000000002

// Add takes a sample in. labels hold the metric name as __name__ and may be in
// any order; ms is the time in milliseconds since the epoch. Stale markers are
// left out, as OpenMetrics has no form for them. Of two samples of one series
// and time the first is kept.
func (e *Exporter) Add(labels []Label, ms int64, value float64) error {
	if math.Float64bits(value) == staleMarker {
		return nil
	}
	name, rest, err := splitName(labels)
	if err != nil {
		return err
	}
	if e.families == nil {
		e.families = map[string]map[string]*exported{}
	}
	if e.families[name] == nil {
		e.families[name] = map[string]*exported{}
	}
	key := labelText(rest)
	s := e.families[name][key]
	if s == nil {
		s = &exported{}
		e.families[name][key] = s
	}
	s.points = append(s.points, exportedPoint{ms, value})
	return nil
}

func splitName(labels []Label) (name string, rest []Label, err error) {
	for _, l := range labels {
		switch {
		case !utf8.ValidString(l.Name + l.Value):
			return "", nil, fmt.Errorf("label %q has a value that is not UTF-8", l.Name)
		case l.Name == "__name__":
			name = l.Value
		case l.Value != "":
			rest = append(rest, l)
		}
	}
	if name == "" {
		return "", nil, errors.New("a series without a metric name")
	}
	slices.SortFunc(rest, func(a, b Label) int { return strings.Compare(a.Name, b.Name) })
	return name, rest, nil
}

// labelText writes labels as they stand between the braces.
func labelText(labels []Label) string {
	var b strings.Builder
	for i, l := range labels {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(bareOrQuotedName(l.Name, ""))
		b.WriteString(`="` + valueEscaper.Replace(l.Value) + `"`)
	}
	return b.String()
}

// bareOrQuotedName writes a name as it is when it is a classic one, which may
// hold the given extra characters, and in quotes when not.
func bareOrQuotedName(name, extra string) string {
	for i, c := range name {
		letter := c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || strings.ContainsRune(extra, c)
		if !letter && !(i > 0 && c >= '0' && c <= '9') {
			return `"` + valueEscaper.Replace(name) + `"`
		}
	}
	return name
}

// WriteTo writes all samples: by metric name, by labels, by time, and # EOF.
func (e *Exporter) WriteTo(w io.Writer) (int64, error) {
	c := &countingWriter{w: w}
	b := bufio.NewWriterSize(c, 64<<10)
	for _, name := range slices.Sorted(maps.Keys(e.families)) {
		if err := writeFamily(b, name, e.families[name]); err != nil {
			return c.n, err
		}
	}
	if _, err := b.WriteString("# EOF\n"); err != nil {
		return c.n, err
	}
	err := b.Flush()
	return c.n, err
}

func writeFamily(b *bufio.Writer, name string, series map[string]*exported) error {
	written := bareOrQuotedName(name, ":")
	if _, err := fmt.Fprintf(b, "# TYPE %s unknown\n", written); err != nil {
		return err
	}
	for _, key := range slices.Sorted(maps.Keys(series)) {
		if err := writeSeries(b, sampleHead(written, key), series[key].points); err != nil {
			return err
		}
	}
	return nil
}

// sampleHead is what stands before the value: name{labels}, or {"name",labels}.
func sampleHead(written, labels string) string {
	switch {
	case strings.HasPrefix(written, `"`) && labels == "":
		return "{" + written + "}"
	case strings.HasPrefix(written, `"`):
		return "{" + written + "," + labels + "}"
	case labels == "":
		return written
	}
	return written + "{" + labels + "}"
}

func writeSeries(b *bufio.Writer, head string, points []exportedPoint) error {
	sort.SliceStable(points, func(i, j int) bool { return points[i].ms < points[j].ms })
	line := make([]byte, 0, len(head)+48)
	for i, p := range points {
		if i > 0 && p.ms == points[i-1].ms {
			continue
		}
		line = append(append(line[:0], head...), ' ')
		line = appendNumber(line, p.value)
		line = append(line, ' ')
		line = strconv.AppendFloat(line, float64(p.ms)/1000, 'f', 3, 64)
		line = append(line, '\n')
		if _, err := b.Write(line); err != nil {
			return err
		}
	}
	return nil
}

func appendNumber(b []byte, v float64) []byte {
	if math.IsInf(v, 1) {
		return append(b, "+Inf"...)
	}
	return strconv.AppendFloat(b, v, 'g', -1, 64)
}

type countingWriter struct {
	w io.Writer
	n int64
}

func (c *countingWriter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}
