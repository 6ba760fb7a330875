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
		rows = append(rows, m.one(body)...)
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
	head, text := "Task: ", m.options.Task
	if end := m.last().Ending; end != "" {
		head, text = "Over: ", end
	}
	rows := []row{p.row()}
	for i, l := range wrap(head+text, m.width) {
		task := m.theme.pen(m.width)
		if rest, ok := strings.CutPrefix(l, head); ok && i == 0 {
			task.put(strong, head)
			l = rest
		}
		rows = append(rows, task.put(plain, l).row())
	}
	return rows
}

// clockText is "04:10".
func clockText(d time.Duration) string {
	s := int(d.Seconds())
	return fmt.Sprintf("%02d:%02d", s/60, s%60)
}

// one column: the knobs, what happens, and what came of it.
func (m drill) one(height int) []row {
	knobs := m.knobBlock(m.width)
	knobs.want = min(knobs.want, max(4, height/4))
	meters, moves, said, score := m.meterBlock(m.width), m.moveBlock(m.width), m.saidBlock(m.width), m.scoreBlock(m.width)
	if m.last().Over {
		score.least = score.want
		return m.theme.stack(m.width, height, score, m.nextBlock(m.width), moves, meters, knobs, said)
	}
	return m.theme.stack(m.width, height, knobs, meters, moves, said, score)
}

func (m drill) two(height int) []row {
	left := 44
	right := m.width - left - 1
	blocks := []block{m.meterBlock(right), m.moveBlock(right)}
	if len(m.knee) > 0 {
		blocks = append(blocks, m.kneeBlock(right))
	}
	return m.theme.beside(
		m.theme.stack(left, height, m.knobBlock(left), m.scoreBlock(left), m.nextBlock(left), m.lessonBlock(left)),
		m.theme.stack(right, height, append(blocks, m.saidBlock(right))...))
}

func (m drill) knobBlock(width int) block {
	const name, value = 15, 9
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
		switch {
		case at && k.Counts:
			p.right(note, "+ do ")
		case at:
			p.right(note, "- + ")
		}
		return p.cursor(at)
	})
}

// text is a value of a knob in words or with its unit.
func (k Knob) text(v float64) string {
	if w, ok := k.Words[v]; ok {
		return w
	}
	if v == 0 && k.None != "" {
		return k.None
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
	last := m.last()
	spark := max(8, width-41)
	rows := make([]row, 0, len(last.Meters)+1)
	for i, x := range last.Meters {
		values := m.history(i)
		p := m.theme.pen(width).put(plain, "  ").name(plain, x.Name, 12).num(strong, rules.Value(x.Value, x.Unit), 10)
		more := x.More
		if more == "" {
			more = "peak " + rules.Value(highest(values), x.Unit)
		}
		p.put(plain, " ").cell(note, more, 15).raw(plain, m.theme.spark(values, min(spark, p.max-p.w)))
		rows = append(rows, p.row())
	}
	if len(m.moves) > 0 {
		rows = append(rows, m.moveMarks(width, spark))
	}
	return m.theme.rowsBlock(heading, len(rows), rows)
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

func (m drill) lastRow() row {
	p := m.theme.pen(m.width)
	if m.notice != "" {
		return p.put(strong, m.notice).row()
	}
	for _, b := range []key.Binding{m.keys.Down, m.keys.More, m.keys.Less, m.keys.Reset, m.keys.Pause, m.keys.Faster, m.keys.Advice, m.keys.Help, m.keys.Quit} {
		if p.w+width(hintWord(b)) > p.max {
			break
		}
		p = hint(p, b)
	}
	return p.row()
}
