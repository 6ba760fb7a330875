package termsvg

import (
	"bytes"
	"encoding/xml"
	"errors"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A picture is what a reader of XML finds in an SVG.
type picture struct {
	Width  float64 `xml:"width,attr"`
	Height float64 `xml:"height,attr"`
	Label  string  `xml:"aria-label,attr"`
	Texts  []struct {
		X      float64 `xml:"x,attr"`
		Y      float64 `xml:"y,attr"`
		Length float64 `xml:"textLength,attr"`
		Fill   string  `xml:"fill,attr"`
		Weight string  `xml:"font-weight,attr"`
		Faint  string  `xml:"fill-opacity,attr"`
		Text   string  `xml:",chardata"`
	} `xml:"text"`
	Rects []struct {
		X     string `xml:"x,attr"`
		Width string `xml:"width,attr"`
		Fill  string `xml:"fill,attr"`
	} `xml:"rect"`
	Paths []struct {
		D string `xml:"d,attr"`
	} `xml:"path"`
}

func drawn(t testing.TB, title, view string) picture {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, title, view); err != nil {
		t.Fatal(err)
	}
	var p picture
	if err := xml.Unmarshal(b.Bytes(), &p); err != nil {
		t.Fatalf("%v in\n%s", err, &b)
	}
	return p
}

func column(x float64) float64 { return math.Round((x-margin)/cellWidth*100) / 100 }

func TestSize(t *testing.T) {
	p := drawn(t, `a "title" & <more>`, strings.Repeat("x", 80)+strings.Repeat("\n", 23)+"y")
	if p.Width != 80*cellWidth+2*margin || p.Height != 24*cellHeight+2*margin {
		t.Errorf("%g × %g pixels", p.Width, p.Height)
	}
	if p.Label != `a "title" & <more>` {
		t.Errorf("label %q", p.Label)
	}
	if got := p.Texts[1].Y; got != margin+23*cellHeight+baseline {
		t.Errorf("the last row is at %g", got)
	}
	if p := drawn(t, "", "x\n"); p.Height != cellHeight+2*margin {
		t.Errorf("a line break at the end makes %g pixels", p.Height)
	}
}

