package tui

import (
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
)

// mostFilter bounds what can be typed.
const mostFilter = 80

// A filter is a text that rows must contain.
type filter struct {
	text string
	on   bool // it is being typed
}

// type takes a key while the filter is being typed.
func (f filter) typed(msg tea.KeyPressMsg) filter {
	switch msg.String() {
	case "enter", "tab", "up", "down":
		f.on = false
	case "esc":
		return filter{}
	case "backspace", "ctrl+h":
		if _, size := utf8.DecodeLastRuneInString(f.text); f.text != "" {
			f.text = f.text[:len(f.text)-size]
		}
	case "ctrl+u", "ctrl+w":
		f.text = ""
	default:
		if len(f.text) < mostFilter {
			f.text += clean(msg.Text)
		}
	}
	return f
}

// prompt is the last row while typing.
func (f filter) prompt() string { return "/ " + f.text + "▏" }

// note says in a heading that rows are left out.
func (f filter) note() string {
	if f.text == "" {
		return ""
	}
	return "/ " + f.text
}

// keeps tells whether one of the texts contains every word of the filter, in any
// case.
func (f filter) keeps(texts ...string) bool {
	if f.text == "" {
		return true
	}
	all := strings.ToLower(strings.Join(texts, "\n"))
	for _, w := range strings.Fields(strings.ToLower(f.text)) {
		if !strings.Contains(all, w) {
			return false
		}
	}
	return true
}
