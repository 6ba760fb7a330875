package tui

import (
	"charm.land/bubbles/v2/key"
)

// keyRows are keys and what they do, in columns, drawn from a key map.
func keyRows(t *theme, columns int, title string, keys []key.Binding) []row {
	const each, word = 38, 11
	across := max(1, columns/each)
	down := (len(keys) + across - 1) / across
	rows := []row{t.heading(columns, title, "any key closes it")}
	for i := range down {
		p := t.pen(columns)
		for c := range across {
			if n := c*down + i; n < len(keys) {
				p.space(c*(columns/across)-p.w+2).cell(strong, keys[n].Help().Key, word).cell(plain, keys[n].Help().Desc, columns/across-word-3)
			}
		}
		rows = append(rows, p.row())
	}
	return append(rows, t.blank(columns))
}

// overlay puts the help over the lower part of a screen, so that the first rows
// stay.
func (m dashboard) overlay(rows []row) []row {
	help := keyRows(m.scene.theme, m.width, "Help: "+m.keys.Screens[m.current].Help().Desc, m.keys.all())
	from := max(3, len(rows)-len(help))
	for i := from; i < len(rows); i++ {
		if i-from < len(help) {
			rows[i] = help[i-from]
		}
	}
	return rows
}