// TestRunsOfText holds that text stands in its column, is stretched to its cells
// and painted as its escape sequences say.
func TestRunsOfText(t *testing.T) {
	type run struct {
		Column, Columns     float64
		Text, Fill          string
		Bold, Faint, Hollow bool
	}
	for _, c := range []struct {
		name, view string
		want       []run
	}{
		{"plain", "ab cd", []run{{0, 5, "ab cd", letters, false, false, false}}},
		{"indented", "   ab  ", []run{{3, 2, "ab", letters, false, false, false}}},
		{"bold red of 256", "x\x1b[1;38;5;203mCRIT\x1b[0m y", []run{{0, 1, "x", letters, false, false, false}, {1, 4, "CRIT", "#ff5f5f", true, false, false}, {6, 1, "y", letters, false, false, false}}},
		{"faint", "\x1b[2mnote\x1b[0m", []run{{0, 4, "note", letters, false, true, false}}},
		{"faint and bold end", "\x1b[1;2ma\x1b[22mb", []run{{0, 1, "a", letters, true, true, false}, {1, 1, "b", letters, false, false, false}}},
		{"16 colours", "\x1b[31ma\x1b[92mb\x1b[39mc", []run{{0, 1, "a", basic[1], false, false, false}, {1, 1, "b", basic[10], false, false, false}, {2, 1, "c", letters, false, false, false}}},
		{"grey", "\x1b[38;5;245ma", []run{{0, 1, "a", "#8a8a8a", false, false, false}}},
		{"a ground is no style", "\x1b[48;5;1ma", []run{{0, 1, "a", letters, false, false, false}}},
		{"under the cursor", "\x1b[7m> a\x1b[27mb", []run{{0, 3, "> a", ground, false, false, true}, {3, 1, "b", letters, false, false, false}}},
		{"wide", "日本x", []run{{0, 5, "日本x", letters, false, false, false}}},
		{"hostile", "<b>&\x1b[2J\x1b]0;t\x07\x00z", []run{{0, 5, "<b>&z", letters, false, false, false}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := drawn(t, "", c.view)
			var got []run
			for _, x := range p.Texts {
				hollow := false
				for _, r := range p.Rects {
					at, err := strconv.ParseFloat(r.X, 64)
					hollow = hollow || err == nil && at == x.X
				}
				got = append(got, run{column(x.X), math.Round(x.Length / cellWidth), x.Text, x.Fill, x.Weight == "bold", x.Faint != "", hollow})
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestRulesMeet holds that a rule reaches every side of its cell that it points
// to, so that it meets its neighbour, and no other.
func TestRulesMeet(t *testing.T) {
	for r, arm := range arms {
		d := shape(string(r), 0, 0)
		for side, want := range map[string]bool{
			"left": arm[0], "right": arm[1], "up": arm[2], "down": arm[3],
		} {
			if got := touches(t, d, side); got != want {
				t.Errorf("%c, %s: %v, want %v (%s)", r, side, got, want, d)
			}
		}
	}
}

// touches tells whether one of the boxes of a path lies at a side of the cell at 0, 0.
func touches(t *testing.T, d, side string) bool {
	t.Helper()
	for _, b := range boxesOf(t, d) {
		switch {
		case side == "left" && b.x == 0, side == "right" && near(b.x+b.w, cellWidth),
			side == "up" && b.y == 0, side == "down" && near(b.y+b.h, cellHeight):
			return true
		}
	}
	return false
}

func near(a, b float64) bool { return math.Abs(a-b) < 0.02 }

type boxOf struct{ x, y, w, h float64 }

// boxesOf reads back the boxes of a path.
func boxesOf(t *testing.T, d string) []boxOf {
	t.Helper()
	var out []boxOf
	for part := range strings.SplitSeq(strings.TrimSuffix(d, "z"), "z") {
		fields := strings.FieldsFunc(part, func(r rune) bool { return r == 'M' || r == ' ' || r == 'h' || r == 'v' })
		if len(fields) != 5 {
			t.Fatalf("no box: %q", part)
		}
		var n [5]float64
		for i, f := range fields {
			var err error
			if n[i], err = strconv.ParseFloat(f, 64); err != nil {
				t.Fatal(err)
			}
		}
		out = append(out, boxOf{n[0], n[1], n[2], n[3]})
	}
	return out
}

// TestBars holds that a block is as high as it says, and stands on the floor.
func TestBars(t *testing.T) {
	for i, r := range []rune("▁▂▃▄▅▆▇█") {
		b := boxesOf(t, shape(string(r), 0, 0))
		if len(b) != 1 || !near(b[0].h, cellHeight*float64(i+1)/8) || !near(b[0].y+b[0].h, cellHeight) || !near(b[0].w, cellWidth) {
			t.Errorf("%c: %+v", r, b)
		}
	}
}

// TestBraille holds that every dot is drawn, in a place of its own within the cell.
func TestBraille(t *testing.T) {
	seen := map[boxOf]bool{}
	for bit := range 8 {
		b := boxesOf(t, shape(string('\u2800'+rune(1<<bit)), 0, 0))
		if len(b) != 1 || seen[b[0]] || b[0].x < 0 || b[0].x+b[0].w > cellWidth || b[0].y < 0 || b[0].y+b[0].h > cellHeight {
			t.Errorf("dot %d: %+v", bit, b)
			continue
		}
		seen[b[0]] = true
	}
	if b := boxesOf(t, shape("\u28ff", 0, 0)); len(b) != 8 {
		t.Errorf("%d dots of eight", len(b))
	}
	if p := drawn(t, "", "\u2800\u2800"); len(p.Paths) > 0 {
		t.Error("blank braille is drawn")
	}
}

// A full is a place with no room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no room") }

func TestWriteTellsOfErrors(t *testing.T) {
	if err := Write(full{}, "", strings.Repeat("x", 5000)); err == nil {
		t.Error("the error of the writer is lost")
	}
}

// FuzzWrite holds that whatever is drawn is well-formed, and the same each time.
func FuzzWrite(f *testing.F) {
	for _, s := range []string{"", "a\nb", "\x1b[1;38;5;203mx\x1b[0m", "\x1b[38;5;m\x1b[;;m\x1b[", "日本\u0301\u200d🙂", "\xff\x00]]>", "⣿░▒┃┼", strings.Repeat("\x1b[7m \n", 3)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, view string) {
		var again bytes.Buffer
		drawn(t, view, view)
		if err := Write(&again, view, view); err != nil {
			t.Fatal(err)
		}
		var once bytes.Buffer
		Write(&once, view, view)
		if !bytes.Equal(once.Bytes(), again.Bytes()) {
			t.Error("two pictures of the same screen differ")
		}
	})
}
