// Package termsvg draws what a terminal shows as an SVG picture, for
// documentation. The same text gives the same bytes; a picture needs no font
// but a monospaced one, no script and no network.
package termsvg

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
)

// Sizes in pixels. A cell is as wide as most monospaced fonts draw a character;
// runs of text are stretched to it where a font differs.
const (
	fontSize   = 14
	cellWidth  = 8.4
	cellHeight = 18.0
	margin     = 12.0
	baseline   = 13.5 // of a row, from its top
)

// The colours of the terminal that is drawn.
const (
	ground  = "#14171c"
	letters = "#d7dae0"
)

// Write draws rows of text, separated by line breaks, with the escape sequences
// of their style. The title is what a screen reader says. The error is one of w.
func Write(w io.Writer, title, view string) error {
	rows := parse(view)
	columns := 0
	for _, row := range rows {
		columns = max(columns, len(row))
	}
	b := bufio.NewWriter(w)
	width, height := float64(columns)*cellWidth+2*margin, float64(len(rows))*cellHeight+2*margin
	fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg" width="%s" height="%s" viewBox="0 0 %[1]s %[2]s" role="img" aria-label="%s">`+"\n",
		number(width), number(height), escape(title))
	fmt.Fprintf(b, "<style>text{font:%dpx ui-monospace,SFMono-Regular,Menlo,Consolas,\"DejaVu Sans Mono\",monospace;white-space:pre}</style>\n", fontSize)
	fmt.Fprintf(b, `<rect width="100%%" height="100%%" rx="8" fill="%s"/>`+"\n", ground)
	for y, row := range rows {
		for _, r := range runs(row) {
			r.draw(b, margin+float64(r.at)*cellWidth, margin+float64(y)*cellHeight)
		}
	}
	b.WriteString("</svg>\n")
	return b.Flush() // the first error of all writes
}

// A run is neighbouring cells of one style that are drawn alike.
type run struct {
	at    int // column
	cells []cell
	style style
	shape bool // rules, bars and dots, which are drawn and not written
}

// runs splits a row. Blanks that nothing is painted behind are left out.
func runs(row []cell) []run {
	var out []run
	for i, c := range row {
		shape := isShape(c.text)
		if n := len(out) - 1; n >= 0 && out[n].style == c.style && out[n].shape == shape && out[n].at+len(out[n].cells) == i {
			out[n].cells = append(out[n].cells, c)
			continue
		}
		if c.text != " " || c.style.reverse {
			out = append(out, run{at: i, cells: []cell{c}, style: c.style, shape: shape})
		}
	}
	return out
}

// draw draws a run with its upper left corner at x, y.
func (r run) draw(w io.Writer, x, y float64) {
	width := float64(len(r.cells)) * cellWidth
	paint := r.style.fill()
	if r.style.reverse {
		fmt.Fprintf(w, `<rect x="%s" y="%s" width="%s" height="%s"%s/>`+"\n", number(x), number(y), number(width), number(cellHeight), paint)
		paint = fmt.Sprintf(` fill="%s"`, ground)
	}
	if r.shape {
		var path strings.Builder
		for i, c := range r.cells {
			path.WriteString(shape(c.text, x+float64(i)*cellWidth, y))
		}
		fmt.Fprintf(w, `<path d="%s"%s/>`+"\n", path.String(), paint)
		return
	}
	var text strings.Builder
	for _, c := range r.cells {
		text.WriteString(c.text)
	}
	written := strings.TrimRight(text.String(), " ")
	if written == "" {
		return
	}
	width -= float64(len(text.String())-len(written)) * cellWidth
	if r.style.bold {
		paint += ` font-weight="bold"`
	}
	fmt.Fprintf(w, `<text x="%s" y="%s" textLength="%s" lengthAdjust="spacingAndGlyphs" xml:space="preserve"%s>%s</text>`+"\n",
		number(x), number(y+baseline), number(width), paint, escape(written))
}

func escape(s string) string {
	var b strings.Builder
	xml.EscapeText(&b, []byte(s)) // a Builder does not fail
	return b.String()
}

// number writes pixels with at most two decimals.
func number(v float64) string {
	return strings.TrimRight(strings.TrimRight(fmt.Sprintf("%.2f", v), "0"), ".")
}
