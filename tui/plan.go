package tui

import "github.com/capdoctor/capdoctor/rules"

// A stepKey names a step from frame to frame: its text may change with the
// numbers in it.
type stepKey struct {
	finding findingKey
	index   int
}

// A planned step is one of a plan over all causes.
type planned struct {
	key     stepKey
	step    rules.Step
	finding *rules.Finding
	causes  []int // numbers of the causes that it is for, from 1
}

// A dropped step was left out of a plan, because it works against another one.
type dropped struct {
	step    rules.Step
	against string // the step, or the advice, that it contradicts
}

// A plan is what to do about all causes, in one order, as rules.PlaybookFor has it.
type plan struct {
	steps   []planned
	dropped []dropped
	avoid   []rules.Advice
}

func planFor(causes []*rules.Finding) plan {
	book := rules.PlaybookFor(causes)
	p := plan{avoid: book.Avoid}
	for _, s := range book.Steps {
		p.steps = append(p.steps, planned{stepKey{keyOf(s.Finding), s.Index}, s.Step, s.Finding, s.Causes})
	}
	for _, d := range book.Dropped {
		against := d.Against
		if d.Advised {
			against = "do not " + rules.LowerFirst(against)
		}
		p.dropped = append(p.dropped, dropped{d.Step, against})
	}
	return p
}
