package tui

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/capdoctor/capdoctor/rules"
)

// mostDrillFrames is how much of a drill is kept for its charts.
const mostDrillFrames = 4096

// settleTime is how long a move gets before its effect is told.
const settleTime = 10 * time.Second

// A drillKeyMap is every key of a drill.
type drillKeyMap struct {
	Up, Down, More, Less, Reset, Pause, Faster, Slower, Advice, Help, Suspend, Quit key.Binding
}

func newDrillKeyMap() drillKeyMap {
	return drillKeyMap{
		Up:      bind("k", "knob", "k", "up"),
		Down:    bind("j", "knob", "j", "down"),
		More:    bind("+", "up", "+", "=", "right", "l"),
		Less:    bind("-", "down", "-", "left", "h"),
		Reset:   bind("0", "reset: as at the start", "0"),
		Pause:   bind("space", "pause", "space"),
		Faster:  bind(">", "faster", ">", "."),
		Slower:  bind("<", "slower", "<", ","),
		Advice:  bind("a", "advice: do capdoctor's step", "a"),
		Help:    bind("?", "help", "?"),
		Suspend: bind("ctrl+z", "suspend", "ctrl+z"),
		Quit:    bind("q", "quit", "q", "ctrl+c"),
	}
}

func (k drillKeyMap) all() []key.Binding {
	return []key.Binding{k.Down, k.Up, k.More, k.Less, k.Reset, k.Pause, k.Faster, k.Slower, k.Advice, k.Help, k.Suspend, k.Quit}
}

// drillFrameMsg is the next frame; drillEndMsg that there will be no more.
type (
	drillFrameMsg DrillFrame
	drillEndMsg   struct{}
)

// A saying is a change of what capdoctor says.
type saying struct {
	at   time.Duration
	mark mark
	text string
}

// A drill is the model of a drill.
type drill struct {
	options DrillOptions
	ctx     context.Context
	keys    drillKeyMap
	look    look
	theme   *theme

	width, height int
	knobs         []Knob
	at            int
	frames        []DrillFrame
	moves         []Move
	said          []saying
	paused, ended bool
	speed         float64
	help          bool
	score         []ScoreLine
}

func newDrill(ctx context.Context, o DrillOptions) drill {
	m := drill{options: o, ctx: ctx, keys: newDrillKeyMap(), look: newLook(o.Display), knobs: slices.Clone(o.Knobs), speed: cmp.Or(o.Speed, 1)}
	return m.retheme()
}

func (m drill) retheme() drill {
	t := m.look.theme(m.options.Display)
	m.theme = &t
	return m
}

func (m drill) result() DrillResult {
	return DrillResult{Moves: m.moves, Over: len(m.frames) > 0 && m.frames[len(m.frames)-1].Over}
}

// Init starts to wait for frames.
func (m drill) Init() tea.Cmd { return tea.Batch(m.waitFrame(), m.options.Display.ask()) }

func (m drill) waitFrame() tea.Cmd {
	return func() tea.Msg {
		select {
		case f, ok := <-m.options.Frames:
			if !ok {
				return drillEndMsg{}
			}
			return drillFrameMsg(f)
		case <-m.ctx.Done():
			return nil
		}
	}
}

// Update takes one message.
func (m drill) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case drillFrameMsg:
		return m.take(DrillFrame(msg)), m.waitFrame()
	case drillEndMsg:
		m.ended = true
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
	case tea.ColorProfileMsg, tea.BackgroundColorMsg:
		m.look = m.look.take(msg, m.options.Display)
		m = m.retheme()
	case tea.KeyPressMsg:
		return m.press(msg)
	}
	return m, nil
}

// take keeps a frame and notes what capdoctor says anew.
func (m drill) take(f DrillFrame) drill {
	m.frames = append(m.frames, f)
	m.frames = m.frames[max(0, len(m.frames)-mostDrillFrames):]
	if s, ok := sayingOf(f); ok && (len(m.said) == 0 || m.said[len(m.said)-1].text != s.text) {
		m.said = append(m.said, s)
	}
	if m.options.Score != nil {
		m.score = m.options.Score()
	}
	return m
}

