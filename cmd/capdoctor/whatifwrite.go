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
type whatifRow struct{ name, now, after string }

func (w *whatif) table() []whatifRow {
	row := func(name string, of func(lab.Prediction) string) whatifRow {
		r := whatifRow{name: name, now: of(w.now)}
		if w.after.Runs > 0 {
			r.after = of(w.after)
		}
		return r
	}
	rows := []whatifRow{
		row("writes completed", func(p lab.Prediction) string { return between(p.PerSecond, "1/s") }),
		row("writes expired a minute", func(p lab.Prediction) string { return between(perMinute(p.ExpiredPerHour), "") }),
		row("time of a completed write", func(p lab.Prediction) string { return between(p.Latency, "s") }),
		row("threads busy, of those there are", func(p lab.Prediction) string { return between(p.Busy, "") + " of " + between(p.PoolSize, "") }),
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
	return fmt.Sprintf("With %s: %s instead of %s.", w.change, between(w.after.PerSecond, "1/s"), now)
}

// fitted tells what the models show of what was seen.
func (w *whatif) fitted() []whatifRow {
	var rows []whatifRow
	in := w.incident
	if in.Before.Clients > 0 {
		rows = append(rows, whatifRow{fmt.Sprintf("before: writes completed by %d clients", in.Before.Clients),
			sizing.Format(rounded(in.Before.PerSecond), "1/s"), between(w.fit.Before().PerSecond, "1/s")})
	}
	now := w.fit.Now()
	rows = append(rows, whatifRow{fmt.Sprintf("now: writes completed by %d clients", in.Now.Clients),
		sizing.Format(rounded(in.Now.PerSecond), "1/s"), between(now.PerSecond, "1/s")})
	if !math.IsNaN(in.Now.ExpiredPerHour) {
		rows = append(rows, whatifRow{"now: writes expired a minute", sizing.Format(rounded(in.Now.ExpiredPerHour/60), ""), between(perMinute(now.ExpiredPerHour), "")})
	}
	for _, r := range []struct {
		name string
		span lab.Span
	}{{"threads busy", now.Busy}, {"requests waiting", now.Waiting}} {
		if v, ok := w.seen(r.name); ok {
			rows = append(rows, whatifRow{"now: " + r.name + " (not fitted)", sizing.Format(v, ""), between(r.span, "")})
		}
	}
	return rows
}

func (w *whatif) seen(name string) (float64, bool) {
	for _, r := range w.rows {
		if r.name == name {
			return r.value, true
		}
	}
	return 0, false
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
func standing(c whatifClients) bool { return c.perSecond.Most < 1 && c.expired.Most > 0 }

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
	whatifRows(&b, "FITTED", "seen", "the models", w.fitted())
	b.WriteString(wrapped("  ", "  ", w.models(), 80))
	after := ""
	if w.after.Runs > 0 {
		after = "after"
	}
	whatifRows(&b, "PREDICTED", "now", after, w.table())
	b.WriteString("\nCLIENTS, FROM THE PRESENT STATE\n")
	for _, c := range w.clients {
		mark := ""
		switch {
		case c.clients == w.knee:
			mark = "most"
		case standing(c):
			mark = "stands still"
		}
		line := fmt.Sprintf("  %4d  %-16s  expired a minute %-12s  %s", c.clients, between(c.perSecond, "1/s"), between(perMinute(c.expired), ""), mark)
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

// whatifRows writes a table of three columns; the last one may be empty.
func whatifRows(b *strings.Builder, title, first, second string, rows []whatifRow) {
	name, now := report.Width(title), report.Width(first)
	for _, r := range rows {
		name, now = max(name, report.Width(r.name)+2), max(now, report.Width(r.now))
	}
	line := func(a, c, d string) {
		b.WriteString(strings.TrimRight(padded(a, name)+"  "+padded(c, now)+"  "+d, " ") + "\n")
	}
	b.WriteByte('\n')
	line(title, first, second)
	for _, r := range rows {
		line("  "+r.name, r.now, r.after)
	}
}

func writeWhatifMarkdown(out io.Writer, w *whatif) error {
	var b strings.Builder
	fmt.Fprintf(&b, "## %s\n\n| seen | value | from |\n|---|---|---|\n", cell(w.headline()))
	for _, r := range w.rows {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", cell(r.name), cell(sizing.Format(rounded(r.value), r.unit)), cell(r.origin))
	}
	b.WriteString("\n| fitted | seen | the models |\n|---|---|---|\n")
	for _, r := range w.fitted() {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", cell(r.name), cell(r.now), cell(r.after))
	}
	b.WriteString("\n| predicted | now | after |\n|---|---|---|\n")
	for _, r := range w.table() {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", cell(r.name), cell(r.now), cell(r.after))
	}
	b.WriteString("\n| clients | writes completed | expired a minute |\n|---|---|---|\n")
	for _, c := range w.clients {
		fmt.Fprintf(&b, "| %d | %s | %s |\n", c.clients, cell(between(c.perSecond, "1/s")), cell(between(perMinute(c.expired), "")))
	}
	b.WriteByte('\n')
	for _, a := range append([]string{w.models()}, w.assumed...) {
		b.WriteString("- " + cell(a) + "\n")
	}
	_, err := io.WriteString(out, b.String())
	return err
}
