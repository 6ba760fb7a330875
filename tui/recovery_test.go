package tui

import (
	"math"
	"testing"
	"time"

	"github.com/prometheus/common/model"

	"github.com/capdoctor/capdoctor/rules"
	"github.com/capdoctor/capdoctor/series"
)

func TestEffects(t *testing.T) {
	reach := func(v float64) watched { return watched{hasTarget: true, target: v} }
	down := watched{direction: "down"}
	for _, c := range []struct {
		name        string
		w           watched
		before, now float64
		want        Effect
	}{
		{"on its way up", reach(16), 0.07, 12.5, Improving},
		{"there, but for the noise of a baseline", reach(16), 0.07, 15, Reached},
		{"past it", reach(16), 0.07, 25, Reached},
		{"no move", reach(16), 4, 4.1, NoEffect},
		{"the wrong way", reach(16), 4, 1, Worse},
		{"no move, seen from where it has to come", reach(65), 0.39, 0.55, NoEffect},
		{"nothing more to lose", reach(65), 0.39, 0.29, NoEffect},
		{"down to zero", reach(0), 44, 0, Reached},
		{"on its way down", reach(0), 44, 9, Improving},
		{"up instead of down", reach(0), 44, 60, Worse},
		{"there from the start", reach(0), 0, 0, Reached},
		{"away from where it was", reach(0), 0, 10, Worse},
		{"falls", down, 68, 31, Reached},
		{"does not fall", down, 68, 68, NoEffect},
		{"rises", down, 68, 80, Worse},
		{"not far enough", watched{direction: "down", by: 50}, 68, 31, Improving},
		{"far enough", watched{direction: "down", by: 30}, 68, 31, Reached},
		{"nothing known", reach(16), math.NaN(), 3, Unseen},
		{"gone", reach(16), 3, math.NaN(), Unseen},
	} {
		if got := c.w.judge(c.before, c.now); got != c.want {
			t.Errorf("%s: %v to %v is %s, want %s", c.name, c.before, c.now, got, c.want)
		}
	}
}

// TestRecovery marks a step done and watches it help.
func TestRecovery(t *testing.T) {
	w := collapse()
	m := press(sized(watching(t, w, Options{}), 120, 36), "3", "space")
	shows(t, m, "[x] 1")
	shows(t, m, "TOO EARLY")
	labels := series.FromStrings("__name__", "cap:completed_rate", "instance", "evento-server", "system", "evento", "resource", "bus", "kind", "threads")
	at := noon
	for _, c := range []struct {
		value float64
		want  string
	}{
		{0.0667, "= NO EFFECT   45 s left of 1 min"},
		{5, "↑ IMPROVING   30 s left of 1 min"},
		{0.01, "= NO EFFECT   15 s left of 1 min"},
		{15.2, "· REACHED   in 1 min"},
		{9, "↑ IMPROVING   time is up"},
	} {
		at = at.Add(every)
		w.store.Record(&series.Slot{}, w.source["evento-server"], labels, at.UnixMilli(), c.value)
		r := *w.report
		r.At = at
		m = feed(m, Frame{Report: &r})
		shows(t, m, c.want)
	}
	shows(t, m, "completions now 9.0/s, at done 0.07/s, needed 16.0/s")
	shows(t, m, "step 1 done 75 s ago: IMPROVING")
	done := m.scene.doneList()
	if len(done) != 1 || done[0].Effect != Improving || done[0].Now != 9 || done[0].Needed != 16 || !done[0].At.Equal(noon) {
		t.Errorf("done %+v", done)
	}
	if m = press(m, "space"); len(m.done.deeds) != 0 {
		t.Error("space does not take the mark back")
	}
}

// TestDoneBefore holds that a step stays on the screen when its finding is gone.
func TestDoneBefore(t *testing.T) {
	w := collapse()
	m := press(sized(watching(t, w, Options{}), 120, 36), "3", "space")
	r := *healthy().report
	r.At = noon.Add(every)
	m = feed(m, Frame{Report: &r})
	shows(t, m, "Done before")
	shows(t, m, "[x] Cut the writers of catalog-import from 20 to 8.")
}

// TestWatchedElsewhere holds that a signal is looked for on the subject, its
// target and its service, in this order.
func TestWatchedElsewhere(t *testing.T) {
	w := collapse()
	f := &rules.Finding{Subject: model.Metric{"instance": "evento-server", "system": "evento", "resource": "bus"}}
	step := rules.Step{Verify: rules.Verify{Signal: "cap:expired_count", Reaches: 0}}
	p := reader{store: w.store}.progress(t.Context(), watch(step, f, noon.Add(-time.Minute)), noon)
	if !p.found || p.now != 44 || p.effect != NoEffect {
		t.Errorf("progress %+v", p)
	}
	step.Verify.Signal = "cap:nowhere"
	if p := (reader{store: w.store}).progress(t.Context(), watch(step, f, noon), noon); p.found || p.effect != Unseen {
		t.Errorf("progress of an unknown signal %+v", p)
	}
}
