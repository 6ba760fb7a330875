package report

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/capdoctor/capdoctor/rules"
)

// The characters of bars, from least to most.
var (
	blocks      = []rune("▁▂▃▄▅▆▇█")
	asciiBlocks = []rune("_.-:=+*#")
)

// timeline draws the tracks with their values before, during and after.
func (t *postmortemText) timeline() {
	l := t.back.p.Timeline
	if len(l.Columns) < 2 || len(l.Tracks) == 0 {
		return
	}
	titles := t.trackTitles()
	lead, numbers := 0, t.trackNumbers()
	for _, s := range titles {
		lead = max(lead, Width(s))
	}
	lead = min(lead, t.width/3)
	room := t.width - lead - 4 - 3*10
	d := draw(l, max(8, room))
	t.timelineHead(d, lead, room)
	for i, tr := range l.Tracks {
		row := "  " + padRight(CutMiddle(titles[i], lead, t.ellipsis()), lead) + "  " + padRight(t.bar(tr, d, i == 0), room)
		t.line(text(row), text(numbers[i]))
	}
	t.axis(d, lead)
}

func (t *postmortemText) timelineHead(d drawing, lead, room int) {
	head := "TIME LINE  one column is " + rules.Duration(d.width)
	columns := ""
	if t.back.p.Main >= 0 {
		columns = padLeft("before", 10) + padLeft("during", 10) + padLeft("after", 10)
	} else {
		columns = padLeft("all", 30)
	}
	t.line(span{heading, padRight(head, lead+4+room)}, span{note, columns})
}

// trackTitles names the tracks, with the target where two have one title.
func (t *postmortemText) trackTitles() []string {
	count := map[string]int{}
	for _, tr := range t.back.p.Timeline.Tracks {
		count[tr.Title]++
	}
	var titles []string
	for _, tr := range t.back.p.Timeline.Tracks {
		s := tr.Title
		if tr.Kind == rules.PerSecond {
			s += "/s"
		}
		if count[tr.Title] > 1 && tr.Instance != "" {
			s += " " + tr.Instance
		}
		titles = append(titles, t.prose(s))
	}
	return titles
}

// trackNumbers are the values before, during and after, under each other.
func (t *postmortemText) trackNumbers() []string {
	tab := make([][]string, 0, len(t.back.p.Timeline.Tracks))
	for _, tr := range t.back.p.Timeline.Tracks {
		row := []string{trackValue(tr, tr.Before), trackValue(tr, tr.During), trackValue(tr, tr.After)}
		if t.back.p.Main < 0 {
			row = []string{"", "", row[1]}
		}
		tab = append(tab, row)
	}
	var rows []string
	for j := range 3 {
		alignDigits(tab, j)
	}
	for _, row := range tab {
		rows = append(rows, padLeft(row[0], 10)+padLeft(row[1], 10)+padLeft(row[2], 10))
	}
	return rows
}

func trackValue(tr rules.Track, v float64) string {
	if tr.Kind == rules.PerSecond {
		return strings.TrimSuffix(rules.Rate(v), "/s")
	}
	if tr.Kind == rules.Count {
		v = math.Round(v)
	}
	return rules.Value(v, tr.Unit)
}

// bar draws one track. Values are shares of its largest one; none is a dot, no
// log a question mark.
func (t *postmortemText) bar(tr rules.Track, d drawing, first bool) string {
	values := make([]float64, len(d.cells))
	top := 0.0
	for i, c := range d.cells {
		values[i] = joined(tr, c)
		if values[i] > top {
			top = values[i]
		}
	}
	var b strings.Builder
	for i, c := range d.cells {
		switch {
		case c.gap != "" && (first || Width(c.gap) == 1):
			b.WriteString(t.gapLetters(c.gap))
		case c.gap != "":
			b.WriteString(t.gapLetters("┊" + strings.Repeat(" ", Width(c.gap)-2) + "┊"))
		default:
			b.WriteRune(t.block(values[i], top))
		}
	}
	return b.String()
}

func (t *postmortemText) block(v, top float64) rune {
	letters, none := blocks, '·'
	if t.ascii {
		letters, none = asciiBlocks, ' '
	}
	switch {
	case math.IsNaN(v):
		return '?'
	case v <= 0:
		return none
	}
	share := v / top
	if !(share < 1) { // the largest, also where it is infinite
		return letters[len(letters)-1]
	}
	return letters[int(share*float64(len(letters)))]
}

func (t *postmortemText) gapLetters(s string) string {
	if t.ascii {
		return strings.ReplaceAll(s, "┊", "|")
	}
	return s
}

// A mark is a time under a drawing.
type mark struct {
	at   int // character
	text string
}

// end is the character behind it.
func (m mark) end() int { return m.at + Width(m.text) }

// axis writes times under the drawing, the onset before all, and the legend.
func (t *postmortemText) axis(d drawing, lead int) {
	legend := "· none   ? no log"
	if t.ascii {
		legend = "? no log"
	}
	var line strings.Builder
	for _, m := range t.marks(d) {
		line.WriteString(strings.Repeat(" ", m.at-Width(line.String())) + m.text)
	}
	s := strings.Repeat(" ", lead+4) + line.String()
	if Width(s)+3+Width(legend) <= t.width {
		s = padRight(s, t.width-Width(legend)) + legend
	}
	t.line(span{note, s})
}

// marks lists the times to write, from left to right: the onset, and of the
// borders of what was read those that do not run into another.
func (t *postmortemText) marks(d drawing) []mark {
	var all []mark
	for _, m := range t.borders(d) {
		clash := func(o mark) bool { return m.at <= o.end() && o.at <= m.end() }
		if m.at >= 0 && !slices.ContainsFunc(all, clash) {
			all = append(all, m)
		}
	}
	slices.SortFunc(all, func(a, b mark) int { return cmp.Compare(a.at, b.at) })
	return all
}

// borders lists the times that could be written, the most important first.
func (t *postmortemText) borders(d drawing) []mark {
	columns := t.back.p.Timeline.Columns
	layout := "15:04"
	switch span := columns[len(columns)-1].To.Sub(columns[0].From); {
	case span < 10*time.Minute:
		layout = "15:04:05"
	case span > 24*time.Hour:
		layout = "01-02 15:04"
	}
	short := func(x time.Time) string { return x.In(t.clock.zone).Format(layout) }
	var onset, starts, ends []mark
	at := 0
	for i, c := range d.cells {
		if c.gap != "" {
			at += Width(c.gap)
			continue
		}
		from, to := columns[c.from].From, columns[c.to-1].To
		if from.Before(t.back.p.First) {
			from = t.back.p.First
		}
		if t.back.p.Main >= 0 && onset == nil && t.back.main().Onset.Before(to) {
			onset = []mark{{at, "■" + t.back.main().Onset.In(t.clock.zone).Format("15:04:05")}}
		}
		if i == 0 || d.cells[i-1].gap != "" {
			starts = append(starts, mark{at, short(from)})
		}
		if i == len(d.cells)-1 || d.cells[i+1].gap != "" {
			ends = append(ends, mark{at + 1 - len(layout), short(to)})
		}
		at++
	}
	return slices.Concat(onset, starts, ends)
}
