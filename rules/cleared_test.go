package rules

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A diagnosis that is clear says what kept it from firing, on the subject and by
// the alert that came closest.
func TestClearedTellsTheNearest(t *testing.T) {
	const expr = "cap:waiting > 3\nand on (instance) max by (instance) (cap:cpu_busy_ratio) < 0.3\nunless on (instance) max by (instance) (cap:gc_ratio) > 0.1"
	far := feed{instance: "far", lines: "cap:waiting 0x2\ncap:cpu_busy_ratio 0.9x2\ncap:gc_ratio 0.2x2"}
	for _, tt := range []struct{ name, lines, want string }{
		{"one condition is false", "cap:waiting 2x2\ncap:cpu_busy_ratio 0.1x2\ncap:gc_ratio 0x2", "near: required cap:waiting 2 > 3"},
		{"it is excluded", "cap:waiting 9x2\ncap:cpu_busy_ratio 0.1x2\ncap:gc_ratio 0.4x2", "near: excluded cap:gc_ratio 0.4 > 0.1"},
		{"one is false, one is missing", "cap:waiting 2x2", "near: required cap:waiting 2 > 3; required cap:cpu_busy_ratio NaN < 0.3"},
		{"fewer are false than elsewhere, but by more", "cap:waiting 1x2\ncap:cpu_busy_ratio 0.1x2\ncap:gc_ratio 0x2", "near: required cap:waiting 1 > 3"},
		{"as many are false as elsewhere, by less", "cap:waiting 2x2\ncap:cpu_busy_ratio 0.5x2\ncap:gc_ratio 0.2x2", "near: required cap:waiting 2 > 3; required cap:cpu_busy_ratio 0.5 < 0.3; excluded cap:gc_ratio 0.2 > 0.1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := newScenario(t, oneDiagnosis(t, expr), far, feed{instance: "near", lines: tt.lines}).run().report()
			if len(r.Cleared) != 1 || r.Cleared[0].Subjects != 2 {
				t.Fatalf("cleared %+v", r.Cleared)
			}
			if diff := cmp.Diff(tt.want, nearText(r.Cleared[0].Nearest)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// Of several alerts the one that lacks least is told.
func TestClearedTellsTheNearestAlert(t *testing.T) {
	file := diagnosis("x", "cap:waiting > 3\nand on (instance) max by (instance) (cap:cpu_busy_ratio) < 0.3") +
		strings.TrimPrefix(diagnosis("x", "cap:waiting > 2"), "groups:\n- name: x\n  rules:\n")
	file = strings.Replace(file, "alert: X\n    expr: |\n      cap:waiting > 2", "alert: XOfFew\n    expr: |\n      cap:waiting > 2", 1)
	r := newScenario(t, testCatalog(t, map[string]string{"diagnoses/x.yaml": file}), feed{lines: "cap:waiting 1x2\ncap:cpu_busy_ratio 0.9x2"}).run().report()
	if got := r.Cleared[0].Nearest.Alert; got != "XOfFew" {
		t.Errorf("nearest alert %s", got)
	}
}

func nearText(n *Near) string {
	var parts []string
	for _, e := range n.Failed {
		parts = append(parts, fmt.Sprint(e.Role, " ", e.Signal, " ", e.Observed, " ", e.Op, " ", e.Threshold))
	}
	return string(n.Subject["instance"]) + ": " + strings.Join(parts, "; ")
}
