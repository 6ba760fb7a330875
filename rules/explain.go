package rules

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/capdoctor/capdoctor/rules/internal/template"
	"github.com/capdoctor/capdoctor/series"
)

// An Explanation is what the catalogue says of a diagnosis, without any input:
// how it is recognised, what it is told from, and what is done about it. Numbers
// that only an input can give are "?".
type Explanation struct {
	ID, Title, Severity string
	Meaning             string
	Signs               []Sign   // one after the other is tried; the first that holds speaks
	Looks               []string // ids of what looks alike and is told from it
	Explains            []string // ids of its consequences
	Systems             []string // titles of the systems whose meters or lines can show it, sorted
	Steps               []Step
	Avoid               []Advice
	Sources             []Source
}

// A Sign is one way in which a diagnosis shows. All conditions must hold, for
// Hold; none of Unless may.
type Sign struct {
	Title              string // of the alert that speaks then
	System             string // title of the one system that it is about, empty for any
	Conditions, Unless []string
	Hold               time.Duration
}

// Explain says what is known of a diagnosis, in the words of a system, or in
// general words where system is empty. Both must exist.
func (c *Catalog) Explain(id, system string) (*Explanation, error) {
	d := c.diagnoses[id]
	if d == nil {
		return nil, fmt.Errorf("no diagnosis %q", id)
	}
	if system != "" && c.systems[system] == nil {
		return nil, fmt.Errorf("no system %q", system)
	}
	x := explainer{Catalog: c, system: system}
	x.renderer = &renderer{
		ask:  func(string) ([]series.Sample, error) { return nil, nil },
		data: template.Sample{Labels: map[string]string{"system": system}, Value: math.NaN()},
	}
	words := x.variantOf(d).texts()
	e := &Explanation{
		ID: d.ID, Title: x.text(words.title), Severity: d.Severity, Meaning: x.text(words.meaning),
		Looks: d.Differential, Explains: d.Explains, Systems: c.showing(d), Sources: d.Sources(),
	}
	if e.Title == "" || strings.Contains(e.Title, "?") {
		e.Title = titleOf(d.variants[0].alert)
	}
	for _, v := range d.variants {
		if only := v.system(); only == "" || system == "" || only == system {
			e.Signs = append(e.Signs, x.sign(v))
		}
	}
	for _, s := range words.recovery {
		e.Steps = append(e.Steps, x.step(s))
	}
	for _, a := range words.avoid {
		e.Avoid = append(e.Avoid, Advice{Do: x.text(a.Do), Why: x.text(a.Why), Turns: a.Turns.list})
	}
	return e, nil
}

// An explainer writes texts for one system.
type explainer struct {
	*Catalog
	*renderer
	system string
}

// text fills in a wording without an input. A text that cannot be filled in
// without one is left out.
func (x explainer) text(w wording) string {
	text, err := x.renderer.text(w)
	if err != nil {
		return ""
	}
	return text
}

// variantOf is the variant whose words suit the system best.
func (x explainer) variantOf(d *Diagnosis) *variant {
	for _, v := range d.variants {
		if x.system != "" && v.system() == x.system {
			return v
		}
	}
	return d.variants[0]
}

// system is the one system that a variant is about, empty for any.
func (v *variant) system() string {
	return v.subject().matchers["system"]
}

func (x explainer) sign(v *variant) Sign {
	s := Sign{Title: titleOf(v.alert), Hold: v.hold}
	if only := x.systems[v.system()]; only != nil {
		s.System = only.Title
	}
	for _, c := range v.form.conditions {
		var either []string
		for _, cmp := range c.comparisons {
			either = append(either, x.comparison(cmp))
		}
		text := strings.Join(either, ", or ")
		if c.unless {
			s.Unless = append(s.Unless, text)
		} else {
			s.Conditions = append(s.Conditions, text)
		}
	}
	return s
}

// comparison is a comparison in words: "completions < 20 % of usual completions".
func (x explainer) comparison(cmp *comparison) string {
	unit := ""
	if s := x.signals[cmp.observed.signal]; s != nil {
		unit = s.Unit
	}
	threshold := Value(cmp.factor, unit)
	if cmp.threshold.text != "" {
		threshold = x.operand(cmp.threshold)
		if cmp.factor != 1 {
			threshold = Percent(cmp.factor) + " of " + threshold
		}
	}
	return x.operand(cmp.observed) + " " + cmp.op + " " + threshold
}

func (x explainer) operand(o operand) string {
	return titleOfKind(x.title(o.signal, x.system), o.matchers["kind"]) + o.span()
}

func (x explainer) step(s recoveryText) Step {
	step := s.step(x.text)
	step.Verify.Text = x.verify(step, s.Verify.Reaches)
	return step
}

// verify says in words what must move, and by when.
func (x explainer) verify(s Step, reaches wording) string {
	sig := x.signals[s.Verify.Signal]
	if sig == nil {
		return ""
	}
	target := x.text(reaches)
	if v, err := strconv.ParseFloat(target, 64); err == nil {
		target = Value(v, sig.Unit)
	} else if isSignalName(target) {
		target = x.title(target, x.system)
	} else {
		target = "" // a number that only an input can give
	}
	return s.movement(x.title(sig.Name, x.system), target)
}

// showing lists the systems that can supply what a diagnosis is about.
func (c *Catalog) showing(d *Diagnosis) []string {
	found := map[string]bool{}
	for _, v := range d.variants {
		first := v.subject()
		for _, s := range c.systems {
			if c.supplier([]*System{s}).could(first.signal, first.asked) {
				found[s.Title] = true
			}
		}
	}
	return sortedKeys(found)
}
