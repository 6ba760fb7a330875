package series

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/prometheus/promql/parser"
)

// Tests write series in Prometheus' own notation: a value per round, "_" where
// the page does not have the series.

const interval = 10 * time.Second

// described is one series of the notation.
type described struct {
	labels Labels
	values []parser.SequenceValue
}

func describe(t testing.TB, line string) described {
	t.Helper()
	l, values, err := parser.NewParser(parser.Options{}).ParseSeriesDesc(line)
	if err != nil {
		t.Fatalf("%q: %s", line, err)
	}
	return described{l, values}
}

// feed ingests one batch for every letter of rounds, an interval apart from
// second start on: "." is a good one, "x" a failed one, "-" none at all.
func feed(t testing.TB, s *Store, id SourceID, start int, rounds string, lines ...string) Appended {
	t.Helper()
	var all []described
	for _, line := range lines {
		all = append(all, describe(t, line))
	}
	var got Appended
	for i, letter := range rounds {
		b := Batch{Source: id, Time: seconds(start) + int64(i)*interval.Milliseconds(), Failed: letter == 'x'}
		for _, d := range all {
			if i < len(d.values) && !d.values[i].Omitted {
				b.Samples = append(b.Samples, Sample{Labels: d.labels, Value: d.values[i].Value})
			}
		}
		if letter != '-' {
			got.add(s.Ingest(b))
		}
	}
	return got
}

// stored writes the points of every series of a metric, stale markers included,
// as "second:value".
func stored(s *Store, name string) string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var lines []string
	for _, m := range s.byName[name].series() {
		line := m.labels.String()
		for i := m.head; i < len(m.times); i++ {
			if v := m.values[i]; IsStale(v) {
				line += fmt.Sprintf(" %d:stale", m.times[i]/1000)
			} else {
				line += fmt.Sprintf(" %d:%g", m.times[i]/1000, v)
			}
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

func seconds(n int) int64 { return int64(n) * 1000 }

// newSource returns a store with one source of a kind.
func newSource(o Options, kind Kind) (*Store, SourceID) {
	s := New(o)
	return s, s.AddSource(Source{Instance: "app", Kind: kind, Interval: interval})
}
