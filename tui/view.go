package tui

import (
	"fmt"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// The smallest terminal on which the screens make sense.
const (
	leastWidth  = 60
	leastHeight = 16
)

// View draws the screen. It reads the model and computes nothing that could be
// computed when something arrived.
func (m dashboard) View() tea.View {
	v := tea.NewView(m.draw())
	v.AltScreen = true
	v.WindowTitle = "capdoctor"
	if m.options.Mouse {
		v.MouseMode = tea.MouseModeCellMotion
	}
	return v
}

func (m dashboard) draw() string {
	switch {
	case m.width == 0 || m.height == 0:
		return ""
	case m.width < leastWidth || m.height < leastHeight:
		return tooSmall(m.scene.theme, m.width, m.height)
	}
	return joinRows(m.rows())
}

func joinRows(rows []row) string {
	size := 0
	for _, r := range rows {
		size += len(r.text) + 1
	}
	var b strings.Builder
	b.Grow(size)
	for i, r := range rows {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(r.text)
	}
	return b.String()
}

func tooSmall(t *theme, w, h int) string {
	text := fmt.Sprintf("capdoctor needs %d×%d; this terminal is %d×%d. Larger, or: capdoctor watch --plain", leastWidth, leastHeight, w, h)
	return strings.Join(wrap(t.fit(text), w), "\n")
}

// rows are the first rows, the screen and the last row.
func (m dashboard) rows() []row {
	s := &m.scene
	rows := s.top(m.width, m.height)
	body := m.height - len(rows) - 1
	switch {
	case s.empty():
		rows = append(rows, s.theme.fill(m.width, body, m.waitingRows())...)
	default:
		rows = append(rows, m.screens[m.current].view(s, m.width, body)...)
	}
	if m.help {
		rows = m.overlay(rows)
	}
	return append(rows, m.lastRow())
}

// waitingRows say what goes on before the first frame.
func (m dashboard) waitingRows() []row {
	t := m.scene.theme
	rows := []row{t.heading(m.width, "Waiting for the first answer")}
	for _, name := range m.options.Targets {
		rows = append(rows, t.pen(m.width).put(plain, "  ").put(doubtful, "? asked").put(plain, "  "+name).row())
	}
	return t.clip(rows, m.height-5)
}

// lastRow is what can be done here; or what is being typed; or what came of it.
func (m dashboard) lastRow() row {
	t := m.scene.theme
	p := t.pen(m.width)
	switch scr := m.screens[m.current]; {
	case scr.editing():
		return p.put(strong, scr.prompt()).right(note, "enter keeps, esc clears").row()
	case m.copying:
		return p.put(strong, "copy: ").put(plain, "f finding   c command of the step   h hand-over text   esc nothing").row()
	case m.notice.text != "":
		return p.put(strong, m.notice.text).row()
	}
	for id, b := range m.keys.Screens {
		paint := note
		if screenID(id) == m.current {
			paint = chosen
		}
		name := b.Help().Desc
		if m.width < twoColumns {
			name = ""
		}
		p.put(paint, joinNonEmpty(" ", b.Help().Key, name)).space(1 + b2i(m.width >= twoColumns))
	}
	return m.hints(p.space(1)).row()
}

// hints writes as many keys of the screen as fit; help comes behind them and
// always has room.
func (m dashboard) hints(p *pen) *pen {
	room := p.max - width(hintWord(m.keys.Help))
	for _, b := range m.screens[m.current].hints(&m.scene, &m.keys) {
		if !b.Enabled() {
			continue
		}
		if p.w+width(hintWord(b))+2 > room {
			break
		}
		p = hint(p, b)
	}
	p = hint(p, m.keys.Help)
	if p.w+width(hintWord(m.keys.Quit)) <= p.max {
		p = hint(p, m.keys.Quit)
	}
	return p
}

func hint(p *pen, b key.Binding) *pen {
	return p.put(strong, b.Help().Key).put(note, strings.TrimPrefix(hintWord(b), b.Help().Key)).space(2)
}

// hintWord is "enter open": the key and the first words of what it does.
func hintWord(b key.Binding) string {
	does := b.Help().Desc
	for _, end := range []string{",", ";", ":"} {
		does, _, _ = strings.Cut(does, end)
	}
	return b.Help().Key + " " + does
}
