package tui

import (
	"fmt"
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/capdoctor/capdoctor/rules"
)

// Widths at which a screen gets another column.
const (
	twoColumns   = 100
	threeColumns = 160
)

// fleetSize is the number of targets from which a table of them fills the screen.
const fleetSize = 16

// panels of the overview, in the order of tab.
const (
	targetsPanel = iota
	findingsPanel
	stepsPanel
	overviewPanels
)

// An overview is the first screen: targets, the leading finding, what to do.
type overview struct {
	panel    int
	targets  list
	picked   string // the target under the cursor, by name; empty follows the worst
	findings list
	steps    list
	filter   filter
	order    order
}

func (o overview) editing() bool  { return o.filter.on }
func (o overview) prompt() string { return o.filter.prompt() }

func (o overview) hints(s *scene, k *keyMap) []key.Binding {
	if s.mode != Live {
		return []key.Binding{k.Enter, k.Pause, k.Older, k.Newer, k.Next, k.Faster, k.Filter}
	}
	if !s.empty() && len(s.targets) >= fleetSize {
		return []key.Binding{k.Enter, k.Filter, k.Order, k.Copy, k.Freeze, k.Save}
	}
	return []key.Binding{k.Enter, k.Filter, k.Freeze, k.Copy, k.Panel, k.Save}
}

func (o overview) update(s *scene, k *keyMap, msg tea.KeyPressMsg) (screen, intent) {
	if o.filter.on {
		o.filter = o.filter.typed(msg)
		return o.follow(s), intent{}
	}
	switch {
	case key.Matches(msg, k.Panel):
		o.panel = (o.panel + 1) % overviewPanels
	case key.Matches(msg, k.Filter):
		o.panel, o.filter.on = targetsPanel, true
	case key.Matches(msg, k.Order):
		o.order = o.order.next()
		return o.follow(s), intent{}
	case key.Matches(msg, k.Back):
		o.filter, o.picked = filter{}, ""
		return o, intent{target: &o.picked}
	case key.Matches(msg, k.Enter):
		return o, o.enter(s)
	case key.Matches(msg, k.Done):
		return o, o.mark(s)
	default:
		return o.move(s, k, msg)
	}
	return o, intent{}
}

func (o overview) move(s *scene, k *keyMap, msg tea.KeyPressMsg) (screen, intent) {
	switch o.panel {
	case targetsPanel:
		shown := o.shown(s)
		if n, ok := k.step(msg, len(shown), 10); ok && len(shown) > 0 {
			o.targets.at = o.cursor(shown)
			o.targets = o.targets.move(n, len(shown))
			o.picked = shown[o.targets.at].name
			return o, intent{target: &o.picked}
		}
	case findingsPanel:
		if n, ok := k.step(msg, len(s.report().Findings), 5); ok && len(s.report().Findings) > 0 {
			o.findings = o.findings.move(n, len(s.report().Findings))
			picked := keyOf(s.report().Findings[o.findings.at])
			return o, intent{finding: &picked}
		}
	case stepsPanel:
		if n, ok := k.step(msg, len(s.plan.steps), 3); ok {
			o.steps = o.steps.move(n, len(s.plan.steps))
		}
	}
	return o, intent{}
}

// follow keeps the cursor on a row that is shown.
func (o overview) follow(s *scene) overview {
	o.targets.at = o.cursor(o.shown(s))
	return o
}

// cursor is where the picked target stands among those shown.
func (o overview) cursor(shown []target) int {
	return max(0, slices.IndexFunc(shown, func(t target) bool { return t.name == o.picked }))
}

// shown are the targets that the filter keeps, in the order asked for.
func (o overview) shown(s *scene) []target {
	var out []target
	for _, t := range s.targets {
		if o.filter.keeps(t.name, t.service, markTexts[t.mark].word, t.why()) {
			out = append(out, t)
		}
	}
	return o.order.sort(out)
}

func (o overview) enter(s *scene) intent {
	switch o.panel {
	case stepsPanel:
		return open(playbookScreen)
	case findingsPanel:
		return open(findingScreen)
	}
	shown := o.shown(s)
	if len(shown) == 0 {
		return intent{}
	}
	t := shown[o.cursor(shown)]
	in := open(signalsScreen)
	if t.finding != nil {
		in = open(findingScreen)
		picked := keyOf(t.finding)
		in.finding = &picked
	}
	in.target = &t.name
	return in
}

func (o overview) mark(s *scene) intent {
	switch {
	case o.steps.at >= len(s.plan.steps):
		return intent{}
	case o.panel != stepsPanel:
		return intent{say: "3 lists the steps: x marks the one under the cursor"}
	}
	return intent{mark: &s.plan.steps[o.steps.at]}
}

func (o overview) wants(s *scene, w *want) {
	if len(s.targets) >= fleetSize {
		return // the fleet has no charts
	}
	if f := s.shown(); f != nil {
		for _, e := range f.Evidence {
			w.charts = append(w.charts, evidenceChart(e))
		}
	} else {
		for _, sig := range s.load(w.target) {
			w.charts = append(w.charts, signalChart(sig))
		}
	}
	s.wantGauges(w)
}

func (o overview) view(s *scene, width, height int) []row {
	if len(s.targets) >= fleetSize {
		return o.fleet(s, width, height)
	}
	switch {
	case width >= threeColumns:
		return o.three(s, width, height)
	case width >= twoColumns:
		return o.two(s, width, height)
	}
	return o.one(s, width, height)
}

