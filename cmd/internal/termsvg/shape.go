package termsvg

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Fonts draw rules, bars and dots of different sizes, or not at all; here they
// are drawn so that they meet.

// stroke is the thickness of a rule in pixels.
const stroke = 1.2

// arms are the ways in which a rule leaves the middle of its cell: left, right,
// up, down.
var arms = map[rune][4]bool{
	'─': {true, true, false, false}, '│': {false, false, true, true},
	'┬': {true, true, false, true}, '┴': {true, true, true, false},
	'├': {false, true, true, true}, '┤': {true, false, true, true}, '┼': {true, true, true, true},
}

func only(text string) rune {
	r, n := utf8.DecodeRuneInString(text)
	if n != len(text) {
		return 0
	}
	return r
}

// isShape tells whether a character is drawn and not written.
func isShape(text string) bool {
	r := only(text)
	_, rule := arms[r]
	return rule || r >= '▁' && r <= '█' || r >= '░' && r <= '▒' || r == '┃' || r > '\u2800' && r <= '\u28ff'
}

// shape is the path of a character in the cell at x, y.
func shape(text string, x, y float64) string {
	switch r := only(text); {
	case r == '┃':
		return box(x+cellWidth/2-stroke, y, 2*stroke, cellHeight)
	case r >= '▁' && r <= '█':
		height := cellHeight * float64(r-'▁'+1) / 8
		return box(x, y+cellHeight-height, cellWidth, height)
	case r == '░' || r == '▒':
		return shade(r, x, y)
	case r > '\u2800':
		return braille(r-'\u2800', x, y)
	default:
		return rule(arms[r], x, y)
	}
}

func box(x, y, w, h float64) string {
	return fmt.Sprintf("M%s %sh%sv%sh-%sz", number(x), number(y), number(w), number(h), number(w))
}

func rule(arm [4]bool, x, y float64) string {
	var b strings.Builder
	middle, centre := x+cellWidth/2, y+cellHeight/2
	if arm[0] {
		b.WriteString(box(x, centre-stroke/2, cellWidth/2, stroke))
	}
	if arm[1] {
		b.WriteString(box(middle, centre-stroke/2, cellWidth/2, stroke))
	}
	if arm[2] {
		b.WriteString(box(middle-stroke/2, y, stroke, cellHeight/2))
	}
	if arm[3] {
		b.WriteString(box(middle-stroke/2, centre, stroke, cellHeight/2))
	}
	return b.String()
}

// shade is what is free in a bar, a thin line; or what is out of reach, slanted
// strokes.
func shade(r rune, x, y float64) string {
	if r == '░' {
		return box(x, y+cellHeight-2*stroke, cellWidth, stroke)
	}
	const slant = 3
	var b strings.Builder
	for _, at := range []float64{0.4, 4.6} {
		fmt.Fprintf(&b, "M%s %sh%sl%d -%sh-%sz", number(x+at-1), number(y+cellHeight-3), number(stroke), slant, number(cellHeight-7), number(stroke))
	}
	return b.String()
}

// braille draws the dots of a character; its eight bits are the dots by column,
// the lowest row last.
func braille(bits rune, x, y float64) string {
	const size = 2.0
	places := [8][2]float64{{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}, {0, 3}, {1, 3}}
	var b strings.Builder
	for i, p := range places {
		if bits&(1<<i) != 0 {
			b.WriteString(box(x+cellWidth/4-size/2+p[0]*cellWidth/2, y+cellHeight/8-size/2+p[1]*cellHeight/4, size, size))
		}
	}
	return b.String()
}
