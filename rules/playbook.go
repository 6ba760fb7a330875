package rules

import "slices"

// A Playbook is what to do about several causes, in one order. The steps of a
// cause that stands higher come first; the same step for several causes comes
// once; a step that turns a knob one way leaves out those of lower causes that
// turn it back, and so does the advice of a higher cause not to turn it. What was
// left out is named.
type Playbook struct {
	Steps   []PlannedStep
	Dropped []DroppedStep
	Avoid   []Advice
}

// A PlannedStep is one of a playbook.
type PlannedStep struct {
	Step
	Finding *Finding // whose step it is
	Index   int      // which of its steps, from 0
	Causes  []int    // numbers of the causes that it is for, from 1, ascending
}

// A DroppedStep was left out, because it works against another one.
type DroppedStep struct {
	Step
	Finding *Finding
	Index   int
	Against string // what the step, or the advice, says that stands against it
	Advised bool   // Against is what not to do
}

// PlaybookFor merges the steps of causes, the first one being the highest.
func PlaybookFor(causes []*Finding) Playbook {
	var p Playbook
	for n, f := range causes {
		for i, s := range f.Steps {
			p.add(PlannedStep{Step: s, Finding: f, Index: i, Causes: []int{n + 1}})
		}
		for _, a := range f.Avoid {
			p.advise(a)
		}
	}
	return p
}

func (p *Playbook) add(s PlannedStep) {
	if same := slices.IndexFunc(p.Steps, func(q PlannedStep) bool { return q.Do == s.Do }); same >= 0 {
		if q := &p.Steps[same]; !slices.Contains(q.Causes, s.Causes[0]) {
			q.Causes = append(q.Causes, s.Causes[0])
		}
		return
	}
	for _, q := range p.Steps {
		if q.Finding != s.Finding && anyAgainst(s.Turns, q.Turns) {
			p.Dropped = append(p.Dropped, DroppedStep{Step: s.Step, Finding: s.Finding, Index: s.Index, Against: q.Do})
			return
		}
	}
	for _, a := range p.Avoid {
		if anySame(s.Turns, a.Turns) {
			p.Dropped = append(p.Dropped, DroppedStep{Step: s.Step, Finding: s.Finding, Index: s.Index, Against: a.Do, Advised: true})
			return
		}
	}
	p.Steps = append(p.Steps, s)
}

// advise takes up what not to do, once, unless a step does it: then the higher
// cause has decided.
func (p *Playbook) advise(a Advice) {
	known := slices.ContainsFunc(p.Avoid, func(b Advice) bool { return b.Do == a.Do })
	wanted := slices.ContainsFunc(p.Steps, func(s PlannedStep) bool { return anySame(s.Turns, a.Turns) })
	if !known && !wanted {
		p.Avoid = append(p.Avoid, a)
	}
}
