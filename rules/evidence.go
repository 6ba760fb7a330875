package rules

import (
	"context"
	"fmt"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/common/model"

	"github.com/capdoctor/capdoctor/series"
)

// evidence lists the conditions of a variant as they were judged on a subject.
func (j *Judge) evidence(ctx context.Context, v *variant, subject *row, i int) []Evidence {
	var all []Evidence
	for n, c := range v.form.conditions {
		all = append(all, j.conditionEvidence(ctx, c, n == 0, subject, i)...)
	}
	tellApart(all)
	return all
}

// tellApart adds to equal titles what the rows differ in.
func tellApart(all []Evidence) {
	count := map[string]int{}
	for _, e := range all {
		count[e.Title]++
	}
	for i, e := range all {
		if count[e.Title] > 1 {
			all[i].Title = titleOfKind(e.Title, e.kind)
		}
	}
}

// conditionEvidence is the row that decided a condition; of alternatives all
// that hold, else the first one.
func (j *Judge) conditionEvidence(ctx context.Context, c *condition, first bool, subject *row, i int) []Evidence {
	var held, other []Evidence
	for _, cmp := range c.comparisons {
		r := decisive(j.now.rowsFor(cmp, c.on, first, subject, i), i)
		e := j.comparisonEvidence(ctx, cmp, r, i)
		e.Role = Required
		if c.unless {
			e.Role = Excluded
		}
		if r != nil && r.truth[i] == yes {
			held = append(held, e)
		} else {
			other = append(other, e)
		}
	}
	if len(held) > 0 {
		return held
	}
	slices.SortStableFunc(other, func(a, b Evidence) int { return missingLast(a) - missingLast(b) })
	return other[:1]
}

func missingLast(e Evidence) int {
	if e.State == Absent {
		return 1
	}
	return 0
}

// decisive picks the row that made a condition what it is: the first that is
// most true; nil when there is none.
func decisive(rows iter.Seq[*row], i int) *row {
	var best *row
	for r := range rows {
		if best == nil || r.truth[i] == yes && best.truth[i] != yes || r.truth[i] != gone && best.truth[i] == gone {
			best = r
		}
	}
	return best
}

var truthStates = map[truth]string{yes: Holds, no: Fails, gone: Absent, unseen: NoClear}

func (j *Judge) comparisonEvidence(ctx context.Context, c *comparison, r *row, i int) Evidence {
	e := Evidence{Signal: c.observed.signal, Title: c.observed.signal, Expr: c.text, Op: c.op, Observed: math.NaN(), Threshold: math.NaN(), State: Absent}
	if c.threshold.text == "" {
		e.Threshold = c.factor
	}
	if s := j.catalog.signals[e.Signal]; s != nil {
		e.Title, e.Unit, e.kind = j.catalog.title(e.Signal, r.system())+c.observed.span(), s.Unit, c.observed.matchers["kind"]
	}
	if r == nil {
		return e
	}
	e.Labels = metric(r.labels)
	e.Observed, e.Threshold = r.observed[i], r.threshold[i]
	e.State = truthStates[r.truth[i]]
	e.More = j.more(c, e, r.labels)
	e.Lines = j.lines(e.Signal, e.Labels, j.at())
	e.Origin = j.origin(ctx, c.threshold.signal, e.Labels)
	if e.Origin == "" {
		e.Origin = j.origin(ctx, c.observed.signal, e.Labels)
	}
	return e
}

// titleOfKind is a title with the kind that it is about, unless it says so:
// "requests expired", "correlations expired", "waiting (threads)".
func titleOfKind(title, kind string) string {
	switch {
	case kind == "" || strings.Contains(title, kind):
		return title
	case kind == "correlations" && strings.Contains(title, "requests"):
		return strings.Replace(title, "requests", kind, 1)
	}
	return title + " (" + kind + ")"
}

// span says what was taken over time, and over how much: an operand that is not
// the present value must not read like one.
func (o operand) span() string {
	name, ok := overTimeNames[o.overTime]
	if !ok {
		return ""
	}
	return ", " + name + " in " + Duration(o.over)
}

