package rules

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// suppliers is a catalogue in which each system supplies something else.
func suppliers(t *testing.T, diagnoses map[string]string) *Catalog {
	t.Helper()
	files := map[string]string{
		"systems.yaml": `systems:
- {id: hikaricp, title: HikariCP, markers: [hikaricp_connections], supplies: [{signal: "cap:waiting", from: hikaricp_connections_pending, labels: {kind: connections}}, {signal: "cap:db_active", system: postgres, enable: "scrape the exporter of the database"}]}
- {id: jdbc, title: JDBC, markers: [jdbc_connections_active], repeats: [hikaricp], supplies: [{signal: "cap:pool_max", from: jdbc_connections_max}]}
- {id: tomcat, title: Tomcat, markers: [tomcat_threads_busy_threads], facts: {deadline_seconds: "20s"}, supplies: [{signal: "cap:pool_busy", from: tomcat_threads_busy_threads, enable: "server.tomcat.mbeanregistry.enabled=true"}]}
- {id: evento, title: Evento server, markers: [evento_server_connections], supplies: [{signal: "cap:pool_size", from: evento_server_bus_executor_pool_size, enable: "update to 2.4.0"}]}
`,
		"systems/hikaricp.yaml": `groups:
- name: hikaricp
  rules:
  - {record: "cap:waiting", expr: hikaricp_connections_pending, labels: {system: hikaricp, kind: connections}}
  - {record: "cap:pool_busy", expr: hikaricp_connections_active, labels: {system: hikaricp, kind: connections}}
  - {record: "cap:pool_max", expr: hikaricp_connections_max, labels: {system: hikaricp, kind: connections}}
`,
		"systems/jdbc.yaml":   "groups:\n- name: jdbc\n  rules:\n  - {record: \"cap:pool_max\", expr: jdbc_connections_max, labels: {system: jdbc, kind: connections}}\n",
		"systems/tomcat.yaml": "groups:\n- name: tomcat\n  rules:\n  - {record: \"cap:pool_busy\", expr: tomcat_threads_busy_threads, labels: {system: tomcat, kind: threads}}\n",
		"derived.yaml": `groups:
- name: derived
  rules:
  - {record: "cap:pool_used_ratio", expr: "cap:pool_busy / (cap:pool_max > 0)"}
  - {record: "cap:deadline_seconds", expr: "cap:waiting * 0 + on (instance) group_left () max by (instance) (cap:fact{fact=\"deadline_seconds\"})"}
`,
	}
	for name, text := range diagnoses {
		files[name] = text
	}
	return testCatalog(t, files)
}

