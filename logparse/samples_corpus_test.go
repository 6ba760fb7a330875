package logparse

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const corpus = "../../shared/corpus/logs/"

// eventsIn returns the events that a log of the shared corpus holds, sorted.
func eventsIn(t *testing.T, name string) []string {
	t.Helper()
	if _, err := os.Stat(corpus + name); err != nil {
		t.Skip("the shared corpus is not there")
	}
	c := testCatalog(t)
	seen := sampleFile(t, c, NewGrid(c, GridOptions{Undated: start}).Sampler("x", ""), corpus+name, start)
	return slices.Sorted(maps.Keys(seen))
}

// TestFalseFriends holds what looks like congestion in real logs and is none.
func TestFalseFriends(t *testing.T) {
	tests := []struct {
		file string
		want []string
	}{
		{"loghub-hadoop-network-fault.log", []string{"no_route_to_host"}},
		{"kafka-broker-reverse-order.log", nil},
		{"loghub-linux-syslog-no-year.log", nil},
		{"k8s-node-journal-mixed.log", []string{"connection_refused", "container_restarting", "probe_failed"}},
		{"springboot-logback-iso-comma.log", []string{"process_started", "process_starting"}},
		{"otel-collector.jsonl", nil},
		{"ansi-colour-syslog.log", nil},
		{"syslog-rfc5424-clean.log", nil},
		{"syslog-rfc5424-torture.log", nil},
	}
	for _, tt := range tests {
		t.Run(tt.file, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, eventsIn(t, tt.file)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestSignatureLines reads one line for each signature in its native format.
func TestSignatureLines(t *testing.T) {
	want := []string{
		"activerecord_pool_timeout", "agroal_acquire_timeout", "bulkhead_full", "bundle_correlation_expired",
		"bus_business_executor_saturated", "clock_leap", "consumer_poll_timeout", "disk_full", "elasticsearch_rejected",
		"envoy_overflow", "event_loop_blocked", "executor_rejected", "executor_rejected_at_shutdown", "hikari_acquire_timeout",
		"hikari_leak", "hikari_pool_stats", "http_pool_timeout", "jetty_pool_rejected", "kafka_log_dir_failed",
		"pgbouncer_query_wait_timeout", "pgbouncer_stats", "phpfpm_max_children", "port_exhaustion", "producer_queue_full",
		"producer_send_timeout", "publishers_blocked", "reactor_pool_full", "reactor_pool_timeout", "reactor_scheduler_full",
		"redis_command_timeout", "redis_timeout", "ruby_pool_timeout", "tomcat_threads_busy", "weblogic_stuck_thread",
	}
	if diff := cmp.Diff(want, eventsIn(t, "composed-signature-lines.log")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestCorpusIsTaken reads every log of the corpus into samples.
func TestCorpusIsTaken(t *testing.T) {
	paths, err := filepath.Glob(corpus + "*")
	if err != nil || len(paths) == 0 {
		t.Skip("the shared corpus is not there")
	}
	c := testCatalog(t)
	for _, path := range paths {
		s := NewGrid(c, GridOptions{Undated: start}).Sampler("x", "")
		sampleFile(t, c, s, path, start)
		if batches := s.Batches(0); len(batches) < 2 || len(batches) > MaxPoints {
			t.Errorf("%s: %d points", path, len(batches))
		}
	}
}
