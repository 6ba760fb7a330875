package rules

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/prometheus/common/model"
)

// looksCatalog has a finding with three look-alikes.
func looksCatalog(t *testing.T) *Catalog {
	t.Helper()
	return suppliers(t, map[string]string{
		"diagnoses/stuck.yaml": diagnosis("stuck", "cap:waiting > 5\nunless on (instance) cap:gc_ratio > 0.1", "differential: cpu sessions told"),
		"diagnoses/cpu":        "cap:cpu_busy_ratio > 0.8\nand on (instance) cap:waiting > 0",
		"diagnoses/sessions":   "cap:db_active > 0\nand on (service) cap:waiting > 0",
		"diagnoses/told.yaml":  diagnosis("told", "cap:pool_size > 100", "severity: info"),
	})
}

// A look-alike whose meter stands at zero for less than the window of its events
// lacks time, not a meter.
func TestLookAlikeSeenTooShortly(t *testing.T) {
	c := testCatalog(t, map[string]string{
		"systems/app.yaml":     "groups:\n- name: app\n  rules:\n  - {record: \"cap:expired_rate\", expr: \"rate(expired_total[5m])\", labels: {system: app}}\n  - {record: \"cap:waiting\", expr: queued, labels: {system: app}}\n",
		"diagnoses/stuck.yaml": diagnosis("stuck", "cap:waiting > 5", "differential: expiries"),
		"diagnoses/expiries":   "cap:expired_rate > 0",
	})
	s := newScenario(t, c, feed{lines: "queued 9x3\nexpired_total 70x3"}).run()
	f := s.finding("stuck")
	if f == nil {
		t.Fatal("the finding is not there")
	}
	want := []Missing{{ID: "expiries", Instance: "app", Why: "not seen in the 30 s watched"}}
	if diff := cmp.Diff(want, f.NotRuledOut); diff != "" {
		t.Errorf("not ruled out (-want +got):\n%s", diff)
	}
}

