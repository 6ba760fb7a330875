package rules

import (
	"fmt"
	"slices"
	"strings"
)

// check looks at the catalogue as a whole: names that are spoken of exist, and
// nothing contradicts anything else.
func (c *Catalog) check() Problems {
	var problems Problems
	for _, r := range slices.Concat(c.fromSystems, c.derived) {
		problems = append(problems, c.checkRecording(r)...)
	}
	problems = append(problems, c.checkTwice()...)
	problems = append(problems, c.checkOrder()...)
	for _, d := range c.Diagnoses {
		problems = append(problems, c.checkDiagnosis(d)...)
	}
	return append(problems, c.checkCycles()...)
}

func (c *Catalog) checkRecording(r *recording) Problems {
	var problems Problems
	if c.signals[r.signal] == nil {
		problems = append(problems, r.file.problemIn(r.rule, fmt.Sprintf("%q is not in the vocabulary", r.signal), "add it to signals.yaml with a title, a unit and a meaning"))
	}
	fromSystem := strings.HasPrefix(r.file.path, "systems/")
	if fromSystem && r.labels["system"] == "" {
		problems = append(problems, r.file.problemIn(r.rule, "a system rule without the label system", "labels: {system: ...}"))
	}
	for _, s := range selectors(r.expr) {
		if at := int(s.PosRange.Start); fromSystem && strings.HasPrefix(s.Name, "cap:") {
			problems = append(problems, r.file.problemAt(r.rule, at, len(s.Name), fmt.Sprintf("system rule reads the signal %q", s.Name), "system rules read raw metrics only; move it to derived.yaml"))
		}
	}
	return problems
}

// checkTwice refuses two rules for one signal with the same static labels.
func (c *Catalog) checkTwice() Problems {
	var problems Problems
	seen := map[string]*recording{}
	for _, r := range c.fromSystems {
		key := r.signal + labelText(r.labels)
		if first := seen[key]; first != nil {
			problems = append(problems, r.file.problemIn(r.rule, fmt.Sprintf("%s is recorded twice with the labels %s", r.signal, labelText(r.labels)),
				fmt.Sprintf("join both with or in one rule; the other one is %s:%d", first.file.path, first.rule.node.Line)))
		}
		seen[key] = r
	}
	return problems
}

// checkOrder refuses a derived rule that reads what itself or a later one
// records: it would see the value of the tick before. One that asks for the
// results of one system may read its own signal.
func (c *Catalog) checkOrder() Problems {
	var problems Problems
	for i, r := range c.derived {
		for _, s := range selectors(r.expr) {
			later := slices.ContainsFunc(c.derived[i:], func(o *recording) bool { return o.signal == s.Name })
			if later && equalities(s)["system"] == "" {
				problems = append(problems, r.file.problemAt(r.rule, int(s.PosRange.Start), len(s.Name), fmt.Sprintf("reads %s, which is recorded here or below", s.Name), "a rule reads what stands above it: move it down"))
			}
		}
	}
	return problems
}

func labelText(labels map[string]string) string {
	parts := make([]string, 0, len(labels))
	for name, value := range labels {
		parts = append(parts, fmt.Sprintf("%s=%q", name, value))
	}
	slices.Sort(parts)
	return "{" + strings.Join(parts, ", ") + "}"
}

func (c *Catalog) checkDiagnosis(d *Diagnosis) Problems {
	var problems Problems
	say := func(v *variant, hint, format string, args ...any) {
		problems = append(problems, v.file.problemIn(v.rule, fmt.Sprintf(format, args...), hint))
	}
	main := d.variants[0]
	if want := strings.TrimSuffix(strings.TrimPrefix(d.File, "diagnoses/"), ".yaml"); d.ID != want {
		say(main, "the id is the name of the file", "id %q in the file of %q", d.ID, want)
	}
	for _, id := range slices.Concat(d.Explains, d.Differential) {
		if c.diagnoses[id] == nil {
			say(main, "ids are the names of the files in diagnoses/", "no diagnosis %q", id)
		}
	}
	for _, v := range d.variants {
		if !slices.Contains(severities, v.rule.Labels["severity"]) {
			say(v, "critical, warning or info", "severity %q", v.rule.Labels["severity"])
		}
		problems = append(problems, c.checkForm(v)...)
		if !v.file.tested {
			problems = append(problems, c.checkTexts(v)...)
		}
	}
	return problems
}

func (c *Catalog) checkOperand(v *variant, o operand) Problems {
	switch {
	case o.text == "":
	case c.signals[o.signal] == nil:
		return Problems{v.problem(o.pos, "add it to signals.yaml", "%q is not in the vocabulary", o.signal)}
	case o.signal == "cap:fact":
		return Problems{v.problem(o.pos, "copy the fact onto the resource in derived.yaml", "a diagnosis reads cap:fact")}
	}
	return nil
}

// checkCycles refuses diagnoses that explain each other.
func (c *Catalog) checkCycles() Problems {
	var problems Problems
	const visiting, done = 1, 2
	state := map[string]int{}
	var visit func(d *Diagnosis, path []string)
	visit = func(d *Diagnosis, path []string) {
		path = append(path, d.ID)
		switch state[d.ID] {
		case done:
			return
		case visiting:
			problems = append(problems, Problem{File: d.File, Msg: "explains runs in a circle: " + strings.Join(path, " → ")})
			return
		}
		state[d.ID] = visiting
		for _, id := range d.Explains {
			if next := c.diagnoses[id]; next != nil {
				visit(next, path)
			}
		}
		state[d.ID] = done
	}
	for _, d := range c.Diagnoses {
		visit(d, nil)
	}
	return problems
}
