package rules

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Each departure from the form is refused where it stands, with how to write it.
// An expression stands in line 5 of diagnoses/x.yaml, six columns in.
func TestFormIsRefused(t *testing.T) {
	tests := []struct{ expr, want string }{
		{"cap:waiting > 0 or cap:pool_busy > 0", `
diagnoses/x.yaml:6:7: or at the top of a diagnosis
          cap:waiting > 0 or cap:pool_busy > 0
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: write a second alert in the same file: a variant
`},
		{"cap:waiting > 0 and cap:pool_busy > 0", `
diagnoses/x.yaml:6:27: and without on
          cap:waiting > 0 and cap:pool_busy > 0
                              ^^^^^^^^^^^^^^^^^
  hint: write and on (instance) …: the identity labels that both sides share
`},
		{"cap:waiting > 0\nunless ignoring (kind) cap:gc_ratio > 0", `
diagnoses/x.yaml:7:30: unless without on
          unless ignoring (kind) cap:gc_ratio > 0
                                 ^^^^^^^^^^^^^^^^
  hint: write unless on (instance) …: the identity labels that both sides share
`},
		{"cap:waiting", `
diagnoses/x.yaml:6:7: a part without a comparison
          cap:waiting
          ^^^^^^^^^^^
  hint: write signal op threshold, such as cap:waiting > 0
`},
		{"cap:waiting > 0\nand on (instance, system, resource) cap:pool_busy", `
diagnoses/x.yaml:7:43: a part without a comparison
          and on (instance, system, resource) cap:pool_busy
                                              ^^^^^^^^^^^^^
  hint: write signal op threshold, such as cap:waiting > 0
`},
		{"cap:waiting > 0\nand on (instance, system, resource) (cap:pool_busy > 0 and on (instance) cap:cpu_busy_ratio > 0)", `
diagnoses/x.yaml:7:44: nested and
          and on (instance, system, resource) (cap:pool_busy > 0 and on (instance) cap:cpu_busy_ratio > 0)
                                               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: join conditions at the top, or record the inner part in derived.yaml
`},
		{"((cap:waiting > 0 or cap:pool_busy > 0) or cap:pool_size > 0)", `
diagnoses/x.yaml:6:9: nested or
          ((cap:waiting > 0 or cap:pool_busy > 0) or cap:pool_size > 0)
            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: join conditions at the top, or record the inner part in derived.yaml
`},
		{"(cap:waiting > 0 or on (instance) cap:pool_busy > 0)", `
diagnoses/x.yaml:6:8: or with label matching
          (cap:waiting > 0 or on (instance) cap:pool_busy > 0)
           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: leave out on and ignoring: alternatives have the same labels
`},
		{"cap:waiting > bool 0", `
diagnoses/x.yaml:6:7: a comparison with bool
          cap:waiting > bool 0
          ^^^^^^^^^^^^^^^^^^^^
  hint: leave out bool
`},
		{"0 < cap:waiting", `
diagnoses/x.yaml:6:7: the threshold stands on the left
          0 < cap:waiting
          ^^^^^^^^^^^^^^^
  hint: turn it round: signal op number
`},
		{"cap:waiting / cap:pool_max > 1", `
diagnoses/x.yaml:6:7: an operand that is not one signal
          cap:waiting / cap:pool_max > 1
          ^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: record ratios and other derived values in derived.yaml
`},
		{"cap:pool_busy >= cap:pool_max * 0.5", `
diagnoses/x.yaml:6:24: the threshold is not a number times a signal
          cap:pool_busy >= cap:pool_max * 0.5
                           ^^^^^^^^^^^^^^^^^^
  hint: write number * signal
`},
		{"cap:pool_busy >= cap:pool_max - 1", `
diagnoses/x.yaml:6:24: an operand that is not one signal
          cap:pool_busy >= cap:pool_max - 1
                           ^^^^^^^^^^^^^^^^
  hint: record ratios and other derived values in derived.yaml
`},
		{"cap:pool_busy >= on (instance) group_left () cap:pool_max", `
diagnoses/x.yaml:6:7: label matching inside a comparison
          cap:pool_busy >= on (instance) group_left () cap:pool_max
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: compare signals of one resource, or aggregate both sides by the same labels
`},
		{"cap:pool_busy >= max by (instance) (cap:pool_max)", `
diagnoses/x.yaml:6:7: the sides of the comparison have different labels
          cap:pool_busy >= max by (instance) (cap:pool_max)
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: aggregate both sides by the same labels
`},
		{"cap:pool_busy > cap:cpu_busy_ratio", `
diagnoses/x.yaml:6:23: cap:pool_busy has the labels instance, system, resource, kind, cap:cpu_busy_ratio has instance, system
          cap:pool_busy > cap:cpu_busy_ratio
                          ^^^^^^^^^^^^^^^^^^
  hint: compare signals with the same labels, or aggregate both sides by the same ones
`},
		{"avg by (instance) (cap:waiting) > 0", `
diagnoses/x.yaml:6:7: aggregation avg in an operand
          avg by (instance) (cap:waiting) > 0
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: write sum, max, min or count by (…)
`},
		{"sum without (kind) (cap:waiting) > 0", `
diagnoses/x.yaml:6:7: aggregation sum in an operand
          sum without (kind) (cap:waiting) > 0
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: write sum, max, min or count by (…)
`},
		{"sum by (instance) (max by (instance, pool) (cap:waiting)) > 0", `
diagnoses/x.yaml:6:26: an operand that is not one signal
          sum by (instance) (max by (instance, pool) (cap:waiting)) > 0
                             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: record ratios and other derived values in derived.yaml
`},
		{"sum by (instance) (cap:waiting > 0) > 1", `
diagnoses/x.yaml:6:26: an operand that is not one signal
          sum by (instance) (cap:waiting > 0) > 1
                             ^^^^^^^^^^^^^^^
  hint: record ratios and other derived values in derived.yaml
`},
		{"rate(cap:waiting[1m]) > 0", `
diagnoses/x.yaml:6:7: function rate in an operand
          rate(cap:waiting[1m]) > 0
          ^^^^^^^^^^^^^^^^^^^^^
  hint: record it as a signal in derived.yaml
`},
		{"absent_over_time(cap:waiting[1m]) > 0", `
diagnoses/x.yaml:6:7: function absent_over_time in an operand
          absent_over_time(cap:waiting[1m]) > 0
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: record it as a signal in derived.yaml
`},
		{"vector(1) > 0", `
diagnoses/x.yaml:6:7: function vector in an operand
          vector(1) > 0
          ^^^^^^^^^
  hint: record it as a signal in derived.yaml
`},
		{"(cap:waiting) > 0", `
diagnoses/x.yaml:6:7: a parenthesised operand
          (cap:waiting) > 0
          ^^^^^^^^^^^^^
  hint: leave out the parentheses
`},
		{"cap:waiting offset 5m > 0", `
diagnoses/x.yaml:6:7: offset or @ in an operand
          cap:waiting offset 5m > 0
          ^^^^^^^^^^^^^^^^^^^^^
  hint: leave it out; compare with a recorded signal
`},
		{"cap:waiting @ 5 > 0", `
diagnoses/x.yaml:6:7: offset or @ in an operand
          cap:waiting @ 5 > 0
          ^^^^^^^^^^^^^^^
  hint: leave it out; compare with a recorded signal
`},
		{"max_over_time(cap:waiting[2m]) > 0", `
diagnoses/x.yaml:6:7: window [2m]: write [1m] for rates, [5m] for events, [30m] for the baseline
          max_over_time(cap:waiting[2m]) > 0
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
`},
		{"max_over_time(cap:waiting[5m:1m]) > 0", `
diagnoses/x.yaml:6:7: a subquery: record the inner part as a signal
          max_over_time(cap:waiting[5m:1m]) > 0
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
`},
		{"hikaricp_connections_pending > 0", `
diagnoses/x.yaml:6:7: "hikaricp_connections_pending" is not a signal
          hikaricp_connections_pending > 0
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: record it as a cap:* signal in systems/
`},
		{"cap:waiting > 0\nand on (instance, system, resource) cap:wating > 0", `
diagnoses/x.yaml:7:43: "cap:wating" is not in the vocabulary
          and on (instance, system, resource) cap:wating > 0
                                              ^^^^^^^^^^
  hint: add it to signals.yaml
`},
		{"cap:fact > 0", `
diagnoses/x.yaml:6:7: a diagnosis reads cap:fact
          cap:fact > 0
          ^^^^^^^^
  hint: copy the fact onto the resource in derived.yaml
`},
		{"cap:waiting > 0\nand on (instance) cap:pool_busy > 0", `
diagnoses/x.yaml:7:25: joined on (instance): the subject has the labels instance, system, resource, kind, cap:pool_busy has instance, system, resource, kind
          and on (instance) cap:pool_busy > 0
                            ^^^^^^^^^^^^^^^^^
  hint: write on (instance, system, resource), or aggregate by the labels of on
`},
		{"cap:waiting > 0\nand on (instance, system) cap:cpu_busy_ratio < 0.3", `
diagnoses/x.yaml:7:33: joined on (instance, system): the subject has the labels instance, system, resource, kind, cap:cpu_busy_ratio has instance, system
          and on (instance, system) cap:cpu_busy_ratio < 0.3
                                    ^^^^^^^^^^^^^^^^^^^^^^^^
  hint: write on (instance), or aggregate by the labels of on
`},
		{"cap:waiting > 0\nunless on (service) max by (instance) (cap:db_active) > 0", `
diagnoses/x.yaml:7:27: joined on (service): the subject has the labels instance, system, resource, kind, cap:db_active has instance
          unless on (service) max by (instance) (cap:db_active) > 0
                              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: write on (instance), or aggregate by the labels of on
`},
		{"cap:waiting > 0\nunless on (instance) sum by (service) (cap:db_active) > 0", `
diagnoses/x.yaml:7:28: joined on (instance): the subject has the labels instance, system, resource, kind, cap:db_active has service
          unless on (instance) sum by (service) (cap:db_active) > 0
                               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: write on (service), or aggregate by the labels of on
`},
		{"(cap:waiting > 0 or cap:cpu_busy_ratio > 0)", `
diagnoses/x.yaml:6:7: alternatives with different labels
          (cap:waiting > 0 or cap:cpu_busy_ratio > 0)
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: aggregate all of them by the same labels, or write a second alert
`},
		{"cap:waiting >", `
diagnoses/x.yaml:6:20: unexpected end of input
          cap:waiting >
                       ^
`},
	}
	for _, tt := range tests {
		if got := "\n" + problemsOf(t, map[string]string{"diagnoses/x.yaml": diagnosis("x", tt.expr)}); got != tt.want {
			t.Errorf("%s (-want +got):\n%s", tt.expr, cmp.Diff(tt.want, got))
		}
	}
}

