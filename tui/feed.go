package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/capdoctor/capdoctor/rules"
)

// The messages that come from outside.
type (
	frameMsg   Frame
	endMsg     struct{} // there will be no more frames
	tickMsg    time.Time
	readingMsg reading
	noticeMsg  string // what came of a copy, a save or a refresh
	rawMsg     struct {
		target  string
		signals []signal
		err     error
	}
)

// waitFrame waits for the next frame, or for their end.
func (m dashboard) waitFrame() tea.Cmd {
	return func() tea.Msg {
		select {
		case f, ok := <-m.options.Frames:
			if !ok {
				return endMsg{}
			}
			return frameMsg(f)
		case <-m.ctx.Done():
			return nil
		}
	}
}

// waitTick waits for the next second. It is the only clock.
func (m dashboard) waitTick() tea.Cmd {
	return func() tea.Msg {
		t := time.NewTimer(time.Second)
		defer t.Stop()
		select {
		case now := <-t.C:
			return tickMsg(now)
		case <-m.ctx.Done():
			return nil
		}
	}
}

func (m dashboard) read(w want) tea.Cmd {
	return func() tea.Msg { return readingMsg(m.reader.read(m.ctx, w)) }
}

// takeFrame keeps a frame and waits for the next one.
func (m dashboard) takeFrame(f Frame) (dashboard, tea.Cmd) {
	previous, ok := m.frames.last()
	m.frames = m.frames.add(f)
	m.result.Last = f.Report
	m.paused = m.paused || f.Paused
	if !ok {
		m.changes = changesSince(nil, f.Report, nil)
	} else {
		m.changes = changesSince(previous.Report, f.Report, m.changes)
	}
	if f.Report.At.After(m.now) && m.options.Mode == Live {
		m.now = f.Report.At
	}
	if m = m.watchCalm(f); m.result.Recovered {
		return m, tea.Quit
	}
	return m, m.waitFrame()
}

// watchCalm notices when nothing at or above FailOn has fired for long enough.
// A time in which something was not judged does not count.
func (m dashboard) watchCalm(f Frame) dashboard {
	if m.options.UntilRecovered <= 0 {
		return m
	}
	if fails(f.Report, m.options.failOn()) {
		m.calm = time.Time{}
		return m
	}
	if m.calm.IsZero() {
		m.calm = f.Report.At
	}
	m.result.Recovered = f.Report.At.Sub(m.calm) >= m.options.UntilRecovered
	return m
}

// fails tells whether something at or above a severity fires, or nothing could be
// judged: of a target that does not answer no more is judged than that.
func fails(r *rules.Report, severity string) bool {
	for _, f := range r.Findings {
		if f.State == rules.Firing && rules.AtLeast(f.Severity, severity) {
			return true
		}
	}
	return len(r.Findings) == 0 && len(r.Cleared) == 0 || allSilent(targetsOf(r))
}
