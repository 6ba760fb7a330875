package tui

import (
	"charm.land/bubbles/v2/key"
)

// A keyMap is every key of the dashboard. The last row of a screen and the help
// are written from it, so that they say what is true.
type keyMap struct {
	Up, Down, First, Last, PageUp, PageDown key.Binding
	Panel, Enter, Back                      key.Binding
	Screens                                 [screens]key.Binding
	Filter, Order, Evidence, Refresh        key.Binding
	Freeze, Older, Newer, Older10, Newer10  key.Binding
	Next, NextSlow                          key.Binding
	Space, Faster, Slower                   key.Binding
	Copy, Save, Help, Suspend, Quit         key.Binding
}

func bind(help, does string, keys ...string) key.Binding {
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(help, does))
}

func newKeyMap() keyMap {
	k := keyMap{
		Up:       bind("k ↑", "line up", "k", "up"),
		Down:     bind("j ↓", "line down", "j", "down"),
		First:    bind("g", "first line", "g", "home"),
		Last:     bind("G", "last line", "G", "end"),
		PageUp:   bind("pgup", "page up", "pgup", "ctrl+u"),
		PageDown: bind("pgdn", "page down", "pgdown", "ctrl+d"),
		Panel:    bind("tab", "next panel", "tab"),
		Enter:    bind("enter", "open, detail", "enter"),
		Back:     bind("esc", "back; clears a filter", "esc"),
		Filter:   bind("/", "filter", "/"),
		Order:    bind("o", "order of targets", "o"),
		Evidence: bind("e", "log line: its evidence", "e"),
		Refresh:  bind("r", "read the whole page", "r"),
		Freeze:   bind("f", "freeze, back to now", "f"),
		Older:    bind("←", "one scrape back", "left", "h"),
		Newer:    bind("→", "one scrape on", "right", "l"),
		Older10:  bind("shift+←", "ten back", "shift+left", "H"),
		Newer10:  bind("shift+→", "ten on", "shift+right", "L"),
		Next:     bind("n", "next finding", "n"),
		NextSlow: bind("N", "next slow-down", "N"),
		Space:    bind("space", "step done, undone; replay: pause", "space"),
		Faster:   bind("+", "faster", "+", "="),
		Slower:   bind("-", "slower", "-"),
		Copy:     bind("y", "copy: then f finding, c command, h hand-over", "y"),
		Save:     bind("ctrl+s", "save the report", "ctrl+s"),
		Help:     bind("?", "help", "?"),
		Suspend:  bind("ctrl+z", "suspend", "ctrl+z"),
		Quit:     bind("q", "quit", "q", "ctrl+c"),
	}
	for id, name := range screenNames {
		digit := string(rune('1' + id))
		k.Screens[id] = bind(digit, name, digit)
	}
	return k
}

// groups are the keys as the help shows them, in columns.
func (k keyMap) groups() [][]key.Binding {
	return [][]key.Binding{
		{k.Down, k.Up, k.First, k.Last, k.PageUp, k.PageDown, k.Panel, k.Enter, k.Back, k.Filter},
		append(k.Screens[:len(k.Screens):len(k.Screens)], k.Order, k.Evidence, k.Refresh),
		{k.Freeze, k.Older, k.Newer, k.Older10, k.Newer10, k.Next, k.NextSlow, k.Space, k.Faster, k.Slower},
		{k.Copy, k.Save, k.Help, k.Suspend, k.Quit},
	}
}
