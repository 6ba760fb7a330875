package rules

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// An Expect is the right answer to a case.
type Expect struct {
	Find          []Want         // must fire, the first one leading the report; empty when nothing may fire at warning or above
	Not           []string       // ids that must not fire
	Unknown       []string       // ids that must be reported as not judged
	AdviceMust    []string       // regular expressions; at least one step must match each
	AdviceMustNot []string       // regular expressions; no step may match any
	File          string         // where the answer is written down; may be empty
	Lines         map[string]int // lines in File, from 1, by "find", "find[0]", "find[0].says[1]", "not[0]" ...; may be nil
}

// A Want is one diagnosis that must fire.
type Want struct {
	ID    string
	Where map[string]string // labels that its subject must have; may be nil
	Says  []string          // texts that it must contain, in any letter case
}

// A Mismatch is one difference between a report and what was expected of it.
type Mismatch struct {
	Field    string // the entry of the expectation: "find[0].id", "not[1]", "advice_must[0]"
	Expected string
	Got      string
	Evidence string // the number that made the difference; may be empty
	Where    string // file:line of the expectation; may be empty
	ID       string // the diagnosis it is about; empty for advice
	Lines    []Line // log lines that the evidence was read from
}

// Compare returns the differences between r and what e expects, in the order in
// which e states it; none when r is right.
func Compare(e Expect, r *Report) []Mismatch {
	x := &examiner{e: e, r: r}
	x.finds()
	x.nots()
	x.unknowns()
	x.advice()
	return x.out
}

type examiner struct {
	e   Expect
	r   *Report
	out []Mismatch
}

// add notes a difference; at is the entry of the expectation it stands under.
func (x *examiner) add(at string, m Mismatch) {
	if line, ok := x.e.Lines[at]; ok {
		m.Where = fmt.Sprintf("%s:%d", x.e.File, line)
	} else {
		m.Where = x.e.File
	}
	x.out = append(x.out, m)
}

func (x *examiner) finds() {
	if len(x.e.Find) == 0 {
		x.quiet()
	}
	for i, w := range x.e.Find {
		x.find(i, w)
	}
}

// quiet holds that nothing fires at warning or above.
func (x *examiner) quiet() {
	for _, f := range x.r.Findings {
		if f.State == Firing && f.Severity != Info {
			x.add("find", Mismatch{
				Field: "find", Expected: "nothing at warning or above",
				Got: f.ID + " fires (" + f.Severity + ")" + onSubject(f.Subject), Evidence: proof(f), ID: f.ID, Lines: quoted(f),
			})
		}
	}
}

func (x *examiner) find(i int, w Want) {
	at := fmt.Sprintf("find[%d]", i)
	expected := w.ID
	if i == 0 {
		expected += " first"
	}
	fires := firing(x.r, w.ID)
	if len(fires) == 0 {
		got, evidence := x.r.instead(w.ID)
		if lead := leader(x.r); i == 0 && lead != nil {
			got = lead.ID + " first, " + got
		}
		x.add(at, Mismatch{Field: at + ".id", Expected: expected, Got: got, Evidence: evidence, ID: w.ID})
		return
	}
	matching := slices.DeleteFunc(slices.Clone(fires), func(f *Finding) bool { return !hasLabels(f.Subject, w.Where) })
	if len(matching) == 0 {
		x.where(at, w, fires)
		return
	}
	if lead := leader(x.r); i == 0 && !slices.Contains(matching, lead) {
		x.add(at, Mismatch{
			Field: at + ".id", Expected: expected, Got: lead.ID + onSubject(lead.Subject) + " first", Evidence: proof(lead), ID: w.ID, Lines: quoted(lead),
		})
	}
	x.says(at, w, matching)
}

func (x *examiner) where(at string, w Want, fires []*Finding) {
	var got []string
	for _, f := range fires {
		got = append(got, f.Subject.String())
	}
	under := at + ".where"
	if _, ok := x.e.Lines[under]; !ok {
		under = at
	}
	x.add(under, Mismatch{
		Field: at + ".where", Expected: whereText(w.Where), Got: w.ID + " on " + strings.Join(got, ", "), Evidence: proof(fires[0]), ID: w.ID,
	})
}

// says holds that one finding contains all the texts; where none does, the
// first finding that contains most is shown.
func (x *examiner) says(at string, w Want, matching []*Finding) {
	best := mostSaying(matching, w.Says)
	for _, i := range lackingTexts(best, w.Says) {
		field := fmt.Sprintf("%s.says[%d]", at, i)
		x.add(field, Mismatch{
			Field: field, Expected: fmt.Sprintf("%q", w.Says[i]), Got: best.Summary, Evidence: proof(best), ID: w.ID, Lines: quoted(best),
		})
	}
}

func (x *examiner) nots() {
	for i, id := range x.e.Not {
		at := fmt.Sprintf("not[%d]", i)
		for _, f := range firing(x.r, id) {
			x.add(at, Mismatch{
				Field: at, Expected: id + " does not fire", Got: id + " fires" + onSubject(f.Subject), Evidence: proof(f), ID: id, Lines: quoted(f),
			})
		}
	}
}

func (x *examiner) unknowns() {
	for i, id := range x.e.Unknown {
		if x.r.notJudged(id) {
			continue
		}
		at := fmt.Sprintf("unknown[%d]", i)
		got, evidence := id+" fires", ""
		if fires := firing(x.r, id); len(fires) > 0 {
			evidence = proof(fires[0])
		} else {
			got, evidence = x.r.instead(id)
		}
		x.add(at, Mismatch{Field: at, Expected: id + " not judged", Got: got, Evidence: evidence, ID: id})
	}
}

func (x *examiner) advice() {
	steps := allSteps(x.r)
	for i, text := range x.e.AdviceMust {
		at := fmt.Sprintf("advice_must[%d]", i)
		re, err := regexp.Compile(text)
		if err != nil {
			x.badPattern(at, text, err)
			continue
		}
		if !slices.ContainsFunc(steps, func(s Step) bool { return re.MatchString(s.Do) }) {
			x.add(at, Mismatch{Field: at, Expected: "/" + text + "/", Got: "no step matches", Evidence: nearestStep(steps, text)})
		}
	}
	for i, text := range x.e.AdviceMustNot {
		at := fmt.Sprintf("advice_must_not[%d]", i)
		re, err := regexp.Compile(text)
		if err != nil {
			x.badPattern(at, text, err)
			continue
		}
		for n, s := range steps {
			if re.MatchString(s.Do) {
				x.add(at, Mismatch{Field: at, Expected: "no step like /" + text + "/", Got: stepText(n, s), Evidence: s.Why, ID: s.From})
			}
		}
	}
}

func (x *examiner) badPattern(at, text string, err error) {
	x.add(at, Mismatch{Field: at, Expected: "/" + text + "/", Got: "not a regular expression: " + err.Error()})
}
