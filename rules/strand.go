package rules

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/capdoctor/capdoctor/series"
)

// A strand is the course of one signal on one target: a value for every tick,
// NaN where there is none.
type strand struct {
	signal string
	labels series.Labels
	kind   StrandKind
	values []float64
}

func (s *strand) instance() string { return s.labels.Get("instance") }

// A strandSpec is a signal that a look back follows.
type strandSpec struct {
	signal string
	kind   StrandKind
}

// strandSpecs are the signals that a look back follows, in the order in which
// trouble travels: who asks, what completes, what waits, what is lost, what is
// busy. Rates are computed anew for every tick, because the windows of the
// rules smear a change over minutes.
var strandSpecs = []strandSpec{
	{"cap:clients", Level},
	{"cap:offered_rate", PerSecond},
	{"cap:goodput_rate", PerSecond},
	{"cap:completed_rate", PerSecond},
	{"cap:waiting", Level},
	{"cap:backlog", Level},
	{"cap:in_flight", Level},
	{"cap:pool_busy", Level},
	{"cap:handler_timeout_count", Count},
	{"cap:expired_count", Count},
	{"cap:failed_rate", PerSecond},
	{"cap:rejected_rate", Count},
	{"cap:throttled_rate", Count},
	{"cap:overflow_rate", Count},
	{"cap:breaker_overflow_rate", Count},
	{"cap:retried_rate", Count},
	{"cap:connection_lost_rate", Count},
	{"cap:connect_failed_rate", Count},
	{eventCount, Count},
	{"cap:cpu_busy_ratio", Level},
	{"cap:gc_ratio", Level},
}

// eventCount counts the lines of any event of a log. Only those that a finding
// speaks of are told.
const eventCount = "cap:event_count"

// spin makes the strands.
func (q *inquiry) spin() error {
	for _, spec := range q.specs() {
		var found []strand
		var err error
		if spec.kind == Level {
			found = q.levels(spec.signal)
		} else if found, err = q.narrow(spec.signal, spec.kind); err != nil {
			return err
		}
		q.strands = append(q.strands, found...)
	}
	q.strands = append(q.strands, q.troubleLines()...)
	return nil
}

// specs are the signals to follow: strandSpecs, and behind the events those that
// count the lines which say one thing, as far as one does.
func (q *inquiry) specs() []strandSpec {
	var specs []strandSpec
	for _, spec := range strandSpecs {
		specs = append(specs, spec)
		if spec.signal != eventCount {
			continue
		}
		for _, signal := range sortedKeys(q.catalog.recordings) {
			if isLines(signal) && q.everPositive(signal) {
				specs = append(specs, strandSpec{signal, Count})
			}
		}
	}
	return specs
}

// isLines tells whether a signal counts the lines that say one thing.
func isLines(signal string) bool { return strings.HasSuffix(signal, "_lines") }

// everPositive tells whether a recorded signal was ever more than 0.
func (q *inquiry) everPositive(signal string) bool {
	for _, s := range q.levels(signal) {
		if s.total(0, len(s.values)) > 0 {
			return true
		}
	}
	return false
}

// levels reads the recorded values of a signal.
func (q *inquiry) levels(signal string) []strand {
	var all []strand
	for _, s := range q.store.Select(signal, q.ticks[0], q.ticks[len(q.ticks)-1]) {
		st := strand{signal: signal, labels: s.Labels, kind: Level, values: q.unknown()}
		for _, p := range s.Points {
			if i, ok := slices.BinarySearch(q.ticks, p.Time); ok {
				st.values[i] = p.Value
			}
		}
		all = append(all, st)
	}
	return all
}

func (q *inquiry) unknown() []float64 {
	values := make([]float64, len(q.ticks))
	for i := range values {
		values[i] = math.NaN()
	}
	return values
}

// narrow evaluates the system rules of a signal with windows that reach from
// one tick to the next.
func (q *inquiry) narrow(signal string, kind StrandKind) ([]strand, error) {
	byLabels := map[string]*strand{}
	for _, r := range q.rulesOf(signal) {
		if !possible(r.expr, q.exists) {
			continue
		}
		for _, s := range q.stretches() {
			for _, part := range q.even(s) {
				if err := q.narrowPart(byLabels, r, kind, part); err != nil {
					return nil, err
				}
			}
		}
	}
	all := make([]strand, 0, len(byLabels))
	for _, key := range sortedKeys(byLabels) {
		all = append(all, *byLabels[key])
	}
	return all, nil
}

