package report

import (
	"fmt"
	"time"

	"github.com/capdoctor/capdoctor/rules"
)

// nothing is the form of a report in which nothing could be judged: it must not
// be taken for an all-clear.
func (t *reportText) nothing() {
	t.hang(span{doubtful, "? COULD NOT JUDGE  "}, t.nothingWhy())
	t.hang(text(""), "This is not an all-clear. "+t.nothingMeans())
	t.down()
	t.tries()
	t.notJudged("NOT JUDGED")
	t.notes("NOTED")
	t.inputs()
}

func (t *wording) nothingWhy() string {
	silent := failing(t.r)
	switch {
	case len(t.r.Inputs) == 0:
		return "nothing was read"
	case len(silent) == 1 && len(t.r.Inputs) == 1:
		in := silent[0]
		return t.name(in.Name, mostName) + " gave no metrics" + triesText(in)
	case len(silent) == len(t.r.Inputs):
		return fmt.Sprintf("none of %d inputs could be read", len(silent))
	}
	return "no diagnosis had the signals it needs on " + t.answering()
}

// triesText is " in 15 s (3 tries)".
func triesText(in rules.Input) string {
	s := ""
	if in.Duration > 0 {
		s = " in " + rules.Duration(in.Duration)
	}
	if in.Scrapes > 0 {
		s += " (" + rules.Plural(in.Scrapes, "try", "tries") + ")"
	}
	return s
}

func (t *wording) nothingMeans() string {
	switch {
	case len(t.r.Inputs) == 0:
		return "Name a target, a log or a case."
	case hangs(t.r):
		return "A starved server answers late or not at all: its metrics page often shares the starved threads."
	case len(failing(t.r)) > 0:
		return "No sample was read, so nothing was compared."
	case t.r.NotApplicable > 0 && len(t.r.NotJudged) == 0:
		return fmt.Sprintf("What was read is of no system that capdoctor knows: %d diagnoses do not apply.", t.r.NotApplicable)
	}
	return "What was read is not enough to compare."
}

// hangs reports whether a target took its time and then gave nothing.
func hangs(r *rules.Report) bool {
	for _, in := range failing(r) {
		if in.Scrapes > 0 && in.Duration/time.Duration(in.Scrapes) >= time.Second {
			return true
		}
	}
	return false
}

// tries says what may still give an answer.
func (t *reportText) tries() {
	if len(failing(t.r)) == 0 {
		return
	}
	var list []string
	if hangs(t.r) {
		list = append(list,
			"--timeout 30s: it may answer late.",
			"a port of its own for metrics (Spring Boot: management.server.port).")
	}
	t.lines("TRY", append(list, "--log FILE: a log tells the same story without the endpoint."))
}
