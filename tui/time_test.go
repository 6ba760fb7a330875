package tui

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/capdoctor/capdoctor/rules"
)

// history feeds a calm frame, then the collapse, a frame every 15 s.
func history(t *testing.T, o Options) dashboard {
	w := collapse()
	m := watching(t, w, o)
	m.frames = ring{live: o.Mode == Live}
	calm := *healthy().report
	for i := range 40 {
		r := *w.report
		r.At = noon.Add(time.Duration(i-39) * every)
		if i < 20 {
			r.Findings, r.Cleared, r.Vitals = nil, calm.Cleared, calm.Vitals
		}
		m = feed(m, Frame{Report: &r})
	}
	return sized(m, 120, 36)
}

func TestFreezeAndScrub(t *testing.T) {
	m := press(history(t, Options{}), "f")
	shows(t, m, "FROZEN 09:11:00 UTC")
	m = press(m, "left", "left")
	shows(t, m, "FROZEN 09:10:30 UTC, 30 s back")
	m = press(m, "shift+left", "H")
	shows(t, m, "FROZEN 09:05:30 UTC, 5 min back")
	shows(t, m, "nothing fires on 3 targets")
	m = press(m, "n")
	shows(t, m, "FROZEN 09:06:15 UTC")
	shows(t, m, "■ CRITICAL")
	shows(t, press(m, "f"), "LIVE")
}

func TestFrozenStaysWhileFramesCome(t *testing.T) {
	m := press(history(t, Options{}), "left")
	at := m.scene.report().At
	r := *m.result.Last
	r.At = noon.Add(every)
	m = feed(m, Frame{Report: &r})
	if !m.scene.report().At.Equal(at) {
		t.Errorf("the frozen screen moved from %s to %s", at, m.scene.report().At)
	}
	if m = press(m, "f"); !m.scene.report().At.Equal(r.At) {
		t.Errorf("after f the screen shows %s, want %s", m.scene.report().At, r.At)
	}
}

func TestNextSlowdown(t *testing.T) {
	m := press(history(t, Options{}), "H", "H", "H", "N")
	shows(t, m, "FROZEN 09:06:15 UTC")
}

func TestStepsCannotBeMarkedInThePast(t *testing.T) {
	m := press(history(t, Options{}), "left", "3", "space")
	shows(t, m, "frozen: f goes back to now")
	if len(m.done.deeds) != 0 {
		t.Error("a step was marked done in the past")
	}
}

// TestStepsAreMarkedInARecording marks a step at a moment of a recording that has
// passed, and follows it in the time of the recording.
func TestStepsAreMarkedInARecording(t *testing.T) {
	m := press(history(t, Options{Mode: Replay}), "left", "left", "left", "3", "x") // 09:10:15
	shows(t, m, "[x] 1")
	shows(t, m, "done 09:10:15")
	shows(t, m, "TOO EARLY")
	m = press(m, "right")
	shows(t, m, "= NO EFFECT   45 s left of 1 min")
	m = press(m, "right", "right")
	shows(t, m, "= NO EFFECT   15 s left of 1 min")
	m = press(m, "left", "left", "left", "left")
	shows(t, m, "marked done later, at 09:10:15")
	if m = press(m, "right", "x"); len(m.done.deeds) != 0 {
		t.Error("x does not take the mark back")
	}
	if m = press(m, "space"); len(m.done.deeds) != 0 || m.paused {
		t.Error("space marks a step of a recording, or does not play it")
	}
}

func TestReplayControls(t *testing.T) {
	var asked []Control
	m := history(t, Options{Mode: Replay, Control: func(c Control) { asked = append(asked, c) }})
	shows(t, m, "REPLAY 1x  09:11:00 UTC")
	m = press(m, "+", "+", "-", "space")
	shows(t, m, "REPLAY paused")
	m = press(m, "space", "n", "N", "left")
	shows(t, m, "LOOKING BACK 09:10:45 UTC")
	want := []Control{
		{Kind: Speed, Speed: 2}, {Kind: Speed, Speed: 4}, {Kind: Speed, Speed: 2}, {Kind: Pause}, {Kind: Play},
		{Kind: NextFinding}, {Kind: NextSlowdown}, {Kind: Pause},
	}
	if diff := cmp.Diff(want, asked); diff != "" {
		t.Errorf("asked for (-want +got):\n%s", diff)
	}
	m, _ = m.take(endMsg{})
	shows(t, press(m, "f"), "REPLAY end")
}

func TestRingForgets(t *testing.T) {
	r := ring{live: true}
	for i := range 400 {
		r = r.add(Frame{Report: &rules.Report{At: noon.Add(time.Duration(i) * every)}})
	}
	if first := r.frames[0].Report.At; r.frames[len(r.frames)-1].Report.At.Sub(first) > ringAge {
		t.Errorf("keeps frames since %s", first)
	}
	big := make([]rules.Vital, ringBudget/4)
	r = ring{}
	for i := range 10 {
		r = r.add(Frame{Report: &rules.Report{At: noon.Add(time.Duration(i) * every), Vitals: big}})
	}
	if n := len(r.frames); n != 3 {
		t.Errorf("keeps %d big frames, want 3", n)
	}
}

func TestRingGoesBack(t *testing.T) {
	r := ring{}
	for _, s := range []int{0, 15, 30, 45, 20} {
		r = r.add(Frame{Report: &rules.Report{At: noon.Add(time.Duration(s) * time.Second)}})
	}
	var got []int
	for _, f := range r.frames {
		got = append(got, int(f.Report.At.Sub(noon).Seconds()))
	}
	if diff := cmp.Diff([]int{0, 15, 20}, got); diff != "" {
		t.Errorf("frames (-want +got):\n%s", diff)
	}
	weight := 0
	for _, f := range r.frames {
		weight += weigh(f)
	}
	if weight != r.weight {
		t.Errorf("weight %d, want %d", r.weight, weight)
	}
}