// problemsOf is what the linter says of files beside the test vocabulary.
func problemsOf(t *testing.T, files map[string]string) string {
	t.Helper()
	if _, ok := files["signals.yaml"]; !ok {
		files["signals.yaml"] = testSignals
	}
	_, err := Load(Folder{FS: folder(files)})
	if err == nil {
		return ""
	}
	return problemText(err)
}

// The form that is allowed.
func TestFormIsAllowed(t *testing.T) {
	for _, expr := range []string{
		"cap:waiting{kind!=\"connections\", pool=~\"a.*\"} > -1",
		"max_over_time(cap:waiting[5m]) >= 0.5 * cap:pool_max",
		"quantile_over_time(0.9, cap:waiting[30m]) != 1e3",
		"sum by (service) (max_over_time(cap:waiting[1m])) == 2 * count by (service) (cap:pool_max)",
		"(cap:waiting > 0 or cap:pool_busy > 3 or cap:pool_size < cap:pool_max)\nand on (instance, system, resource) (cap:pool_size > 0)\nunless on (instance) (max by (instance) (cap:gc_ratio) > 0.1 or min by (instance) (cap:cpu_busy_ratio) > 0.8)",
		"cap:waiting > 0\nunless on (service) cap:db_active > 0",
		"sum by (service) (cap:expired_rate) > 0\nand on (service) cap:waiting > 0",
		"capdoctor_observed_seconds >= 60",
	} {
		if got := problemsOf(t, map[string]string{"diagnoses/x.yaml": diagnosis("x", expr)}); got != "" {
			t.Errorf("%s:\n%s", expr, got)
		}
	}
}