// What is not there is unknown where a recognised system could supply it, and
// not applicable elsewhere.
func TestUnknownByAbsence(t *testing.T) {
	c := suppliers(t, map[string]string{
		"diagnoses/waits":         "cap:waiting > 0",
		"diagnoses/waits-threads": `cap:waiting{kind="threads"} > 0`,
		"diagnoses/waits-either":  `(cap:waiting{kind="threads"} > 0 or cap:pool_busy{kind="threads"} > 0)`,
		"diagnoses/waits-those":   `cap:waiting{kind=~"threads|permits"} > 0`,
		"diagnoses/waits-others":  `cap:waiting{kind!="connections"} > 0`,
		"diagnoses/waits-these":   `cap:waiting{kind=~"threads|connections"} > 0`,
		"diagnoses/used":          "cap:pool_used_ratio > 0.9",
		"diagnoses/sessions":      "cap:db_active > 0",
		"diagnoses/size":          `cap:pool_size{system="evento"} < 5`,
		"diagnoses/cpu":           "cap:cpu_busy_ratio > 0.8",
		"diagnoses/watched":       "capdoctor_observed_seconds >= 60",
		"diagnoses/stated":        "cap:deadline_seconds > 10",
		"diagnoses/across":        "sum by (service) (cap:waiting) > 0",
	})
	tests := []struct {
		name  string
		lines string
		want  map[string]string // what is neither "not applicable" nor the same for all
	}{
		{"nothing recognised", "some_metric 1x2", map[string]string{}},
		{"by a marker", "hikaricp_connections 1x2", map[string]string{
			"waits": "unknown", "waits-these": "unknown", "used": "unknown", "sessions": "unknown", "stated": "unknown", "across": "unknown",
		}},
		{"a marker alone, and what can be derived from it", "tomcat_threads_busy_threads 1x2", map[string]string{"waits-either": "firing"}},
		{"with its meters", "hikaricp_connections 1x2\nhikaricp_connections_pending 0x2\nhikaricp_connections_active 5x2\nhikaricp_connections_max 10x2", map[string]string{
			"waits": "clear", "waits-these": "clear", "used": "clear", "sessions": "unknown", "stated": "unknown", "across": "clear",
		}},
		{"an old server", "evento_server_connections 1x2", map[string]string{"size": "unknown"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newScenario(t, c, feed{lines: tt.lines}).run()
			got := map[string]string{}
			for _, id := range c.IDs() {
				if v := s.verdict(id); v != "not applicable" && id != "watched" {
					got[id] = v
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			r := s.report()
			if n := len(c.IDs()) - len(got) - 1; r.NotApplicable != n { // watched is judged on every target
				t.Errorf("%d diagnoses do not apply, want %d", r.NotApplicable, n)
			}
		})
	}
}

// What is missing is named with its meter and what to switch on.
func TestMissingSays(t *testing.T) {
	c := suppliers(t, map[string]string{
		"diagnoses/sessions": "cap:db_active > 0",
		"diagnoses/size":     `cap:pool_size{system="evento"} < 5`,
		"diagnoses/late":     "cap:wait_seconds > cap:deadline_seconds",
		"diagnoses/used":     "cap:pool_used_ratio > 0.9",
	})
	s := newScenario(t, c,
		feed{instance: "bus", lines: "evento_server_connections 1"},
		feed{instance: "orders", lines: "hikaricp_connections 1\nhikaricp_connections_active 1\ncap:wait_seconds{system=\"hikaricp\", resource=\"p\", kind=\"connections\"} 9"},
	).run()
	want := []NotJudged{
		{ID: "late", Title: "Late", Severity: Warning, Instance: "orders", Missing: []Missing{{ID: "late", Instance: "orders", Signal: "cap:deadline_seconds", Enable: "--fact deadline_seconds=30s"}}},
		{ID: "sessions", Title: "Sessions", Severity: Warning, Instance: "orders", Missing: []Missing{{ID: "sessions", Instance: "orders", Signal: "cap:db_active", Enable: "scrape the exporter of the database"}}},
		{ID: "size", Title: "Size", Severity: Warning, Instance: "bus", Missing: []Missing{{ID: "size", Instance: "bus", Signal: "cap:pool_size", Meter: "evento_server_bus_executor_pool_size", Enable: "update to 2.4.0"}}},
		{ID: "used", Title: "Used", Severity: Warning, Instance: "orders", Missing: []Missing{{ID: "used", Instance: "orders", Signal: "cap:pool_used_ratio"}}},
	}
	if diff := cmp.Diff(want, s.report().NotJudged, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A system that shows the meters of another one again is left out beside it.
func TestRepeatedSystem(t *testing.T) {
	c := suppliers(t, map[string]string{"diagnoses/max": "cap:pool_max > 5"})
	both := newScenario(t, c, feed{lines: "hikaricp_connections 1x2\nhikaricp_connections_max 10x2\njdbc_connections_active 1x2\njdbc_connections_max 10x2"}).run()
	if f := both.finding("max"); f == nil || f.Subject["system"] != "hikaricp" {
		t.Errorf("got %+v, want one finding of hikaricp", f)
	}
	if diff := cmp.Diff([]string{"hikaricp"}, both.judge.Systems("app")); diff != "" {
		t.Errorf("systems (-want +got):\n%s", diff)
	}
	alone := newScenario(t, c, feed{lines: "jdbc_connections_active 1x2\njdbc_connections_max 10x2"}).run()
	if f := alone.finding("max"); f == nil || f.Subject["system"] != "jdbc" {
		t.Errorf("got %+v, want one finding of jdbc", f)
	}
}
