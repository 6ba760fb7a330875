package tui

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/capdoctor/capdoctor/rules"
)

// moveMarks numbers the moves under the sparklines.
func (m drill) moveMarks(width, spark int) row {
	p := m.theme.pen(width).put(plain, "  ").cell(note, "your moves", 38)
	frames := m.shownFrames()
	room := min(spark, p.max-p.w)
	cells := []byte(strings.Repeat(" ", max(0, room)))
	for n, move := range m.moves {
		if span := m.shownTime(); span > 0 && move.At >= frames[0].At {
			i := int(float64(room-1) * float64(move.At-frames[0].At) / float64(span))
			cells[max(0, min(i, room-1))] = byte('0' + (n+1)%10)
		}
	}
	return p.put(strong, string(cells)).row()
}

// moveBlock tells what each move came to, by the first meter.
func (m drill) moveBlock(width int) block {
	heading := m.theme.heading(width, "Your moves")
	if len(m.moves) == 0 {
		return m.theme.rowsBlock(heading, 1, []row{m.theme.text(width, note, "  none yet: j k choose a knob, + - turn it")})
	}
	rows := make([]row, len(m.moves))
	for i := range m.moves {
		rows[i] = m.moveRow(i, width)
	}
	return m.theme.rowsBlock(heading, 2, rows)
}

func (m drill) moveRow(i, width int) row {
	move := m.moves[i]
	k := m.knob(move.Knob)
	p := m.theme.pen(width).put(plain, fmt.Sprintf("%2d  %s  ", i+1, clockText(move.At)))
	p.cell(plain, fmt.Sprintf("%s %s → %s", move.Knob, k.text(move.From), k.text(move.To)), 26).put(plain, "  ")
	effect, before, after := m.effect(i)
	if effect == TooEarly {
		return p.put(note, "wait "+rules.Duration(SettleTime)).row()
	}
	t, x := effectTexts[effect], m.frames[0].Meters[0]
	p.put(plain, fmt.Sprintf("%s %s → %s", x.Name, rules.Value(before, x.Unit), rules.Value(after, x.Unit)))
	return p.put(plain, "  ").put(t.role, t.glyph+" "+t.word).row()
}

func (m drill) knob(name string) Knob {
	for _, k := range m.knobs {
		if k.Name == name {
			return k
		}
	}
	return Knob{}
}

// effect compares the first meter at a move with its value before the next move,
// or now.
func (m drill) effect(i int) (e Effect, before, after float64) {
	until := m.now()
	if i+1 < len(m.moves) {
		until = m.moves[i+1].At
	}
	before, after = m.meterAt(m.moves[i].At), m.meterAt(until)
	if until-m.moves[i].At < SettleTime && i+1 == len(m.moves) {
		return TooEarly, before, after
	}
	if goal := m.options.Goal; goal > 0 && before < goal && after >= goal {
		return Reached, before, after
	}
	return watched{direction: "up", by: math.Inf(1)}.judge(before, after), before, after
}

// meterAt is the first meter at a time of the drill.
func (m drill) meterAt(t time.Duration) float64 {
	v := math.NaN()
	for _, f := range m.frames {
		if f.At > t {
			break
		}
		if len(f.Meters) > 0 {
			v = f.Meters[0].Value
		}
	}
	return v
}