// sayingOf is what a report comes to in one line; its numbers are left out, so
// that only a change of verdict is news.
func sayingOf(f DrillFrame) (saying, bool) {
	if f.Report == nil {
		return saying{}, false
	}
	for _, g := range f.Report.Findings {
		if g.Severity == rules.Info {
			continue
		}
		text := g.Title
		if g.State == rules.Firing && len(g.Steps) > 0 {
			text += ". Do first: " + lowerFirst(sentence(g.Steps[0].Do))
		}
		return saying{f.At, markOf(g), text}, true
	}
	return saying{f.At, isClear, "nothing fires"}, true
}

func (m drill) press(msg tea.KeyPressMsg) (tea.Model, tea.Cmd) {
	k := m.keys
	if m.help && !key.Matches(msg, k.Quit) {
		m.help = false
		return m, nil
	}
	switch {
	case key.Matches(msg, k.Quit):
		return m, tea.Quit
	case key.Matches(msg, k.Suspend):
		return m, tea.Suspend
	case key.Matches(msg, k.Help):
		m.help = true
	case key.Matches(msg, k.Down):
		m.at = min(m.at+1, len(m.knobs)-1)
	case key.Matches(msg, k.Up):
		m.at = max(m.at-1, 0)
	case key.Matches(msg, k.Pause):
		return m.pause(), nil
	case key.Matches(msg, k.Faster):
		return m.speedTo(m.speed * 2), nil
	case key.Matches(msg, k.Slower):
		return m.speedTo(m.speed / 2), nil
	default:
		return m.pressKnob(msg), nil
	}
	return m, nil
}

// pressKnob handles the keys that turn a knob.
func (m drill) pressKnob(msg tea.KeyPressMsg) drill {
	if len(m.knobs) == 0 {
		return m
	}
	k, knob := m.keys, m.knobs[m.at]
	switch {
	case key.Matches(msg, k.More):
		return m.turn(m.at, knob.turned(1))
	case key.Matches(msg, k.Less):
		return m.turn(m.at, knob.turned(-1))
	case key.Matches(msg, k.Reset):
		return m.turn(m.at, knob.Start)
	case key.Matches(msg, k.Advice) && m.options.Advice != nil:
		name, value, ok := m.options.Advice()
		i := slices.IndexFunc(m.knobs, func(k Knob) bool { return k.Name == name })
		if ok && i >= 0 {
			m.at = i
			return m.turn(i, value)
		}
	}
	return m
}

// turned is the value after one turn: up, or down for -1. A knob with words goes
// through its values in order.
func (k Knob) turned(way float64) float64 {
	switch {
	case len(k.Words) > 0:
		values := slices.Sorted(maps.Keys(k.Words))
		i := slices.Index(values, k.Value) + int(way)
		return values[max(0, min(i, len(values)-1))]
	case k.Step == 0 && way > 0:
		return min(k.Max, max(1, k.Value*2))
	case k.Step == 0:
		return max(k.Min, float64(int(k.Value/2)))
	}
	return max(k.Min, min(k.Max, k.Value+way*k.Step))
}

// turn sets a knob and tells the system. Turns of one knob before the effect of the
// last can be told count as one move.
func (m drill) turn(i int, value float64) drill {
	if value == m.knobs[i].Value {
		return m
	}
	m.knobs, m.moves = slices.Clone(m.knobs), slices.Clone(m.moves)
	from, now := m.knobs[i].Value, m.now()
	m.knobs[i].Value = value
	if n := len(m.moves); n > 0 && m.moves[n-1].Knob == m.knobs[i].Name && now-m.moves[n-1].At < settleTime {
		m.moves[n-1].To = value
	} else {
		m.moves = append(m.moves, Move{At: now, Knob: m.knobs[i].Name, From: from, To: value})
	}
	if m.options.Turn != nil {
		m.options.Turn(m.knobs[i].Name, value)
	}
	return m
}

// now is the time of the drill.
func (m drill) now() time.Duration {
	if len(m.frames) == 0 {
		return 0
	}
	return m.frames[len(m.frames)-1].At
}

func (m drill) pause() drill {
	m.paused = !m.paused
	kind := Play
	if m.paused {
		kind = Pause
	}
	return m.control(Control{Kind: kind})
}

func (m drill) speedTo(x float64) drill {
	m.speed = max(0.25, min(x, 64))
	return m.control(Control{Kind: Speed, Speed: m.speed})
}

func (m drill) control(c Control) drill {
	if m.options.Control != nil {
		m.options.Control(c)
	}
	return m
}
