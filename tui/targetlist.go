package tui

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/capdoctor/capdoctor/rules"
)

// An order is how targets are listed.
type order uint8

const (
	worstFirst order = iota
	byName
	byService
	orders
)

var orderNames = [orders]string{"worst first", "by name", "by service"}

func (o order) next() order    { return (o + 1) % orders }
func (o order) String() string { return orderNames[o] }

// sort orders targets that come worst first.
func (o order) sort(targets []target) []target {
	switch o {
	case byName:
		slices.SortStableFunc(targets, func(a, b target) int { return strings.Compare(a.name, b.name) })
	case byService:
		slices.SortStableFunc(targets, func(a, b target) int { return strings.Compare(a.service, b.service) })
	}
	return targets
}

// targetHeading says how many targets are shown, of how many, and in which order.
func (o overview) targetHeading(s *scene, shown, width int) row {
	return s.theme.heading(width, fmt.Sprintf("Targets %d of %d", shown, len(s.targets)), o.order.String(), o.filter.note())
}

// targetTable lists targets one a row, with their values in columns.
func (o overview) targetTable(s *scene, shown []target, most, width int) block {
	t := o.table(s, shown, false, width)
	b := s.theme.listBlock(o.targetHeading(s, len(shown), width), t.list, len(shown), most, t.row)
	draw := b.draw
	b.want, b.least = b.want+1, b.least+1
	b.draw = func(height int) []row { return append([]row{t.head()}, draw(height-1)...) }
	return b
}

// A targetTable draws targets as rows of a table.
type targetTable struct {
	scene  *scene
	list   list
	active bool
	shown  []target
	why    int // columns of what a target has; 0 leaves it out
	name   int
	width  int
}

func (o overview) table(s *scene, shown []target, why bool, width int) targetTable {
	t := targetTable{scene: s, shown: shown, width: width, active: o.panel == targetsPanel}
	t.list = list{at: o.cursor(shown), top: o.targets.top}
	const values = 2 + 11 + 9 + 7 + 10 + 8 + 10 + 8
	room := width - values
	if why && room >= 36 {
		t.why = min(30, room/2)
		room -= t.why
	}
	t.name = max(10, min(40, room))
	return t
}

func (t targetTable) head() row {
	p := t.scene.theme.pen(t.width).put(note, "  ").cell(note, "state", 11).cell(note, "target", t.name)
	if t.why > 0 {
		p.cell(note, " finding", t.why)
	}
	return p.num(note, "done/s  ", 9).num(note, "was", 7).num(note, "waiting  ", 10).num(note, "busy", 8).num(note, "CPU  ", 10).num(note, "age", 8).row()
}

func (t targetTable) row(i int) row {
	s, x := t.scene, t.shown[i]
	at := i == t.list.at
	p := s.theme.pen(t.width)
	p.flat = at && t.active
	p.put(plain, pointer(at && t.active)).cell(s.markRole(x), x.mark.text(), 11).name(plain, x.name, t.name)
	if t.why > 0 {
		p.put(plain, " ").cell(note, x.why(), t.why-1)
	}
	v := s.vitals(x.name)
	p.num(plain, trendText(v.done, short), 9).num(note, known(v.was.now, short), 7)
	p.num(plain, trendText(v.waiting, short), 10).num(plain, busyText(v), 8)
	p.num(plain, trendText(v.cpu, rules.Percent), 10)
	age, paint := x.age(s.moment()), note
	if x.stale(s.moment()) && !x.logOnly {
		paint = doubtful
	}
	return p.num(paint, age, 8).cursor(at && t.active)
}

// markRole paints the state of a target: bold when the last scrape has changed it.
func (s *scene) markRole(t target) role {
	c, ok := s.lastChange(t.name)
	if ok && t.mark.role() == plain && c.from != c.to && c.at.Equal(s.report().At) {
		return strong
	}
	return t.mark.role()
}

// trendText is a value with its trend: "0.07 ↓".
func trendText(m measure, write func(float64) string) string {
	if !m.known() {
		return "-  "
	}
	return write(m.now) + " " + m.trend()
}

// known writes a value, or "-" where there is none.
func known(v float64, write func(float64) string) string {
	if math.IsNaN(v) {
		return "-"
	}
	return write(v)
}

func busyText(v vitals) string {
	if !v.busy.known() || !v.size.known() {
		return "-"
	}
	return rules.Number(v.busy.now) + "/" + rules.Number(v.size.now)
}

// targetList lists targets with their values below, for a narrow column.
func (o overview) targetList(s *scene, shown []target, width int) block {
	at := o.cursor(shown)
	items := make([][]row, len(shown))
	for i, x := range shown {
		items[i] = o.targetItem(s, x, i == at && o.panel == targetsPanel, width)
	}
	if len(items) == 0 {
		items = [][]row{{s.theme.text(width, note, "  No target matches. esc clears the filter.")}}
	}
	return s.theme.itemsBlock(o.targetHeading(s, len(shown), width), list{at: at}, min(3, len(items)), items)
}

func (o overview) targetItem(s *scene, x target, cursor bool, width int) []row {
	p := s.theme.pen(width)
	p.flat = cursor
	p.put(plain, pointer(cursor)).cell(s.markRole(x), x.mark.text(), 11).put(plain, " ").name(strong, x.name, width-p.w-6)
	age, paint := x.age(s.moment()), note
	if x.stale(s.moment()) {
		age, paint = "stale "+age, doubtful
	}
	if !x.logOnly {
		p.right(paint, age+" ")
	}
	rows := []row{p.cursor(cursor)}
	if c, ok := s.lastChange(x.name); ok && c.from != c.to {
		rows = append(rows, s.theme.text(width, note, "    was "+c.from.text()+" until "+s.clock.time(c.at)))
	}
	if x.mark == isDown || x.mark == isUnknown {
		return append(rows, s.theme.prose(width, 4, doubtful, x.err)...)
	}
	v := s.vitals(x.name)
	var parts []string
	if v.done.known() {
		parts = append(parts, s.workText(v)+" "+v.done.trend())
	}
	if v.waiting.known() {
		parts = append(parts, rules.Number(v.waiting.now)+" waiting "+v.waiting.trend())
	}
	if v.busy.known() && v.size.known() {
		parts = append(parts, busyText(v)+" busy")
	}
	if v.expired.now > 0 {
		parts = append(parts, rules.Number(v.expired.now)+" expired")
	}
	if v.cpu.known() {
		parts = append(parts, "CPU "+rules.Percent(v.cpu.now))
	}
	for _, l := range joinFitting(parts, "  ", width-5) {
		rows = append(rows, s.theme.pen(width).put(plain, "    "+l).row())
	}
	return rows
}

// changeStays is how long a change of state stands beside its target.
const changeStays = time.Minute

// lastChange is how a target came into its state, where that is recent.
func (s *scene) lastChange(name string) (change, bool) {
	for _, c := range s.changes {
		if age := s.report().At.Sub(c.at); c.target == name && age >= 0 {
			return c, age < changeStays
		}
	}
	return change{}, false
}

// joinFitting joins parts to lines of at most w columns without breaking one.
func joinFitting(parts []string, sep string, w int) []string {
	var lines []string
	for _, part := range parts {
		if n := len(lines) - 1; n >= 0 && width(lines[n])+width(sep)+width(part) <= w {
			lines[n] += sep + part
			continue
		}
		lines = append(lines, part)
	}
	return lines
}
