package report

import (
	"slices"
	"strings"

	"github.com/capdoctor/capdoctor/rules"
)

// mostUnknown is how many lines of what was not judged are shown.
const mostUnknown = 6

// An unknownGroup is a set of diagnoses that were not judged for one reason.
type unknownGroup struct {
	reason    string
	severity  string // the worst
	ids       []string
	instances []string
}

// notJudged writes what could not be judged in few lines: diagnoses that lack
// the same thing stand together.
// What causes name as not ruled out is not said again.
func (t *reportText) notJudged(label string, causes ...group) {
	var items []string
	shown := unknownGroups(t.notSaid(causes))
	for i, g := range shown {
		if i == mostUnknown-1 && len(shown) > mostUnknown {
			items = append(items, t.restOfUnknown(shown[i:]))
			break
		}
		items = append(items, t.unknownText(g))
	}
	t.lines(label, items)
}

// notSaid is what was not judged but for the look-alikes that causes name, and
// but for what fires on another part of the same target.
func (t *wording) notSaid(causes []group) []rules.NotJudged {
	said := map[string]bool{}
	for _, g := range causes {
		for _, m := range g.first().NotRuledOut {
			said[m.ID] = true
		}
	}
	fires := func(n rules.NotJudged) bool {
		return slices.ContainsFunc(t.r.Findings, func(f *rules.Finding) bool { return f.ID == n.ID && string(f.Subject["instance"]) == n.Instance })
	}
	return slices.DeleteFunc(slices.Clone(t.r.NotJudged), func(n rules.NotJudged) bool { return said[n.ID] || fires(n) })
}

// unknownText is "cpu-throttled, disk-full on 3 targets: no disk_free_bytes".
func (t *wording) unknownText(g unknownGroup) string {
	s := firstOf(g.ids, 3)
	if n := len(g.instances); n > 1 {
		s += " on " + rules.Plural(n, "target", "targets")
	} else if targets, _ := countInputs(t.r); n == 1 && g.instances[0] != "" && targets > 1 {
		s += " on " + t.name(g.instances[0], mostName)
	}
	return s + ": " + g.reason
}

func (t *wording) restOfUnknown(groups []unknownGroup) string {
	var ids []string
	for _, g := range groups {
		for _, id := range g.ids {
			ids = appendNew(ids, id)
		}
	}
	return "and for " + rules.Plural(len(groups), "further reason", "further reasons") + ": " + firstOf(ids, 4)
}

// unknownGroups joins diagnoses that lack the same, worst severity first, then
// those that would let most be judged.
func unknownGroups(list []rules.NotJudged) []unknownGroup {
	var out []unknownGroup
	for _, n := range list {
		reason := unknownReason(n)
		i := slices.IndexFunc(out, func(g unknownGroup) bool { return g.reason == reason })
		if i < 0 {
			out = append(out, unknownGroup{reason: reason, severity: n.Severity})
			i = len(out) - 1
		}
		g := &out[i]
		if rules.AtLeast(n.Severity, g.severity) {
			g.severity = n.Severity
		}
		g.ids, g.instances = appendNew(g.ids, n.ID), appendNew(g.instances, n.Instance)
	}
	slices.SortStableFunc(out, func(a, b unknownGroup) int {
		if d := rules.SeverityRank(a.severity) - rules.SeverityRank(b.severity); d != 0 {
			return d
		}
		return len(b.ids)*len(b.instances) - len(a.ids)*len(a.instances)
	})
	return out
}

func unknownReason(n rules.NotJudged) string {
	if len(n.Missing) > 0 {
		return missing(n.Missing)
	}
	if why := strings.TrimSpace(n.Why); why != "" {
		return noPeriod(why)
	}
	return "not enough was seen"
}
