package tui

import (
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

var (
	unicodeTheme = newTheme(noColour, false, true)
	asciiTheme   = newTheme(noColour, true, false)
)

func TestSpark(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		name   string
		values []float64
		w      int
		want   string
	}{
		{"rising", []float64{0, 1, 2, 3, 4, 5, 6, 7, 8}, 9, "▁▂▂▃▄▅▆▇▇"},
		{"small values are not zero", []float64{0, 0.001, 100}, 3, "▁▂▇"},
		{"a gap", []float64{1, nan, 1}, 3, "▇ ▇"},
		{"all zero", []float64{0, 0}, 2, "▁▁"},
		{"infinite", []float64{1, math.Inf(1)}, 2, "▇▇"},
		{"below zero", []float64{-5, 5}, 2, "▁▇"},
		{"fewer columns", []float64{0, 0, 8, 8}, 2, "▁▇"},
		{"more columns", []float64{1, 2}, 4, "▄▄▇▇"},
		{"nothing", nil, 3, "   "},
	} {
		if got := unicodeTheme.spark(c.values, c.w); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
	if got := asciiTheme.spark([]float64{0, 4, 8}, 3); got != "_:#" {
		t.Errorf("ASCII: got %q", got)
	}
}

func TestGauge(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		name string
		g    gauge
		want string
	}{
		{"half", gauge{used: 5, reach: nan, most: 10, alive: nan}, "▇▇▇▇▇▇▇▇░░░░░░░░"},
		{"out of reach", gauge{used: 16, reach: 16, most: 64, alive: nan}, "▇▇▇▇▒▒▒▒▒▒▒▒▒▒▒▒"},
		{"in reach, free", gauge{used: 6, reach: 16, most: 64, alive: nan}, "▇▇░░▒▒▒▒▒▒▒▒▒▒▒▒"},
		{"dead work", gauge{used: 68, reach: nan, most: 1024, alive: 2}, "┃▇░░░░░░░░░░░░░░"},
		{"much dead work", gauge{used: 1024, reach: nan, most: 1024, alive: 512}, "▇▇▇▇▇▇▇▇┃▇▇▇▇▇▇▇"},
		{"all of it in time", gauge{used: 8, reach: nan, most: 16, alive: 20}, "▇▇▇▇▇▇▇▇░░░░░░░░"},
		{"one of many", gauge{used: 1, reach: nan, most: 2048, alive: nan}, "▇░░░░░░░░░░░░░░░"},
		{"none", gauge{used: 0, reach: nan, most: 10, alive: nan}, "░░░░░░░░░░░░░░░░"},
		{"over", gauge{used: 30, reach: nan, most: 10, alive: nan}, "▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇"},
		{"unknown", gauge{used: nan, reach: nan, most: 10, alive: nan}, "                "},
		{"no bound", gauge{used: 3, reach: nan, most: nan, alive: nan}, "                "},
	} {
		if got := unicodeTheme.gauge(c.g, 16); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func TestLine(t *testing.T) {
	nan := math.NaN()
	values := []float64{0, 0, nan, nan, 8, 8, 4, 4}
	for _, c := range []struct {
		name  string
		theme theme
		want  []string
	}{
		{"braille", unicodeTheme, []string{"⠀⠀⠉⡇", "⣀⠀⠀⠉"}},
		{"blocks", newTheme(noColour, false, false), []string{"  █ ", "▁ ██"}},
		{"ascii", asciiTheme, []string{"  * ", "*  *"}},
	} {
		got := c.theme.line(values, 8, 4, 2)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
		for _, l := range got {
			if n := utf8.RuneCountInString(l); n != 4 {
				t.Errorf("%s: %q is %d wide", c.name, l, n)
			}
		}
	}
}

func TestResampleKeepsTheMean(t *testing.T) {
	got := resample([]float64{1, 2, 3, 4, 5, 6}, 3)
	if diff := cmp.Diff([]float64{1.5, 3.5, 5.5}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestShare(t *testing.T) {
	blocks := []block{{want: 5, least: 3}, {want: 10, least: 2}, {want: 4, least: 1}}
	for height, want := range map[int][]int{
		22: {5, 10, 4},
		20: {5, 10, 2},
		18: {5, 9, 1},
		11: {5, 2, 1},
		9:  {3, 2, 1},
		8:  {4, 2, -1},
		5:  {4, -1, -1},
		2:  {3, -1, -1},
	} {
		if diff := cmp.Diff(want, share(height, blocks)); diff != "" {
			t.Errorf("height %d (-want +got):\n%s", height, diff)
		}
	}
}

func TestItemsKeepTheCursorInSight(t *testing.T) {
	items := make([][]row, 9)
	for i := range items {
		for k := range 3 {
			items[i] = append(items[i], unicodeTheme.text(20, plain, strings.Repeat(string(rune('a'+i)), k+1)))
		}
	}
	for at := range items {
		b := unicodeTheme.itemsBlock(row{}, list{at: at}, 1, items)
		for height := 1; height < 30; height++ {
			rows := b.draw(height)
			if len(rows) > height {
				t.Fatalf("cursor %d, height %d: %d rows", at, height, len(rows))
			}
			seen := false
			for _, r := range rows {
				seen = seen || strings.HasPrefix(r.text, string(rune('a'+at)))
			}
			if !seen && height > 1 {
				t.Errorf("cursor %d, height %d: its item is out of sight", at, height)
			}
		}
	}
}
