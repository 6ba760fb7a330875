package tui

import (
	"fmt"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
)

// copy takes the key behind y.
func (m dashboard) copy(msg tea.KeyPressMsg) (dashboard, tea.Cmd) {
	clip := Clip{Report: m.scene.report(), Finding: m.scene.shown(), Done: m.scene.doneList()}
	switch msg.String() {
	case "f", "y":
		clip.Kind = CopyFinding
	case "h":
		clip.Kind = CopyHandOver
	case "c":
		text := m.command()
		if text == "" {
			return m.say("no step to copy"), nil
		}
		return m, m.toClipboard(text)
	default:
		return m, nil
	}
	return m, m.toClipboard(m.options.Text(clip))
}

// command is the text of the step under the cursor, elsewhere of the next step that
// was not done.
func (m dashboard) command() string {
	if b, ok := m.screens[m.current].(playbook); ok && b.steps.at < len(m.scene.plan.steps) {
		return clean(m.scene.plan.steps[b.steps.at].step.Do)
	}
	for _, p := range m.scene.plan.steps {
		if _, done := m.done.find(p.key); !done {
			return clean(p.step.Do)
		}
	}
	return ""
}

// toClipboard asks the terminal to copy a text, and the system where it can.
func (m dashboard) toClipboard(text string) tea.Cmd {
	told := fmt.Sprintf("copied %d characters", utf8.RuneCountInString(text))
	native := func() tea.Msg {
		if m.options.Copy != nil {
			if err := m.options.Copy(m.ctx, text); err != nil {
				return noticeMsg(told + " through the terminal; " + err.Error())
			}
		}
		return noticeMsg(told)
	}
	return tea.Sequence(tea.SetClipboard(text), native)
}

// save writes the report to a file.
func (m dashboard) save() tea.Cmd {
	r := m.scene.report()
	return func() tea.Msg {
		if m.options.Save == nil || r == nil {
			return noticeMsg("nothing to save yet")
		}
		path, err := m.options.Save(r)
		if err != nil {
			return noticeMsg("not saved: " + err.Error())
		}
		return noticeMsg("saved " + path)
	}
}