// rulesOf lists the rules that make a signal of what inputs supply.
func (q *inquiry) rulesOf(signal string) []*recording {
	var all []*recording
	for _, r := range slices.Concat(q.catalog.recordings[signal], q.goodput) {
		if r.signal == signal && r.isSystem() {
			all = append(all, r)
		}
	}
	return all
}

func (q *inquiry) narrowPart(into map[string]*strand, r *recording, kind StrandKind, part stretch) error {
	ticks := q.ticks[part.from:part.to]
	spacing := q.step
	if len(ticks) > 1 {
		spacing = time.Duration(ticks[1]-ticks[0]) * time.Millisecond
	}
	window := spacing + max(time.Millisecond, spacing/50) // scrapes are never quite on time
	everything := group{windows: everyWindow(window)}
	columns, err := q.query(q.ctx, everything, r.windowed, ticks)
	if err != nil {
		return fmt.Errorf("%s:%d: %w", r.file.path, r.rule.node.Line, err)
	}
	for _, c := range columns {
		l := resultLabels(c.labels(), r.signal, r.labels)
		if r.only != "" && l.Get("instance") != r.only {
			continue
		}
		key := identity(l)
		s := into[key]
		if s == nil {
			s = &strand{signal: r.signal, labels: l, kind: kind, values: q.unknown()}
			into[key] = s
		}
		s.fill(part.from, c.values, spacing)
	}
	return nil
}

// fill puts values in; counts of signals that are rates become numbers of
// events. A value that is there already stays.
func (s *strand) fill(from int, values []float64, spacing time.Duration) {
	factor := 1.0
	if s.kind == Count && isRate(s.signal) {
		factor = spacing.Seconds()
	}
	for i, v := range values {
		if math.IsNaN(s.values[from+i]) {
			s.values[from+i] = v * factor
		}
	}
}

// linesMetric counts the records of a log by level.
const linesMetric = "capdoctor_log_lines_total"

// troubleLines counts the records at warning and above of all logs together.
func (q *inquiry) troubleLines() []strand {
	st := strand{signal: linesMetric, kind: Count, values: q.unknown()}
	for _, s := range q.store.Select(linesMetric, q.ticks[0], q.ticks[len(q.ticks)-1]) {
		if !slices.Contains([]string{"warn", "error", "fatal"}, s.Labels.Get("level")) {
			continue
		}
		before := math.NaN()
		for _, p := range s.Points {
			if i, ok := slices.BinarySearch(q.ticks, p.Time); ok && p.Value >= before {
				st.values[i] = zeroIfUnknown(st.values[i]) + p.Value - before
			}
			before = p.Value
		}
	}
	return []strand{st}
}

func zeroIfUnknown(v float64) float64 {
	if math.IsNaN(v) {
		return 0
	}
	return v
}

// isRate tells whether a signal is per second.
func isRate(signal string) bool { return strings.HasSuffix(signal, "_rate") }

// counts tells whether two strands count the same things, but for what a rate
// over a short window is off.
func (s *strand) counts(other *strand) bool {
	sum, apart := 0.0, 0.0
	for i, v := range s.values {
		sum += zeroIfUnknown(v)
		apart += math.Abs(zeroIfUnknown(v) - zeroIfUnknown(other.values[i]))
	}
	return apart < 0.05*sum
}

// total is the sum of a strand over the ticks [from, to); NaN when none of them
// has a value.
func (s *strand) total(from, to int) float64 {
	sum, any := 0.0, false
	for _, v := range s.values[from:to] {
		if !math.IsNaN(v) {
			sum, any = sum+v, true
		}
	}
	if !any {
		return math.NaN()
	}
	return sum
}

// median is the median of the known values, or NaN.
func median(values []float64) float64 {
	known := slices.DeleteFunc(slices.Clone(values), math.IsNaN)
	if len(known) == 0 {
		return math.NaN()
	}
	slices.SortFunc(known, cmp.Compare[float64])
	n := len(known)
	return (known[(n-1)/2] + known[n/2]) / 2
}

// typical is what a strand came to over the ticks [from, to): the sum of counts,
// the median of levels, and of rates the median of their means by the minute,
// because a slow program completes something in some seconds only.
func (q *inquiry) typical(s *strand, from, to int) float64 {
	if s.kind == Count {
		return s.total(from, to)
	}
	if s.kind == Level {
		return median(s.values[from:to])
	}
	var means []float64
	for _, b := range q.bins(s, from, to, time.Minute) {
		means = append(means, b.value)
	}
	return median(means)
}
