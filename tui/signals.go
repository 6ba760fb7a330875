package tui

import (
	"fmt"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/prometheus/common/model"

	"github.com/capdoctor/capdoctor/rules"
	"github.com/capdoctor/capdoctor/series"
)

// A signalsView is the screen of every signal and raw metric of a target, with a
// chart of the one under the cursor.
type signalsView struct {
	raw    bool
	picked string // the series under the cursor, by its text
	filter filter
}

func (v signalsView) editing() bool  { return v.filter.on }
func (v signalsView) prompt() string { return v.filter.prompt() }

func (v signalsView) hints(_ *scene, k *keyMap) []key.Binding {
	return []key.Binding{k.Filter, k.Panel, k.Refresh, k.Back, k.Freeze}
}

func (v signalsView) update(s *scene, k *keyMap, msg tea.KeyPressMsg) (screen, intent) {
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
	case key.Matches(msg, k.Panel):
		v.raw, v.picked = !v.raw, ""
	case key.Matches(msg, k.Refresh):
		v.raw = true
		return v, intent{refresh: true}
	default:
		shown := v.shown(s)
		if n, ok := k.step(msg, len(shown), 15); ok && len(shown) > 0 {
			l := list{at: v.cursor(shown)}.move(n, len(shown))
			v.picked = shown[l.at].text()
		}
	}
	return v, intent{}
}

// commonLabels are on every series of a target, or say again what another label
// says.
var commonLabels = []string{model.MetricNameLabel, "instance", "service", "job", "system", "resource", "kind"}

// text is the name of a series and what tells it from others of that name: what
// it is about first.
func (s signal) text() string {
	parts := []string{s.name()}
	for _, name := range []string{"resource", "kind"} {
		parts = appendNew(parts, s.labels.Get(name))
	}
	s.labels.Range(func(l series.Label) {
		if !slices.Contains(commonLabels, l.Name) && !slices.Contains(parts, l.Value) {
			parts = append(parts, l.Name+"="+l.Value)
		}
	})
	return strings.Join(appendNew(parts, s.labels.Get("system")), " ")
}

// label is text for a table: what is common to most series is left out.
func (s signal) label() string {
	parts := appendNew([]string{bare(s.name())}, shortResource(s.labels.Get("resource")))
	s.labels.Range(func(l series.Label) {
		if !slices.Contains(commonLabels, l.Name) && l.Value != s.labels.Get("resource") {
			parts = append(parts, l.Name+"="+l.Value)
		}
	})
	return strings.Join(parts, " ")
}

// shown are the series that the filter keeps.
func (v signalsView) shown(s *scene) []signal {
	all := s.signalsOf(s.subject())
	if v.raw {
		all = s.reading.raws
		if s.raws.target == s.subject() {
			all = s.raws.signals
		}
	}
	var out []signal
	for _, sig := range all {
		if v.filter.keeps(sig.text(), s.title(sig.name())) {
			out = append(out, sig)
		}
	}
	return out
}

func (v signalsView) cursor(shown []signal) int {
	return max(0, slices.IndexFunc(shown, func(x signal) bool { return x.text() == v.picked }))
}

func (v signalsView) wants(s *scene, w *want) {
	w.all, w.raw = true, v.raw
	if shown := v.shown(s); len(shown) > 0 {
		w.charts = append(w.charts, signalChart(shown[v.cursor(shown)]))
	}
	if work, ok := workSignal(s); ok {
		w.charts = append(w.charts, signalChart(work))
	}
}

// workSignal is what the target completes: it stands beneath every other chart.
// Of several the one that the finding is about comes first, then requests before
// uses of connections, then the busiest.
func workSignal(s *scene) (signal, bool) {
	named := s.named(s.subject())
	rank := func(x signal) float64 {
		return 2*float64(b2i(named[x.labels.Get("resource")])) - float64(b2i(x.labels.Get("kind") == "connections"))
	}
	var best signal
	found := false
	for _, name := range []string{"cap:goodput_rate", "cap:completed_rate"} {
		for _, x := range s.signalsOf(s.subject()) {
			if x.name() == name && (!found || rank(x) > rank(best) || rank(x) == rank(best) && x.now > best.now) {
				best, found = x, true
			}
		}
		if found {
			break
		}
	}
	return best, found
}

func (v signalsView) view(s *scene, width, height int) []row {
	shown := v.shown(s)
	if width < twoColumns {
		chart := min(9, height/3)
		rows := v.table(s, shown, width, height-chart-1)
		return append(rows, v.charts(s, shown, width, chart+1)...)
	}
	left := min(width*58/100, 104)
	right := width - left - 1
	return s.theme.beside(v.table(s, shown, left, height), v.charts(s, shown, right, height))
}

