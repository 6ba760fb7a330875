package tui

import (
	"context"
	"fmt"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"
)

// drilling is a drill of 150 s: the writers are cut after 100 s, and the work
// comes back ten seconds later.
func drilling(o DrillOptions) drill {
	o.Title, o.Task = "import", "bring writes above 16.0/s and expiries to 0."
	o.Knobs = []Knob{
		{Name: "writers", Value: 20, Start: 20, Min: 1, Max: 64, Step: 1},
		{Name: "retries", Value: 1, Start: 1, Max: 1, Words: map[float64]string{0: "off", 1: "on"}},
		{Name: "queue", Value: 1024, Start: 1024, Min: 1, Max: 4096},
		{Name: "deadline", Unit: "s", Value: 30, Start: 30, Min: 5, Max: 60, Step: 5},
	}
	o.KneeTitle = "writers"
	o.Knee = func() []KneePoint {
		return []KneePoint{{Setting: "8", Value: 25}, {Setting: "12", Value: 27.8, Remark: "most"}, {Setting: "20", Value: 9.2}}
	}
	o.Next, o.Save = "old-server", func() (string, error) { return "run.capdoctor", nil }
	o.Score = func() []ScoreLine { return []ScoreLine{{"recovered", "yes"}, {"requests lost", "90"}} }
	o.Lessons = []string{"Fewer writers complete more."}
	m := newDrill(context.Background(), o)
	for s := range 150 {
		if s == 100 {
			m = m.turn(0, 8)
		}
		f := DrillFrame{At: time.Duration(s) * time.Second, Meters: []Meter{{Name: "writes", Unit: "1/s", Value: 0.1}, {Name: "waiting", Unit: "requests", Value: 60}}, Report: collapse().report}
		if s >= 110 {
			f.Meters[0].Value, f.Meters[1].Value, f.Report, f.Over, f.Ending = 25, 0, healthy().report, true, "recovered after 1 min 50 s."
		}
		m = m.take(f)
	}
	return m
}

func TestDrillGolden(t *testing.T) {
	m := drilling(DrillOptions{})
	for _, size := range sizes {
		next, _ := m.Update(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
		d := next.(drill)
		golden(t, fmt.Sprintf("drill-%dx%d.txt", size[0], size[1]), trimmed(d.draw()))
		for i, l := range lines(d.draw()) {
			if w := ansi.StringWidth(l); w != size[0] {
				t.Errorf("row %d is %d wide, want %d", i+1, w, size[0])
			}
		}
	}
}

func TestDrillKnobs(t *testing.T) {
	type turned struct {
		Knob  string
		Value float64
	}
	var got []turned
	m := drilling(DrillOptions{
		Turn:   func(name string, v float64) { got = append(got, turned{name, v}) },
		Advice: func() (string, float64, bool) { return "deadline", 10, true },
	})
	got = nil
	for _, k := range []string{"+", "-", "-", "0", "j", "-", "-", "j", "+", "-", "j", "-", "a", "a"} {
		next, _ := m.press(keyPress(k))
		m = next.(drill)
	}
	want := []turned{
		{"writers", 9}, {"writers", 8}, {"writers", 7}, {"writers", 20},
		{"retries", 0}, {"queue", 2048}, {"queue", 1024}, {"deadline", 25}, {"deadline", 10},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("turned (-want +got):\n%s", diff)
	}
	if n := len(m.result().Moves); n != 5 {
		t.Errorf("%d moves, want 5: %+v", n, m.result().Moves)
	}
}

func TestDrillEffect(t *testing.T) {
	m := drilling(DrillOptions{})
	if e, was, is := m.effect(0); e != Improving || was != 0.1 || is != 25 {
		t.Errorf("effect %s, %v to %v", e, was, is)
	}
	m.options.Goal = 16
	if e, _, _ := m.effect(0); e != Reached {
		t.Errorf("effect with a goal of 16: %s", e)
	}
	if !m.result().Over {
		t.Error("the task is not over")
	}
}

func TestDrillSpeed(t *testing.T) {
	var got []Control
	m := drilling(DrillOptions{Control: func(c Control) { got = append(got, c) }})
	for _, k := range []string{">", ">", "<", "space", "space"} {
		next, _ := m.press(keyPress(k))
		m = next.(drill)
	}
	want := []Control{{Kind: Speed, Speed: 2}, {Kind: Speed, Speed: 4}, {Kind: Speed, Speed: 2}, {Kind: Pause}, {Kind: Play}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("asked for (-want +got):\n%s", diff)
	}
}
