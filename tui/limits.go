package tui

import (
	"fmt"
	"math"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/capdoctor/capdoctor/rules"
)

// A limitsView is the screen of every bound on the way of a request, in its
// order, the binding one marked.
type limitsView struct {
	rows list
	all  bool // of all targets, not only of the one in detail
}

func (v limitsView) editing() bool  { return false }
func (v limitsView) prompt() string { return "" }

func (v limitsView) hints(_ *scene, k *keyMap) []key.Binding {
	return []key.Binding{k.Panel, k.Back, k.Freeze}
}

func (v limitsView) update(s *scene, k *keyMap, msg tea.KeyPressMsg) (screen, intent) {
	switch {
	case key.Matches(msg, k.Back):
		return v, intent{back: true}
	case key.Matches(msg, k.Panel):
		v.all = !v.all
	default:
		if n, ok := k.step(msg, len(v.shown(s)), 10); ok {
			v.rows = v.rows.move(n, len(v.shown(s)))
		}
	}
	return v, intent{}
}

func (v limitsView) wants(s *scene, w *want) { s.wantGauges(w) }

// shown are the limits on the way of the target in detail; all where there are
// none of its own.
func (v limitsView) shown(s *scene) []rules.Limit {
	var mine []rules.Limit
	for _, l := range s.report().Limits {
		if l.Instance == s.subject() {
			mine = append(mine, l)
		}
	}
	if v.all || len(mine) == 0 {
		return s.report().Limits
	}
	return mine
}

func (v limitsView) view(s *scene, width, height int) []row {
	shown := v.shown(s)
	blocks := []block{v.table(s, shown, width)}
	if text := bindingText(s, shown); text != "" {
		rows := s.theme.prose(width, 2, plain, text)
		blocks = append(blocks, s.theme.rowsBlock(s.theme.heading(width, "What it means"), 1, rows))
	}
	blocks = append(blocks, s.gaugesBlock(s.subject(), width, mostGauges))
	return s.theme.stack(width, height, blocks...)
}

func (v limitsView) table(s *scene, shown []rules.Limit, width int) block {
	scope := "of " + s.subject() + ", tab: all"
	if v.all {
		scope = "of all targets, tab: one"
	}
	heading := s.theme.heading(width, fmt.Sprintf("Limits on the way of a request %d", len(shown)), scope)
	if len(shown) == 0 {
		text := "No limit is known. Limits come from meters (pool sizes, queue capacity) and from --fact NAME=VALUE."
		return s.theme.rowsBlock(heading, 1, s.theme.prose(width, 2, note, text))
	}
	name := min(44, max(20, width-60))
	b := s.theme.listBlock(heading, v.rows, len(shown), 3, func(i int) row { return v.row(s, shown[i], i == v.rows.at, name, width) })
	draw := b.draw
	b.want, b.least = b.want+1, 4
	b.draw = func(height int) []row {
		head := s.theme.pen(width).put(note, "  ").cell(note, "limit", name).num(note, "in use", 9).num(note, "limit", 9).num(note, "room", 9).row()
		return append([]row{head}, draw(height-1)...)
	}
	return b
}

func (v limitsView) row(s *scene, l rules.Limit, at bool, name, width int) row {
	p := s.theme.pen(width)
	p.flat = at
	title := l.Title
	if v.all {
		title = l.Instance + " " + l.Title
	}
	p.put(plain, pointer(at)).name(plain, title, name).num(plain, rules.Number(l.InUse), 9).num(plain, rules.Number(l.Max), 9).num(plain, rules.Number(l.Max-l.InUse), 9)
	if l.Binding {
		p.put(strong, "  ◄ binding")
	}
	if width >= twoColumns && !l.Binding {
		p.put(plain, "  ").raw(plain, s.theme.gauge(gauge{used: l.InUse, most: l.Max, reach: math.NaN(), alive: math.NaN()}, 12))
	}
	return p.put(note, "  "+l.Note).cursor(at)
}

// bindingText says what the binding limit means for the others.
func bindingText(s *scene, shown []rules.Limit) string {
	for _, l := range shown {
		if l.Binding {
			return fmt.Sprintf("The work waits for %s: %s of %s in use. Raising another limit changes nothing until there is room here.",
				l.Title, rules.Number(l.InUse), rules.Number(l.Max))
		}
	}
	if len(shown) > 0 && len(s.causes) == 0 {
		return "Every limit has room."
	}
	return ""
}
