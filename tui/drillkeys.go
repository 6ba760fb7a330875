package tui

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// A drillKeyMap is every key of a drill.
type drillKeyMap struct {
	Up, Down, More, Less, Reset, Pause, Faster, Slower, Advice key.Binding
	Next, Again, Unadvised, Save                               key.Binding
	Help, Suspend, Quit                                        key.Binding
}

func newDrillKeyMap() drillKeyMap {
	return drillKeyMap{
		Up:        bind("k", "knob: the one above", "k", "up"),
		Down:      bind("j", "knob: the next one", "j", "down"),
		More:      bind("+", "up", "+", "=", "right", "l"),
		Less:      bind("-", "down", "-", "left", "h"),
		Reset:     bind("0", "reset: as at the start", "0"),
		Pause:     bind("space", "pause", "space"),
		Faster:    bind(">", "faster", ">", "."),
		Slower:    bind("<", "slower", "<", ","),
		Advice:    bind("a", "advice: do capdoctor's step", "a"),
		Next:      bind("n", "next scenario", "n"),
		Again:     bind("r", "again: the same from its start", "r"),
		Unadvised: bind("w", "again, without advice", "w"),
		Save:      bind("v", "save: the run as a case", "v"),
		Help:      bind("?", "help", "?"),
		Suspend:   bind("ctrl+z", "suspend", "ctrl+z"),
		Quit:      bind("q", "quit", "q", "ctrl+c"),
	}
}

func (k drillKeyMap) all() []key.Binding {
	return []key.Binding{k.Down, k.Up, k.More, k.Less, k.Reset, k.Pause, k.Faster, k.Slower, k.Advice,
		k.Next, k.Again, k.Unadvised, k.Save, k.Help, k.Suspend, k.Quit}
}

func (m drill) press(msg tea.KeyPressMsg) (tea.Model, tea.Cmd) {
	k := m.keys
	m.notice = ""
	if m.help && !key.Matches(msg, k.Quit) {
		m.help = false
		return m, nil
	}
	switch {
	case key.Matches(msg, k.Suspend):
		return m, tea.Suspend
	case key.Matches(msg, k.Help):
		m.help = true
	case key.Matches(msg, k.Down):
		m.at = min(m.at+1, len(m.knobs)-1)
	case key.Matches(msg, k.Up):
		m.at = max(m.at-1, 0)
	case key.Matches(msg, k.Pause):
		return m.pause(), nil
	case key.Matches(msg, k.Faster):
		return m.speedTo(m.speed * 2), nil
	case key.Matches(msg, k.Slower):
		return m.speedTo(m.speed / 2), nil
	case key.Matches(msg, k.Save) && m.options.Save != nil:
		return m, m.save()
	default:
		if then, ok := m.ends(msg); ok {
			m.then = then
			return m, tea.Quit
		}
		return m.pressKnob(msg), nil
	}
	return m, nil
}

// ends tells whether a key ends the drill, and what then.
func (m drill) ends(msg tea.KeyPressMsg) (then DrillThen, ok bool) {
	k := m.keys
	switch {
	case key.Matches(msg, k.Quit):
		return DrillEnd, true
	case key.Matches(msg, k.Again):
		return DrillAgain, true
	case key.Matches(msg, k.Unadvised):
		return DrillUnadvised, true
	case key.Matches(msg, k.Next) && m.options.Next != "":
		return DrillNext, true
	}
	return DrillEnd, false
}

// save keeps the run.
func (m drill) save() tea.Cmd {
	return func() tea.Msg {
		path, err := m.options.Save()
		if err != nil {
			return noticeMsg("not saved: " + err.Error())
		}
		return noticeMsg("saved " + path)
	}
}

// pressKnob handles the keys that turn a knob.
func (m drill) pressKnob(msg tea.KeyPressMsg) drill {
	if len(m.knobs) == 0 {
		return m
	}
	k, knob := m.keys, m.knobs[m.at]
	switch {
	case key.Matches(msg, k.More):
		return m.turn(m.at, knob.turned(1))
	case key.Matches(msg, k.Less) && !knob.Counts:
		return m.turn(m.at, knob.turned(-1))
	case key.Matches(msg, k.Reset) && !knob.Counts:
		return m.turn(m.at, knob.Start)
	case key.Matches(msg, k.Advice) && m.options.Advice != nil:
		name, value, ok := m.options.Advice()
		i := slices.IndexFunc(m.knobs, func(k Knob) bool { return k.Name == name })
		if ok && i >= 0 {
			m.at = i
			return m.turn(i, value)
		}
	}
	return m
}
