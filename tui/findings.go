package tui

import (
	"slices"

	"github.com/prometheus/common/model"

	"github.com/capdoctor/capdoctor/rules"
)

// A findingKey names a finding from frame to frame.
type findingKey struct {
	id      string
	subject model.Fingerprint
}

func keyOf(f *rules.Finding) findingKey { return findingKey{f.ID, f.Subject.Fingerprint()} }

// findingLike is the finding of a report with that key and at least that state,
// or nil.
func findingLike(r *rules.Report, key findingKey, state rules.State) *rules.Finding {
	for _, f := range r.Findings {
		if f.ID == key.id && f.State >= state && keyOf(f) == key {
			return f
		}
	}
	return nil
}

// severities from worst to least.
var severities = [...]string{rules.Critical, rules.Warning, rules.Info}

// atLeast tells whether a severity is as bad as another, or worse.
func atLeast(severity, than string) bool {
	return rankOf(severity) <= rankOf(than)
}

func rankOf(severity string) int {
	if i := slices.Index(severities[:], severity); i >= 0 {
		return i
	}
	return len(severities)
}

// acts tells whether a finding asks for action: it fires at warning or above.
func acts(f *rules.Finding) bool {
	return f.State == rules.Firing && atLeast(f.Severity, rules.Warning)
}

// causesOf lists the findings that ask for action and are explained by no other
// one, in the order of the report. Findings that explain each other in a circle
// are led by the first.
func causesOf(r *rules.Report) []*rules.Finding {
	var all, causes []*rules.Finding
	for _, f := range r.Findings {
		if acts(f) {
			all = append(all, f)
		}
	}
	for _, f := range all {
		explained := slices.ContainsFunc(all, func(g *rules.Finding) bool { return g != f && slices.Contains(g.Explains, f) })
		if !explained {
			causes = append(causes, f)
		}
	}
	if len(causes) == 0 && len(all) > 0 {
		causes = all[:1]
	}
	return causes
}

// nameOf is the target of a finding, or what stands for it.
func nameOf(f *rules.Finding) string {
	for _, label := range []model.LabelName{"instance", "service"} {
		if v := f.Subject[label]; v != "" {
			return string(v)
		}
	}
	return "all targets"
}

// subjectOf is the target and, where it is a part of it, the resource:
// "orders-1 (HikariPool-1)".
func subjectOf(f *rules.Finding) string {
	name := nameOf(f)
	if res := string(f.Subject["resource"]); res != "" && res != name {
		return name + " (" + res + ")"
	}
	return name
}
