package rules

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/prometheus/common/model"
)

func firing(r *Report, id string) (out []*Finding) {
	for _, f := range r.Findings {
		if f.State == Firing && f.ID == id {
			out = append(out, f)
		}
	}
	return out
}

// leader is the finding that leads the report, nil when none fires.
func leader(r *Report) *Finding {
	for _, f := range r.Findings {
		if f.State == Firing {
			return f
		}
	}
	return nil
}

func hasLabels(m model.Metric, where map[string]string) bool {
	for name, value := range where {
		if string(m[model.LabelName(name)]) != value {
			return false
		}
	}
	return true
}

// allSteps are the steps of the firing findings in the order of the report.
func allSteps(r *Report) (out []Step) {
	for _, f := range r.Findings {
		if f.State == Firing {
			out = append(out, f.Steps...)
		}
	}
	return out
}

// instead says what became of a diagnosis that does not fire, and the number
// that made the difference.
func (r *Report) instead(id string) (got, evidence string) {
	for _, f := range r.Findings {
		if f.ID == id {
			return id + " only pending" + onSubject(f.Subject), proof(f)
		}
	}
	for _, n := range r.NotJudged {
		if n.ID == id {
			return id + " not judged", whyNotJudged(n)
		}
	}
	for _, f := range r.Findings {
		for _, l := range f.RuledOut {
			if l.ID == id {
				return id + " ruled out", evidenceText(l.Evidence)
			}
		}
		for _, m := range f.NotRuledOut {
			if m.ID == id {
				return id + " not judged", missingText(m)
			}
		}
	}
	for _, c := range r.Cleared {
		if c.ID == id {
			return id + " clear", whyClear(c)
		}
	}
	return id + " does not apply", "no recognised system of this case supplies what it observes"
}

// notJudged reports whether the report says that id could not be judged: in its
// list, or as not ruled out under the leading finding.
func (r *Report) notJudged(id string) bool {
	if slices.ContainsFunc(r.NotJudged, func(n NotJudged) bool { return n.ID == id }) {
		return true
	}
	lead := leader(r)
	return lead != nil && slices.ContainsFunc(lead.NotRuledOut, func(m Missing) bool { return m.ID == id })
}

// judgedAnything reports whether any diagnosis came to a verdict.
func (r *Report) judgedAnything() bool { return len(r.Findings)+len(r.Cleared) > 0 }

func whyNotJudged(n NotJudged) string {
	var parts []string
	for _, m := range n.Missing {
		parts = append(parts, missingText(m))
	}
	if n.Why != "" {
		parts = append(parts, n.Why)
	}
	return strings.Join(parts, "; ")
}

// whyClear says what kept a diagnosis from firing where it came closest.
func whyClear(c Cleared) string {
	count := Plural(c.Subjects, "subject", "subjects")
	if c.Nearest == nil {
		return "judged false on " + count
	}
	var parts []string
	for _, e := range c.Nearest.Failed {
		parts = append(parts, evidenceText(e.without(c.Nearest.Subject)))
	}
	nearest := c.Nearest.Alert + onSubject(c.Nearest.Subject)
	if c.Subjects > 1 {
		nearest = "nearest of " + count + " is " + nearest
	}
	return nearest + ": " + strings.Join(parts, "; ")
}

// without is the condition without the labels that were said already.
func (e Evidence) without(said model.Metric) Evidence {
	e.Labels = maps.Clone(e.Labels)
	maps.DeleteFunc(e.Labels, func(name model.LabelName, value model.LabelValue) bool { return said[name] == value })
	return e
}

func missingText(m Missing) string {
	if m.Why != "" {
		return m.Why
	}
	s := m.Signal + " missing"
	if m.Instance != "" {
		s += " on " + m.Instance
	}
	if m.Enable != "" {
		s += ": " + m.Enable
	}
	return s
}

