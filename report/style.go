package report

// A Style is how states are coloured. Colour is never the only sign: a glyph
// and a word stand beside it.
type Style uint8

const (
	NoStyle  Style = iota // no escape sequences at all: pipes and files
	Mono                  // bold and dim only
	Colour16              // the terminal's own colours
	Dark256               // 256 colours on a dark ground
	Light256              // 256 colours on a light ground
)

// A role is what a piece of text is, which decides its colour.
type role uint8

const (
	plain role = iota
	heading
	note
	critical
	warning
	doubtful // unknown, stale, provisional
	roles
)

// sgr holds the parameters of the escape sequence for each style and role.
var sgr = [...][roles]string{
	Mono:     {heading: "1", note: "2", critical: "1", doubtful: "2"},
	Colour16: {heading: "1", note: "2", critical: "1;31", warning: "33", doubtful: "2"},
	Dark256:  {heading: "1", note: "2", critical: "1;38;5;203", warning: "38;5;221", doubtful: "38;5;245"},
	Light256: {heading: "1", note: "2", critical: "1;38;5;160", warning: "38;5;130", doubtful: "38;5;240"},
}

func (s Style) paint(r role, text string) string {
	if int(s) >= len(sgr) || sgr[s][r] == "" || text == "" {
		return text
	}
	return "\x1b[" + sgr[s][r] + "m" + text + "\x1b[0m"
}
