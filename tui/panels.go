package tui

import (
	"fmt"
	"math"
	"strings"

	"github.com/prometheus/common/model"

	"github.com/capdoctor/capdoctor/rules"
	"github.com/capdoctor/capdoctor/series"
)

// gaugesBlock is the bars of a target and what else bounds its work.
func (s *scene) gaugesBlock(name string, columns, most int) block {
	lines := gaugesOf(resourcesOf(s.signalsOf(name)))
	if v := s.vitals(name); most > len(lines) {
		lines = append(workGauges(v), lines...)
	}
	lines = lines[:min(most, len(lines))]
	label := 0
	for _, l := range lines {
		label = max(label, min(22, width(l.name)))
	}
	bar := min(32, max(8, columns-label-48))
	var rows []row
	for _, l := range lines {
		p := s.theme.pen(columns).put(plain, "  ").name(plain, l.name, label).put(plain, " ")
		if math.IsNaN(l.gauge.most) {
			p.space(bar)
		} else {
			p.raw(plain, s.theme.gauge(l.gauge, bar))
		}
		p.put(plain, "  "+l.text)
		if l.binding && p.max-p.w >= len("  ◄ binding") {
			p.right(strong, "◄ binding")
		} else if l.binding {
			p.put(strong, " ◄")
		}
		rows = append(rows, p.row())
	}
	least := min(2, len(rows))
	for _, l := range joinFitting(s.counters(name), "   ", columns-2) {
		rows = append(rows, s.theme.text(columns, plain, "  "+l))
	}
	return block{heading: s.theme.heading(columns, "Limits and load", name), want: len(rows), least: least, draw: func(height int) []row { return rows[:height] }}
}

// signalsOf are the signals of a target, once they are read.
func (s *scene) signalsOf(name string) []signal {
	if s.reading.target != name {
		return nil
	}
	return s.reading.signals
}

// counterSignals are what counters shows.
var counterSignals = []string{"cap:expired_count", "cap:rejected_rate", "cap:retried_rate", "cap:cpu_throttled_ratio"}

// counters are the events of a target that have no bar, each with its unknown
// named.
func (s *scene) counters(name string) []string {
	sums := map[string]float64{}
	for _, sig := range s.signalsOf(name) {
		sums[sig.name()] += sig.now
	}
	part := func(title, signal, unit string) string {
		if v, ok := sums[signal]; ok {
			return title + " " + rules.Value(v, unit)
		}
		return title + " ? no meter"
	}
	return []string{
		part("expired in 5 min", "cap:expired_count", "1"), part("refused", "cap:rejected_rate", "1/s"),
		part("retried", "cap:retried_rate", "1/s"), part("CPU throttled", "cap:cpu_throttled_ratio", "ratio"),
	}
}

// loadBlock is how a target does when nothing fires on it.
func (s *scene) loadBlock(name string, columns int) block {
	const value, leastSpark, mostSpark = 12, 14, 60
	shown := shownSignals(s.signalsOf(name))
	label := 16
	for _, sig := range shown {
		label = max(label, min(34, width(signalTitle(s, sig))))
	}
	spark := min(mostSpark, columns-2-label-value-4)
	if spark < leastSpark {
		label, spark = max(12, label-(leastSpark-spark)), leastSpark
	}
	var rows []row
	for _, sig := range shown {
		p := s.theme.pen(columns).put(plain, "  ").name(plain, signalTitle(s, sig), label)
		p.num(plain, rules.Value(sig.now, s.unit(sig.name())), value).put(plain, " "+measure{sig.now, sig.ago}.trend()+"  ")
		rows = append(rows, p.raw(plain, s.theme.spark(s.reading.charts[signalChart(sig)], min(spark, p.max-p.w))).row())
	}
	if len(rows) == 0 {
		rows = s.theme.prose(columns, 2, note, "No signal of "+name+" yet. capdoctor knows a system by its metrics; screen 5 shows all that was read.")
	}
	return s.theme.rowsBlock(s.theme.heading(columns, "Load of "+name), min(3, len(rows)), rows)
}

// signalTitle is "requests waiting (bus)".
func signalTitle(s *scene, sig signal) string {
	title := s.title(sig.name())
	if res := sig.labels.Get("resource"); res != "" {
		title += " (" + res + ")"
	}
	return title
}

