package tui

import (
	"fmt"
	"math"
	"strings"

	"github.com/capdoctor/capdoctor/rules"
)

// mostGauges is how many bars a screen shows.
const mostGauges = 12

// wantGauges asks for how the bars of the target in detail went so far.
func (s *scene) wantGauges(w *want) {
	for _, l := range s.gauges(w.target, mostGauges) {
		w.charts = append(w.charts, l.chart)
	}
}

// gauges are at most that many bars of a target: of its work where there is room,
// and of what bounds it.
func (s *scene) gauges(name string, most int) []gaugeLine {
	lines := gaugesOf(s.used(name))
	if most > len(lines) {
		lines = append(s.workGauges(name), lines...)
	}
	return lines[:min(most, len(lines))]
}

// gaugesBlock is the bars of a target and what else bounds its work.
func (s *scene) gaugesBlock(name string, columns, most int) block {
	lines := s.gauges(name, most)
	c := gaugeColumns(lines, columns)
	var rows []row
	for _, l := range lines {
		p := s.theme.pen(columns).put(plain, "  ").name(plain, l.name, c.label).put(plain, " ")
		if math.IsNaN(l.gauge.most) {
			p.space(c.bar)
		} else {
			p.raw(plain, s.theme.gauge(l.gauge, c.bar))
		}
		p.put(plain, "  "+l.text)
		if c.spark > 0 {
			p.tab(c.sparkAt).raw(plain, s.theme.spark(s.reading.charts[l.chart], c.spark))
		}
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

// gaugeLayout is the widths of a block of bars; spark is 0 where none fits.
type gaugeLayout struct{ label, bar, sparkAt, spark int }

// gaugeColumns takes from the bars, down to a least width, what room the history
// of each lacks.
func gaugeColumns(lines []gaugeLine, columns int) gaugeLayout {
	const leastBar, leastSpark, mostSpark = 12, 8, 24
	var c gaugeLayout
	text, mark := 0, 0
	for _, l := range lines {
		c.label = max(c.label, min(22, width(l.name)))
		text = max(text, width(l.text))
		if l.binding {
			mark = len(" <")
		}
	}
	c.bar = min(32, max(8, columns-c.label-48))
	frame := 2 + c.label + 1 + 2 + text + 2 // all but bar, spark and mark
	room := columns - frame - c.bar - mark
	if lacks := leastSpark - room; lacks > 0 && c.bar-lacks >= leastBar {
		c.bar, room = c.bar-lacks, leastSpark
	}
	c.sparkAt = frame + c.bar
	if room >= leastSpark {
		c.spark = min(mostSpark, room)
	}
	return c
}

// signalsOf are the signals of a target, once they are read.
func (s *scene) signalsOf(name string) []signal {
	if s.reading.target != name {
		return nil
	}
	return s.reading.signals
}

// counterSignals are what counters shows.
var counterSignals = [...]struct{ signal, title, unit string }{
	{"cap:expired_count", "expired in 5 min", "1"}, {"cap:rejected_rate", "refused", "1/s"},
	{"cap:retried_rate", "retried", "1/s"}, {"cap:cpu_throttled_ratio", "CPU throttled", "ratio"},
}

// counters are the events of a target that have no bar; those that nothing counts
// are named.
func (s *scene) counters(name string) []string {
	sums := map[string]float64{}
	for _, sig := range s.signalsOf(name) {
		sums[sig.name()] += sig.now
	}
	var parts, missing []string
	for _, c := range counterSignals {
		if v, ok := sums[c.signal]; ok {
			parts = append(parts, c.title+" "+rules.Value(v, c.unit))
		} else {
			missing = append(missing, c.title)
		}
	}
	if len(missing) > 0 {
		parts = append(parts, "? no meter: "+strings.Join(missing, ", "))
	}
	return parts
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
	var rows []row
	if targets > 0 {
		rows = append(rows, line("scrapes", fmt.Sprintf("%d of %d ok, every %s", scrapes-failed, scrapes, rules.Value(interval, "s"))))
		rows = append(rows, line("cost", fmt.Sprintf("%s, %s", rules.Plural(scrapes, "request", "requests"), rules.Bytes(float64(bytes)))))
	}
	if logs > 0 {
		rows = append(rows, line("logs", fmt.Sprintf("%d read, %d lines", logs, lines)), line("", fmt.Sprintf("%d records, %d unparsed", records, unparsed)))
	} else {
		rows = append(rows, line("logs", "none given: --log FILE"))
	}
	return rows
}
