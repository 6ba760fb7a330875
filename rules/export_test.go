package rules

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestExportedExpressions holds how system rules are written for a server.
func TestExportedExpressions(t *testing.T) {
	catalog, err := Default()
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name           string
		options        ExportOptions
		system, signal string
		want           string
	}{
		{
			"a gauge stays as it is",
			ExportOptions{}, "evento", "cap:waiting",
			"evento_server_bus_executor_queue_depth",
		},
		{
			"a rate has its window and ends with its target",
			ExportOptions{Interval: time.Minute}, "evento", "cap:overflow_rate",
			"rate(evento_server_bus_executor_saturated_total[5m30s]) unless on (instance) up == 0",
		},
		{
			"labels of targets are kept, and one of them is the service",
			ExportOptions{TargetLabels: []string{"job", "env"}, ServiceLabel: "env"}, "activerecord", "cap:waiting",
			`label_replace( sum by (instance, env, job) ( activerecord_connection_pool_waiting or {__name__=~"(ruby_)?active_record_connection_pool_waiting"} ), "service", "$1", "env", "(.*)")`,
		},
		{
			"a metric's own label service is no service",
			ExportOptions{TargetLabels: []string{"job"}}, "traefik", "cap:completed_rate",
			`label_replace( label_replace( label_replace( sum by (instance, service, job) ( rate(traefik_service_requests_total{code!~"5..|429|499"}[1m7s500ms]) ), "resource", "$1", "service", "(.*)" ) unless on (instance, job) up == 0, "exported_service", "$1", "service", "(.*)"), "service", "", "", "")`,
		},
		{
			"a label that the metrics have themselves is there once",
			ExportOptions{TargetLabels: []string{"job", "node"}}, "opensearch", "cap:waiting",
			`label_join( sum by (instance, service, cluster, node, name, job) ( opensearch_threadpool_tasks_number{name=~"write|search|get|analyze",type="queue"} ), "resource", "/", "node", "name" )`,
		},
		{
			"what another system shows too is left to it",
			ExportOptions{}, "jdbc", "cap:pool_idle",
			`label_replace(jdbc_connections_idle, "resource", "$1", "name", "(.*)") unless on (instance) {__name__=~"hikaricp_connections|hikaricp_connections_active|hikaricp_active_connections"}`,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			if test.options.Interval == 0 {
				test.options.Interval = 15 * time.Second
			}
			e, err := catalog.Export(test.options)
			if err != nil {
				t.Fatal(err)
			}
			got := fold(exprOf(e, test.system, test.signal))
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func exprOf(e *Export, system, signal string) string {
	for _, s := range e.Strata {
		for _, r := range s.Rules {
			if r.Record == signal && r.Labels["system"] == system {
				return r.Expr
			}
		}
	}
	return ""
}

// TestExportNeedsOnlyItself holds that every signal which an exported rule reads
// is recorded by one before it, and that annotations are in a form that every
// server knows.
func TestExportNeedsOnlyItself(t *testing.T) {
	catalog, err := Default()
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range []ExportOptions{{}, {Systems: []string{"evento", "jvm", "hikaricp"}}, {Diagnoses: []string{"held-connections"}}} {
		o.Interval = 15 * time.Second
		e, err := catalog.Export(o)
		if err != nil {
			t.Fatal(err)
		}
		recorded := map[string]bool{}
		for _, s := range e.Strata {
			for _, r := range s.Rules {
				any := r.Alert == ""
				for _, sel := range selectors(parsed(r.Expr)) {
					any = any || recorded[sel.Name]
				}
				if !any {
					t.Errorf("%+v: %s reads nothing that is recorded", o, r.Alert)
				}
				recorded[r.Record] = true
				for name, text := range r.Annotations {
					if strings.Contains(text, "$labels.") {
						t.Errorf("%s %s: $labels.NAME is no text in vmalert where the alert has no such label", r.Alert, name)
					}
				}
			}
		}
		if e.Alerts() == 0 {
			t.Errorf("%+v: no alert", o)
		}
	}
}

// TestFillWindows holds that only windows change, and only those of the rules.
func TestFillWindows(t *testing.T) {
	w := newExportWriter(nil, ExportOptions{Interval: 30 * time.Second}, nil)
	for text, want := range map[string]string{
		`rate(a{b="[1m]"}[1m]) # kept [1m]`:                            `rate(a{b="[1m]"}[2m15s]) # kept [1m]`,
		`max_over_time(a[5m] offset 1m) / rate(b[5m] @ end())`:         `max_over_time(a[5m15s] offset 1m) / rate(b[5m15s] @ end())`,
		"quantile_over_time(0.9, a[30m])\n  > rate(b [1m]) ":           "quantile_over_time(0.9, a[30m])\n  > rate(b [2m15s])",
		`sum(increase(a{x=~"]"}[5m])) + count_over_time({y="[" }[1m])`: `sum(increase(a{x=~"]"}[5m15s])) + count_over_time({y="[" }[2m15s])`,
	} {
		r := fileRule{}
		r.Expr.Value = text
		if got := w.fillWindows(r); got != want {
			t.Errorf("%s\nwant %s\ngot  %s", text, want, got)
		}
	}
}
