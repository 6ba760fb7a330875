package tui

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/capdoctor/capdoctor/rules"
)

// mostLines is how many log lines are asked for.
const mostLines = 500

// A logsView is the screen of log lines, with counts by event. The newest line
// stands last; the cursor follows it until it is moved.
type logsView struct {
	picked lineKey // zero follows the newest line
	whole  bool    // the line under the cursor is shown in full
	mine   bool    // only of the target in detail
	filter filter
}

// A lineKey names a line.
type lineKey struct {
	file   string
	number int64
}

func keyOfLine(l rules.Line) lineKey { return lineKey{l.File, l.Number} }

func (v logsView) editing() bool  { return v.filter.on }
func (v logsView) prompt() string { return v.filter.prompt() }

func (v logsView) hints(_ *scene, k *keyMap) []key.Binding {
	return []key.Binding{k.Filter, k.Enter, k.Evidence, k.Panel, k.Back, k.Freeze}
}

// to puts the cursor on a line.
func (v logsView) to(l rules.Line) logsView {
	return logsView{picked: keyOfLine(l), whole: true}
}

func (v logsView) update(s *scene, k *keyMap, msg tea.KeyPressMsg) (screen, intent) {
	if v.filter.on {
		v.filter = v.filter.typed(msg)
		return v, intent{}
	}
	lines := v.shown(s)
	switch {
	case key.Matches(msg, k.Back) && v.filter.text != "":
		v.filter = filter{}
	case key.Matches(msg, k.Back):
		return v, intent{back: true}
	case key.Matches(msg, k.Filter):
		v.filter.on = true
	case key.Matches(msg, k.Panel):
		v.mine = !v.mine
	case key.Matches(msg, k.Enter):
		v.whole = !v.whole
	case key.Matches(msg, k.Evidence):
		return v, v.evidence(s, lines)
	case key.Matches(msg, k.Last):
		v.picked = lineKey{}
	default:
		if n, ok := k.step(msg, len(lines), 15); ok && len(lines) > 0 {
			l := list{at: v.cursor(lines)}.move(n, len(lines))
			v.picked = keyOfLine(lines[l.at])
		}
	}
	return v, intent{}
}

// evidence opens the finding that the line under the cursor is evidence of.
func (v logsView) evidence(s *scene, lines []rules.Line) intent {
	if len(lines) == 0 {
		return intent{}
	}
	at := keyOfLine(lines[v.cursor(lines)])
	for _, f := range s.report().Findings {
		for _, e := range f.Evidence {
			if slices.ContainsFunc(e.Lines, func(l rules.Line) bool { return keyOfLine(l) == at }) {
				in, picked := open(findingScreen), keyOf(f)
				in.finding = &picked
				return in
			}
		}
	}
	return intent{say: "no finding rests on this line"}
}

func (v logsView) wants(s *scene, w *want) {
	w.logs = logWant{on: true, most: mostLines}
	if v.mine {
		w.logs.instance = s.subject()
	}
	if !v.filter.on { // while it is typed, the lines at hand are filtered
		w.logs.filter = v.filter.text
	}
}

// shown are the lines that were read; without a source of lines those that
// findings quote.
func (v logsView) shown(s *scene) []rules.Line {
	all := s.reading.lines
	if !s.hasLines {
		all = quotedLines(s.report())
	}
	var out []rules.Line
	for _, l := range all {
		if v.filter.keeps(l.Text, l.File, l.Event) && (!v.mine || l.Instance == s.subject()) {
			out = append(out, l)
		}
	}
	return out
}

// quotedLines are the lines that the findings of a report quote, in order of time.
func quotedLines(r *rules.Report) []rules.Line {
	seen := map[lineKey]bool{}
	var out []rules.Line
	for _, f := range r.Findings {
		for _, e := range f.Evidence {
			for _, l := range e.Lines {
				if !seen[keyOfLine(l)] {
					seen[keyOfLine(l)] = true
					out = append(out, l)
				}
			}
		}
	}
	slices.SortStableFunc(out, func(a, b rules.Line) int {
		return cmp.Or(a.Time.Compare(b.Time), strings.Compare(a.File, b.File), cmp.Compare(a.Number, b.Number))
	})
	return out
}

func (v logsView) cursor(lines []rules.Line) int {
	if v.picked == (lineKey{}) {
		return max(0, len(lines)-1)
	}
	i := slices.IndexFunc(lines, func(l rules.Line) bool { return keyOfLine(l) == v.picked })
	if i < 0 {
		return max(0, len(lines)-1)
	}
	return i
}