// Every style of a scalar has its place told.
func TestPlaceInEveryScalarStyle(t *testing.T) {
	rule := func(expr string) string {
		return "groups:\n- name: x\n  rules:\n  - alert: X\n    expr: " + expr + "\n    labels: {id: x, severity: info}\n"
	}
	tests := []struct{ name, expr, want string }{
		{"plain", "cap:waiting > 0 and on (instance) cap:nope > 0", "diagnoses/x.yaml:5:45"},
		{"quoted", "'cap:waiting > 0 and on (instance) cap:nope > 0'", "diagnoses/x.yaml:5:46"},
		{"literal", "|\n        cap:waiting > 0\n        and on (instance) cap:nope > 0", "diagnoses/x.yaml:7:27"},
		{"indented inside", "|\n        cap:waiting > 0\n          and on (instance) cap:nope > 0", "diagnoses/x.yaml:7:29"},
		{"after a blank line", "|\n\n        cap:waiting > 0\n        and on (instance) cap:nope > 0", "diagnoses/x.yaml:8:27"},
		{"folded, first line", ">-\n        cap:nope > 0\n        and on (instance) cap:gc_ratio > 0", "diagnoses/x.yaml:6:9"},
	}
	for _, tt := range tests {
		got := problemsOf(t, map[string]string{"diagnoses/x.yaml": rule(tt.expr)})
		if !strings.HasPrefix(got, tt.want+": \"cap:nope\" is not in the vocabulary\n") {
			t.Errorf("%s: got\n%swant %s", tt.name, got, tt.want)
		}
	}
}
