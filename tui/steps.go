package tui

import (
	"fmt"
	"math"
	"strings"

	"github.com/capdoctor/capdoctor/rules"
)

// stepRows draws one step of the plan: what to do, why, what must happen then,
// and what came of it when it was done.
func (s *scene) stepRows(i int, at, active, full bool, width int) []row {
	p := s.plan.steps[i]
	d, done := s.done.find(p.key)
	box := "[ ]"
	if done {
		box = "[x]"
	}
	lead := fmt.Sprintf("  %s %d  ", box, i+1)
	if at && active {
		lead = ">" + lead[1:]
	}
	indent := len(lead)
	var rows []row
	for n, l := range wrap(s.theme.fit(rules.Sentence(p.step.Do)), width-indent) {
		pen := s.theme.pen(width)
		if n == 0 {
			pen.flat = at && active
			rows = append(rows, pen.put(plain, lead).put(strong, l).cursor(at && active))
			continue
		}
		rows = append(rows, pen.space(indent).put(strong, l).row())
	}
	if done {
		return append(rows, s.effectRows(d, indent, width)...)
	}
	if full && p.step.Why != "" {
		rows = append(rows, s.theme.prose(width, indent, plain, rules.Sentence(p.step.Why))...)
	}
	return append(rows, s.thenRows(p, indent, width)...)
}

// thenRows say what must happen after a step, and what it costs.
func (s *scene) thenRows(p planned, indent, width int) []row {
	var parts []string
	if then := verifyText(p.step); then != "" {
		parts = append(parts, "Then: "+rules.Sentence(then))
	}
	if risk := riskText(p.step); risk != "" {
		parts = append(parts, risk)
	}
	if len(s.causes) > 1 {
		parts = append(parts, causesText(p.causes, len(s.causes)))
	}
	return s.theme.prose(width, indent, note, strings.Join(parts, " "))
}

// causesText is "For cause 2.", "For causes 1, 2 and 4." or "For all causes.".
func causesText(list []int, of int) string {
	switch n := len(list); {
	case n == of:
		return "For all causes."
	case n == 1:
		return fmt.Sprintf("For cause %d.", list[0])
	default:
		text := strings.Trim(strings.Join(strings.Fields(fmt.Sprint(list[:n-1])), ", "), "[]")
		return fmt.Sprintf("For causes %s and %d.", text, list[n-1])
	}
}

// verifyText says which signal must move, and by when.
func verifyText(s rules.Step) string {
	if s.Verify.Text != "" || s.Verify.Signal == "" {
		return s.Verify.Text
	}
	what := bare(s.Verify.Signal)
	switch {
	case s.Verify.Direction != "":
		what += " goes " + s.Verify.Direction
	case !math.IsNaN(s.Verify.Reaches):
		what += " reaches " + rules.Number(s.Verify.Reaches)
	default:
		what += " moves"
	}
	if s.Within > 0 {
		what += " within " + rules.Duration(s.Within)
	}
	return what
}

func riskText(s rules.Step) string {
	if s.Risk == "" {
		return ""
	}
	if s.Reversible {
		return "Risk " + s.Risk + ", can be undone."
	}
	return "Risk " + s.Risk + ", cannot be undone."
}

// effectRows say what came of a step since it was marked done.
func (s *scene) effectRows(d deed, indent, width int) []row {
	at := s.frame.Report.At
	if d.at.After(at) {
		return s.theme.prose(width, indent, note, "marked done later, at "+s.clock.time(d.at))
	}
	head := "done " + s.clock.time(d.at) + "  "
	if d.watched.signal == "" {
		return []row{s.theme.pen(width).space(indent).put(plain, head).put(note, "no signal shows its effect").row()}
	}
	p := s.reading.steps[d.watched]
	effect, when := s.effectOf(d)
	t := effectTexts[effect]
	rows := []row{s.theme.pen(width).space(indent).put(plain, head).put(t.role, t.glyph+" "+t.word).put(plain, "   "+when).row()}
	if !p.found {
		return append(rows, s.theme.prose(width, indent, doubtful, s.watchedTitle(d.watched)+" is not seen: its effect cannot be told from here.")...)
	}
	unit := s.unit(d.watched.signal)
	text := fmt.Sprintf("%s now %s, at done %s", s.watchedTitle(d.watched), rules.Value(p.now, unit), rules.Value(p.before, unit))
	if d.watched.hasTarget {
		text += ", needed " + rules.Value(d.watched.target, unit)
	}
	rows = append(rows, s.theme.prose(width, indent, plain, text)...)
	if len(p.history) > 2 {
		rows = append(rows, s.theme.pen(width).space(indent).raw(t.role, s.theme.spark(p.history, min(40, width-indent))).row())
	}
	if effect != Reached && d.left(at) == 0 && d.step.Within > 0 {
		rows = append(rows, s.theme.prose(width, indent, warning, "Its time is up. See whether it reached everything, then go on to the next step.")...)
	}
	return rows
}

// watchedTitle is what the signal of a step is called on the system that it is
// about: "database uses".
func (s *scene) watchedTitle(w watched) string { return s.titleOn(w.signal, w.system) }