var overTimeNames = map[string]string{
	"max_over_time": "most", "min_over_time": "least", "avg_over_time": "mean", "sum_over_time": "sum",
	"count_over_time": "count", "last_over_time": "last",
}

// more is context in a few words: the events behind a small rate, and what a
// relative threshold is relative to.
func (j *Judge) more(c *comparison, e Evidence, l series.Labels) string {
	var parts []string
	if e.Unit == "1/s" && e.Observed > 0 {
		if text := CountIn(e.Observed, j.rateOver(c.observed, l).Round(time.Second)); text != "" {
			parts = append(parts, text)
		}
	}
	if c.threshold.text != "" && c.factor != 1 && e.Threshold > 0 {
		parts = append(parts, fmt.Sprintf("%s of %s", Percent(c.factor), Value(e.Threshold/c.factor, e.Unit)))
	}
	return strings.Join(parts, "; ")
}

// rateOver is the time in which the events behind a rate happened: its window
// without the half interval that makes rate() exact.
func (j *Judge) rateOver(o operand, l series.Labels) time.Duration {
	if d := j.countedOver(j.now.plan, o, l); d > 0 {
		return d
	}
	return j.now.plan.of(l.Get("instance")).shortSpan()
}

// origin says where a signal comes from that has more than one possible source:
// who stated the fact that it copies, or which of its alternatives it equals.
func (j *Judge) origin(ctx context.Context, signal string, labels model.Metric) string {
	system := string(labels["system"])
	for _, r := range j.catalog.recordings[signal] {
		if r.isSystem() || j.catalog.records(system, signal) {
			continue
		}
		for _, s := range selectors(r.expr) {
			if fact := equalities(s)["fact"]; s.Name == "cap:fact" && fact != "" {
				return j.factOrigin(ctx, fact, string(labels["instance"]))
			}
		}
		if s := j.catalog.signals[signal]; s != nil && s.Baseline {
			return j.alternative(ctx, r, signal, labels)
		}
	}
	return ""
}

// records tells whether a system has a rule of its own for a signal.
func (c *Catalog) records(system, signal string) bool {
	return system != "" && slices.ContainsFunc(c.recordings[signal], func(r *recording) bool {
		return r.isSystem() && r.labels["system"] == system
	})
}

func (j *Judge) factOrigin(ctx context.Context, fact, instance string) string {
	expr := fmt.Sprintf("cap:fact{fact=%q}", fact)
	if instance != "" {
		expr = fmt.Sprintf("cap:fact{fact=%q,instance=%q}", fact, instance)
	}
	found, err := j.instant(ctx, expr)
	if err != nil || len(found) == 0 {
		return ""
	}
	return found[0].Labels.Get("origin")
}

// alternative is the title of the signal, among those a rule chooses from, that
// has the value of the result.
func (j *Judge) alternative(ctx context.Context, r *recording, signal string, labels model.Metric) string {
	want, ok := j.valueOf(ctx, signal, labels)
	if !ok {
		return ""
	}
	for _, s := range selectors(r.expr) {
		if v, ok := j.valueOf(ctx, s.Name, labels); ok && v == want {
			if sig := j.catalog.signals[s.Name]; sig != nil {
				return sig.Title
			}
		}
	}
	return ""
}

// valueOf is the present value of a signal with these labels.
func (j *Judge) valueOf(ctx context.Context, signal string, labels model.Metric) (float64, bool) {
	found, err := j.instant(ctx, selector(signal, labels))
	if err != nil || len(found) == 0 {
		return 0, false
	}
	return found[0].Value, true
}

// selector writes a selector with quoted values.
func selector(signal string, labels model.Metric) string {
	names := make([]string, 0, len(labels))
	for name := range labels {
		names = append(names, string(name))
	}
	slices.Sort(names)
	text := signal + "{"
	for i, name := range names {
		if i > 0 {
			text += ","
		}
		value := string(labels[model.LabelName(name)])
		if !model.LegacyValidation.IsValidLabelName(name) {
			name = strconv.Quote(name)
		}
		text += fmt.Sprintf("%s=%q", name, value)
	}
	return text + "}"
}

// at is the last tick.
func (j *Judge) at() int64 { return j.now.ticks[j.i] }
