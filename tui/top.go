package tui

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/capdoctor/capdoctor/rules"
)

// top draws the rows that stand on every screen: what, the proof, what to do
// first; below them what failed, and where in time the screen stands.
func (s *scene) top(width, height int) []row {
	most := 3 // rows of the proof
	if height < 30 {
		most = 2
	}
	rows := []row{s.headline(width)}
	for _, l := range s.limit(proofLines(s.proof(), most, width), most, width) {
		rows = append(rows, s.theme.text(width, plain, l))
	}
	rows = append(rows, s.first(width, 2)...)
	if down := s.failures(); down != "" {
		rows = append(rows, s.theme.text(width, critical, down))
	}
	if s.play.frozen {
		rows = append(rows, s.timeBar(width))
	}
	return rows
}

// proofLines wraps the numbers; where they need too many rows, what stands in
// parentheses is left out.
func proofLines(text string, most, width int) []string {
	if lines := wrap(text, width); len(lines) <= most {
		return lines
	}
	return wrap(withoutAsides(text), width)
}

// withoutAsides leaves out what stands in parentheses.
func withoutAsides(text string) string {
	var b strings.Builder
	depth := 0
	for _, r := range text {
		switch {
		case r == '(':
			depth++
		case r == ')' && depth > 0:
			depth--
		case depth == 0:
			b.WriteRune(r)
		}
	}
	return strings.NewReplacer(" ,", ",", " .", ".", "  ", " ").Replace(b.String())
}

// limit keeps the first lines; where there are more, the last one says so.
func (s *scene) limit(lines []string, most, width int) []string {
	if len(lines) <= most {
		return lines
	}
	last := lines[most-1]
	if len(last)+2 > width {
		last = last[:max(0, strings.LastIndexByte(last, ' '))]
	}
	return append(lines[:most-1:most-1], last+" …")
}

// proof is the second row: the numbers.
func (s *scene) proof() string {
	if s.empty() {
		return "Rates need two scrapes. What is judged before that is provisional."
	}
	if f := s.lead(); f != nil {
		return rules.Sentence(f.Summary)
	}
	if s.allSilent() {
		return "This is not an all-clear: nothing was compared. A starved server answers late or not at all."
	}
	return s.calm()
}

// calm says in numbers how the busiest targets do when nothing fires.
func (s *scene) calm() string {
	busiest := slices.Clone(s.targets)
	slices.SortStableFunc(busiest, func(a, b target) int {
		return cmp.Compare(orZero(s.vitals(b.name).done.now), orZero(s.vitals(a.name).done.now))
	})
	var parts []string
	for _, t := range busiest {
		if v := s.vitals(t.name); v.done.known() || v.waiting.known() || v.cpu.known() {
			parts = append(parts, t.name+" "+s.vitalsText(v))
		}
		if len(parts) == 3 {
			break
		}
	}
	if len(parts) == 0 {
		return "No value to show yet."
	}
	return strings.Join(parts, "; ") + "."
}

// vitalsText is "16.0/s, 0 waiting, 6 of 16 busy, CPU 20 %".
func (s *scene) vitalsText(v vitals) string {
	var parts []string
	if v.done.known() {
		parts = append(parts, s.workText(v))
	}
	if v.waiting.known() {
		parts = append(parts, rules.Number(v.waiting.now)+" waiting")
	}
	if v.busy.known() && v.size.known() {
		parts = append(parts, rules.Number(v.busy.now)+" of "+rules.Number(v.size.now)+" busy")
	}
	if v.cpu.known() {
		parts = append(parts, "CPU "+rules.Percent(v.cpu.now))
	}
	return strings.Join(parts, ", ")
}

// workText is what a target completes, "16.0/s"; named where it is not the work
// itself, "66.7/s database uses".
func (s *scene) workText(v vitals) string {
	text := rules.Rate(v.done.now)
	if own := s.titles[systemSignal{v.system, v.signal}]; own != "" {
		text += " " + own
	}
	return text
}

// first is what to do first, and where to read all of it.
func (s *scene) first(width, most int) []row {
	if s.empty() {
		return []row{s.theme.text(width, note, "Nothing is green that was not looked at.")}
	}
	text, hint := s.todo()
	if text == "" {
		var rows []row
		for _, l := range s.limit(wrap(s.theme.fit(hint), width), most, width) {
			rows = append(rows, s.theme.text(width, note, l))
		}
		return rows
	}
	lead := "Do first: "
	if _, busy := s.latestDeed(); busy {
		lead = "Next: "
	}
	lines := s.limit(wrap(lead+text, width), most, width)
	rows := make([]row, len(lines))
	for i, l := range lines {
		p := s.theme.pen(width)
		if rest, ok := strings.CutPrefix(l, lead); ok && i == 0 {
			p.put(strong, lead)
			l = rest
		}
		p.put(plain, l)
		if i == len(lines)-1 {
			p.right(note, hint)
		}
		rows[i] = p.row()
	}
	return rows
}

// todo is what to do first in one sentence, and a hint beside it.
func (s *scene) todo() (text, hint string) {
	if len(s.causes) == 0 {
		return "", s.nothingToDo()
	}
	for _, p := range s.plan.steps {
		if _, done := s.done.find(p.key); !done {
			if p.key.index == 0 && p.finding.First != "" {
				return rules.LowerFirst(rules.Sentence(p.finding.First)), "3: all steps"
			}
			return rules.LowerFirst(rules.Sentence(p.step.Do)), "3: all steps"
		}
	}
	if len(s.plan.steps) > 0 {
		return "all steps are marked done; watch their effect.", "3: playbook"
	}
	return "", "No steps are known for this finding."
}

func (s *scene) nothingToDo() string {
	if s.allSilent() {
		return "Try a longer --timeout, a port of its own for metrics, or a log: --log FILE tells the same story."
	}
	if f := s.lead(); f != nil {
		return "Pending: it fires if it stays so. Nothing to do yet."
	}
	if len(s.report().NotJudged) > 0 {
		n := s.report().NotJudged[0]
		return "Nothing to do. Unknown: " + n.ID + ": " + whyUnknown(n)
	}
	return "Nothing to do."
}

// failures names the inputs whose last read failed.
func (s *scene) failures() string {
	if s.empty() {
		return ""
	}
	var failed []string
	for _, in := range s.report().Inputs {
		if in.Error != "" {
			failed = append(failed, in.Name+": "+in.Error)
		}
	}
	switch len(failed) {
	case 0:
		return ""
	case 1:
		return "× DOWN  " + failed[0]
	}
	return fmt.Sprintf("× DOWN  %d inputs; %s", len(failed), failed[0])
}
