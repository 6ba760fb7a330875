package tui

import (
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