// one column: targets, proof, limits, and the rest in few words.
func (o overview) one(s *scene, width, height int) []row {
	shown := o.shown(s)
	blocks := []block{o.targetTable(s, shown, min(5, len(shown)), width)}
	blocks = append(blocks, s.detailBlocks(width, 3)...)
	if f := s.shown(); f != nil {
		rows := s.moreRows(f, width)
		blocks = append(blocks, block{heading: s.theme.heading(width, "More"), want: len(rows), least: 2, draw: func(height int) []row { return rows[:height] }})
	}
	return s.theme.stack(width, height, blocks...)
}

// two columns: targets and findings; proof, limits and steps.
func (o overview) two(s *scene, width, height int) []row {
	left := 38
	right := width - left - 1
	blocks := s.detailBlocks(right, 5)
	if len(s.causes) > 0 {
		full := s.withAvoid(right, append(blocks, s.stepsBlock(o.steps, o.panel == stepsPanel, true, 6, right))...)
		if total(full) > height {
			full = s.withAvoid(right, append(blocks, s.stepsBlock(o.steps, o.panel == stepsPanel, false, 6, right))...)
		}
		blocks = full
	}
	return s.theme.beside(o.side(s, left, height), s.theme.stack(right, height, blocks...))
}

// three columns: targets and findings; proof and limits; steps.
func (o overview) three(s *scene, width, height int) []row {
	left, right := 44, 58
	if width >= 190 {
		right = 66
	}
	middle := width - left - right - 2
	steps := s.withAvoid(right, s.stepsBlock(o.steps, o.panel == stepsPanel, true, 6, right))
	if ledger := s.ledgerRows(right); len(ledger) > 0 {
		steps = append(steps, s.theme.rowsBlock(s.theme.heading(right, "Unknown result"), len(ledger), ledger))
	}
	blocks := s.detailBlocks(middle, 12)
	if f := s.shown(); f != nil {
		blocks = append(blocks, s.theme.rowsBlock(s.theme.heading(middle, "What happens"), 1, s.theme.prose(middle, 2, plain, f.Meaning)))
		blocks = append(blocks, s.chartBlocks(f, middle)...)
	}
	return s.theme.beside(o.side(s, left, height), s.theme.stack(middle, height, blocks...), s.theme.stack(right, height, steps...))
}

// side is the left column of the wider forms.
func (o overview) side(s *scene, width, height int) []row {
	blocks := []block{o.targetList(s, o.shown(s), width)}
	if len(s.report().Findings) > 0 {
		blocks = append(blocks, o.findingList(s, width))
	}
	switch f := s.shown(); {
	case f == nil:
		blocks = append(blocks, s.coverageBlock(width))
	default:
		if ruled := s.looksRows(f, width); len(ruled) > 0 {
			blocks = append(blocks, s.theme.rowsBlock(s.theme.heading(width, fmt.Sprintf("Ruled out %d", len(ruled))), min(2, len(ruled)), ruled))
		}
		if open := s.openRows(f, 0, width); len(open) > 0 {
			blocks = append(blocks, s.theme.rowsBlock(s.theme.heading(width, fmt.Sprintf("Not ruled out %d", len(open))), min(2, len(open)), open))
		}
	}
	blocks = append(blocks, s.theme.rowsBlock(s.theme.heading(width, "Inputs"), 2, s.inputRows(width)))
	if spare := height - total(blocks); spare > 3 {
		blocks = append(blocks, s.theme.rowsBlock(s.theme.heading(width, "Changes", "newest first"), 2, s.changeList(width)))
	}
	return s.theme.stack(width, height, blocks...)
}

// findingList is every finding of the report, the causes first.
func (o overview) findingList(s *scene, width int) block {
	findings := s.report().Findings
	names := findingNames(findings)
	label := min(longestOf(names), width-2-2-12)
	return s.theme.listBlock(s.theme.heading(width, fmt.Sprintf("Findings %d", len(findings))), o.findings, len(findings), 2, func(i int) row {
		f := findings[i]
		at, active := i == o.findings.at, o.panel == findingsPanel
		p := s.theme.pen(width)
		p.flat = at && active
		m := markOf(f)
		p.put(plain, pointer(at && active)).put(m.role(), markTexts[m].glyph+" ").name(plain, names[i], label).put(note, "  "+s.followsOrSince(f))
		return p.cursor(at && active)
	})
}

// findingNames are the ids of findings; where one occurs on several targets, with the
// target, and where it occurs several times on one, with the resource.
func findingNames(findings []*rules.Finding) []string {
	count := map[string]int{}
	for _, f := range findings {
		count[f.ID]++
		count[f.ID+"\xff"+nameOf(f)]++
	}
	names := make([]string, len(findings))
	for i, f := range findings {
		switch names[i] = f.ID; {
		case count[f.ID+"\xff"+nameOf(f)] > 1:
			names[i] += " " + subjectOf(f)
		case count[f.ID] > 1:
			names[i] += " " + nameOf(f)
		}
	}
	return names
}

// longestOf is the width of the longest of names.
func longestOf(names []string) int {
	w := 0
	for _, n := range names {
		w = max(w, width(clean(n)))
	}
	return w
}

func pointer(at bool) string {
	if at {
		return "> "
	}
	return "  "
}

func (s *scene) followsOrSince(f *rules.Finding) string {
	if len(f.ExplainedBy) > 0 {
		return "follows"
	}
	return rules.Duration(s.report().At.Sub(f.Since))
}
