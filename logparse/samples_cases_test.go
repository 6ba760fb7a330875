package logparse

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/capdoctor/capdoctor/series"
)

// sampleFile reads a log into a sampler, as a command does, and returns the
// events that it held.
func sampleFile(t testing.TB, c *Catalog, s *Sampler, path string, base time.Time) map[string]bool {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	scanner := NewScanner(f, filepath.Base(path), Options{Base: base})
	m := c.NewMatcher()
	seen := map[string]bool{}
	var r Record
	for scanner.Next(&r) {
		s.Record(&r)
		for _, e := range m.Match(&r, nil) {
			s.Add(e)
			seen[e.Pattern.Event] = true
		}
	}
	if err := scanner.Err(); err != nil {
		t.Fatal(err)
	}
	return seen
}

// caseCounts are the last values that the logs of the shared cases must give.
var caseCounts = map[string]map[string]float64{
	"a11-exhaustion-with-high-cpu/logs/billing.log":    {`hikaricp_connections_timeout_total{pool="billing"}`: 31},
	"a12-http-pool-timeout/logs/catalog.log":           {`capdoctor_log_pool_timeouts_total{kind="connections",pool="10.0.0.21:8080",source="apache-httpclient"}`: 96, `capdoctor_log_pool_max{kind="connections",pool="10.0.0.21:8080",source="apache-httpclient"}`: 2},
	"a14-port-exhaustion/logs/edge.log":                {`capdoctor_log_events_total{event="port_exhaustion",level="none"}`: 254},
	"a15-gosql-leak/logs/goroutines.log":               {`capdoctor_log_events_total{event="thread_dumped",level="none",type="goroutine",waits_on="result_set"}`: 10},
	"a17-sidekiq-redis-pool/logs/sidekiq.log":          {`capdoctor_log_pool_busy{kind="connections",source="connection_pool"}`: 5, `capdoctor_log_events_total{event="ruby_pool_timeout",level="warn"}`: 116},
	"a19-same-pool-subtasks/logs/threads.log":          {`capdoctor_log_events_total{event="thread_dumped",level="none",type="order-exec",waits_on="future_get"}`: 28},
	"a20-virtual-threads-pinned/logs/threads.log":      {`capdoctor_log_events_total{event="thread_dumped",level="none",type="tomcat-handler",waits_on="pinned_carrier"}`: 4},
	"a22-event-loop-blocked/logs/mcp.log":              {`capdoctor_log_events_total{event="event_loop_blocked",level="warn",type="com.acme.mcp.TokenFilter",waits_on="sleep"}`: 10},
	"a26-weblogic-stuck-on-db/logs/ms1.log":            {`capdoctor_log_events_total{event="weblogic_stuck_thread",level="error",type="com.acme.shop.dao.StockMapper",waits_on="jdbc_read"}`: 8},
	"a27-max-poll-interval/logs/orders-consumer.log":   {`capdoctor_log_events_total{event="consumer_poll_timeout",level="warn",type="orders"}`: 2},
	"a30-pulsar-queue-full/logs/publisher.log":         {`capdoctor_log_events_total{event="producer_queue_full",level="warn"}`: 1},
	"a32-lambda-throttled/logs/invoice-render.log":     {`capdoctor_log_span_seconds_count{span="invocation"}`: 58},
	"a34-envoy-overflow/logs/access.log":               {`capdoctor_log_events_total{event="envoy_overflow",level="none",type="payments.shop"}`: 222, `capdoctor_log_requests_total{status="503"}`: 222},
	"a4-rejected-while-threads-idle/logs/checkout.log": {`capdoctor_log_pool_rejected_total{kind="permits",pool="payments",source="resilience4j"}`: 30},
	"a6-no-back-pressure-heap/logs/crawler.log":        {`capdoctor_log_submitted_total{what="submitted"}`: 61622000},
	"a7-nested-checkout/logs/orders.log":               {`hikaricp_connections_timeout_total{pool="HikariPool-1"}`: 143},
	"a9-dubbo-threads-behind-hikari/logs/settle.log":   {`capdoctor_log_pool_busy{kind="threads",pool="DubboServerHandler-10.0.0.5:20880",source="dubbo"}`: 500},
	"f12-hikari-unfair-wait/logs/counter.log":          {`hikaricp_connections_timeout_total{pool="HikariPool-1"}`: 3, `hikaricp_connections{pool="HikariPool-1"}`: 1},
	"f2-gc-thrash/logs/podium.log":                     {`capdoctor_log_events_total{event="gc_overhead",level="error"}`: 2, `capdoctor_log_events_total{event="clock_leap",level="warn",type="HikariPool-4"}`: 5},
	"f5-database-lock-wait/logs/postgres.log":          {`capdoctor_log_events_total{event="db_lock_wait",level="info",type="ShareLock"}`: 9},
	"f9-stuck-by-design/logs/osb1.log":                 {`capdoctor_log_events_total{event="weblogic_stuck_thread",level="error",type="oracle.tip.adapter.db.InboundWork",waits_on="polling"}`: 4},
	"seed0-collapse/logs/catalog-bundle.log":           {`capdoctor_log_events_total{event="bundle_correlation_expired",level="warn",type="CatalogProductAddCommand"}`: 100, `capdoctor_log_completed_total{what="written"}`: 10440},
	"seed0-collapse/logs/evento-server.log":            {`capdoctor_log_events_total{event="local_handler_timeout",level="warn",type="CatalogProductAddCommand",waits_on="future_get"}`: 41},
	"seed0-saturated/logs/evento-server.log":           {`evento_server_bus_executor_saturated_total{}`: 593, `evento_server_bus_executor_queue_depth{}`: 256},
	"seed2-limit24/logs/bench.log":                     {`coordinator_bench_throughput{}`: 22.8},
	"seed2-limit24/logs/coordinator.log":               {`coordinator_jobs_rejected_total{}`: 216, `coordinator_slots{}`: 12},
	"seed2-unbounded/logs/coordinator.log":             {`capdoctor_log_spans_open{span="schedule_to_start"}`: 180, `coordinator_jobs_active{}`: 240},
	"seed3-batch/logs/osb1.log":                        {`capdoctor_log_pool_rejected_total{kind="requests",pool="Pricing/QuoteBS",source="osb"}`: 55},
	"seed3-rounding/logs/osb1.log":                     {`capdoctor_log_cluster_peers{cluster="osb_cluster"}`: 7},
}