func (v signalsView) table(s *scene, shown []signal, width, height int) []row {
	kind, other := "Signals", "tab: raw metrics"
	if v.raw {
		kind, other = "Raw metrics", "tab: signals"
	}
	heading := s.theme.heading(width, fmt.Sprintf("%s of %s %d", kind, s.subject(), len(shown)), other, v.filter.note())
	name := max(20, width-2-11-10-10)
	head := s.theme.pen(width).put(note, "  ").cell(note, "series", name).num(note, "now", 11).put(note, " ").cell(note, "unit", 9).num(note, "1 min ago", 9).row()
	rows := []row{heading, head}
	if len(shown) == 0 {
		rows = append(rows, s.theme.prose(width, 2, note, v.empty(s))...)
		return s.theme.fill(width, height, rows)
	}
	at := v.cursor(shown)
	room := height - 2
	top := list{at: at, top: at - room/2}.window(len(shown), room)
	for i := top; i < min(top+room, len(shown)); i++ {
		rows = append(rows, v.row(s, shown[i], i == at, name, width))
	}
	return s.theme.fill(width, height, rows)
}

// empty says why there is nothing, and what would fill it.
func (v signalsView) empty(s *scene) string {
	switch {
	case v.filter.text != "":
		return "Nothing matches. esc clears the filter."
	case v.raw:
		return "No raw metric is kept. r reads the whole page of the target now."
	}
	return "No signal of this target: none of its metrics is of a system that capdoctor knows. tab shows the raw ones."
}

func (v signalsView) row(s *scene, sig signal, at bool, name, width int) row {
	p := s.theme.pen(width)
	p.flat = at
	unit := s.unit(sig.name())
	value, word := splitUnit(rules.Value(sig.now, unit), unit)
	ago, _ := splitUnit(rules.Value(sig.ago, unit), unit)
	p.put(plain, pointer(at)).name(plain, sig.label(), name).num(plain, value, 11).put(plain, " ").cell(note, word, 9).num(note, ago, 9).put(plain, " ")
	return p.cursor(at)
}

// splitUnit parts a value from its unit, so that each has its own column.
func splitUnit(value, unit string) (number, word string) {
	switch unit {
	case "ratio", "1/s":
		i := strings.LastIndexAny(value, "0123456789?") + 1
		return value[:i], strings.TrimSpace(value[i:])
	case "s", "s/s", "bytes", "", "1":
		return value, ""
	}
	return value, unit
}

// charts are the one of the series under the cursor and, beneath it on the same
// time axis, what the target completes.
func (v signalsView) charts(s *scene, shown []signal, width, height int) []row {
	var blocks []block
	if len(shown) > 0 {
		blocks = append(blocks, s.plotBlock(shown[v.cursor(shown)], "", width, min(16, max(6, height/2))))
	}
	if work, ok := workSignal(s); ok && height >= 20 {
		blocks = append(blocks, s.plotBlock(work, "beneath, same time", width, min(10, height/3)))
	}
	if len(blocks) == 0 {
		return s.theme.fill(width, height, []row{s.theme.heading(width, "Chart")})
	}
	return s.theme.stack(width, height, blocks...)
}

// plotBlock is a chart of a signal with its least, most and present value.
func (s *scene) plotBlock(sig signal, remark string, width, height int) block {
	values := s.reading.charts[signalChart(sig)]
	unit := s.unit(sig.name())
	heading := s.theme.heading(width, sig.text(), remark)
	return block{heading: heading, want: height, least: 4, draw: func(height int) []row {
		rows := s.plotRows(plot{values: values, unit: unit, from: s.reading.from, to: s.reading.at}, width, height-1)
		return append(rows, s.theme.text(width, note, "  "+rangeText(values, sig.now, unit)))
	}}
}

// rangeText is "now 68, least 4, most 68".
func rangeText(values []float64, now float64, unit string) string {
	least, gaps := 0.0, 0
	first := true
	for _, x := range values {
		switch {
		case x != x:
			gaps++
		case first || x < least:
			least, first = x, false
		}
	}
	text := fmt.Sprintf("now %s · least %s · most %s", rules.Value(now, unit), rules.Value(least, unit), rules.Value(highest(values), unit))
	if gaps > 0 && len(values) > 0 {
		return text + fmt.Sprintf(" · unknown %d %% of the time", gaps*100/len(values))
	}
	return text + " · no gap"
}
