package tui

import (
	"charm.land/bubbles/v2/key"
)

// helpRows are every key and what it does, drawn from the key map.
func (m dashboard) helpRows(width int) []row {
	t := m.scene.theme
	var lines []key.Binding
	for _, g := range m.keys.groups() {
		lines = append(lines, g...)
	}
	columns := max(1, width/38)
	each := (len(lines) + columns - 1) / columns
	rows := []row{t.heading(width, "Help: "+m.keys.Screens[m.current].Help().Desc, "any key closes it")}
	for i := range each {
		p := t.pen(width)
		for c := range columns {
			if n := c*each + i; n < len(lines) {
				p.space(c*(width/columns)-p.w+2).cell(strong, lines[n].Help().Key, 10).cell(plain, lines[n].Help().Desc, width/columns-13)
			}
		}
		rows = append(rows, p.row())
	}
	return append(rows, t.blank(width))
}

// overlay puts the help over the lower part of a screen, so that the first rows
// stay.
func (m dashboard) overlay(rows []row) []row {
	help := m.helpRows(m.width)
	from := max(3, len(rows)-len(help))
	for i := from; i < len(rows); i++ {
		if i-from < len(help) {
			rows[i] = help[i-from]
		}
	}
	return rows
}
