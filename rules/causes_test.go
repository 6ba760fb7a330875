package rules

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCauses(t *testing.T) {
	fires := func(id, severity string) *Finding { return &Finding{ID: id, State: Firing, Severity: severity} }
	for name, tt := range map[string]struct {
		explains map[string]string // id to what it explains
		findings []*Finding
		want     []string
	}{
		"nothing":                    {},
		"a cause and what it brings": {map[string]string{"a": "b"}, []*Finding{fires("a", Critical), fires("b", Warning), fires("c", Warning)}, []string{"a", "c"}},
		"pending and info ask for nothing": {map[string]string{"i": "b"}, []*Finding{{ID: "p", State: Pending, Severity: Critical}, fires("i", Info), fires("b", Warning)},
			[]string{"b"}},
		"a circle is led by its first":  {map[string]string{"a": "b", "b": "a"}, []*Finding{fires("a", Warning), fires("b", Critical)}, []string{"a"}},
		"none explains itself":          {map[string]string{"a": "a"}, []*Finding{fires("a", Warning)}, []string{"a"}},
		"an unknown severity is no one": {nil, []*Finding{fires("a", "page")}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			for _, f := range tt.findings {
				for _, g := range tt.findings {
					if tt.explains[f.ID] == g.ID {
						f.Explains = append(f.Explains, g)
					}
				}
			}
			var got []string
			for _, f := range (&Report{Findings: tt.findings}).Causes() {
				got = append(got, f.ID)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