// proof is every condition that a finding stands on, the first one first.
func proof(f *Finding) string {
	var parts []string
	for _, e := range f.Evidence {
		if e.Role == Required && e.State != Absent {
			parts = append(parts, evidenceText(e))
		}
	}
	return strings.Join(parts, "; ")
}

// evidenceText writes a condition with its numbers: "cap:waiting{...} 68 > 0",
// or what the rule asks where it is not met.
func evidenceText(e Evidence) string {
	series := e.Labels.Clone()
	delete(series, model.MetricNameLabel)
	name := e.Signal
	if len(series) > 0 {
		name += series.String()
	}
	observed, threshold := Distinct(e.Observed, e.Threshold, e.Unit)
	switch {
	case e.State == Absent || math.IsNaN(e.Observed):
		return fmt.Sprintf("%s missing; the rule asks %s %s", name, e.Op, threshold)
	case e.State == Holds && e.Role == Excluded:
		return fmt.Sprintf("%s %s; the rule excludes %s %s", name, observed, e.Op, threshold)
	case e.State == Holds:
		return fmt.Sprintf("%s %s %s %s", name, observed, e.Op, threshold)
	}
	return fmt.Sprintf("%s %s; the rule asks %s %s", name, observed, e.Op, threshold)
}

// saidBy is everything a finding says of what is so: its summary and meaning,
// its evidence as it is shown, and the log lines it quotes.
func saidBy(f *Finding) string {
	parts := []string{f.Summary, f.Meaning}
	for _, e := range f.Evidence {
		observed, threshold := Distinct(e.Observed, e.Threshold, e.Unit)
		parts = append(parts, e.Title+" "+observed+" "+e.Op+" "+threshold, e.More, e.Origin)
		for _, l := range e.Lines {
			parts = append(parts, l.Text)
		}
	}
	return strings.Join(parts, "\n")
}

// lackingTexts are the indices of the texts that a finding does not contain, in
// any letter case.
func lackingTexts(f *Finding, texts []string) (missing []int) {
	said := strings.ToLower(saidBy(f))
	for i, s := range texts {
		if !strings.Contains(said, strings.ToLower(s)) {
			missing = append(missing, i)
		}
	}
	return missing
}

// mostSaying is the finding that lacks the fewest of the texts, the first of
// several.
func mostSaying(findings []*Finding, texts []string) *Finding {
	return slices.MinFunc(findings, func(a, b *Finding) int { return len(lackingTexts(a, texts)) - len(lackingTexts(b, texts)) })
}

// quoted are the log lines under a finding.
func quoted(f *Finding) (lines []Line) {
	for _, e := range f.Evidence {
		lines = append(lines, e.Lines...)
	}
	return lines
}

// onSubject names the place of a finding: " on orders, HikariPool-1".
func onSubject(m model.Metric) string {
	var parts []string
	for _, name := range []model.LabelName{"instance", "resource"} {
		if v := m[name]; v != "" {
			parts = append(parts, string(v))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return " on " + strings.Join(parts, ", ")
}

func whereText(where map[string]string) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(where)) {
		parts = append(parts, fmt.Sprintf("%s=%q", name, where[name]))
	}
	return strings.Join(parts, ", ")
}

var patternWord = regexp.MustCompile(`[A-Za-z]{3,}`)

// nearestStep is the step that has most words of a pattern, the first one of
// several; empty when there are no steps.
func nearestStep(steps []Step, pattern string) string {
	if len(steps) == 0 {
		return "there are no steps"
	}
	words := patternWord.FindAllString(strings.ToLower(pattern), -1)
	shared := func(s Step) (n int) {
		do := strings.ToLower(s.Do)
		for _, w := range words {
			if strings.Contains(do, w) {
				n++
			}
		}
		return n
	}
	best := 0
	for i, s := range steps {
		if shared(s) > shared(steps[best]) {
			best = i
		}
	}
	return "nearest is " + stepText(best, steps[best])
}

func stepText(i int, s Step) string { return fmt.Sprintf("step %d: %q", i+1, s.Do) }
