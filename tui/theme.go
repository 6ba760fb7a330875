package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
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

// A palette holds the parameters of the escape sequence of each role. Styles are
// turned into them once; rows are then painted without building styles anew.
type palette [roles]string

var (
	bold, faint, reversed = lipgloss.NewStyle().Bold(true), lipgloss.NewStyle().Faint(true), lipgloss.NewStyle().Reverse(true)

	dark256  = newPalette(bold.Foreground(lipgloss.Color("203")), ink("221"), ink("245"), ink("114"), ink("111"))
	light256 = newPalette(bold.Foreground(lipgloss.Color("160")), ink("130"), ink("240"), ink("28"), ink("25"))
	basic16  = newPalette(bold.Foreground(lipgloss.Color("1")), ink("3"), faint, ink("2"), ink("4"))
	noColour = newPalette(bold, lipgloss.NewStyle(), faint, lipgloss.NewStyle(), bold)
)

// ink is a style of one of the 256 colours.
func ink(colour string) lipgloss.Style { return lipgloss.NewStyle().Foreground(lipgloss.Color(colour)) }

// newPalette takes the styles of the roles that differ from palette to palette.
func newPalette(worst, warn, doubt, well, still lipgloss.Style) palette {
	return palette{
		strong: parameters(bold), note: parameters(faint), chosen: parameters(reversed),
		critical: parameters(worst), warning: parameters(warn), doubtful: parameters(doubt), good: parameters(well), frozen: parameters(still),
	}
}

// parameters are what stands in the escape sequence that a style begins with;
// empty when it has none.
func parameters(s lipgloss.Style) string {
	open, _, _ := strings.Cut(s.Render("x"), "x")
	return strings.TrimSuffix(strings.TrimPrefix(open, "\x1b["), "m")
}

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
