package tui

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/capdoctor/capdoctor/rules"
)

// mostDrillFrames is how much of a drill is kept for its charts.
const mostDrillFrames = 4096

// SettleTime is how long a move gets before its effect is told, in the time of the
// drill. Turns of one knob within it are one move.
const SettleTime = 10 * time.Second

// drillFrameMsg is the next frame; drillEndMsg that there will be no more.
type (
	drillFrameMsg DrillFrame
	drillEndMsg   struct{}
)

// A saying is a change of what capdoctor says.
type saying struct {
	at      time.Duration
	mark    mark
	verdict string // what has to differ to be news: numbers do not count
	text    string
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
	notice        string // what came of saving; stands until the next key
	score         []ScoreLine
	knee          []KneePoint
	then          DrillThen
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
	return DrillResult{Moves: m.moves, Over: m.last().Over, Then: m.then}
}

// last is the newest frame, the zero one at first.
func (m drill) last() DrillFrame {
	if len(m.frames) == 0 {
		return DrillFrame{}
	}
	return m.frames[len(m.frames)-1]
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
	case noticeMsg:
		m.notice = string(msg)
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
	if s, ok := sayingOf(f); ok && (len(m.said) == 0 || m.said[len(m.said)-1].verdict != s.verdict) {
		m.said = append(m.said, s)
	}
	if m.options.Score != nil {
		m.score = m.options.Score()
	}
	if m.options.Knee != nil {
		m.knee = m.options.Knee()
	}
	return m
}

// sayingOf is what a report comes to in one line.
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
			text += ". Do first: " + rules.LowerFirst(rules.Sentence(g.Steps[0].Do))
		}
		return saying{f.At, markOf(g), fmt.Sprint(g.ID, g.State), text}, true
	}
	return saying{f.At, isClear, "", "nothing fires"}, true
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
	if n := len(m.moves); n > 0 && m.moves[n-1].Knob == m.knobs[i].Name && now-m.moves[n-1].At < SettleTime {
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
func (m drill) now() time.Duration { return m.last().At }

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
