package tui

import (
	"fmt"
	"strings"

	"github.com/capdoctor/capdoctor/rules"
)

// shown is the finding in detail: the one picked, else that of the picked
// target, else the leading one; nil when the picked target has none.
func (s *scene) shown() *rules.Finding {
	if s.empty() {
		return nil
	}
	if f := findingLike(s.report(), s.picked.finding, rules.Pending); f != nil {
		return f
	}
	if t, ok := s.target(s.picked.target); ok {
		return t.finding
	}
	return s.lead()
}

// subject is the name of the target in detail.
func (s *scene) subject() string {
	if f := s.shown(); f != nil {
		if _, ok := s.target(nameOf(f)); ok {
			return nameOf(f)
		}
	}
	if _, ok := s.target(s.picked.target); ok {
		return s.picked.target
	}
	return s.busiest()
}

// busiest is the target that completes most; the first one where none does.
func (s *scene) busiest() string {
	name, most := "", -1.0
	for _, t := range s.targets {
		if done := orZero(s.vitals(t.name).done.now); done > most {
			name, most = t.name, done
		}
	}
	return name
}

// detailBlocks are the proof of the finding in detail, or the load of a target
// that has none, and its limits.
func (s *scene) detailBlocks(width, gauges int) []block {
	name := s.subject()
	if f := s.shown(); f != nil {
		return []block{s.proofBlock(f, width), s.gaugesBlock(name, width, gauges)}
	}
	return []block{s.loadBlock(name, width), s.gaugesBlock(name, width, gauges)}
}

// chartBlocks draw what the first conditions of a finding observed, one chart for
// each signal.
func (s *scene) chartBlocks(f *rules.Finding, width int) []block {
	const most, height = 3, 9
	var blocks []block
	drawn := map[string]bool{}
	for _, e := range f.Evidence {
		values := s.reading.charts[evidenceChart(e)]
		if drawn[e.Signal] || values == nil || len(blocks) == most {
			continue
		}
		drawn[e.Signal] = true
		p := plot{values: values, unit: e.Unit, from: s.reading.from, to: s.reading.at}
		remark := rangeText(values, e.Observed, e.Unit)
		blocks = append(blocks, block{heading: s.theme.heading(width, titleOf(e), remark), want: height, least: 5, draw: func(h int) []row {
			return s.plotRows(p, width, h)
		}})
	}
	return blocks
}

// moreRows are what a narrow screen has no panel for, one row each.
func (s *scene) moreRows(f *rules.Finding, width int) []row {
	var ruled, open, also []string
	for _, l := range f.RuledOut {
		ruled = appendNew(ruled, l.ID)
	}
	for _, m := range f.NotRuledOut {
		open = appendNew(open, m.ID)
	}
	for _, g := range s.report().Findings {
		if g != f {
			also = append(also, markTexts[markOf(g)].glyph+" "+g.ID)
		}
	}
	line := func(head string, list []string, none string) row {
		text := none
		if len(list) > 0 {
			text = fitList(list, width-16)
		}
		return s.theme.pen(width).cell(note, head, 15).put(plain, text).row()
	}
	return []row{
		line("Not ruled out", open, "-"),
		line("Also firing", also, "-"),
		line("Ruled out", ruled, "-"),
		s.theme.pen(width).cell(note, "Inputs", 15).put(plain, s.inputText()).row(),
	}
}

// fitList joins as many of a list as fit, and counts the others.
func fitList(list []string, w int) string {
	for n := len(list); n > 0; n-- {
		text := strings.Join(list[:n], ", ")
		if n < len(list) {
			text += fmt.Sprintf(", +%d more", len(list)-n)
		}
		if width(text) <= w || n == 1 {
			return text
		}
	}
	return ""
}

// inputText accounts for what was read in one line.
func (s *scene) inputText() string {
	var scrapes, failed, logs int
	var unparsed int64
	for _, in := range s.report().Inputs {
		scrapes, failed, unparsed = scrapes+in.Scrapes, failed+in.Failed, unparsed+in.Unparsed
		if in.Kind == "log" {
			logs++
		}
	}
	text := fmt.Sprintf("%d of %d scrapes ok", scrapes-failed, scrapes)
	if logs == 0 {
		return text + "; no log given: --log FILE"
	}
	return text + fmt.Sprintf("; %s, %d unparsed", rules.Plural(logs, "log", "logs"), unparsed)
}

// ledgerRows say what became of requests whose answer never came.
func (s *scene) ledgerRows(width int) []row {
	l := s.report().Ledger
	var rows []row
	if l.Indeterminate > 0 {
		text := rules.Plural(int(l.Indeterminate), "request", "requests") + " timed out" + payloads(l.Types) +
			" and may have been applied: report 504, retry only if idempotent."
		rows = append(rows, s.theme.prose(width, 2, plain, text)...)
	}
	if l.Refused > 0 || l.Refused == 0 && l.Indeterminate > 0 {
		rows = append(rows, s.theme.prose(width, 2, plain, rules.Number(l.Refused)+" refused: nothing was sent, safe to retry.")...)
	}
	return rows
}

// payloads is " (CatalogProductAddCommand 100, +1 more)", most first.
func payloads(types map[string]float64) string {
	list := rules.RankCounts(types)
	if len(list) == 0 {
		return ""
	}
	return " (" + fitList(list, 60) + ")"
}

// coverageBlock says in few rows what was judged, when nothing fires.
func (s *scene) coverageBlock(width int) block {
	rows := []row{s.theme.text(width, plain, fmt.Sprintf("  %d judged and clear", len(s.report().Cleared)))}
	seen := map[string]bool{}
	for _, n := range s.report().NotJudged {
		if !seen[n.ID] {
			seen[n.ID] = true
			rows = append(rows, s.theme.pen(width).put(doubtful, "? ").name(plain, n.ID, 22).put(note, " "+whyUnknown(n)).row())
		}
	}
	return s.theme.rowsBlock(s.theme.heading(width, "Coverage", "4"), 1, rows)
}