// TestSharedCases prints what the logs of the shared cases yield and checks the
// figures that the cases are about.
func TestSharedCases(t *testing.T) {
	logs, err := filepath.Glob("../../shared/cases/*/logs/*.log")
	if err != nil || len(logs) == 0 {
		t.Skip("the shared cases are not there")
	}
	for _, path := range logs {
		name := strings.TrimPrefix(path, "../../shared/cases/")
		t.Run(name, func(t *testing.T) {
			g := NewGrid(testCatalog(t), GridOptions{Undated: time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC)})
			s := g.Sampler("i", "")
			sampleFile(t, testCatalog(t), s, path, time.Date(2026, 7, 2, 12, 0, 0, 0, time.UTC))
			last := lastValues(s.Batches(0))
			for _, name := range slices.Sorted(maps.Keys(last)) {
				if last[name] != 0 {
					t.Logf("%s %.10g", name, last[name])
				}
			}
			t.Logf("step %v, %+v, facts %+v", g.Step(), s.Stats, s.Facts())
			for series, want := range caseCounts[name] {
				// A progress grows on for a little while after its last line.
				if got := last[series]; got < want || got > want*1.0001 {
					t.Errorf("%s is %v, want %v", series, got, want)
				}
			}
		})
	}
}

// lastValues are the last values of all series, by name and labels.
func lastValues(batches []series.Batch) map[string]float64 {
	last := map[string]float64{}
	for _, b := range batches {
		for _, s := range b.Samples {
			last[seriesName(s.Labels)] = s.Value
		}
	}
	return last
}
