package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/capdoctor/capdoctor/rules"
)

// ruledOut writes the look-alikes with the number that excludes each.
func (t *reportText) ruledOut(f *rules.Finding) {
	t.items("RULED OUT", t.looks(f))
}

func (t *wording) looks(f *rules.Finding) []string {
	var out []string
	var ids []string
	for _, l := range f.RuledOut {
		if slices.Contains(ids, l.ID) {
			continue
		}
		ids = append(ids, l.ID)
		out = append(out, joinNonEmpty([]string{l.ID, amount(l.Evidence), looksOn(f.RuledOut, l.ID)}, " "))
	}
	return out
}

// looksOn says on how many targets a look-alike was ruled out, where several.
func looksOn(looks []rules.Look, id string) string {
	var on []string
	for _, l := range looks {
		if l.ID == id && !slices.Contains(on, l.Instance) {
			on = append(on, l.Instance)
		}
	}
	if len(on) < 2 {
		return ""
	}
	return fmt.Sprintf("(%d targets)", len(on))
}

// amount is an observed value; a count with what it counts, because "0 requests"
// may be any of them: "2.1 %", "(requests waiting 0)".
func amount(e rules.Evidence) string {
	if math.IsNaN(e.Observed) || e.State == rules.Absent {
		return ""
	}
	value := rules.Value(e.Observed, e.Unit)
	switch e.Unit {
	case "ratio", "1/s", "s", "s/s", "bytes":
		return value
	}
	if title(e) == "" {
		return value + " " + e.Unit
	}
	return "(" + title(e) + " " + value + ")"
}

// notRuledOut writes the look-alikes that could not be judged, and what would
// let them.
func (t *reportText) notRuledOut(f *rules.Finding) {
	t.items("NOT RULED OUT", t.missingLooks(f))
}

func (t *wording) missingLooks(f *rules.Finding) []string {
	var out, ids []string
	for _, m := range f.NotRuledOut {
		if slices.Contains(ids, m.ID) {
			continue
		}
		ids = append(ids, m.ID)
		what := missing(missingFor(f.NotRuledOut, m.ID))
		if m.ID != "" {
			what = m.ID + ": " + what
		}
		out = append(out, what)
	}
	return out
}

func missingFor(all []rules.Missing, id string) []rules.Missing {
	var out []rules.Missing
	for _, m := range all {
		if m.ID == id {
			out = append(out, m)
		}
	}
	return out
}

// missing says which signals are not there and what would supply them: "no
// container_cpu_cfs_* (scrape cAdvisor)"; or why they do not suffice.
func missing(list []rules.Missing) string {
	if why := list[0].Why; why != "" {
		return why
	}
	var signals []string
	for _, m := range list {
		signals = appendNew(signals, meter(m))
	}
	s := "no " + firstOf(signals, 3)
	if enables := rules.Enables(list); len(enables) > 0 {
		s += " (" + strings.Join(enables, "; ") + ")"
	}
	return s
}

func meter(m rules.Missing) string {
	if m.Meter != "" {
		return m.Meter
	}
	return bareSignal(m.Signal)
}

// appendNew appends s unless it is empty or there already.
func appendNew(list []string, s string) []string {
	if s == "" || slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}
