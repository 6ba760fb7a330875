package report_test

import (
	"testing"

	"github.com/capdoctor/capdoctor/report"
	"github.com/capdoctor/capdoctor/rules"
)

func TestExit(t *testing.T) {
	firing := func(severities ...string) *rules.Report {
		r := &rules.Report{Cleared: cleared(1)}
		for _, s := range severities {
			r.Findings = append(r.Findings, &rules.Finding{State: rules.Firing, Severity: s})
		}
		return r
	}
	unknown := &rules.Report{Cleared: cleared(3), NotJudged: []rules.NotJudged{{ID: "disk-full"}}}
	down := &rules.Report{NotJudged: []rules.NotJudged{{ID: "disk-full"}}}
	tests := []struct {
		name   string
		r      *rules.Report
		o      report.Options
		code   int
		reason string
	}{
		{"collapse", collapse(), report.Options{}, 1, "1 critical, 2 warnings (--fail-on warning)"},
		{"only critical fails", collapse(), report.Options{FailOn: rules.Critical}, 1, "1 critical (--fail-on critical)"},
		{"warning below", firing(rules.Warning), report.Options{FailOn: rules.Critical}, 0, "nothing at or above critical"},
		{"one warning", firing(rules.Warning), report.Options{}, 1, "1 warning (--fail-on warning)"},
		{"two critical", firing(rules.Critical, rules.Critical), report.Options{}, 1, "2 critical (--fail-on warning)"},
		{"info never fails", firing(rules.Info), report.Options{FailOn: rules.Info}, 0, "nothing at or above info"},
		{"pending never fails", pending(), report.Options{}, 0, "nothing at or above warning"},
		{"healthy", healthy(), report.Options{}, 0, "nothing at or above warning"},
		{"nothing judged", couldNotJudge(), report.Options{}, 3, "nothing could be judged"},
		{"nothing at all", &rules.Report{}, report.Options{}, 3, "nothing could be judged"},
		{"unknown allowed", unknown, report.Options{}, 0, "nothing at or above warning"},
		{"unknown fails", unknown, report.Options{FailOnUnknown: true}, 3, "1 diagnosis not judged (--fail-on-unknown)"},
		{"found before unknown", collapse(), report.Options{FailOnUnknown: true}, 1, "1 critical, 2 warnings (--fail-on warning)"},
		{"hidden still counts", collapse(), report.Options{MinSeverity: rules.Critical}, 1, "1 critical, 2 warnings (--fail-on warning)"},
		{"only a target that never answered", &rules.Report{Inputs: []rules.Input{{Scrapes: 3, Failed: 3}}, Cleared: cleared(1)}, report.Options{}, 3, "nothing could be judged"},
		{"one of two answered", &rules.Report{Inputs: []rules.Input{{Scrapes: 3, Failed: 3}, {Scrapes: 3}}, Cleared: cleared(1)}, report.Options{}, 0, "nothing at or above warning"},
		{"exit zero", collapse(), report.Options{ExitZero: true}, 0, "1 critical, 2 warnings (--fail-on warning) (--exit-zero)"},
		{"exit zero, unknown", down, report.Options{ExitZero: true}, 0, "nothing could be judged (--exit-zero)"},
		{"exit zero, clear", healthy(), report.Options{ExitZero: true}, 0, "nothing at or above warning"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			code, reason := tt.o.Exit(tt.r)
			if code != tt.code || reason != tt.reason {
				t.Errorf("Exit() = %d, %q, want %d, %q", code, reason, tt.code, tt.reason)
			}
			if tt.o.ExitZero || tt.o.MinSeverity != "" {
				return
			}
			if c, s := report.Exit(tt.r, tt.o.FailOn, tt.o.FailOnUnknown); c != code || s != reason {
				t.Errorf("the function says %d, %q, the method %d, %q", c, s, code, reason)
			}
		})
	}
}