// signalChart is the chart of a signal. Its name stands among the labels, because
// not every name can stand before them.
func signalChart(sig signal) chartKey {
	labels := model.Metric{}
	sig.labels.Range(func(l series.Label) {
		if l.Name != model.MetricNameLabel {
			labels[model.LabelName(l.Name)] = model.LabelValue(l.Value)
		}
	})
	text := labels.String()
	return chartKey{expr: fmt.Sprintf("{__name__=%q,%s", sig.name(), strings.TrimPrefix(text, "{")), labels: text}
}

// loadSignals are what a person looks for first, in order.
var loadSignals = []string{
	"cap:goodput_rate", "cap:completed_rate", "cap:waiting", "cap:pool_busy", "cap:in_flight", "cap:expired_count",
	"cap:cpu_busy_ratio", "cap:gc_ratio", "cap:latency_seconds", "cap:backlog", "cap:db_active", "cap:db_lock_waiting",
}

// shownSignals are the signals of loadSignals, in that order.
func shownSignals(signals []signal) []signal {
	const most = 14
	var out []signal
	for _, name := range loadSignals {
		for _, sig := range signals {
			if sig.name() == name && len(out) < most {
				out = append(out, sig)
			}
		}
	}
	return out
}

// looksRows are the look-alikes that the numbers exclude, one a row.
func (s *scene) looksRows(f *rules.Finding, width int) []row {
	var rows []row
	seen := map[string]bool{}
	for _, l := range f.RuledOut {
		if seen[l.ID] {
			continue
		}
		seen[l.ID] = true
		p := s.theme.pen(width).put(plain, "  ").name(plain, l.ID, 22).put(plain, " ").put(plain, amount(l.Evidence))
		rows = append(rows, p.row())
	}
	return rows
}

// amount is an observed value, the number first: "0 requests", "0.7 % CPU busy".
func amount(e rules.Evidence) string {
	if math.IsNaN(e.Observed) {
		return titleOf(e)
	}
	switch value := rules.Value(e.Observed, e.Unit); e.Unit {
	case "ratio", "1/s", "s", "s/s", "bytes", "1", "":
		return value + " " + titleOf(e)
	default:
		return value + " " + e.Unit
	}
}

// openRows are the look-alikes that could not be judged, and why.
func (s *scene) openRows(f *rules.Finding, width int) []row {
	var rows []row
	seen := map[string]bool{}
	for _, m := range f.NotRuledOut {
		if seen[m.ID] {
			continue
		}
		seen[m.ID] = true
		p := s.theme.pen(width).put(doubtful, "? ").name(plain, m.ID, 22).put(plain, " ").put(note, "no "+meterOf(m))
		rows = append(rows, p.row())
	}
	return rows
}

// inputRows account for what was read.
func (s *scene) inputRows(width int) []row {
	var scrapes, failed, logs, targets int
	var lines, records, unparsed, bytes int64
	var interval float64
	for _, in := range s.report().Inputs {
		if in.Kind == "log" {
			logs++
		} else {
			targets++
			interval = math.Max(interval, in.Interval.Seconds())
		}
		scrapes, failed, bytes = scrapes+in.Scrapes, failed+in.Failed, bytes+in.Bytes
		lines, records, unparsed = lines+in.Lines, records+in.Records, unparsed+in.Unparsed
	}
	line := func(head, text string) row {
		return s.theme.pen(width).put(plain, "  ").cell(note, head, 9).put(plain, text).row()
	}
	rows := []row{line("scrapes", fmt.Sprintf("%d of %d ok, every %s", scrapes-failed, scrapes, rules.Value(interval, "s")))}
	rows = append(rows, line("cost", fmt.Sprintf("%s, %s", plural(scrapes, "request", "requests"), rules.Bytes(float64(bytes)))))
	if logs > 0 {
		rows = append(rows, line("logs", fmt.Sprintf("%d read, %d lines", logs, lines)), line("", fmt.Sprintf("%d records, %d unparsed", records, unparsed)))
	} else {
		rows = append(rows, line("logs", "none given: --log FILE"))
	}
	return rows
}
