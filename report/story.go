package report

import (
	"strings"

	"github.com/capdoctor/capdoctor/rules"
)

// mostStory is how many lines may stand between the headline and the first
// step, so that the proof stays on the first screen.
const mostStory = 5

// story writes what happened with its numbers and, where it is short, why.
func (t *reportText) story(f *rules.Finding) {
	if t.shortMeaning(f) {
		t.hang(text(""), rules.Sentence(f.Summary)+" "+rules.Sentence(f.Meaning))
		return
	}
	t.hang(text(""), rules.Sentence(f.Summary))
}

func (t *reportText) shortMeaning(f *rules.Finding) bool {
	both := t.prose(rules.Sentence(f.Summary) + " " + rules.Sentence(f.Meaning))
	return len(wrap(both, t.proseRoom(0))) <= mostStory
}

// longMeaning writes the meaning in a block of its own where story left it out.
func (t *reportText) longMeaning(f *rules.Finding) {
	if t.shortMeaning(f) || strings.TrimSpace(f.Meaning) == "" {
		return
	}
	t.line(span{heading, "WHAT HAPPENS"})
	t.hang(text("  "), rules.Sentence(f.Meaning))
}

// doFirst writes the first step where nobody has to look for it.
func (t *reportText) doFirst(f *rules.Finding) {
	if first := firstStep(f); first != "" {
		t.hangAt(2, span{heading, "Do first: "}, rules.LowerFirst(rules.Sentence(first)))
	}
}

// firstStep is what to do first in one sentence.
func firstStep(f *rules.Finding) string {
	switch {
	case f.First != "":
		return f.First
	case len(f.Steps) > 0:
		return f.Steps[0].Do
	}
	return ""
}
