package tui

import (
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
)

// A role is what a piece of text is, which decides how it is painted. Colour
// means state and is never the only sign: a glyph and a word stand beside it.
type role uint8

const (
	plain  role = iota
	strong      // headings; a value that has just changed
	note        // quieter than the rest
	critical
	warning
	doubtful // unknown, stale, provisional
	good     // improving, reached
	chosen   // the row under the cursor
	frozen   // the bar that says that the screen is not live
	roles
)

// A palette holds the parameters of the escape sequence of each role.
type palette [roles]string

var (
	dark256  = palette{strong: "1", note: "2", critical: "1;38;5;203", warning: "38;5;221", doubtful: "38;5;245", good: "38;5;114", chosen: "7", frozen: "38;5;111"}
	light256 = palette{strong: "1", note: "2", critical: "1;38;5;160", warning: "38;5;130", doubtful: "38;5;240", good: "38;5;28", chosen: "7", frozen: "38;5;25"}
	basic16  = palette{strong: "1", note: "2", critical: "1;31", warning: "33", doubtful: "2", good: "32", chosen: "7", frozen: "34"}
	noColour = palette{strong: "1", note: "2", critical: "1", doubtful: "2", chosen: "7", frozen: "1"}
)

// A theme says how things look on the terminal at hand.
type theme struct {
	palette  palette
	ascii    bool
	braille  bool
	ellipsis string
	sparks   []string // lowest first; the last one fills its cell
	small    []string // of one row: the highest leaves a gap to the row above
	full     string   // of a bar, with a gap to the row above
	rest     string
	beyond   string // what cannot be reached
	deadline string // the line behind which queued work is dead
}

func newTheme(p palette, ascii, braille bool) theme {
	if ascii {
		sparks := []string{"_", ".", "-", ":", "=", "+", "*", "#"}
		return theme{
			palette: p, ascii: true, ellipsis: "..", sparks: sparks, small: sparks,
			full: "=", rest: ".", beyond: "-", deadline: ":",
		}
	}
	sparks := []string{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"}
	return theme{
		palette: p, braille: braille, ellipsis: "…", sparks: sparks, small: sparks[:7],
		full: "▇", rest: "░", beyond: "▒", deadline: "┃",
	}
}

// A look is what is known of the terminal.
type look struct {
	profile colorprofile.Profile
	light   bool
}

func newLook(d Display) look {
	l := look{profile: colorprofile.ANSI256, light: d.Light != nil && *d.Light}
	if d.NoColor {
		l.profile = colorprofile.ASCII
	}
	return l
}

// ask asks the terminal for its ground where nobody said it.
func (d Display) ask() tea.Cmd {
	if d.Light != nil || d.NoColor {
		return nil
	}
	return tea.RequestBackgroundColor
}

// take learns from an answer of the terminal.
func (l look) take(msg tea.Msg, d Display) look {
	switch msg := msg.(type) {
	case tea.ColorProfileMsg:
		if !d.NoColor {
			l.profile = msg.Profile
		}
	case tea.BackgroundColorMsg:
		l.light = !msg.IsDark()
	}
	return l
}

func (l look) theme(d Display) theme { return newTheme(l.palette(), d.ASCII, !d.NoBraille) }

// palette chooses the colours that the terminal can show.
func (l look) palette() palette {
	switch {
	case l.profile <= colorprofile.ASCII:
		return noColour
	case l.profile == colorprofile.ANSI:
		return basic16
	case l.light:
		return light256
	}
	return dark256
}
