package tui

import (
	"fmt"
	"math"
	"strings"

	"github.com/capdoctor/capdoctor/rules"
)

// labelWidth is the column of what stands behind a label in the detail of a step.
const labelWidth = 14

// labelled wraps a text behind a label.
func (t *theme) labelled(width int, r role, label, text string) []row {
	var rows []row
	for i, l := range wrap(t.fit(text), width-labelWidth-1) {
		p := t.pen(width).put(plain, "  ")
		if i == 0 {
			p.put(note, label)
		}
		rows = append(rows, p.space(labelWidth-p.w).put(r, l).row())
	}
	return rows
}

// stepDetail is all that is known of one step of the plan.
func (s *scene) stepDetail(i, width int) block {
	p := s.plan.steps[i]
	rows := s.theme.labelled(width, strong, "Do", rules.Sentence(p.step.Do))
	if d, done := s.done.find(p.key); done {
		rows = append(rows, s.effectRows(d, labelWidth, width)...)
	}
	rows = append(rows, s.theme.labelled(width, plain, "Why", rules.Sentence(p.step.Why))...)
	rows = append(rows, s.theme.labelled(width, plain, "Then", rules.Sentence(verifyText(p.step)))...)
	rows = append(rows, s.theme.labelled(width, plain, "Now", s.verifyNow(p))...)
	rows = append(rows, s.theme.labelled(width, plain, "Risk", strings.TrimPrefix(riskText(p.step), "Risk "))...)
	for _, n := range p.causes {
		f := s.causes[n-1]
		rows = append(rows, s.theme.labelled(width, plain, "For", f.ID+" on "+subjectOf(f))...)
	}
	for _, d := range s.plan.dropped {
		if d.against == p.step.Do {
			rows = append(rows, s.theme.labelled(width, plain, "Instead of", rules.Sentence(d.step.Do))...)
		}
	}
	heading := s.theme.heading(width, fmt.Sprintf("Step %d of %d", i+1, len(s.plan.steps)), s.doneCount(), "j k: other steps", "esc: all")
	return s.theme.rowsBlock(heading, len(rows), rows)
}

// verifyNow says where the signal stands that a step must move, and where it has
// to come.
func (s *scene) verifyNow(p planned) string {
	signal := p.step.Verify.Signal
	if signal == "" {
		return "no signal shows its effect; mark it done and watch the rest"
	}
	w := watch(p.step, p.finding, s.frame.Report.At)
	now, read := s.reading.steps[w]
	switch {
	case !read:
		return s.watchedTitle(w) + " is being read"
	case !now.found || math.IsNaN(now.now):
		return s.watchedTitle(w) + " is not seen: its effect cannot be told from here"
	}
	text := s.watchedTitle(w) + " " + rules.Value(now.now, s.unit(signal))
	if reaches := p.step.Verify.Reaches; p.step.Verify.Direction == "" && !math.IsNaN(reaches) {
		text += ", needed " + rules.Value(reaches, s.unit(signal))
	}
	return text
}

// sourcesOf are where diagnoses and their advice come from, each source once.
func sourcesOf(findings ...*rules.Finding) []rules.Source {
	var out []rules.Source
	seen := map[rules.Source]bool{}
	for _, f := range findings {
		for _, source := range f.Sources {
			if !seen[source] {
				seen[source] = true
				out = append(out, source)
			}
		}
	}
	return out
}

// withSources adds to blocks where the diagnoses and their advice come from:
// titles alone where there is no room for the addresses.
func (s *scene) withSources(width int, findings []*rules.Finding, blocks ...block) []block {
	sources := sourcesOf(findings...)
	if len(sources) == 0 {
		return blocks
	}
	var titles, all []row
	for _, source := range sources {
		title := s.theme.prose(width, 2, plain, source.Title)
		titles, all = append(titles, title...), append(all, title...)
		all = append(all, s.theme.prose(width, 4, note, source.Link)...)
	}
	return append(blocks, block{heading: s.theme.heading(width, "Sources"), want: len(all), least: 1, draw: func(height int) []row {
		if len(all) <= height {
			return all
		}
		return s.theme.clip(titles, height)
	}})
}
