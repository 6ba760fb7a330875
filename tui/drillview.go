package tui

import (
	"fmt"
	"math"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/capdoctor/capdoctor/rules"
)

// View draws the drill.
func (m drill) View() tea.View {
	v := tea.NewView(m.draw())
	v.AltScreen = true
	v.WindowTitle = "capdoctor drill"
	return v
}

func (m drill) draw() string {
	switch {
	case m.width == 0 || m.height == 0:
		return ""
	case m.width < leastWidth || m.height < leastHeight:
		return tooSmall(m.theme, m.width, m.height)
	}
	rows := m.top()
	body := m.height - len(rows) - 1
	switch {
	case m.help:
		rows = append(rows, m.theme.fill(m.width, body, keyRows(m.theme, m.width, "Help: drill", m.keys.all()))...)
	case m.width >= twoColumns:
		rows = append(rows, m.two(body)...)
	default:
		rows = append(rows, m.theme.stack(m.width, body, m.knobBlock(m.width), m.meterBlock(m.width), m.saidBlock(m.width), m.scoreBlock(m.width), m.moveBlock(m.width))...)
	}
	return joinRows(append(rows, m.lastRow()))
}

// top says what this is, how it goes and what to do.
func (m drill) top() []row {
	p := m.theme.pen(m.width).put(warning, "▒ DRILL").put(strong, "  "+m.options.Title)
	state := rules.Number(m.speed) + "x"
	switch {
	case m.ended:
		state = "end"
	case m.paused:
		state = "paused"
	}
	p.put(plain, fmt.Sprintf(", virtual clock %s, %s", clockText(m.now()), state)).right(note, "you turn the knobs; nothing real is touched")
	return []row{p.row(), m.theme.text(m.width, plain, m.story()), m.theme.pen(m.width).put(strong, "Task: ").put(plain, m.options.Task).row()}
}

// story is how the system does now, in numbers.
func (m drill) story() string {
	if len(m.frames) == 0 {
		return m.options.Story
	}
	var parts []string
	for _, x := range m.frames[len(m.frames)-1].Meters {
		parts = append(parts, x.Name+" "+rules.Value(x.Value, x.Unit))
	}
	return strings.Join(parts, ", ")
}

// clockText is "04:10".
func clockText(d time.Duration) string {
	s := int(d.Seconds())
	return fmt.Sprintf("%02d:%02d", s/60, s%60)
}

func (m drill) two(height int) []row {
	left := 40
	right := m.width - left - 1
	return m.theme.beside(
		m.theme.stack(left, height, m.knobBlock(left), m.scoreBlock(left), m.lessonBlock(left)),
		m.theme.stack(right, height, m.meterBlock(right), m.moveBlock(right), m.kneeBlock(right), m.saidBlock(right)))
}

func (m drill) knobBlock(width int) block {
	const name, value = 14, 8
	h := m.theme.pen(width)
	h.rule = true
	h.put(note, "─ ").put(strong, "Knobs ").rest(2+name+value-len(" now")).put(note, " now ").rest(2+name+2*value-len(" at start")).put(note, " at start ").rest(width)
	return m.theme.listBlock(h.row(), list{at: m.at}, len(m.knobs), min(3, len(m.knobs)), func(i int) row {
		k, at := m.knobs[i], i == m.at
		p := m.theme.pen(width)
		p.flat = at
		paint := plain
		if k.Value != k.Start {
			paint = strong
		}
		p.put(plain, pointer(at)).name(plain, k.Name, name).num(paint, k.text(k.Value), value).num(note, k.text(k.Start), value)
		if at {
			p.right(note, "◄ - + ►")
		}
		return p.cursor(at)
	})
}

// text is a value of a knob in words or with its unit.
func (k Knob) text(v float64) string {
	if w, ok := k.Words[v]; ok {
		return w
	}
	return strings.TrimSpace(rules.Number(v) + " " + k.Unit)
}

