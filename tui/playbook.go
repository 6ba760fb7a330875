package tui

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/capdoctor/capdoctor/rules"
)

// A playbook is the screen of steps over all causes, and of what came of those
// that were taken.
type playbook struct {
	steps  list
	detail bool // one step fills the screen
}

func (b playbook) editing() bool  { return false }
func (b playbook) prompt() string { return "" }

func (b playbook) hints(s *scene, k *keyMap) []key.Binding {
	if s.mode != Live {
		return []key.Binding{k.Done, k.Enter, k.Pause, k.Older, k.Newer, k.Copy}
	}
	return []key.Binding{k.Done, k.Enter, k.Back, k.Copy, k.Freeze, k.Save}
}

func (b playbook) update(s *scene, k *keyMap, msg tea.KeyPressMsg) (screen, intent) {
	switch {
	case key.Matches(msg, k.Back) && !b.detail:
		return b, intent{back: true}
	case key.Matches(msg, k.Back), key.Matches(msg, k.Enter):
		b.detail = !b.detail && len(s.plan.steps) > 0
	case key.Matches(msg, k.Done) && b.steps.at < len(s.plan.steps):
		return b, intent{mark: &s.plan.steps[b.steps.at]}
	default:
		if n, ok := k.step(msg, len(s.plan.steps), 3); ok {
			b.steps = b.steps.move(n, len(s.plan.steps))
		}
	}
	return b, intent{}
}

// wants shows, beside the effects that are always read, where the signal of the
// step in detail stands, and the load of the target.
func (b playbook) wants(s *scene, w *want) {
	if b.steps.at < len(s.plan.steps) && b.detail {
		p := s.plan.steps[b.steps.at]
		w.steps = append(w.steps, watch(p.step, p.finding, w.at))
		return
	}
	for _, sig := range s.load(w.target) {
		w.charts = append(w.charts, signalChart(sig))
	}
}

func (b playbook) view(s *scene, width, height int) []row {
	b.steps = b.steps.move(0, len(s.plan.steps))
	switch {
	case b.detail && len(s.plan.steps) > 0:
		return s.theme.stack(width, height, s.withSources(width, s.causes, s.stepDetail(b.steps.at, width))...)
	case width < twoColumns:
		const roomy = 28 // rows from which sources take none from the steps; enter shows them as well
		blocks := s.withAvoid(width, append([]block{s.stepsBlock(b.steps, true, true, 8, width)}, b.past(s, width)...)...)
		if height >= roomy {
			blocks = s.withSources(width, s.causes, blocks...)
		}
		return s.theme.stack(width, height, blocks...)
	}
	left := width * 58 / 100
	right := width - left - 1
	return s.theme.beside(
		s.theme.stack(left, height, append([]block{s.stepsBlock(b.steps, true, true, 8, left)}, b.past(s, left)...)...),
		s.theme.stack(right, height, append(s.withSources(right, s.causes, s.withAvoid(right)...), s.loadBlock(s.subject(), right))...))
}

// past are steps that were done for findings that are gone, or that have new
// steps by now.
func (b playbook) past(s *scene, width int) []block {
	planned := map[stepKey]bool{}
	for _, p := range s.plan.steps {
		planned[p.key] = true
	}
	var rows []row
	for _, d := range s.done.deeds {
		if planned[d.key] {
			continue
		}
		rows = append(rows, s.theme.prose(width, 2, plain, "[x] "+rules.Sentence(d.step.Do))...)
		rows = append(rows, s.effectRows(d, 6, width)...)
	}
	if len(rows) == 0 {
		return nil
	}
	return []block{s.theme.rowsBlock(s.theme.heading(width, "Done before"), 1, rows)}
}
