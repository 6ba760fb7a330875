package tui

import (
	"math"
	"strings"

	"charm.land/bubbles/v2/key"

	"github.com/capdoctor/capdoctor/rules"
)

func (m drill) scoreBlock(width int) block {
	rows := make([]row, 0, len(m.score))
	for _, l := range m.score {
		rows = append(rows, m.theme.pen(width).put(plain, "  ").cell(note, l.Name, 16).put(plain, l.Value).row())
	}
	return m.theme.rowsBlock(m.theme.heading(width, "Score"), min(3, len(rows)), rows)
}

// nextBlock is what can be done behind this.
func (m drill) nextBlock(width int) block {
	var rows []row
	var brief []string
	add := func(b key.Binding, text string) {
		rows = append(rows, m.theme.pen(width).put(plain, "  ").cell(strong, b.Help().Key, 3).put(plain, text).row())
		brief = append(brief, b.Help().Key+" "+text)
	}
	if m.options.Next != "" {
		add(m.keys.Next, "next scenario: "+m.options.Next)
	}
	add(m.keys.Again, "again")
	add(m.keys.Unadvised, "again without advice")
	if m.options.Save != nil {
		add(m.keys.Save, "save the run as a case")
	}
	return m.theme.briefBlock(m.theme.heading(width, "Next"), rows, brief)
}

// lessonBlock is what to remember, once the task is over.
func (m drill) lessonBlock(width int) block {
	var rows []row
	if m.last().Over {
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
	for _, p := range m.knee {
		top = math.Max(top, p.Value)
	}
	rows := make([]row, 0, len(m.knee))
	for _, k := range m.knee {
		p := m.theme.pen(width).num(plain, k.Setting, 10).num(plain, rules.Value(k.Value, "1/s"), 10).put(plain, "   ")
		bar := int(math.Round(part(k.Value, top) * 40))
		p.raw(plain, strings.Repeat(m.theme.full, max(0, min(bar, p.max-p.w)))).put(note, "  "+k.Remark)
		rows = append(rows, p.row())
	}
	return m.theme.rowsBlock(heading, 2, rows)
}

// saidBlock is what capdoctor said, the newest last. Where there is little room the
// newest is shown from its first line on.
func (m drill) saidBlock(width int) block {
	var rows []row
	newest := 0
	for _, s := range m.said[max(0, len(m.said)-8):] {
		newest = len(rows)
		rows = append(rows, m.sayingRows(s, width)...)
	}
	if len(rows) == 0 {
		rows = []row{m.theme.text(width, note, "  nothing yet")}
	}
	return block{heading: m.theme.heading(width, "What capdoctor said", "newest last"), want: len(rows), least: 1, draw: func(height int) []row {
		from := min(newest, len(rows)-height)
		return rows[from : from+height]
	}}
}

func (m drill) sayingRows(s saying, width int) []row {
	p := m.theme.pen(width).put(plain, "  "+clockText(s.at)+"  ").cell(s.mark.role(), s.mark.text(), 11)
	indent := p.w + 1
	var rows []row
	for i, l := range wrap(m.theme.fit(s.text), width-indent) {
		if i > 0 {
			p = m.theme.pen(width)
		}
		rows = append(rows, p.tab(indent).put(plain, l).row())
	}
	return rows
}
