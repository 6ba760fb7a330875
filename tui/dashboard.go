package tui

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/capdoctor/capdoctor/rules"
)

// A dashboard is the model of the whole program.
type dashboard struct {
	options    Options
	ctx        context.Context // ends with the program
	keys       keyMap
	look       look
	reader     reader
	vocabulary vocabulary

	width, height int
	now           time.Time
	frames        ring
	at            time.Time // the moment on the screen; zero follows the newest frame
	ended         bool
	paused        bool
	speed         float64
	busy          bool // a reading is under way
	scene         scene

	screens [screens]screen
	current screenID
	back    []screenID
	picked  picked
	done    recovery
	changes []change
	raws    rawMsg
	help    bool
	copying bool // y was pressed
	notice  notice
	calm    time.Time // since when nothing at or above FailOn fires; zero while it does
	result  Result
}

// A notice is a short answer in the last row.
type notice struct {
	text string
	till time.Time
}

// noticeTime is how long a notice stays.
const noticeTime = 6 * time.Second

func newDashboard(ctx context.Context, o Options) dashboard {
	m := dashboard{
		options: o, ctx: ctx, keys: newKeyMap(o.Mode), now: o.Start, speed: cmp.Or(o.Speed, 1),
		look:       newLook(o.Display),
		reader:     reader{store: o.Store, lines: o.Lines},
		vocabulary: newVocabulary(o.Catalog),
		frames:     ring{live: o.Mode == Live},
	}
	m.screens = newScreens()
	return m.retheme().rebuild(reading{})
}

func (m dashboard) retheme() dashboard {
	t := m.look.theme(m.options.Display)
	m.scene.theme = &t
	return m
}

// Init starts to wait for frames and for the next second.
func (m dashboard) Init() tea.Cmd {
	return tea.Batch(m.waitFrame(), m.waitTick(), m.options.Display.ask())
}

// Update takes one message and asks for what the screen then has to know. There
// is one reading under way at a time: a store that is slow to answer makes the
// screen late, and does not pile up work.
func (m dashboard) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	m, cmd := m.take(msg)
	if w := m.want(); !m.busy && !w.at.IsZero() && !w.equal(m.scene.reading.want) {
		m.busy = true
		return m, tea.Batch(cmd, m.read(w))
	}
	return m, cmd
}

// take handles one message.
func (m dashboard) take(msg tea.Msg) (dashboard, tea.Cmd) {
	switch msg := msg.(type) {
	case frameMsg:
		return m.takeFrame(Frame(msg))
	case endMsg:
		m.ended = true
		return m.restage(), nil
	case tickMsg:
		return m.tick(time.Time(msg)), m.waitTick()
	case readingMsg:
		m.busy = false
		m = m.rebuild(reading(msg))
	case rawMsg:
		if msg.err != nil {
			return m.say(msg.err.Error()), nil
		}
		m.raws = msg
		return m.say(fmt.Sprintf("read %d series of %s", len(msg.signals), msg.target)).restage(), nil
	case noticeMsg:
		m = m.say(string(msg))
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
	case tea.ColorProfileMsg, tea.BackgroundColorMsg:
		m.look = m.look.take(msg, m.options.Display)
		m = m.retheme()
	case tea.KeyPressMsg:
		return m.press(msg)
	case tea.MouseWheelMsg:
		return m.wheel(msg)
	case tea.PasteMsg:
		return m.paste(msg)
	}
	return m, nil
}

// tick moves the time on.
func (m dashboard) tick(now time.Time) dashboard {
	m.now = now
	if now.After(m.notice.till) {
		m.notice = notice{}
	}
	m.scene.now = now
	return m
}

func (m dashboard) say(text string) dashboard {
	m.notice = notice{text: text, till: m.now.Add(noticeTime)}
	return m
}

// want is what the screen has to know at the moment that it shows.
func (m dashboard) want() want {
	f, ok := m.frame()
	if !ok {
		return want{}
	}
	w := want{at: f.Report.At, from: f.Report.At.Add(-rules.BaselineWindow), steps: m.done.wants(f.Report.At)}
	if start := chartsBegin(f.Report); start.After(w.from) {
		w.from = start
	}
	s := m.scene
	if s.empty() {
		s.frame = f
		s.targets = targetsOf(f.Report)
		s.causes = f.Report.Causes()
	}
	w.target = s.subject()
	m.screens[m.current].wants(&s, &w)
	return w
}

// chartsBegin is when charts begin: with the first scrape where there is one.
// Logs go further back, and would leave the meters a few columns.
func chartsBegin(r *rules.Report) time.Time {
	var first time.Time
	for _, in := range r.Inputs {
		if in.Kind != "log" && !in.First.IsZero() && (first.IsZero() || in.First.Before(first)) {
			first = in.First
		}
	}
	if first.Before(r.Window.Start) {
		return r.Window.Start
	}
	return first
}

// frame is the one on the screen: the newest, or the one that was frozen.
func (m dashboard) frame() (Frame, bool) {
	if m.at.IsZero() || len(m.frames.frames) == 0 {
		return m.frames.last()
	}
	return m.frames.frames[m.frames.index(m.at)], true
}

// rebuild makes the scene for what was read.
func (m dashboard) rebuild(read reading) dashboard {
	old := m.scene
	m.scene = scene{reading: read}
	if len(m.frames.frames) > 0 && !read.at.IsZero() {
		m.scene = newScene(m.frames.frames[m.frames.index(read.at)], read)
	}
	m.scene.theme, m.scene.vocabulary, m.scene.changes = old.theme, m.vocabulary, m.changes
	return m.restage()
}

// restage brings into the scene what can change without a new reading.
func (m dashboard) restage() dashboard {
	s := &m.scene
	s.clock, s.mode, s.now = clock{m.options.zone()}, m.options.Mode, m.now
	s.done, s.picked, s.raws, s.hasLines = m.done, m.picked, m.raws, m.options.Lines != nil
	s.names, s.begun = m.options.Targets, m.options.Start
	s.play = playback{frozen: !m.at.IsZero(), paused: m.paused, ended: m.ended, speed: m.speed}
	if frames := m.frames.frames; len(frames) > 0 {
		s.play.from, s.play.to = frames[0].Report.At, frames[len(frames)-1].Report.At
	}
	if s.play.frozen {
		s.play.marks = m.frames.begins()
	}
	return m
}

func (m dashboard) wheel(msg tea.MouseWheelMsg) (dashboard, tea.Cmd) {
	code := tea.KeyDown
	if msg.Button == tea.MouseWheelUp {
		code = tea.KeyUp
	}
	return m.press(tea.KeyPressMsg{Code: code})
}

// paste types a text into a filter that is being edited.
func (m dashboard) paste(msg tea.PasteMsg) (dashboard, tea.Cmd) {
	if m.screens[m.current].editing() {
		return m.press(tea.KeyPressMsg{Text: clean(msg.Content)})
	}
	return m, nil
}

// quits tells whether a key ends the program; while a filter is typed only
// ctrl+c does.
func (m dashboard) quits(msg tea.KeyPressMsg) bool {
	return key.Matches(msg, m.keys.Quit) && (!m.screens[m.current].editing() || msg.String() == "ctrl+c")
}
