package main

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/capdoctor/capdoctor/lab"
	"github.com/capdoctor/capdoctor/report"
	"github.com/capdoctor/capdoctor/sizing"
)

// between writes a range; one number where both ends read the same.
func between(s lab.Span, unit string) string {
	if math.IsNaN(s.Least) || math.IsNaN(s.Most) {
		return "none"
	}
	least, most := sizing.Format(rounded(s.Least), unit), sizing.Format(rounded(s.Most), unit)
	if least == most {
		return least
	}
	if number, of, ok := strings.Cut(least, " "); ok && strings.HasSuffix(most, " "+of) {
		least = number
	}
	return strings.TrimSuffix(least, "/s") + " to " + most
}

// rounded keeps three digits of what is not whole: a prediction has no more.
func rounded(v float64) float64 {
	if v == math.Trunc(v) || math.IsNaN(v) || math.IsInf(v, 0) {
		return v
	}
	scale := math.Pow(10, 2-math.Floor(math.Log10(math.Abs(v))))
	return math.Round(v*scale) / scale
}

// perMinute turns a range per hour into one per minute.
func perMinute(s lab.Span) lab.Span { return lab.Span{Least: s.Least / 60, Most: s.Most / 60} }

// A whatifRow is a predicted number, now and after the change.
type whatifRow struct{ name, now, after, restarted string }

func (w *whatif) table() []whatifRow {
	row := func(name string, of func(lab.Prediction) string) whatifRow {
		r := whatifRow{name: name, now: of(w.now)}
		if w.after.Runs > 0 {
			r.after, r.restarted = of(w.after), of(w.afresh)
		}
		return r
	}
	rows := []whatifRow{
		row("writes completed", func(p lab.Prediction) string { return between(p.PerSecond, "1/s") }),
		row("writes expired a minute", func(p lab.Prediction) string { return between(perMinute(p.ExpiredPerHour), "") }),
		row("time of a completed write", func(p lab.Prediction) string { return between(p.Latency, "s") }),
		row("threads busy of all", func(p lab.Prediction) string { return between(p.Busy, "") + " of " + between(p.PoolSize, "") }),
		row("requests waiting", func(p lab.Prediction) string { return between(p.Waiting, "") }),
		row("processors busy", func(p lab.Prediction) string { return between(p.CPU, "ratio") }),
		row("runs that stand still", func(p lab.Prediction) string { return fmt.Sprintf("%d of %d", p.Stuck, p.Runs) }),
	}
	if w.after.RefusedPerHour.Most > 0 {
		rows = append(rows, row("writes refused a minute", func(p lab.Prediction) string { return between(perMinute(p.RefusedPerHour), "") }))
	}
	return rows
}

// headline is the answer in a line.
func (w *whatif) headline() string {
	now := between(w.now.PerSecond, "1/s")
	if w.after.Runs == 0 {
		return fmt.Sprintf("Most work is done by about %d clients; %d make %s.", w.knee, w.incident.Now.Clients, now)
	}
	answer := fmt.Sprintf("With %s: %s instead of %s", w.change, between(w.after.PerSecond, "1/s"), now)
	if w.needsRestart() {
		answer += "; with a restart as well: " + between(w.afresh.PerSecond, "1/s")
	}
	return answer + "."
}

// needsRestart tells that the change alone does not bring back what it does with
// a restart.
func (w *whatif) needsRestart() bool { return w.after.PerSecond.Most < 0.5*w.afresh.PerSecond.Least }

// A whatifCheck is a quantity that was seen, what the models show of it, and how
// far the worst of them is off.
type whatifCheck struct {
	what   string
	unit   string
	seen   float64
	models lab.Span
	off    float64
	fitted bool
}

// checkUnits are how quantities are written: unit, and the part of an hour that
// is told.
var checkUnits = map[string]struct {
	name, unit string
	per        float64
}{
	lab.RateBefore:  {"writes completed before", "1/s", 1},
	lab.RateNow:     {"writes completed now", "1/s", 1},
	lab.ExpiredNow:  {"writes expired a minute now", "", 60},
	lab.TimedOutNow: {"handlers timed out a minute now", "", 60},
	lab.BusyNow:     {"threads busy now", "", 1},
	lab.WaitingNow:  {"requests waiting now", "", 1},
	lab.CPUNow:      {"processors busy now", "ratio", 1},
}

// checks tells what the models show of what was seen.
func (w *whatif) checks() []whatifCheck {
	var rows []whatifCheck
	for i := range w.fit.Models[0].Checks {
		var c whatifCheck
		for n, m := range w.fit.Models {
			seen := m.Checks[i]
			u := checkUnits[seen.What]
			v := seen.Model / u.per
			if n == 0 {
				c = whatifCheck{what: u.name, unit: u.unit, seen: seen.Observed / u.per, models: lab.Span{Least: v, Most: v}, fitted: seen.Fitted}
			}
			c.models = lab.Span{Least: min(c.models.Least, v), Most: max(c.models.Most, v)}
			c.off = max(c.off, seen.Off())
		}
		rows = append(rows, c)
	}
	return rows
}

// columns are the texts of a check.
func (c whatifCheck) columns() (name, seen, models string) {
	how := "checked"
	if c.fitted {
		how = "fitted"
	}
	return c.what + " (" + how + ")", sizing.Format(rounded(c.seen), c.unit),
		between(c.models, c.unit) + fmt.Sprintf(", off by up to %.0f %%", 100*c.off)
}

