package tui

import (
	"math"
	"strings"
	"unicode"

	"github.com/capdoctor/capdoctor/rules"
)

// proofBlock is the evidence of a finding: observed against threshold, and how it
// went over the time on the screen.
func (s *scene) proofBlock(f *rules.Finding, columns int) block {
	rows := make([]row, 0, len(f.Evidence))
	units, longest := 0, 0
	cells := make([][2]string, len(f.Evidence))
	for i, e := range f.Evidence {
		longest = max(longest, width(titleOf(e)))
		observed, threshold := comparison(e)
		cells[i] = [2]string{observed, threshold}
		units = max(units, len(unitPart(observed)))
	}
	c := proofColumns(columns, longest)
	for i, e := range f.Evidence {
		p := s.theme.pen(columns).put(plain, "  ").name(plain, titleOf(e), c.title)
		if e.State == rules.Absent || math.IsNaN(e.Observed) {
			rows = append(rows, p.put(doubtful, " ? not seen: "+bare(e.Signal)).row())
			continue
		}
		p.num(plain, padUnit(cells[i][0], units), c.observed).put(plain, "  ").cell(plain, cells[i][1], c.threshold)
		if c.spark > 0 {
			p.raw(plain, s.theme.spark(s.reading.charts[evidenceChart(e)], c.spark))
		}
		rows = append(rows, p.row())
	}
	return s.theme.rowsBlock(s.proofHeading("Proof", c, columns), min(3, len(rows)), rows)
}

// proofLayout holds the widths of the columns of a table of evidence.
type proofLayout struct{ title, observed, threshold, spark int }

// proofColumns lays a table of evidence out: titles get what the longest needs,
// sparklines what is left.
func proofColumns(columns, longest int) proofLayout {
	const leastSpark, mostSpark = 16, 60
	c := proofLayout{observed: 11, threshold: 11}
	rest := columns - 2 - c.observed - 2 - c.threshold - 1
	c.title = max(16, min(longest, 34, rest-leastSpark))
	if c.spark = min(mostSpark, rest-c.title); c.spark < leastSpark {
		c.spark, c.title = 0, max(10, min(longest, rest))
	}
	return c
}

// proofHeading names the columns of a table of evidence.
func (s *scene) proofHeading(title string, c proofLayout, width int) row {
	p := s.theme.pen(width)
	p.rule = true
	p.put(note, "─ ").put(strong, title+" ").rest(2+c.title+c.observed-len(" observed")).put(note, " observed ").put(note, "─ threshold ")
	if c.spark > 0 {
		at := 2 + c.title + c.observed + 2 + c.threshold
		from, to := s.clock.minute(s.reading.from), s.clock.minute(s.reading.at)
		if c.spark >= 24 {
			from, to = s.clock.between(s.reading.from, s.reading.from, s.reading.at), s.clock.between(s.reading.at, s.reading.from, s.reading.at)
		}
		p.rest(at).put(note, from+" ").rest(at+c.spark-len(to)-1).put(note, " "+to+" ")
	}
	return p.rest(width).row()
}

// comparison writes both sides of a condition so that they can be told apart. A
// condition that must not hold is written as the opposite that does.
func comparison(e rules.Evidence) (observed, threshold string) {
	observed, threshold = rules.Distinct(e.Observed, e.Threshold, e.Unit)
	op := e.Op
	if e.Role == rules.Excluded {
		op = opposites[op]
	}
	return observed, op + " " + threshold
}

var opposites = map[string]string{"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}

func titleOf(e rules.Evidence) string {
	if e.Title != "" {
		return e.Title
	}
	return bare(e.Signal)
}

// unitPart is what follows the last digit of a value.
func unitPart(s string) string {
	i := strings.LastIndexFunc(s, unicode.IsDigit)
	if i < 0 {
		return ""
	}
	return s[i+1:]
}

// padUnit makes the unit of a value as wide as the widest in its column, so that
// last digits stand under each other.
func padUnit(s string, units int) string {
	return s + strings.Repeat(" ", max(0, units-len(unitPart(s))))
}