// effectOf is the verdict on a step and the time that goes with it.
func (s *scene) effectOf(d deed) (Effect, string) {
	p := s.reading.steps[d.watched]
	at := s.frame.Report.At
	switch left := d.left(at); {
	case !p.found:
		if at.After(d.at) {
			return Unseen, ""
		}
		return TooEarly, "waits for the next scrape"
	case p.effect == Reached && !p.reached.IsZero():
		return Reached, "in " + rules.Duration(p.reached.Sub(d.at))
	case d.step.Within == 0:
		return p.effect, ""
	case left > 0:
		return p.effect, fmt.Sprintf("%s left of %s", rules.Duration(left), rules.Duration(d.step.Within))
	}
	return p.effect, "time is up"
}

// doneList is what was done with its effects, for a hand-over.
func (s *scene) doneList() []Done {
	var out []Done
	for _, d := range s.done.deeds {
		effect, _ := s.effectOf(d)
		p := s.reading.steps[d.watched]
		needed := math.NaN()
		if d.watched.hasTarget {
			needed = d.watched.target
		}
		done := Done{Step: d.step, Subject: d.subject, At: d.at, Effect: effect, Before: math.NaN(), Now: math.NaN(), Needed: needed, Unit: s.unit(d.watched.signal)}
		if p.found {
			done.Before, done.Now = p.before, p.now
		}
		out = append(out, done)
	}
	return out
}

// doneCount is "1 of 4 done", or how to mark one.
func (s *scene) doneCount() string {
	n := 0
	for _, p := range s.plan.steps {
		if _, ok := s.done.find(p.key); ok {
			n++
		}
	}
	if n == 0 {
		return "x: done"
	}
	return fmt.Sprintf("%d of %d done", n, len(s.plan.steps))
}

// stepsBlock is the plan as a list under a cursor, with reasons where full is
// set; where there is no room for all of them, with that of the step under the
// cursor.
func (s *scene) stepsBlock(l list, active, full bool, least, width int) block {
	if len(s.plan.steps) == 0 {
		return s.theme.rowsBlock(s.theme.heading(width, "Do"), 1, []row{s.theme.text(width, note, "  Nothing to do.")})
	}
	heading := s.theme.heading(width, "Do, in this order", s.doneCount())
	if len(s.causes) > 1 {
		heading = s.theme.heading(width, "One plan for "+rules.Plural(len(s.causes), "cause", "causes"), s.doneCount())
	}
	steps := func(why func(i int) bool) block {
		items := make([][]row, len(s.plan.steps))
		for i := range items {
			items[i] = s.stepRows(i, i == l.at, active, why(i), width)
		}
		return s.theme.itemsBlock(heading, l, least, items)
	}
	b := steps(func(int) bool { return full })
	draw := b.draw
	b.draw = func(height int) []row {
		if full && height < b.want {
			return steps(func(i int) bool { return i == l.at }).draw(height)
		}
		return draw(height)
	}
	return b
}

// withAvoid adds to blocks what not to do, if there is anything: with the reasons
// where all of them fit, else the deeds alone, so that none is missing.
func (s *scene) withAvoid(width int, blocks ...block) []block {
	rows := s.avoidRows(width)
	if len(rows) == 0 {
		return blocks
	}
	deeds := make([]string, len(s.plan.avoid))
	for i, a := range s.plan.avoid {
		deeds[i] = strings.TrimSuffix(a.Do, ".")
	}
	brief := s.theme.prose(width, 2, plain, strings.Join(deeds, " · "))
	return append(blocks, block{heading: s.theme.heading(width, "Do not"), want: len(rows), least: min(len(rows), len(brief)), draw: func(height int) []row {
		if len(rows) <= height {
			return rows
		}
		return s.theme.clip(brief, height)
	}})
}

// avoidRows are what not to do, and why where there is room.
func (s *scene) avoidRows(width int) []row {
	var rows []row
	const label = 28
	for _, a := range s.plan.avoid {
		do := strings.TrimSuffix(a.Do, ".")
		if width < label+30 {
			rows = append(rows, s.theme.prose(width, 2, plain, do)...)
			rows = append(rows, s.theme.prose(width, 4, note, rules.Sentence(a.Why))...)
			continue
		}
		whats, whys := wrap(s.theme.fit(do), label-2), wrap(s.theme.fit(rules.Sentence(a.Why)), width-label-2)
		for i := range max(len(whats), len(whys)) {
			p := s.theme.pen(width).put(plain, "  ")
			if i < len(whats) {
				p.put(plain, whats[i])
			}
			if p.tab(label + 2); i < len(whys) {
				p.put(note, whys[i])
			}
			rows = append(rows, p.row())
		}
	}
	for _, d := range s.plan.dropped {
		rows = append(rows, s.theme.prose(width, 2, note, "Left out: "+rules.LowerFirst(rules.Sentence(d.step.Do))+" It works against: "+rules.LowerFirst(rules.Sentence(d.against)))...)
	}
	return rows
}
