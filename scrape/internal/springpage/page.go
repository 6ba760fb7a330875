// Package springpage writes metrics pages like those of a Spring Boot server,
// of any size, for tests and measurements. The same arguments give the same
// bytes.
package springpage

import (
	"bytes"
	"fmt"
	"strconv"
)

// Page returns a page of about size bytes, or of the smallest that has every
// family once. Pages of different turns have the same series in the same order
// and other values, as two scrapes of a server have.
func Page(size, turn int) []byte {
	w := writer{turn: turn}
	w.gauges()
	w.pool()
	for uri := 0; uri == 0 || w.out.Len() < size; uri++ {
		w.timer("http_server_requests_seconds", requestLabels(uri), uri == 0)
	}
	return w.out.Bytes()
}

// Names returns names that a diagnosis of such a server asks for. Those of the
// first family with buckets are its count, sum and maximum only.
func Names() []string {
	return []string{
		"executor_active_threads", "executor_pool_max_threads", "executor_queue_remaining_tasks", "executor_queued_tasks",
		"hikaricp_connections", "hikaricp_connections_acquire_seconds_count", "hikaricp_connections_acquire_seconds_sum",
		"hikaricp_connections_active", "hikaricp_connections_idle", "hikaricp_connections_max", "hikaricp_connections_min",
		"hikaricp_connections_pending", "hikaricp_connections_timeout_total", "hikaricp_connections_usage_seconds_count",
		"hikaricp_connections_usage_seconds_sum", "http_server_requests_seconds_count", "http_server_requests_seconds_max",
		"http_server_requests_seconds_sum", "jvm_gc_overhead", "jvm_gc_pause_seconds_count", "jvm_gc_pause_seconds_sum",
		"jvm_memory_max_bytes", "jvm_memory_used_bytes", "jvm_threads_live_threads", "jvm_threads_states_threads",
		"logback_events_total", "process_cpu_time_ns_total", "process_cpu_usage", "process_start_time_seconds",
		"process_uptime_seconds", "system_cpu_count", "system_cpu_usage", "tomcat_threads_busy_threads",
		"tomcat_threads_config_max_threads", "tomcat_threads_current_threads",
		"kafka_consumer_fetch_manager_records_lag", "resilience4j_circuitbreaker_state", "redis_connected_clients",
		"go_goroutines", "container_cpu_cfs_throttled_periods_total", "pg_locks_count", "rabbitmq_queue_messages_ready",
	}
}

// A writer writes one page.
type writer struct {
	out    bytes.Buffer
	turn   int
	values uint64 // how many values were written
}

// value returns the next value, which differs from page to page.
func (w *writer) value() float64 {
	w.values++
	mixed := (w.values*2654435761 + uint64(w.turn)*40503) % 1_000_003
	return float64(mixed) / 7
}

