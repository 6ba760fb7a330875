package tui

import (
	"slices"
	"strings"

	"github.com/capdoctor/capdoctor/rules"
)

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

// A plan is what to do about all causes, in one order. The steps of a cause that
// stands higher come first; the same step for several causes comes once; and a
// step that turns a knob one way leaves out later ones that turn it back, as
// does the advice of a higher cause not to turn it. What was left out is named.
type plan struct {
	steps   []planned
	dropped []dropped
	avoid   []rules.Advice
}

func planFor(causes []*rules.Finding) plan {
	var p plan
	for n, f := range causes {
		for i, s := range f.Steps {
			p.add(planned{key: stepKey{keyOf(f), i}, step: s, finding: f, causes: []int{n + 1}})
		}
		for _, a := range f.Avoid {
			if !slices.ContainsFunc(p.avoid, func(b rules.Advice) bool { return b.Do == a.Do }) && !p.wanted(a) {
				p.avoid = append(p.avoid, a)
			}
		}
	}
	return p
}

func (p *plan) add(s planned) {
	same := slices.IndexFunc(p.steps, func(q planned) bool { return q.step.Do == s.step.Do })
	if same >= 0 {
		if q := &p.steps[same]; !slices.Contains(q.causes, s.causes[0]) {
			q.causes = append(q.causes, s.causes[0])
		}
		return
	}
	t := turnOf(s.step.Do)
	for _, q := range p.steps {
		if q.finding != s.finding && t.against(turnOf(q.step.Do)) {
			p.dropped = append(p.dropped, dropped{s.step, q.step.Do})
			return
		}
	}
	for _, a := range p.avoid {
		if t.same(turnOf(a.Do)) {
			p.dropped = append(p.dropped, dropped{s.step, "do not " + lowerFirst(a.Do)})
			return
		}
	}
	p.steps = append(p.steps, s)
}

// wanted tells whether a step of the plan does what an advice warns of: then the
// higher cause has decided, and the advice is left out.
func (p *plan) wanted(a rules.Advice) bool {
	t := turnOf(a.Do)
	return slices.ContainsFunc(p.steps, func(q planned) bool { return t.same(turnOf(q.step.Do)) })
}

// A turn is which knob a text turns, and which way: 1 up, -1 down, 0 none that
// is known.
type turn struct {
	knob string
	way  int
}

func (t turn) against(u turn) bool { return t.way != 0 && t.knob == u.knob && t.way == -u.way }
func (t turn) same(u turn) bool    { return t.way != 0 && t.knob == u.knob && t.way == u.way }

// turnVerbs begin a text that turns a knob, the longer ones first. "allow" sets a
// bound and so turns down.
var turnVerbs = []struct {
	word string
	way  int
}{
	{"allow more", 1}, {"allow longer", 1}, {"cut", -1}, {"reduce", -1}, {"lower", -1}, {"decrease", -1}, {"limit", -1}, {"bound", -1}, {"shrink", -1}, {"shorten", -1},
	{"stop", -1}, {"allow", -1}, {"fewer", -1}, {"switch off", -1},
	{"raise", 1}, {"increase", 1}, {"enlarge", 1}, {"grow", 1}, {"lengthen", 1}, {"double", 1}, {"use longer", 1},
	{"start more", 1}, {"add", 1}, {"widen", 1},
}

// turnKnobs are the things that steps turn, by words for them; the first one
// that a text names after its verb counts.
var turnKnobs = []struct{ knob, words string }{
	{"clients", "clients|writers|consumers|callers|bundles|concurrency|at once|in flight|producers"},
	{"queue", "queue"},
	{"retries", "retries|retry"},
	{"deadline", "deadline|timeout"},
	{"connections", "connections|max_connections|connection pool|pool of connections"},
	{"pool", "pool|threads|core size|workers"},
	{"quota", "quota|cpu limit"},
	{"heap", "heap|memory"},
	{"rate", "rate|limit"},
}

// turnOf reads which knob a text turns. Texts are short and imperative: a verb,
// then what it is done to.
func turnOf(text string) turn {
	text = strings.ToLower(text)
	for _, v := range turnVerbs {
		rest, ok := strings.CutPrefix(text, v.word+" ")
		if !ok {
			continue
		}
		if knob := firstKnob(rest); knob != "" {
			return turn{knob, v.way}
		}
	}
	return turn{}
}

// firstKnob is the knob whose word stands first in a text.
func firstKnob(text string) string {
	best, at := "", len(text)
	for _, k := range turnKnobs {
		for word := range strings.SplitSeq(k.words, "|") {
			if i := wordAt(text, word); i >= 0 && i < at {
				best, at = k.knob, i
			}
		}
	}
	return best
}

// wordAt is where a word, or its plural, stands in a text; -1 when it does not.
func wordAt(text, word string) int {
	from := 0
	for {
		i := strings.Index(text[from:], word)
		if i < 0 {
			return -1
		}
		i += from
		end := i + len(word)
		if (i == 0 || !isLetter(text[i-1])) && (end == len(text) || !isLetter(text[end]) || text[end] == 's') {
			return i
		}
		from = end
	}
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c == '_' || c == '-' }
