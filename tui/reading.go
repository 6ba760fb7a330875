package tui

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/common/model"

	"github.com/capdoctor/capdoctor/rules"
	"github.com/capdoctor/capdoctor/series"
)

// chartPoints is how many values a chart is drawn from, at most: one a second.
const chartPoints = 120

// before is how far back the value lies that a present one is compared with:
// one short window.
const before = rules.ShortWindow

// A want names what the screen at hand needs to know beside its frame. It is
// read by a command, so that drawing never waits.
type want struct {
	at     time.Time
	from   time.Time // of charts
	target string
	all    bool // every signal of the target, not only what panels show
	raw    bool // the raw metrics of the target as well
	charts []chartKey
	logs   logWant
	steps  []watched
}

// A chartKey is one line of a chart: an expression, and the labels of the series
// wanted among its results; no labels take the first one.
type chartKey struct{ expr, labels string }

// A logWant asks for log lines; the zero value asks for none.
type logWant struct {
	on       bool
	instance string
	filter   string
	most     int
}

func (w want) equal(v want) bool {
	return w.at.Equal(v.at) && w.from.Equal(v.from) && w.target == v.target && w.all == v.all && w.raw == v.raw &&
		slices.Equal(w.charts, v.charts) && w.logs == v.logs && slices.Equal(w.steps, v.steps)
}

// A reading is what was read for a want.
type reading struct {
	want
	fleet   map[string]vitals // by instance
	signals []signal          // of the target: cap:* and capdoctor_*, by name and labels
	raws    []signal
	charts  map[chartKey][]float64 // at most chartPoints values, the newest last
	lines   []rules.Line
	events  []signal             // log events of the last five minutes
	steps   map[watched]progress // by what is watched
}

// A signal is a series with its present value and that of a short window ago.
type signal struct {
	labels   series.Labels
	now, ago float64 // NaN unknown
}

func (s signal) name() string { return s.labels.Get("__name__") }

// A reader reads from the store.
type reader struct {
	store *series.Store
	lines func(instance, filter string, max int) []rules.Line
}

// read answers a want. What cannot be read is missing from the answer and shown
// as unknown.
func (r reader) read(ctx context.Context, w want) reading {
	out := reading{want: w, charts: map[chartKey][]float64{}, steps: map[watched]progress{}}
	out.fleet = r.fleet(ctx, w.at)
	if w.target != "" {
		out.signals = r.of(ctx, w.target, w.at, r.names(w))
	}
	if w.raw {
		out.raws = r.of(ctx, w.target, w.at, slices.DeleteFunc(r.store.Names(), isSignal))
	}
	for _, key := range w.charts {
		if _, read := out.charts[key]; !read { // rows and bars can show one signal
			out.charts[key] = r.chart(ctx, key, w.from, w.at)
		}
	}
	for _, s := range w.steps {
		out.steps[s] = r.progress(ctx, s, w.at)
	}
	if w.logs.on {
		out.events = r.signals(ctx, "increase(capdoctor_log_events_total[5m]) > 0", w.at, false)
		if r.lines != nil {
			out.lines = linesUntil(r.lines(w.logs.instance, w.logs.filter, w.logs.most), w.at)
		}
	}
	return out
}

// linesUntil leaves out what was written after the moment on the screen.
func linesUntil(lines []rules.Line, at time.Time) []rules.Line {
	return slices.DeleteFunc(slices.Clone(lines), func(l rules.Line) bool { return l.Time.After(at) })
}

// names are the signals that a want is about, sorted.
func (r reader) names(w want) []string {
	if w.all {
		return slices.DeleteFunc(r.store.Names(), func(name string) bool { return !isSignal(name) })
	}
	return slices.DeleteFunc(panelSignals(), func(name string) bool { return !r.store.Has(name) })
}

// isSignal tells whether a metric name belongs to the vocabulary.
func isSignal(name string) bool {
	return strings.HasPrefix(name, "cap:") || strings.HasPrefix(name, "capdoctor_")
}

