package tui

import (
	"context"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
)

// A Still is a dashboard without a terminal: it is fed frames, takes keys, and says
// what would be on the screen. Pictures in the documentation are made with it. It
// is not safe for concurrent use.
type Still struct{ m dashboard }

// NewStill returns a dashboard without a size: nothing is on it before Resize.
// Frames of the options is not used.
func NewStill(ctx context.Context, o Options) *Still { return &Still{newDashboard(ctx, o)} }

// Resize gives it a size in columns and rows.
func (s *Still) Resize(width, height int) {
	m, _ := s.m.take(tea.WindowSizeMsg{Width: width, Height: height})
	s.m = settle(m)
}

// Frame shows a frame.
func (s *Still) Frame(f Frame) {
	m, _ := s.m.take(frameMsg(f))
	s.m = settle(m)
}

// End says that there will be no more frames.
func (s *Still) End() {
	m, _ := s.m.take(endMsg{})
	s.m = settle(m)
}

// Press types keys: a character each, or a name such as "enter", "tab" or "esc".
// What a key asks others to do (save, copy, quit) is not done.
func (s *Still) Press(keys ...string) {
	for _, k := range keys {
		m, _ := s.m.take(keyPress(k))
		s.m = settle(m)
	}
}

// Screen is what is on the screen: rows with the escape sequences of their style.
func (s *Still) Screen() string { return s.m.draw() }

// settle answers what the screen asks for, until it asks for nothing new.
func settle(m dashboard) dashboard {
	const most = 5 // an answer can raise another question, such as for its charts
	for range most {
		w := m.want()
		if w.at.IsZero() || w.equal(m.scene.reading.want) {
			break
		}
		m, _ = m.take(readingMsg(m.reader.read(m.ctx, w)))
	}
	return m
}

// A DrillStill is a drill without a terminal, like Still.
type DrillStill struct{ m drill }

// NewDrillStill returns a drill without a size: nothing is on it before Resize.
// Frames of the options is not used.
func NewDrillStill(ctx context.Context, o DrillOptions) *DrillStill {
	return &DrillStill{newDrill(ctx, o)}
}

// Resize gives it a size in columns and rows.
func (s *DrillStill) Resize(width, height int) { s.m.width, s.m.height = width, height }

// Frame shows a frame.
func (s *DrillStill) Frame(f DrillFrame) { s.m = s.m.take(f) }

// Press types keys; knobs are turned.
func (s *DrillStill) Press(keys ...string) {
	for _, k := range keys {
		m, _ := s.m.press(keyPress(k))
		s.m = m.(drill)
	}
}

// Screen is what is on the screen.
func (s *DrillStill) Screen() string { return s.m.draw() }

// keyNames are the keys that have a name.
var keyNames = map[string]tea.KeyPressMsg{
	"enter": {Code: tea.KeyEnter}, "esc": {Code: tea.KeyEscape}, "tab": {Code: tea.KeyTab}, "space": {Code: tea.KeySpace, Text: " "},
	"backspace": {Code: tea.KeyBackspace}, "left": {Code: tea.KeyLeft}, "right": {Code: tea.KeyRight}, "up": {Code: tea.KeyUp}, "down": {Code: tea.KeyDown},
}

// keyPress is the message of a key, by its name in the key map: "j", "enter",
// "shift+left", "ctrl+s". An unknown name is typed as text.
func keyPress(name string) tea.KeyPressMsg {
	if msg, ok := keyNames[name]; ok {
		return msg
	}
	if rest, ok := strings.CutPrefix(name, "shift+"); ok {
		msg := keyNames[rest]
		msg.Mod = tea.ModShift
		return msg
	}
	if rest, ok := strings.CutPrefix(name, "ctrl+"); ok {
		r, _ := utf8.DecodeRuneInString(rest)
		return tea.KeyPressMsg{Code: r, Mod: tea.ModCtrl}
	}
	r, _ := utf8.DecodeRuneInString(name)
	return tea.KeyPressMsg{Code: r, Text: name}
}
