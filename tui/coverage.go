package tui

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/capdoctor/capdoctor/rules"
)

// A coverageView is the screen of what was judged, what was not, and what to
// switch on: nothing is green that was not looked at.
type coverageView struct {
	rows   list
	filter filter
}

func (v coverageView) editing() bool  { return v.filter.on }
func (v coverageView) prompt() string { return v.filter.prompt() }

func (v coverageView) hints(_ *scene, k *keyMap) []key.Binding {
	return []key.Binding{k.Filter, k.Back, k.Freeze}
}

func (v coverageView) update(s *scene, k *keyMap, msg tea.KeyPressMsg) (screen, intent) {
	if v.filter.on {
		v.filter = v.filter.typed(msg)
		return v, intent{}
	}
	switch {
	case key.Matches(msg, k.Back) && v.filter.text != "":
		v.filter = filter{}
	case key.Matches(msg, k.Back):
		return v, intent{back: true}
	case key.Matches(msg, k.Filter):
		v.filter.on = true
	default:
		count := len(v.shown(s))
		if n, ok := k.step(msg, count, 15); ok {
			v.rows = v.rows.move(n, count)
		}
	}
	return v, intent{}
}

func (v coverageView) wants(*scene, *want) {}

// A verdict is what one diagnosis came to.
type verdict struct {
	id    string
	mark  mark
	where []string // on which targets
	uses  []string // families of signals
	lacks []string // of these, those without a value
	why   string   // it is unknown, or clear
	fix   string   // what to switch on
}

// verdicts lists the diagnoses of the report: what fires, what is unknown, what is
// clear.
func (s *scene) verdicts() []verdict {
	r := s.report()
	var out []verdict
	at := map[string]int{}
	add := func(id string, m mark) *verdict {
		i, ok := at[id]
		if !ok {
			i = len(out)
			at[id] = i
			out = append(out, verdict{id: id, mark: m, uses: s.families(id)})
		}
		out[i].mark = min(out[i].mark, m)
		return &out[i]
	}
	for _, f := range r.Findings {
		v := add(f.ID, markOf(f))
		v.where = appendNew(v.where, nameOf(f))
		for _, e := range f.Evidence {
			v.uses = appendNew(v.uses, family(e.Signal))
			if e.State == rules.Absent {
				v.lacks = appendNew(v.lacks, family(e.Signal))
			}
		}
	}
	for _, n := range r.NotJudged {
		v := add(n.ID, isUnknown)
		if v.mark != isUnknown {
			continue // it fires elsewhere: what it lacks here does not matter
		}
		v.where = appendNew(v.where, n.Instance)
		v.why = cmp.Or(v.why, strings.TrimSuffix(n.Why, "."))
		for _, m := range n.Missing {
			v.lacks = appendNew(v.lacks, family(m.Signal))
			v.why, v.fix = cmp.Or(v.why, "no "+meterOf(m)), cmp.Or(v.fix, m.Enable)
		}
	}
	for _, c := range r.Cleared {
		v := add(c.ID, isClear)
		if len(v.where) == 0 {
			v.where = []string{rules.Plural(c.Subjects, "subject", "subjects")}
			v.why = keptClear(c.Nearest)
		}
	}
	slices.SortStableFunc(out, func(a, b verdict) int { return cmp.Compare(a.mark, b.mark) })
	return out
}

// keptClear says what is not so where a clear diagnosis came closest: "CPU busy
// 4 %, asked > 80 %".
func keptClear(n *rules.Near) string {
	if n == nil {
		return ""
	}
	e := n.Failed[0]
	observed, threshold := rules.Distinct(e.Observed, e.Threshold, e.Unit)
	asked := ", asked "
	if e.Role == rules.Excluded {
		asked = ", not with "
	}
	return e.Title + " " + observed + asked + e.Op + " " + threshold
}

// families are groups of signals, as columns of the table: by the word that the
// name of a signal holds.
var families = []struct{ name, words string }{
	{"work", "completed|goodput|baseline|offered|latency"},
	{"queue", "waiting|queue|backlog|wait_seconds|poll"},
	{"expiry", "expired|timeout|rejected|retr|overflow"},
	{"pool", "pool|hold|in_flight|connections"},
	{"cpu", "cpu_busy|loop"},
	{"quota", "throttle|quota|limit|peak"},
	{"gc", "gc|heap"},
	{"db", "db_|database"},
	{"disk", "disk"},
	{"log", "log|handler"},
	{"facts", "deadline|clients|batch"},
	{"other", ""},
}

