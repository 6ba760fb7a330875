package main

import (
	"context"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/capdoctor/capdoctor/incident"
	"github.com/capdoctor/capdoctor/rules"
	"github.com/capdoctor/capdoctor/tui"
)

// playing is a player in the middle of a recording with a scrape every 15 s.
func playing(speed float64) *player {
	s := &session{inputs: []*input{{Input: rules.Input{Interval: 15 * time.Second}}}}
	return &player{session: s, speed: speed, last: atNine, controls: make(chan tui.Control, 16)}
}

var atNine = time.Date(2026, 7, 2, 9, 0, 0, 0, time.UTC)

// TestPlayerSkipsGaps holds how long a replay waits for a tick: the recorded time
// by its speed, and one interval where the recording has a gap.
func TestPlayerSkipsGaps(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*player)
		gap    time.Duration
		want   time.Duration
	}{
		{"an interval", func(*player) {}, 15 * time.Second, 1500 * time.Millisecond},
		{"three intervals, which is no gap", func(*player) {}, 45 * time.Second, 4500 * time.Millisecond},
		{"a gap of an hour", func(*player) {}, time.Hour, 1500 * time.Millisecond},
		{"a gap in logs without an interval is waited for", func(p *player) { p.session.inputs = nil }, time.Minute, 6 * time.Second},
		{"as fast as possible", func(p *player) { p.speed = 0 }, time.Hour, 0},
		{"the first tick", func(p *player) { p.last = time.Time{} }, 15 * time.Second, 0},
		{"before the moment to begin at", func(p *player) { p.seek = atNine.Add(time.Minute) }, 15 * time.Second, 0},
		{"while something is hunted", func(p *player) { p.obey(tui.Control{Kind: tui.NextSlowdown}) }, 15 * time.Second, 0},
		{"faster", func(p *player) { p.obey(tui.Control{Kind: tui.Speed, Speed: 30}) }, 15 * time.Second, 500 * time.Millisecond},
	} {
		p := playing(10)
		c.change(p)
		if got := p.left(p.last.Add(c.gap)); p.last.IsZero() && p.left(atNine) != 0 || !p.last.IsZero() && got != c.want {
			t.Errorf("%s: waits %s, want %s", c.name, got, c.want)
		}
	}
}

// moment is a report with completions and, if named, a firing finding.
func moment(work float64, finding string) *rules.Report {
	r := &rules.Report{Vitals: []rules.Vital{{Instance: "a", Signal: "cap:completed_rate", Value: work}}}
	if finding != "" {
		r.Findings = []*rules.Finding{{ID: finding, State: rules.Firing, Severity: rules.Warning}}
	}
	return r
}

// TestHunts holds where a hunt ends: at the first tick of what is hunted, once,
// and not at what was there when it began.
func TestHunts(t *testing.T) {
	for _, c := range []struct {
		name  string
		kind  tui.ControlKind
		begin int // the tick at which the key is pressed
		ticks []*rules.Report
		want  int // the tick at which it ends; -1 never
	}{
		{"a finding", tui.NextFinding, 0, []*rules.Report{moment(9, ""), moment(9, ""), moment(9, "a"), moment(9, "a")}, 2},
		{"another finding", tui.NextFinding, 1, []*rules.Report{moment(9, ""), moment(9, "a"), moment(9, "a"), moment(9, "b")}, 3},
		{"no other finding", tui.NextFinding, 1, []*rules.Report{moment(9, ""), moment(9, "a"), moment(9, "a")}, -1},
		{"a slow-down", tui.NextSlowdown, 0, []*rules.Report{moment(9, ""), moment(9, "a"), moment(9, ""), moment(4, "")}, 3},
		{"a slow-down that lasts is one", tui.NextSlowdown, 2, []*rules.Report{moment(9, ""), moment(9, ""), moment(4, ""), moment(3, ""), moment(3, "")}, -1},
		{"the next slow-down", tui.NextSlowdown, 2, []*rules.Report{moment(9, ""), moment(9, ""), moment(1, ""), moment(9, ""), moment(9, ""), moment(9, ""), moment(1, "")}, 6},
		{"a finding is no slow-down", tui.NextSlowdown, 0, []*rules.Report{moment(9, ""), moment(9, "a"), moment(8, "b")}, -1},
	} {
		p, ended := playing(10), -1
		for i, r := range c.ticks {
			if p.caught(r) && ended < 0 {
				ended = i
			}
			if i == c.begin {
				p.obey(tui.Control{Kind: c.kind})
			}
		}
		if ended != c.want {
			t.Errorf("%s: ended at tick %d, want %d", c.name, ended, c.want)
		}
	}
}

// recording plays a server that is well for two minutes and then gets 20 writers,
// until its collapse is found, and writes that as a case with half a minute missing.
func recording(t *testing.T) (path string, trouble time.Time) {
	t.Helper()
	g := played(t, "healthy")
	g.until(t, 5*time.Minute, func(f tui.DrillFrame) bool { return f.At >= 2*time.Minute })
	trouble = g.at
	g.turn("writers", 100)
	g.until(t, 10*time.Minute, func(f tui.DrillFrame) bool { return firing(f.Report) == "congestion-collapse" })
	g.tape = slices.DeleteFunc(g.tape, func(s shot) bool {
		return s.at.After(atNine.Add(30*time.Second)) && s.at.Before(atNine.Add(time.Minute))
	})
	path = filepath.Join(t.TempDir(), "run"+incident.Extension)
	w, err := incident.Create(path, incident.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := g.write(w, g.tape); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return path, trouble
}

// firing is the leading finding of a report that fires; empty when none does.
func firing(r *rules.Report) string {
	for _, f := range r.Findings {
		if f.State == rules.Firing && f.Severity != rules.Info {
			return f.ID
		}
	}
	return ""
}

// TestHuntInARecording plays a recorded collapse so slowly that nothing moves by
// itself: N goes on to where completions fall, n to the finding; there it pauses.
func TestHuntInARecording(t *testing.T) {
	t.Parallel()
	path, trouble := recording(t)
	c, err := incident.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	catalog, err := rules.Default()
	if err != nil {
		t.Fatal(err)
	}
	s := newSession(catalog, loadedOnce(nil), true)
	s.stepwise = true
	if err := s.openCase(c); err != nil {
		t.Fatal(err)
	}
	p := &player{session: s, speed: 1e-6, controls: make(chan tui.Control, 16)}
	frames := make(chan tui.Frame)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		done <- s.feedCase(ctx, c, time.Time{}, func(at time.Time) error { return p.play(ctx, frames, at) })
	}()
	first := <-frames
	hunted := func(kind tui.ControlKind) *rules.Report {
		p.control(tui.Control{Kind: kind})
		for {
			select {
			case f := <-frames:
				if f.Paused {
					return f.Report
				}
			case err := <-done:
				t.Fatalf("played to the end: %v", err)
			}
		}
	}
	slow := hunted(tui.NextSlowdown)
	if slow.At.Before(trouble) || firing(slow) != "" {
		t.Errorf("N stopped at %s, trouble from %s, with %v, %q firing; the first tick had %v", slow.At, trouble, tui.PaceOf(slow), firing(slow), tui.PaceOf(first.Report))
	}
	found := hunted(tui.NextFinding)
	if firing(found) == "" || !found.At.After(slow.At) {
		t.Errorf("n stopped at %s with nothing firing; N had stopped at %s", found.At, slow.At)
	}
	select {
	case f := <-frames:
		t.Errorf("it goes on by itself, to %s", f.Report.At)
	case <-time.After(100 * time.Millisecond):
	}
	cancel()
	<-done
}
