package tui

import (
	"slices"

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
	Done, Pause, Faster, Slower             key.Binding
	Copy, Save, Help, Suspend, Quit         key.Binding
}

func bind(help, does string, keys ...string) key.Binding {
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(help, does))
}

// newKeyMap is the keys of a mode: what steers a replay is not offered on a live
// screen, where space marks a step as x does.
func newKeyMap(mode Mode) keyMap {
	k := keyMap{
		Up:       bind("k ↑", "line up", "k", "up"),
		Down:     bind("j ↓", "line down", "j", "down"),
		First:    bind("g", "first line", "g", "home"),
		Last:     bind("G", "last line", "G", "end"),
		PageUp:   bind("pgup", "page up", "pgup", "ctrl+u"),
		PageDown: bind("pgdn", "page down", "pgdown", "ctrl+d"),
		Panel:    bind("tab", "panel: the next one", "tab"),
		Enter:    bind("enter", "open; detail", "enter"),
		Back:     bind("esc", "back; clears a filter", "esc"),
		Filter:   bind("/", "filter", "/"),
		Order:    bind("o", "order: of targets", "o"),
		Evidence: bind("e", "evidence: of a log line", "e"),
		Refresh:  bind("r", "read: all of the target", "r"),
		Freeze:   bind("f", "freeze; again: now", "f"),
		Older:    bind("←", "back: one scrape", "left", "h"),
		Newer:    bind("→", "on: one scrape", "right", "l"),
		Older10:  bind("shift+←", "ten back", "shift+left", "H"),
		Newer10:  bind("shift+→", "ten on", "shift+right", "L"),
		Next:     bind("n", "next finding", "n"),
		NextSlow: bind("N", "next slow-down", "N"),
		Done:     bind("x", "step done; again: not done", "x"),
		Pause:    bind("space", "pause; again: play", "space"),
		Faster:   bind("+", "faster", "+", "="),
		Slower:   bind("-", "slower", "-"),
		Copy:     bind("y", "copy: then f, c or h", "y"),
		Save:     bind("ctrl+s", "save: the report", "ctrl+s"),
		Help:     bind("?", "help", "?"),
		Suspend:  bind("ctrl+z", "suspend", "ctrl+z"),
		Quit:     bind("q", "quit", "q", "ctrl+c"),
	}
	if mode == Live {
		k.Done = bind("x", "step done; as space", "x", "space")
		k.Pause.SetEnabled(false)
		k.Faster.SetEnabled(false)
		k.Slower.SetEnabled(false)
	} else {
		k.Refresh.SetEnabled(false)
	}
	for id, name := range screenNames {
		digit := string(rune('1' + id))
		k.Screens[id] = bind(digit, name, digit)
	}
	return k
}

// all lists the keys that can be pressed, as the help shows them.
func (k keyMap) all() []key.Binding {
	keys := []key.Binding{k.Down, k.Up, k.First, k.Last, k.PageDown, k.PageUp, k.Panel, k.Enter, k.Back, k.Filter}
	keys = append(keys, k.Screens[:]...)
	keys = append(keys, k.Order, k.Evidence, k.Refresh)
	keys = append(keys, k.Freeze, k.Older, k.Newer, k.Older10, k.Newer10, k.Next, k.NextSlow, k.Done, k.Pause, k.Faster, k.Slower)
	keys = append(keys, k.Copy, k.Save, k.Help, k.Suspend, k.Quit)
	return slices.DeleteFunc(keys, func(b key.Binding) bool { return !b.Enabled() })
}