func (w *writer) family(name, kind, help string) {
	fmt.Fprintf(&w.out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
}

// double writes a sample as Java writes a double.
func (w *writer) double(name, labels string) {
	text := strconv.FormatFloat(w.value(), 'g', -1, 64)
	fmt.Fprintf(&w.out, "%s%s %s\n", name, labels, text)
}

// whole writes a sample as Java writes a count.
func (w *writer) whole(name, labels string) {
	fmt.Fprintf(&w.out, "%s%s %d\n", name, labels, int(w.value()))
}

// gauges writes the families of a JVM and its server.
func (w *writer) gauges() {
	for _, g := range []struct{ name, kind, help string }{
		{"application_ready_time_seconds", "gauge", "Time taken for the application to be ready to service requests"},
		{"disk_free_bytes", "gauge", "Usable space for path"},
		{"disk_total_bytes", "gauge", "Total space for path"},
		{"jvm_classes_loaded_classes", "gauge", "The number of classes that are currently loaded in the Java virtual machine"},
		{"jvm_gc_live_data_size_bytes", "gauge", "Size of long-lived heap memory pool after reclamation"},
		{"jvm_gc_overhead", "gauge", "An approximation of the percent of CPU time used by GC activities"},
		{"jvm_threads_daemon_threads", "gauge", "The current number of live daemon threads"},
		{"jvm_threads_live_threads", "gauge", "The current number of live threads including both daemon and non-daemon threads"},
		{"jvm_threads_peak_threads", "gauge", "The peak live thread count since the Java virtual machine started or peak was reset"},
		{"process_cpu_time_ns_total", "counter", "The \"cpu time\" used by the Java Virtual Machine process"},
		{"process_cpu_usage", "gauge", "The \"recent cpu usage\" for the Java Virtual Machine process"},
		{"process_files_open_files", "gauge", "The open file descriptor count"},
		{"process_start_time_seconds", "gauge", "Start time of the process since unix epoch."},
		{"process_uptime_seconds", "gauge", "The uptime of the Java virtual machine"},
		{"system_cpu_count", "gauge", "The number of processors available to the Java virtual machine"},
		{"system_cpu_usage", "gauge", "The \"recent cpu usage\" of the system the application is running in"},
		{"system_load_average_1m", "gauge", "The sum of the number of runnable entities queued to available processors"},
		{"tomcat_sessions_active_current_sessions", "gauge", " "},
		{"tomcat_threads_busy_threads", "gauge", " "},
		{"tomcat_threads_config_max_threads", "gauge", " "},
		{"tomcat_threads_current_threads", "gauge", " "},
	} {
		w.family(g.name, g.kind, g.help)
		w.double(g.name, "")
	}
	w.perLabel("jvm_memory_used_bytes", "gauge", `{area="heap",id="%s"}`, "G1 Survivor Space", "G1 Old Gen", "G1 Eden Space", "Metaspace", "CodeCache")
	w.perLabel("jvm_memory_max_bytes", "gauge", `{area="heap",id="%s"}`, "G1 Survivor Space", "G1 Old Gen", "G1 Eden Space", "Metaspace", "CodeCache")
	w.perLabel("jvm_threads_states_threads", "gauge", `{state="%s"}`, "blocked", "new", "runnable", "terminated", "timed-waiting", "waiting")
	w.perLabel("logback_events_total", "counter", `{level="%s"}`, "debug", "error", "info", "trace", "warn")
	for _, name := range []string{"executor_active_threads", "executor_pool_max_threads", "executor_pool_size_threads", "executor_queue_remaining_tasks", "executor_queued_tasks"} {
		w.perLabel(name, "gauge", `{name="%s"}`, "applicationTaskExecutor", "taskScheduler")
	}
	w.summary("jvm_gc_pause_seconds", `{action="end of minor GC",cause="G1 Evacuation Pause",gc="G1 Young Generation"}`)
}

// pool writes the families of a connection pool.
func (w *writer) pool() {
	const labels = `{pool="HikariPool-1"}`
	for _, name := range []string{"hikaricp_connections", "hikaricp_connections_active", "hikaricp_connections_idle", "hikaricp_connections_max", "hikaricp_connections_min", "hikaricp_connections_pending"} {
		w.family(name, "gauge", "Connections of the pool")
		w.double(name, labels)
	}
	w.family("hikaricp_connections_timeout_total", "counter", "Connection timeout total count")
	w.double("hikaricp_connections_timeout_total", labels)
	for _, name := range []string{"hikaricp_connections_acquire_seconds", "hikaricp_connections_creation_seconds", "hikaricp_connections_usage_seconds"} {
		w.summary(name, labels)
	}
}

func (w *writer) perLabel(name, kind, labels string, values ...string) {
	w.family(name, kind, "One of "+name)
	for _, v := range values {
		w.double(name, fmt.Sprintf(labels, v))
	}
}

// summary writes a timer without buckets.
func (w *writer) summary(name, labels string) {
	w.family(name, "summary", "Time spent")
	w.whole(name+"_count", labels)
	w.double(name+"_sum", labels)
	w.family(name+"_max", "gauge", "Time spent")
	w.double(name+"_max", labels)
}

// requestLabels are those of one route of an HTTP server, without braces.
func requestLabels(uri int) string {
	method := []string{"GET", "POST", "PUT", "DELETE"}[uri%4]
	return fmt.Sprintf(`error="none",exception="none",method="%s",outcome="SUCCESS",status="200",uri="/api/v1/catalog/products/{productId}/offers/%d"`, method, uri)
}

// timer writes a timer with the buckets that Micrometer publishes between 1 ms
// and 30 s.
func (w *writer) timer(name, labels string, first bool) {
	if first {
		w.family(name, "histogram", " ")
	}
	for le := 0.001; le < 30; le *= 1.33 {
		w.whole(name+"_bucket", fmt.Sprintf(`{%s,le="%s"}`, labels, strconv.FormatFloat(le, 'g', -1, 64)))
	}
	w.whole(name+"_bucket", fmt.Sprintf(`{%s,le="+Inf"}`, labels))
	w.whole(name+"_count", "{"+labels+"}")
	w.double(name+"_sum", "{"+labels+"}")
	if first {
		w.family(name+"_max", "gauge", " ")
		w.double(name+"_max", "{"+labels+"}")
	}
}
