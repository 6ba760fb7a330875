package tui

import (
	"slices"
	"strings"

	"github.com/capdoctor/capdoctor/rules"
)

// bare is the name of a signal without its prefix.
func bare(signal string) string { return strings.TrimPrefix(signal, "cap:") }

// meterOf is the name of what would supply a signal.
func meterOf(m rules.Missing) string {
	if m.Meter != "" {
		return m.Meter
	}
	return bare(m.Signal)
}

// whyUnknown says in a few words what a diagnosis lacks, and what to switch on.
func whyUnknown(n rules.NotJudged) string {
	if len(n.Missing) == 0 {
		return strings.TrimSuffix(n.Why, ".")
	}
	return lacks(n.Missing)
}

// lacks is "no container_cpu_cfs_* (scrape cAdvisor)".
func lacks(list []rules.Missing) string {
	var meters []string
	for _, m := range list {
		meters = appendNew(meters, meterOf(m))
	}
	text := "no " + strings.Join(meters, ", ")
	if enables := rules.Enables(list); len(enables) > 0 {
		text += " (" + strings.Join(enables, "; ") + ")"
	}
	return text
}

// appendNew appends s unless it is empty or there already.
func appendNew(list []string, s string) []string {
	if s == "" || slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}