// family is the group of a signal.
func family(signal string) string {
	for _, f := range families {
		for word := range strings.SplitSeq(f.words, "|") {
			if strings.Contains(signal, word) {
				return f.name
			}
		}
	}
	return families[len(families)-1].name
}

func (v coverageView) shown(s *scene) []verdict {
	var out []verdict
	for _, x := range s.verdicts() {
		if v.filter.keeps(x.id, markTexts[x.mark].word, strings.Join(x.where, " "), x.why, x.fix, strings.Join(x.lacks, " ")) {
			out = append(out, x)
		}
	}
	return out
}

func (v coverageView) view(s *scene, width, height int) []row {
	shown := v.shown(s)
	v.rows = v.rows.move(0, len(shown))
	return s.theme.stack(width, height, v.table(s, shown, width), v.fixes(s, width))
}

func (v coverageView) table(s *scene, shown []verdict, width int) block {
	r := s.report()
	n := map[mark]int{}
	for _, x := range s.verdicts() {
		n[x.mark]++
	}
	firing := n[isCritical] + n[isWarning] + n[isPending]
	heading := s.theme.heading(width, "Coverage", fmt.Sprintf("%d firing, %d unknown, %d clear", firing, n[isUnknown], n[isClear]),
		fmt.Sprintf("%d not applicable", r.NotApplicable), v.filter.note())
	columns := usedFamilies(shown)
	if width < twoColumns {
		columns = nil
	}
	b := s.theme.listBlock(heading, v.rows, len(shown), 4, func(i int) row { return v.row(s, shown[i], i == v.rows.at, columns, width) })
	draw := b.draw
	b.want, b.least = b.want+1, 5
	b.draw = func(height int) []row { return append([]row{v.head(s, columns, width)}, draw(height-1)...) }
	return b
}

// usedFamilies are the families that a verdict rests on, in their order.
func usedFamilies(verdicts []verdict) []string {
	var out []string
	for _, f := range families {
		if slices.ContainsFunc(verdicts, func(x verdict) bool { return slices.Contains(x.uses, f.name) || slices.Contains(x.lacks, f.name) }) {
			out = append(out, f.name)
		}
	}
	return out
}

// head names the columns, which are as wide as their names.
func (v coverageView) head(s *scene, columns []string, width int) row {
	p := s.theme.pen(width).put(note, "  ").cell(note, "state", 11).cell(note, "diagnosis", 24)
	if len(columns) > 0 {
		for _, f := range columns {
			p.cell(note, f, len(f)+1)
		}
		return p.put(note, " + looked at  ? lacking").row()
	}
	return p.put(note, "on, or what it lacks").row()
}

func (v coverageView) row(s *scene, x verdict, at bool, columns []string, width int) row {
	p := s.theme.pen(width)
	p.flat = at
	p.put(plain, pointer(at)).cell(x.mark.role(), x.mark.text(), 11).name(plain, x.id, 23).put(plain, " ")
	for _, f := range columns {
		glyph, paint := "·", note
		switch {
		case slices.Contains(x.lacks, f):
			glyph, paint = "?", doubtful
		case slices.Contains(x.uses, f):
			glyph, paint = "+", plain
		}
		p.cell(paint, glyph, len(f)+1)
	}
	if len(columns) > 0 {
		p.put(plain, " ")
	}
	switch {
	case x.mark == isUnknown:
		p.put(doubtful, x.why)
	case x.why != "":
		p.put(note, fitList(x.where, p.max-p.w)+": "+x.why)
	default:
		p.put(note, fitList(x.where, p.max-p.w))
	}
	return p.cursor(at)
}

// fixes say what to switch on, what lets most be judged first.
func (v coverageView) fixes(s *scene, width int) block {
	byFix := map[string][]string{}
	var order []string
	for _, x := range s.verdicts() {
		if x.mark == isUnknown && x.fix != "" {
			if byFix[x.fix] == nil {
				order = append(order, x.fix)
			}
			byFix[x.fix] = append(byFix[x.fix], x.id)
		}
	}
	slices.SortStableFunc(order, func(a, b string) int { return cmp.Compare(len(byFix[b]), len(byFix[a])) })
	var rows []row
	for _, fix := range order {
		rows = append(rows, s.theme.prose(width, 2, plain, strings.Join(byFix[fix], ", ")+": "+rules.Sentence(fix))...)
	}
	if len(rows) == 0 {
		rows = []row{s.theme.text(width, note, "  Nothing: all that applies could be judged, or only time is missing.")}
	}
	return s.theme.rowsBlock(s.theme.heading(width, "To judge more"), 3, rows)
}
