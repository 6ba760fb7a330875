package tui

import (
	"math"
	"slices"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// press takes a key: first those that mean the same everywhere, then those of
// the screen.
func (m dashboard) press(msg tea.KeyPressMsg) (dashboard, tea.Cmd) {
	if m.quits(msg) {
		return m, tea.Quit
	}
	if m.screens[m.current].editing() {
		return m.pass(msg)
	}
	if m.copying {
		m.copying = false
		return m.copy(msg)
	}
	if m.help {
		m.help = false // any key closes it
		return m, nil
	}
	if m, cmd, ok := m.pressAnywhere(msg); ok {
		return m, cmd
	}
	if m, ok := m.pressTime(msg); ok {
		return m.restage(), nil
	}
	if m.scene.empty() {
		return m, nil
	}
	return m.pass(msg)
}

// pressAnywhere handles the keys that mean the same on every screen.
func (m dashboard) pressAnywhere(msg tea.KeyPressMsg) (dashboard, tea.Cmd, bool) {
	k := &m.keys
	switch {
	case key.Matches(msg, k.Help):
		m.help = true
	case key.Matches(msg, k.Suspend):
		return m, tea.Suspend, true
	case key.Matches(msg, k.Save):
		return m, m.save(), true
	case key.Matches(msg, k.Copy):
		m.copying = m.options.Text != nil && !m.scene.empty()
	default:
		i := slices.IndexFunc(k.Screens[:], func(b key.Binding) bool { return key.Matches(msg, b) })
		if i < 0 {
			return m, nil, false
		}
		m = m.open(screenID(i))
	}
	return m, nil, true
}

// open shows a screen and remembers the way back.
func (m dashboard) open(id screenID) dashboard {
	const most = 20
	if id == m.current {
		return m
	}
	m.back = append(slices.Clip(m.back), m.current)
	m.back = m.back[max(0, len(m.back)-most):]
	m.current = id
	return m
}

// pass gives a key to the screen and does what it asks for.
func (m dashboard) pass(msg tea.KeyPressMsg) (dashboard, tea.Cmd) {
	var in intent
	m.screens[m.current], in = m.screens[m.current].update(&m.scene, &m.keys, msg)
	return m.follow(in)
}

func (m dashboard) follow(in intent) (dashboard, tea.Cmd) {
	if in.target != nil {
		m.picked = picked{target: *in.target}
	}
	if in.finding != nil {
		m.picked.finding = *in.finding
	}
	if in.mark != nil {
		m = m.markDone(*in.mark)
	}
	if in.open != nil {
		m = m.open(*in.open)
	}
	if v, ok := m.screens[logsScreen].(logsView); ok && in.line != nil {
		m.screens[logsScreen] = v.to(*in.line)
	}
	if in.say != "" {
		m = m.say(in.say)
	}
	if n := len(m.back); in.back && n > 0 {
		m.current, m.back = m.back[n-1], m.back[:n-1]
	}
	var cmd tea.Cmd
	if in.refresh {
		m, cmd = m.refresh()
	}
	return m.restage(), cmd
}

// refresh reads the whole page of the target in detail.
func (m dashboard) refresh() (dashboard, tea.Cmd) {
	name := m.scene.subject()
	if m.options.Refresh == nil {
		return m.say("only a live target can be read again"), nil
	}
	return m.say("reading all of " + name), func() tea.Msg {
		samples, err := m.options.Refresh(m.ctx, name)
		out := rawMsg{target: name, err: err}
		for _, x := range samples {
			out.signals = append(out.signals, signal{labels: x.Labels, now: x.Value, ago: math.NaN()})
		}
		slices.SortFunc(out.signals, func(a, b signal) int { return strings.Compare(a.text(), b.text()) })
		return out
	}
}

// markDone marks a step done at the moment on the screen. The past of a live
// screen cannot be changed; in a recording every moment is a past one, and what
// was done then can be marked.
func (m dashboard) markDone(p planned) dashboard {
	if !m.at.IsZero() && m.options.Mode == Live {
		return m.say("frozen: f goes back to now, then mark the step")
	}
	m.done = m.done.toggle(p, m.scene.report().At)
	return m
}

// pressTime handles the keys that move through time.
func (m dashboard) pressTime(msg tea.KeyPressMsg) (dashboard, bool) {
	k := &m.keys
	switch {
	case key.Matches(msg, k.Freeze):
		m.at = m.toggled()
	case key.Matches(msg, k.Older):
		m = m.scrub(-1)
	case key.Matches(msg, k.Newer):
		m = m.scrub(1)
	case key.Matches(msg, k.Older10):
		m = m.scrub(-10)
	case key.Matches(msg, k.Newer10):
		m = m.scrub(10)
	case key.Matches(msg, k.Next):
		m = m.jump(m.frames.begins(), NextFinding)
	case key.Matches(msg, k.NextSlow):
		m = m.jump(m.frames.slowdowns(), NextSlowdown)
	case m.options.Mode != Live && key.Matches(msg, k.Pause):
		m = m.pause(!m.paused)
	case m.options.Mode != Live && key.Matches(msg, k.Faster):
		m = m.speedTo(m.speed * 2)
	case m.options.Mode != Live && key.Matches(msg, k.Slower):
		m = m.speedTo(m.speed / 2)
	default:
		return m, false
	}
	return m, true
}

// toggled is the moment to show after freezing, or thawing.
func (m dashboard) toggled() time.Time {
	if f, ok := m.frames.last(); ok && m.at.IsZero() {
		return f.Report.At
	}
	return time.Time{}
}

// scrub moves n frames through the history, and freezes there. A replay pauses.
func (m dashboard) scrub(n int) dashboard {
	f, ok := m.frame()
	if !ok {
		return m
	}
	frames := m.frames.frames
	i := max(0, min(m.frames.index(f.Report.At)+n, len(frames)-1))
	m.at = frames[i].Report.At
	return m.hold()
}

// hold pauses a replay while the screen looks back.
func (m dashboard) hold() dashboard {
	if m.options.Mode != Live && !m.paused {
		return m.pause(true)
	}
	return m
}

// jump goes to the next of the times; where there is none, a replay is asked to
// go on to it, and a frozen screen begins again.
func (m dashboard) jump(times []time.Time, kind ControlKind) dashboard {
	f, ok := m.frame()
	if !ok {
		return m
	}
	t, found := next(times, f.Report.At)
	switch {
	case found:
		m.at = t
		return m.hold()
	case m.options.Mode != Live && !m.ended:
		m.at, m.paused = time.Time{}, false
		return m.control(Control{Kind: kind})
	case len(times) > 0:
		m.at = times[0]
		return m.say("from the start again")
	}
	return m.say("none in the time that is kept")
}

func (m dashboard) pause(on bool) dashboard {
	m.paused = on
	if on {
		return m.control(Control{Kind: Pause})
	}
	m.at = time.Time{}
	return m.control(Control{Kind: Play})
}

func (m dashboard) speedTo(x float64) dashboard {
	const slowest, fastest = 0.25, 1024
	m.speed = max(slowest, min(x, fastest))
	return m.control(Control{Kind: Speed, Speed: m.speed})
}

func (m dashboard) control(c Control) dashboard {
	if m.options.Control != nil {
		m.options.Control(c)
	}
	return m
}