// panelSignals are the names of what panels show of a target, sorted.
func panelSignals() []string {
	names := slices.Concat(loadSignals, slices.Collect(maps.Keys(resourceFields)))
	for _, c := range counterSignals {
		names = append(names, c.signal)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// of reads series of one target, name by name: the store finds a name at once, and
// does not have to look at what other targets have.
func (r reader) of(ctx context.Context, target string, at time.Time, names []string) []signal {
	var out []signal
	for _, name := range names {
		out = append(out, r.signals(ctx, fmt.Sprintf("{__name__=%q,instance=%q}", name, target), at, true)...)
	}
	return out
}

// signals evaluates an expression now and, where a trend is wanted, a short window
// ago.
func (r reader) signals(ctx context.Context, expr string, at time.Time, trend bool) []signal {
	now, _ := r.store.Instant(ctx, series.View{}, expr, at.UnixMilli())
	earlier := map[uint64]float64{}
	if trend && len(now) > 0 {
		ago, _ := r.store.Instant(ctx, series.View{}, expr, at.Add(-before).UnixMilli())
		for _, s := range ago {
			earlier[s.Labels.Hash()] = s.Value
		}
	}
	out := make([]signal, len(now))
	for i, s := range now {
		out[i] = signal{labels: s.Labels, now: s.Value, ago: math.NaN()}
		if v, ok := earlier[s.Labels.Hash()]; ok {
			out[i].ago = v
		}
	}
	return out
}

// chart evaluates an expression at times between from and at. It is nil when
// there is no such series.
func (r reader) chart(ctx context.Context, key chartKey, from, at time.Time) []float64 {
	span := at.Sub(from).Milliseconds()
	step := max(time.Second.Milliseconds(), span/(chartPoints-1))
	points := min(chartPoints, max(0, span)/step+1)
	start := at.UnixMilli() - step*(points-1)
	found, err := r.store.Range(ctx, series.View{}, key.expr, start, at.UnixMilli(), step)
	if err != nil {
		return nil
	}
	i := slices.IndexFunc(found, func(s series.Series) bool { return key.labels == "" || key.labels == labelsText(s.Labels) })
	if i < 0 {
		return nil
	}
	values := make([]float64, points)
	for k := range values {
		values[k] = math.NaN()
	}
	for _, p := range found[i].Points {
		values[(p.Time-start)/step] = p.Value
	}
	return values
}

// labelsText writes labels without the metric name, so that series of an
// expression can be told apart.
func labelsText(l series.Labels) string {
	m := model.Metric{}
	l.Range(func(l series.Label) {
		if l.Name != model.MetricNameLabel {
			m[model.LabelName(l.Name)] = model.LabelValue(l.Value)
		}
	})
	return m.String()
}

// evidenceChart is the chart of what a condition observed.
func evidenceChart(e rules.Evidence) chartKey {
	left, _, ok := strings.Cut(e.Expr, " "+e.Op+" ")
	if !ok || e.Signal == "" {
		return chartKey{}
	}
	labels := model.Metric{}
	for name, value := range e.Labels {
		if name != model.MetricNameLabel {
			labels[name] = value
		}
	}
	return chartKey{expr: narrowed(left, e.Signal, labels), labels: labels.String()}
}

// narrowed adds labels to the selector of a signal in an expression, so that
// one target's series are evaluated and not those of all.
func narrowed(expr, signal string, labels model.Metric) string {
	if len(labels) == 0 {
		return expr
	}
	at := strings.Index(expr, signal)
	if at < 0 {
		return expr
	}
	head, rest := expr[:at+len(signal)], expr[at+len(signal):]
	inner := strings.TrimSuffix(strings.TrimPrefix(labels.String(), "{"), "}")
	if strings.HasPrefix(rest, "{") {
		return head + "{" + inner + "," + rest[1:]
	}
	return head + "{" + inner + "}" + rest
}

// selector is a signal with labels.
func selector(signal string, labels model.Metric) string {
	return narrowed(signal, signal, labels)
}