func (v logsView) view(s *scene, width, height int) []row {
	lines := v.shown(s)
	var bottom []row
	if v.whole && len(lines) > 0 {
		l := lines[v.cursor(lines)]
		bottom = append(bottom, s.theme.heading(width, fmt.Sprintf("%s:%d", l.File, l.Number), l.Event))
		bottom = append(bottom, s.theme.clip(s.theme.prose(width, 2, plain, l.Text), max(3, height/3))...)
	}
	events := s.eventRows(width)
	rows := append([]row{v.heading(s, lines, width)}, s.theme.clip(events, max(2, height/4))...)
	room := height - len(rows) - len(bottom)
	rows = append(rows, s.theme.fill(width, room, v.lineRows(s, lines, width, room))...)
	return append(rows, bottom...)
}

func (v logsView) heading(s *scene, lines []rules.Line, width int) row {
	var logs int
	var records, unparsed int64
	for _, in := range s.report().Inputs {
		if in.Kind == "log" {
			logs++
			records, unparsed = records+in.Records, unparsed+in.Unparsed
		}
	}
	scope := "of all, tab: of " + s.subject()
	if v.mine {
		scope = "of " + s.subject() + ", tab: of all"
	}
	read := ""
	if logs > 0 {
		read = fmt.Sprintf("%s, %d records, %d unparsed", rules.Plural(logs, "log", "logs"), records, unparsed)
	}
	return s.theme.heading(width, fmt.Sprintf("Lines %d", len(lines)), read, scope, v.filter.note())
}

// lineRows are the lines around the cursor; the cut end of a line is shown by
// enter.
func (v logsView) lineRows(s *scene, lines []rules.Line, width, height int) []row {
	if len(lines) == 0 {
		return s.theme.prose(width, 2, note, v.empty(s))
	}
	at := v.cursor(lines)
	top := list{at: at, top: at - height*2/3}.window(len(lines), height)
	if v.picked == (lineKey{}) {
		top = max(0, len(lines)-height)
	}
	name := 0
	for _, l := range lines {
		name = max(name, min(max(26, width/4), len(l.File)+1+len(strconv.FormatInt(l.Number, 10))))
	}
	var rows []row
	for i := top; i < min(top+height, len(lines)); i++ {
		l := lines[i]
		p := s.theme.pen(width)
		p.flat = i == at
		p.put(plain, pointer(i == at)).put(plain, s.clock.time(l.Time)+"  ").name(note, fmt.Sprintf("%s:%d", l.File, l.Number), name).put(plain, "  "+gist(l.Text, width-p.w))
		rows = append(rows, p.cursor(i == at))
	}
	return rows
}

// levels are the words for how bad a line is.
var levels = []string{"FATAL", "ERROR", "WARN", "INFO", "DEBUG"}

// gist shortens a line that is longer than its row: level and message, without
// the time, thread and logger before it.
func gist(line string, room int) string {
	const header = 200 // how long what stands before a message may be
	if len(line) <= room {
		return line
	}
	head := line[:min(header, len(line))]
	at := strings.Index(head, " - ")
	if spring := strings.Index(head, " : "); at < 0 || spring >= 0 && spring < at {
		at = spring
	}
	if at < 0 {
		return line
	}
	for _, level := range levels {
		if strings.Contains(line[:at], level) {
			return level + strings.Repeat(" ", max(1, 6-len(level))) + line[at+3:]
		}
	}
	return line[at+3:]
}

// empty says why there is no line, and what would bring some.
func (v logsView) empty(s *scene) string {
	switch {
	case v.filter.text != "":
		return "No line matches. esc clears the filter."
	case !slices.ContainsFunc(s.report().Inputs, func(in rules.Input) bool { return in.Kind == "log" }):
		return "No log given: --log FILE, or --log NAME=FILE to join it with a target."
	}
	return "No line yet."
}

// eventRows count the recognised events of the last five minutes, the most
// frequent first.
func (s *scene) eventRows(width int) []row {
	counts := map[string]float64{}
	types := map[string]map[string]float64{}
	for _, e := range s.reading.events {
		event, kind := e.labels.Get("event"), e.labels.Get("type")
		counts[event] += e.now
		if kind != "" {
			if types[event] == nil {
				types[event] = map[string]float64{}
			}
			types[event][kind] += math.Round(e.now)
		}
	}
	names := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), strings.Compare(a, b))
	})
	var rows []row
	for _, n := range names {
		p := s.theme.pen(width).put(plain, "  ").num(plain, rules.Number(math.Round(counts[n])), 6).put(plain, "  ").put(plain, n)
		rows = append(rows, p.put(note, payloads(types[n])).row())
	}
	if len(rows) == 0 {
		return []row{s.theme.text(width, note, "  no recognised event in the last 5 min")}
	}
	return append([]row{s.theme.text(width, note, "  events in the last 5 min (one slow request can show in several)")}, rows...)
}
