package rules

import "slices"

// severities are all, from worst to least.
var severities = []string{Critical, Warning, Info}

// SeverityRank is the place of a severity from the worst, 0, to the least; a word
// that is none comes last.
func SeverityRank(severity string) int {
	if i := slices.Index(severities, severity); i >= 0 {
		return i
	}
	return len(severities)
}

// AtLeast tells whether a severity is as bad as another one, or worse.
func AtLeast(severity, least string) bool { return SeverityRank(severity) <= SeverityRank(least) }

// AsksForAction tells whether a finding fires at warning or above.
func (f *Finding) AsksForAction() bool { return f.State == Firing && AtLeast(f.Severity, Warning) }

// Causes are the findings that ask for action and are explained by no other such
// finding, in the order of the report. Where all explain each other the first one
// leads.
func (r *Report) Causes() []*Finding {
	var all []*Finding
	explained := map[*Finding]bool{}
	for _, f := range r.Findings {
		if !f.AsksForAction() {
			continue
		}
		all = append(all, f)
		for _, g := range f.Explains {
			if g != f {
				explained[g] = true
			}
		}
	}
	causes := slices.DeleteFunc(slices.Clone(all), func(f *Finding) bool { return explained[f] })
	if len(causes) == 0 {
		return all[:min(1, len(all))]
	}
	return causes
}
