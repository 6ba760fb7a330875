package tui

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/capdoctor/capdoctor/rules"
)

// fleet is the overview of many targets: counts, a table, services, changes.
func (o overview) fleet(s *scene, width, height int) []row {
	shown := o.shown(s)
	t := o.table(s, shown, true, width)
	rows := []row{s.countsRow(width)}
	height -= len(rows)
	table := s.theme.listBlock(o.fleetHeading(s, shown, width), t.list, len(shown), 5, t.row)
	draw := table.draw
	table.want, table.least = table.want+1, 6
	table.draw = func(h int) []row { return append([]row{t.head()}, draw(h-1)...) }
	blocks := []block{table}
	if services := s.serviceRows(width); len(services) > 1 {
		blocks = append(blocks, s.theme.rowsBlock(s.theme.heading(width, fmt.Sprintf("Services %d", len(services)-1)), 3, services))
	}
	blocks = append(blocks,
		s.theme.rowsBlock(s.theme.heading(width, "Changes", "last 15 min"), 2, s.changeRows(width)),
		s.theme.rowsBlock(s.theme.heading(width, "Inputs"), 1, s.fleetInputRows(width)))
	return append(rows, s.theme.stack(width, height, fitFleet(blocks, height)...)...)
}

// fitFleet gives the table of targets what the other blocks leave, so that two
// hundred targets do not push them off the screen.
func fitFleet(blocks []block, height int) []block {
	rest := 0
	for i := range blocks[1:] {
		b := &blocks[i+1]
		b.want = min(b.want, max(4, height/5))
		rest += b.want + 1
	}
	blocks[0].want = min(blocks[0].want, max(blocks[0].least, height-rest-1))
	return blocks
}

// countsRow counts the targets by state.
func (s *scene) countsRow(width int) row {
	p := s.theme.pen(width).put(strong, rules.Plural(len(s.targets), "target", "targets"))
	for m, n := range s.counts {
		if n > 0 {
			t := markTexts[m]
			p.put(plain, "   ").put(t.role, fmt.Sprintf("%s %d %s", t.glyph, n, t.plural))
		}
	}
	return p.row()
}

func (o overview) fleetHeading(s *scene, shown []target, width int) row {
	ill := 0
	for _, t := range shown {
		ill += b2i(t.mark != isClear)
	}
	return s.theme.heading(width, fmt.Sprintf("Targets %d of %d, %d not clear", len(shown), len(s.targets), ill), o.order.String(), o.filter.note())
}

// serviceRows are one row a service: how many targets, what they do together, and
// one mark for each target, worst first. The first row names the columns.
func (s *scene) serviceRows(width int) []row {
	byService := map[string][]target{}
	var names []string
	for _, t := range s.targets {
		if t.service == "" {
			continue
		}
		if _, ok := byService[t.service]; !ok {
			names = append(names, t.service)
		}
		byService[t.service] = append(byService[t.service], t)
	}
	if len(names) == 0 {
		return nil
	}
	slices.SortStableFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(byService[a][0].mark, byService[b][0].mark), strings.Compare(a, b))
	})
	rows := []row{s.theme.pen(width).put(note, "  ").cell(note, "service", 16).num(note, "targets", 8).num(note, "clear", 7).num(note, "done/s", 9).num(note, "was", 9).
		put(note, "   one mark per target, worst first").row()}
	for _, name := range names {
		rows = append(rows, s.serviceRow(name, byService[name], width))
	}
	return rows
}

func (s *scene) serviceRow(name string, targets []target, width int) row {
	clear, done, was := 0, 0.0, 0.0
	for _, t := range targets {
		v := s.vitals(t.name)
		clear += b2i(t.mark == isClear)
		done += orZero(v.done.now)
		was += orZero(v.was.now)
	}
	p := s.theme.pen(width).put(plain, "  ").name(plain, name, 16).num(plain, fmt.Sprint(len(targets)), 8).num(plain, fmt.Sprint(clear), 7)
	p.num(plain, short(done), 9).num(note, short(was), 9).put(plain, "   ")
	for m := mark(0); m < marks; m++ {
		n := 0
		for _, t := range targets {
			n += b2i(t.mark == m)
		}
		p.put(m.role(), strings.Repeat(markTexts[m].glyph, n))
	}
	return p.row()
}

// changeRows tell which targets came into another state, the newest first.
func (s *scene) changeRows(width int) []row {
	var rows []row
	for _, c := range s.changes {
		if c.at.After(s.report().At) {
			continue
		}
		p := s.theme.pen(width).put(plain, "  "+s.clock.time(c.at)+"  ").cell(c.to.role(), c.to.text(), 11).put(plain, " ").name(plain, c.target, 22)
		rows = append(rows, p.put(plain, "  "+c.text).row())
	}
	if len(rows) == 0 {
		return []row{s.theme.text(width, note, "  none since the start")}
	}
	return rows
}

// changeList is changeRows for a narrow column.
func (s *scene) changeList(width int) []row {
	var rows []row
	for _, c := range s.changes {
		if c.at.After(s.report().At) {
			continue
		}
		p := s.theme.pen(width).put(plain, "  "+s.clock.time(c.at)+"  ").cell(c.to.role(), c.to.text(), 11).put(plain, " ")
		rows = append(rows, p.name(plain, c.target, p.max-p.w).row())
	}
	if len(rows) == 0 {
		return []row{s.theme.text(width, note, "  none since the start")}
	}
	return rows
}

// fleetInputRows account for what was read of many targets.
func (s *scene) fleetInputRows(width int) []row {
	var scrapes, failing int
	var bytes int64
	slowest, slow := "", time.Duration(0)
	for _, in := range s.report().Inputs {
		scrapes, bytes = scrapes+in.Scrapes, bytes+in.Bytes
		failing += b2i(in.Error != "")
		if d := perScrape(in); d > slow {
			slowest, slow = in.Name, d
		}
	}
	n := len(s.report().Inputs)
	text := fmt.Sprintf("%d of %d ok, %s, %s", n-failing, n, rules.Plural(scrapes, "request", "requests"), rules.Bytes(float64(bytes)))
	if slowest != "" {
		text += fmt.Sprintf("; slowest %s (%s)", rules.Duration(slow), slowest)
	}
	unknown := len(s.report().NotJudged)
	return []row{
		s.theme.pen(width).put(plain, "  ").cell(note, "inputs", 10).put(plain, text).row(),
		s.theme.pen(width).put(plain, "  ").cell(note, "coverage", 10).put(plain, fmt.Sprintf("%d diagnoses clear, %d judgements unknown (4: coverage)", len(s.report().Cleared), unknown)).row(),
	}
}

// perScrape is how long reading an input takes on average.
func perScrape(in rules.Input) time.Duration {
	if in.Scrapes == 0 {
		return 0
	}
	return in.Duration / time.Duration(in.Scrapes)
}
