package rules

import (
	"fmt"
	"slices"
	"strings"
)

// problem is a problem at a part of the expression of an alert.
func (v *variant) problem(at span, hint, format string, args ...any) Problem {
	return v.file.problemAt(v.rule, at.start, at.length, fmt.Sprintf(format, args...), hint)
}

// checkForm looks at what the form of an expression cannot tell without the
// vocabulary: signals exist, and what is joined or compared has the same labels.
// PromQL would answer nothing, or with the wrong subject.
func (c *Catalog) checkForm(v *variant) Problems {
	var problems Problems
	subject := v.subject()
	for n, cond := range v.form.conditions {
		for _, cmp := range cond.comparisons {
			more := slices.Concat(c.checkOperand(v, cmp.observed), c.checkOperand(v, cmp.threshold))
			if len(more) == 0 {
				more = c.checkSides(v, cmp)
			}
			if len(more) == 0 && n > 0 {
				more = c.checkJoin(v, subject, cond, cmp.observed)
			}
			problems = append(problems, more...)
		}
		problems = append(problems, c.checkAlternatives(v, cond)...)
	}
	return problems
}

// labelsOf are the identity labels that the series of an operand have.
func (c *Catalog) labelsOf(o operand) []string {
	if o.grouped {
		return o.by
	}
	if s := c.signals[o.signal]; s != nil {
		return s.Labels
	}
	return nil
}

func sameSet(a, b []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

func (c *Catalog) checkSides(v *variant, cmp *comparison) Problems {
	if cmp.threshold.text == "" || sameSet(c.labelsOf(cmp.observed), c.labelsOf(cmp.threshold)) {
		return nil
	}
	return Problems{v.problem(cmp.threshold.pos, "compare signals with the same labels, or aggregate both sides by the same ones",
		"%s has the labels %s, %s has %s", cmp.observed.signal, listed(c.labelsOf(cmp.observed)), cmp.threshold.signal, listed(c.labelsOf(cmp.threshold)))}
}

func (c *Catalog) checkAlternatives(v *variant, cond *condition) Problems {
	first := cond.comparisons[0].observed
	for _, cmp := range cond.comparisons[1:] {
		if !sameSet(c.labelsOf(first), c.labelsOf(cmp.observed)) {
			return Problems{v.problem(cond.pos, "aggregate all of them by the same labels, or write a second alert", "alternatives with different labels")}
		}
	}
	return nil
}

// checkJoin refuses a condition that is joined on other labels than the ones
// that tell its subject: across targets service; for two signals of a resource
// instance, system and resource; else instance.
func (c *Catalog) checkJoin(v *variant, subject operand, cond *condition, o operand) Problems {
	a, b := c.labelsOf(subject), c.labelsOf(o)
	both := func(name string) bool { return slices.Contains(a, name) && slices.Contains(b, name) }
	want := []string{"service"}
	switch {
	case both("resource"):
		want = []string{"instance", "system", "resource"}
	case both("instance"):
		want = []string{"instance"}
	}
	keepsService := !c.drops(subject, "service") && !c.drops(o, "service")
	if slices.Equal(cond.on.names, want) && (want[0] != "service" || keepsService) || slices.Equal(cond.on.names, []string{"service"}) && keepsService {
		return nil
	}
	return Problems{v.problem(cond.pos, fmt.Sprintf("write on (%s), or aggregate by the labels of on", strings.Join(want, ", ")),
		"joined on (%s): the subject has the labels %s, %s has %s", strings.Join(cond.on.names, ", "), listed(a), o.signal, listed(b))}
}

// drops tells whether an aggregation loses a label.
func (c *Catalog) drops(o operand, name string) bool {
	return o.grouped && !slices.Contains(o.by, name)
}

func listed(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}