func TestLookAlikes(t *testing.T) {
	const stuck = "hikaricp_connections 1x2\nhikaricp_connections_pending 9x2\n"
	app := model.Metric{"instance": "app", "system": "jvm"}
	tests := []struct {
		name      string
		feeds     []feed
		ruledOut  []Look
		notRuled  []Missing
		otherwise []string // findings of their own
	}{
		{"excluded on the same target", []feed{{lines: stuck + "cap:cpu_busy_ratio{system=\"jvm\"} 0.04x2\ncap:gc_ratio 0x2\ncap:db_active 0x2\ncap:pool_size 3x2"}},
			[]Look{
				{ID: "cpu", Instance: "app", Evidence: Evidence{Signal: "cap:cpu_busy_ratio", Title: "CPU busy", Expr: "cap:cpu_busy_ratio > 0.8", Labels: app, Observed: 0.04, Op: ">", Threshold: 0.8, Unit: "ratio", Role: Required, State: Fails}},
				{ID: "sessions", Instance: "app", Evidence: Evidence{Signal: "cap:db_active", Title: "database sessions at work", Expr: "cap:db_active > 0", Labels: model.Metric{"instance": "app"}, Observed: 0, Op: ">", Threshold: 0, Unit: "sessions", Role: Required, State: Fails}},
				{ID: "told", Instance: "app", Evidence: Evidence{Signal: "cap:pool_size", Title: "pool size", Expr: "cap:pool_size > 100", Labels: model.Metric{"instance": "app"}, Observed: 3, Op: ">", Threshold: 100, Unit: "1", Role: Required, State: Fails}},
			}, nil, nil},
		{"judged nowhere", []feed{{lines: stuck}}, nil, []Missing{
			{ID: "cpu", Instance: "app", Signal: "cap:cpu_busy_ratio"},
			{ID: "sessions", Instance: "app", Signal: "cap:db_active", Enable: "scrape the exporter of the database"},
			{ID: "told", Instance: "app", Signal: "cap:pool_size"},
			{Instance: "app", Signal: "cap:gc_ratio", Enable: "scrape the JVM"},
		}, nil},
		{"excluded elsewhere in the service", []feed{{lines: stuck + "cap:cpu_busy_ratio 0x2\ncap:gc_ratio 0x2\ncap:pool_size 3x2"}, {instance: "db", lines: "cap:db_active 0x2"}},
			[]Look{{ID: "cpu", Instance: "app"}, {ID: "sessions", Instance: "db"}, {ID: "told", Instance: "app"}}, nil, nil},
		{"not excluded by another service", []feed{{lines: stuck + "cap:cpu_busy_ratio 0x2\ncap:gc_ratio 0x2\ncap:pool_size 3x2"}, {instance: "db", service: "other", lines: "cap:db_active 0x2"}},
			[]Look{{ID: "cpu", Instance: "app"}, {ID: "told", Instance: "app"}},
			[]Missing{{ID: "sessions", Instance: "app", Signal: "cap:db_active", Enable: "scrape the exporter of the database"}}, nil},
		{"a look-alike that fires is a finding of its own", []feed{{lines: stuck + "cap:cpu_busy_ratio 0.9x2\ncap:gc_ratio 0x2\ncap:pool_size 3x2\ncap:db_active 0x2"}},
			[]Look{{ID: "sessions", Instance: "app"}, {ID: "told", Instance: "app"}}, nil, []string{"cpu on app"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newScenario(t, looksCatalog(t), tt.feeds...).run()
			f := s.finding("stuck")
			if f == nil {
				t.Fatal("the finding is not there")
			}
			ignore := cmpopts.IgnoreUnexported(Evidence{})
			if len(tt.ruledOut) > 0 && tt.ruledOut[0].Evidence.Signal == "" {
				ignore = cmpopts.IgnoreFields(Look{}, "Evidence")
			}
			if diff := cmp.Diff(tt.ruledOut, f.RuledOut, ignore, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("ruled out (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.notRuled, f.NotRuledOut, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("not ruled out (-want +got):\n%s", diff)
			}
			var others []string
			for _, o := range order(s.report()) {
				if o != "stuck on appconnections" {
					others = append(others, o)
				}
			}
			if diff := cmp.Diff(tt.otherwise, others); diff != "" {
				t.Errorf("other findings (-want +got):\n%s", diff)
			}
		})
	}
}

// An exclusion that could not be judged is listed, and its evidence says so.
func TestExclusionThatIsMissing(t *testing.T) {
	s := newScenario(t, looksCatalog(t), feed{lines: "hikaricp_connections 1x2\nhikaricp_connections_pending 9x2"}).run()
	e := s.finding("stuck").Evidence
	if len(e) != 2 || e[1].Role != Excluded || e[1].State != Absent || !math.IsNaN(e[1].Observed) || e[1].Threshold != 0.1 {
		t.Errorf("got %+v", e)
	}
}

// Instances that only lend evidence are named.
func TestAffected(t *testing.T) {
	c := oneDiagnosis(t, "cap:waiting > 0\nand on (service) sum by (service) (cap:expired_rate{kind=\"requests\"}) > 0\nunless on (service) max by (service) (cap:db_active) > 5")
	s := newScenario(t, c,
		feed{instance: "bus", lines: "cap:waiting 1x2"},
		feed{instance: "orders", lines: `cap:expired_rate{kind="requests"} 1x2`},
		feed{instance: "quiet", lines: `cap:expired_rate{kind="requests"} 0x2`},
		feed{instance: "other-kind", lines: `cap:expired_rate{kind="correlations"} 1x2`},
		feed{instance: "db", lines: `cap:db_active 1x2`},
		feed{instance: "elsewhere", service: "s", lines: `cap:expired_rate{kind="requests"} 1x2`},
	).run()
	if diff := cmp.Diff([]string{"orders"}, s.finding("x").Affected); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
