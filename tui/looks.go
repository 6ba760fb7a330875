package tui

import (
	"math"

	"github.com/capdoctor/capdoctor/rules"
)

// A lookalike is one row of a list of them: what there is to say of it, the longest way
// first.
type lookalike struct {
	id   string
	ways []string
}

// looksRows are the look-alikes that the numbers exclude, one a row.
func (s *scene) looksRows(f *rules.Finding, width int) []row {
	var looks []lookalike
	seen := map[string]bool{}
	for _, l := range f.RuledOut {
		if !seen[l.ID] {
			seen[l.ID] = true
			looks = append(looks, lookalike{l.ID, []string{amount(l.Evidence), rules.Value(l.Evidence.Observed, l.Evidence.Unit)}})
		}
	}
	return s.lookRows(looks, "  ", 0, plain, plain, width)
}

// openRows are the look-alikes that could not be judged, and why, their names in at
// least so many columns.
func (s *scene) openRows(f *rules.Finding, least, width int) []row {
	var looks []lookalike
	seen := map[string]bool{}
	for _, m := range f.NotRuledOut {
		if !seen[m.ID] {
			seen[m.ID] = true
			looks = append(looks, lookalike{m.ID, openWays(m)})
		}
	}
	return s.lookRows(looks, "? ", least, doubtful, note, width)
}

// openWays are the ways to say why a look-alike could not be judged, the longest first.
func openWays(m rules.Missing) []string {
	if m.Why != "" {
		return []string{m.Why, "not seen yet"}
	}
	return []string{"no " + meterOf(m), "no meter"}
}

// mostLook is how many columns the name of a look-alike may take.
const mostLook = 24

// lookLabel is how many columns the names of all look-alikes of a finding take.
func lookLabel(f *rules.Finding) int {
	label := 0
	for _, l := range f.RuledOut {
		label = max(label, min(mostLook, len(l.ID)))
	}
	for _, m := range f.NotRuledOut {
		label = max(label, min(mostLook, len(m.ID)))
	}
	return label
}

// lookRows line up what is said behind the longest name.
func (s *scene) lookRows(looks []lookalike, glyph string, least int, paint, words role, width int) []row {
	label := least
	for _, l := range looks {
		label = max(label, min(mostLook, len(l.id)))
	}
	rows := make([]row, len(looks))
	for i, l := range looks {
		p := s.theme.pen(width).put(paint, glyph).name(plain, l.id, label).put(plain, "  ")
		rows[i] = p.put(words, longest(l.ways, p.max-p.w-1, s.theme)).row()
	}
	return rows
}

// amount is an observed value with what was counted: "0 requests", "0.7 % CPU
// busy", "pool size 10".
func amount(e rules.Evidence) string {
	if math.IsNaN(e.Observed) {
		return titleOf(e)
	}
	switch value := rules.Value(e.Observed, e.Unit); e.Unit {
	case "1", "":
		return titleOf(e) + " " + value
	case "ratio", "1/s", "s", "s/s", "bytes":
		return value + " " + titleOf(e)
	default:
		return value + " " + e.Unit
	}
}