// meterBlock is every meter with its sparkline over the time of the drill, and
// where the moves were.
func (m drill) meterBlock(width int) block {
	heading := m.theme.heading(width, "What happens", fmt.Sprintf("last %s", rules.Duration(m.shownTime().Round(time.Second))))
	if len(m.frames) == 0 {
		return m.theme.rowsBlock(heading, 1, m.theme.prose(width, 2, note, "The system starts. "+m.options.Story))
	}
	last := m.frames[len(m.frames)-1]
	spark := max(8, width-40)
	rows := make([]row, 0, len(last.Meters)+1)
	for i, x := range last.Meters {
		values := m.history(i)
		p := m.theme.pen(width).put(plain, "  ").name(plain, x.Name, 12).num(strong, rules.Value(x.Value, x.Unit), 10)
		more := x.More
		if more == "" {
			more = "peak " + rules.Value(highest(values), x.Unit)
		}
		p.put(plain, " ").cell(note, more, 14).raw(plain, m.theme.spark(values, min(spark, p.max-p.w)))
		rows = append(rows, p.row())
	}
	return m.theme.rowsBlock(heading, 4, append(rows, m.moveMarks(width, spark)))
}

// shownFrames are those that the sparklines cover.
func (m drill) shownFrames() []DrillFrame {
	const most = 600
	return m.frames[max(0, len(m.frames)-most):]
}

func (m drill) shownTime() time.Duration {
	frames := m.shownFrames()
	if len(frames) == 0 {
		return 0
	}
	return frames[len(frames)-1].At - frames[0].At
}

func (m drill) history(i int) []float64 {
	frames := m.shownFrames()
	values := make([]float64, len(frames))
	for k, f := range frames {
		values[k] = math.NaN()
		if i < len(f.Meters) {
			values[k] = f.Meters[i].Value
		}
	}
	return values
}

func (m drill) scoreBlock(width int) block {
	rows := make([]row, 0, len(m.score))
	for _, l := range m.score {
		rows = append(rows, m.theme.pen(width).put(plain, "  ").cell(note, l.Name, 16).put(plain, l.Value).row())
	}
	return m.theme.rowsBlock(m.theme.heading(width, "Score"), min(3, len(rows)), rows)
}

// lessonBlock is what to remember, once the task is over.
func (m drill) lessonBlock(width int) block {
	var rows []row
	if m.result().Over {
		for _, l := range m.options.Lessons {
			rows = append(rows, m.theme.prose(width, 2, plain, l)...)
		}
	}
	if len(rows) == 0 {
		rows = m.theme.prose(width, 2, plain, m.options.Story)
		return m.theme.rowsBlock(m.theme.heading(width, "What happened"), 1, rows)
	}
	return m.theme.rowsBlock(m.theme.heading(width, "To remember"), 1, rows)
}

// kneeBlock shows how much the system completes at several settings.
func (m drill) kneeBlock(width int) block {
	heading := m.theme.heading(width, "Where the knee is", m.options.KneeTitle)
	top := 0.0
	for _, p := range m.options.Knee {
		top = math.Max(top, p.Value)
	}
	rows := make([]row, 0, len(m.options.Knee))
	for _, k := range m.options.Knee {
		p := m.theme.pen(width).num(plain, k.Setting, 10).num(plain, rules.Value(k.Value, "1/s"), 10).put(plain, "   ")
		bar := int(math.Round(k.Value / math.Max(top, math.SmallestNonzeroFloat64) * 40))
		p.raw(plain, strings.Repeat(m.theme.full, max(0, min(bar, p.max-p.w)))).put(note, "  "+k.Remark)
		rows = append(rows, p.row())
	}
	return m.theme.rowsBlock(heading, 2, rows)
}

// saidBlock is what capdoctor said, the newest last.
func (m drill) saidBlock(width int) block {
	rows := make([]row, 0, len(m.said))
	for _, s := range m.said[max(0, len(m.said)-8):] {
		p := m.theme.pen(width).put(plain, "  "+clockText(s.at)+"  ").cell(s.mark.role(), s.mark.text(), 11)
		rows = append(rows, p.put(plain, "  "+s.text).row())
	}
	if len(rows) == 0 {
		rows = []row{m.theme.text(width, note, "  nothing yet")}
	}
	return m.theme.rowsBlock(m.theme.heading(width, "What capdoctor said"), 1, rows)
}

func (m drill) lastRow() row {
	p := m.theme.pen(m.width)
	for _, b := range []key.Binding{m.keys.Down, m.keys.More, m.keys.Less, m.keys.Reset, m.keys.Pause, m.keys.Faster, m.keys.Advice, m.keys.Help, m.keys.Quit} {
		if p.w+width(hintWord(b)) > p.max {
			break
		}
		p = hint(p, b)
	}
	return p.row()
}