// fitted are the checks as rows.
func (w *whatif) fitted() []whatifRow {
	var rows []whatifRow
	for _, c := range w.checks() {
		var r whatifRow
		r.name, r.now, r.after = c.columns()
		rows = append(rows, r)
	}
	return rows
}

// models tells the times of a write in the models.
func (w *whatif) models() string {
	var parts []string
	for _, m := range w.fit.Models {
		parts = append(parts, fmt.Sprintf("%s, %s nested", sizing.Format(rounded(m.Service.Seconds()), "s"), sizing.Format(math.Round(m.NestedShare*100)/100, "ratio")))
	}
	return "A write that waits for nothing takes " + strings.Join(parts, "; or ") + "."
}

// standing tells that the model stands still with these clients once it stood.
func standing(perSecond, expired lab.Span) bool { return perSecond.Most < 1 && expired.Most > 0 }

// offMeans says what a difference is a part of.
const offMeans = "Off: as a part of what was seen; of next to nothing, as a part of what is usual."

func writeWhatifText(out io.Writer, w *whatif, ascii bool) error {
	var b strings.Builder
	b.WriteString(wrapped("", "", w.headline(), 80))
	b.WriteString("\nSEEN\n")
	name, value := 0, 0
	for _, r := range w.rows {
		name, value = max(name, report.Width(r.name)), max(value, report.Width(sizing.Format(rounded(r.value), r.unit)))
	}
	for _, r := range w.rows {
		fmt.Fprintf(&b, "  %s  %s  %s\n", padded(report.Escape(r.name), name), padded(sizing.Format(rounded(r.value), r.unit), value), report.Escape(r.origin))
	}
	whatifRows(&b, whatifRow{"FITTED AND CHECKED", "seen", "the models", ""}, w.fitted())
	b.WriteString(wrapped("  ", "  ", offMeans, 80))
	b.WriteString(wrapped("  ", "  ", w.models(), 80))
	head := whatifRow{name: "PREDICTED", now: "now"}
	if w.after.Runs > 0 {
		head.after, head.restarted = "after", "and a restart"
	}
	whatifRows(&b, head, w.table())
	b.WriteString("\nCLIENTS, FROM THE PRESENT STATE                            AFTER A RESTART\n")
	for _, c := range w.clients {
		mark := ""
		switch {
		case c.clients == w.knee:
			mark = "most"
		case standing(c.restarted, c.expiredAfterIt):
			mark = "stands still"
		}
		line := fmt.Sprintf("  %4d  %-16s  expired a minute %-14s  %-16s  %s", c.clients, between(c.perSecond, "1/s"),
			between(perMinute(c.expired), ""), between(c.restarted, "1/s"), mark)
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	b.WriteString("\nASSUMED\n")
	for _, a := range w.assumed {
		b.WriteString(wrapped("  - ", "    ", a, 80))
	}
	text := b.String()
	if ascii {
		text = asciiMaths(text)
	}
	_, err := io.WriteString(out, text)
	return err
}

// whatifRows writes a table of up to four columns; the last two may be empty.
func whatifRows(b *strings.Builder, head whatifRow, rows []whatifRow) {
	name, now, after := report.Width(head.name), report.Width(head.now), report.Width(head.after)
	for _, r := range rows {
		name, now, after = max(name, report.Width(r.name)+2), max(now, report.Width(r.now)), max(after, report.Width(r.after))
	}
	line := func(r whatifRow) {
		b.WriteString(strings.TrimRight(padded(r.name, name)+"  "+padded(r.now, now)+"  "+padded(r.after, after)+"  "+r.restarted, " ") + "\n")
	}
	b.WriteByte('\n')
	line(head)
	for _, r := range rows {
		r.name = "  " + r.name
		line(r)
	}
}

func writeWhatifMarkdown(out io.Writer, w *whatif) error {
	var b strings.Builder
	fmt.Fprintf(&b, "## %s\n\n| seen | value | from |\n|---|---|---|\n", cell(w.headline()))
	for _, r := range w.rows {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", cell(r.name), cell(sizing.Format(rounded(r.value), r.unit)), cell(r.origin))
	}
	b.WriteString("\n| fitted and checked | seen | the models |\n|---|---|---|\n")
	for _, r := range w.fitted() {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", cell(r.name), cell(r.now), cell(r.after))
	}
	b.WriteString("\n| predicted | now | after | and a restart |\n|---|---|---|---|\n")
	for _, r := range w.table() {
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", cell(r.name), cell(r.now), cell(r.after), cell(r.restarted))
	}
	b.WriteString("\n| clients | writes completed | expired a minute | completed after a restart |\n|---|---|---|---|\n")
	for _, c := range w.clients {
		fmt.Fprintf(&b, "| %d | %s | %s | %s |\n", c.clients, cell(between(c.perSecond, "1/s")), cell(between(perMinute(c.expired), "")), cell(between(c.restarted, "1/s")))
	}
	b.WriteByte('\n')
	for _, a := range append([]string{w.models()}, w.assumed...) {
		b.WriteString("- " + cell(a) + "\n")
	}
	_, err := io.WriteString(out, b.String())
	return err
}
