package report

import (
	"fmt"
	"strings"
	"time"

	"github.com/capdoctor/capdoctor/rules"
)

// state is the glyph, the word and the colour of a finding.
func state(f *rules.Finding) span {
	switch {
	case f.State == rules.Pending:
		return span{warning, "▒ PENDING"}
	case f.Severity == rules.Critical:
		return span{critical, "■ CRITICAL"}
	case f.Severity == rules.Warning:
		return span{warning, "▲ WARNING"}
	}
	return span{plain, "· INFO"}
}

// headline writes the first two rows: what, where and since when; how long,
// judged when and on what.
func (t *reportText) headline(g group) {
	f := g.first()
	lead := state(f)
	indent := Width(lead.text) + 2
	where := t.subject(f.Subject)
	if len(g) > 1 {
		where += fmt.Sprintf(" and %d more", len(g)-1)
	}
	what := t.name(f.Title, mostName) + " on " + where
	since := t.since(f)
	rest := []string{t.length(f), "judged " + t.clock.full(t.r.At), t.inputCount()}
	if Width(what)+1+Width(since) > t.width-indent {
		rest = append([]string{since}, rest...)
		since = ""
	}
	t.hang(span{lead.role, lead.text + "  "}, strings.TrimSpace(what+" "+since))
	t.hang(text(strings.Repeat(" ", indent)), joinNonEmpty(rest, "; "))
}

// since is when a finding began, as far as it was watched.
func (t *wording) since(f *rules.Finding) string {
	if !f.NotJudgedSince.IsZero() {
		return "not judged since " + t.clock.zoned(f.NotJudgedSince)
	}
	if f.Since.IsZero() || f.SeenOnce {
		return ""
	}
	since := "since " + t.clock.zoned(f.Since)
	if t.sinceStart(f) {
		since += " or before"
	}
	return since
}

// length is how long a finding has held.
func (t *wording) length(f *rules.Finding) string {
	switch {
	case f.SeenOnce:
		return "seen once"
	case f.Since.IsZero():
		return ""
	case t.sinceStart(f):
		return "at least " + rules.Duration(t.r.At.Sub(f.Since))
	}
	return rules.Duration(t.r.At.Sub(f.Since))
}

// sinceStart reports whether a finding holds since the first time that it could
// have been judged: rates need two scrapes, and logs may tell of a time before
// the first one.
func (t *wording) sinceStart(f *rules.Finding) bool {
	own := string(f.Subject["instance"])
	var interval time.Duration
	var scraped time.Time // the first time, of any target where the finding is not one target's
	for _, in := range t.r.Inputs {
		if in.Name == own {
			interval = max(interval, in.Interval)
		}
		if in.Scrapes > 0 && (in.Name == own || own == "") && (scraped.IsZero() || in.First.Before(scraped)) {
			scraped = in.First
		}
	}
	start := t.r.Window.Start
	if scraped.After(start) {
		start = scraped
	}
	return !f.Since.After(start.Add(2 * interval))
}

// inputCount is "3 targets, 2 logs".
func (t *wording) inputCount() string {
	targets, logs := countInputs(t.r)
	var counts []string
	if targets > 0 {
		counts = append(counts, rules.Plural(targets, "target", "targets"))
	}
	if logs > 0 {
		counts = append(counts, rules.Plural(logs, "log", "logs"))
	}
	return strings.Join(counts, ", ")
}

func countInputs(r *rules.Report) (targets, logs int) {
	for _, in := range r.Inputs {
		if in.Kind == "log" {
			logs++
		} else {
			targets++
		}
	}
	return targets, logs
}

func joinNonEmpty(list []string, sep string) string {
	var out []string
	for _, s := range list {
		if s != "" {
			out = append(out, s)
		}
	}
	return strings.Join(out, sep)
}
