package termsvg

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// A cell is one column of a row. The second column of a wide character is an
// empty text.
type cell struct {
	text  string
	style style
}

// A style is how a cell is painted.
type style struct {
	colour             int // of 256, less than 0 for that of the terminal
	bold, dim, reverse bool
}

var unstyled = style{colour: -1}

// parse reads rows of cells. Sequences that are no style are dropped.
func parse(view string) [][]cell {
	rows := [][]cell{nil}
	now, state := unstyled, byte(0)
	for view != "" {
		text, width, n, next := ansi.DecodeSequence(view, state, nil)
		switch last := len(rows) - 1; {
		case text == "\n":
			rows = append(rows, nil)
		case width > 0:
			rows[last] = append(rows[last], cell{text, now})
			for range width - 1 {
				rows[last] = append(rows[last], cell{"", now})
			}
		case strings.HasPrefix(text, "\x1b[") && strings.HasSuffix(text, "m"):
			now = now.apply(text[2 : len(text)-1])
		}
		view, state = view[n:], next
	}
	if last := len(rows) - 1; len(rows[last]) == 0 {
		rows = rows[:last]
	}
	return rows
}

// apply changes a style by the parameters of a sequence, as far as this program
// writes them.
func (s style) apply(parameters string) style {
	list := strings.Split(parameters, ";")
	for i := 0; i < len(list); i++ {
		switch n, _ := strconv.Atoi(list[i]); {
		case n == 0:
			s = unstyled
		case n == 1:
			s.bold = true
		case n == 2:
			s.dim = true
		case n == 7:
			s.reverse = true
		case n == 22:
			s.bold, s.dim = false, false
		case n == 27:
			s.reverse = false
		case n >= 30 && n <= 37:
			s.colour = n - 30
		case n == 38 && i+2 < len(list):
			s.colour, _ = strconv.Atoi(list[i+2])
			i += 2
		case n == 48: // a ground is not drawn
			i += 2
		case n == 39:
			s.colour = -1
		case n >= 90 && n <= 97:
			s.colour = n - 82
		}
	}
	return s
}

// fill is the attributes that paint in the style.
func (s style) fill() string {
	paint := fmt.Sprintf(` fill="%s"`, colour(s.colour))
	if s.dim {
		paint += ` fill-opacity="0.62"`
	}
	return paint
}

// basic are the first sixteen colours, as on a dark ground.
var basic = [16]string{
	"#3b4048", "#e06c75", "#98c379", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#d7dae0",
	"#5c6370", "#ff7b85", "#b0dd8f", "#ffd88a", "#7cc4ff", "#dd8ff5", "#6ed3df", "#ffffff",
}

// colour is one of 256: sixteen, then a cube of six steps each way, then greys.
func colour(n int) string {
	switch {
	case n < 0 || n > 255:
		return letters
	case n < len(basic):
		return basic[n]
	case n < 232:
		step := func(k int) int {
			if k == 0 {
				return 0
			}
			return 55 + 40*k
		}
		n -= len(basic)
		return fmt.Sprintf("#%02x%02x%02x", step(n/36), step(n/6%6), step(n%6))
	}
	grey := 8 + 10*(n-232)
	return fmt.Sprintf("#%02x%02x%02x", grey, grey, grey)
}
