package lab

import (
	"strconv"
	"strings"
	"time"
)

// Targets lists the first server and the backend.
func (d *Domain) Targets() []Target {
	return []Target{{BusTarget, "/wls-exporter/metrics"}, {BackendTarget, "/metrics"}}
}

// Pages returns the pages of the first server and of the backend.
func (d *Domain) Pages() map[string][]byte {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.pages()
}

func (d *Domain) pages() map[string][]byte {
	return map[string][]byte{BusTarget: d.busPage(), BackendTarget: d.backendPage()}
}

// scrape runs to t and reads one page.
func (d *Domain) scrape(target string, t time.Time) []byte {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.agenda.runTo(t.Sub(d.start))
	body := d.pages()[target]
	if target == BusTarget {
		d.scrapes++
	}
	return body
}

// What a server has beside the calls.
const (
	busThreads   = 28 // that exist
	busStandby   = 5
	busOwn       = 3 // that work for the server itself
	requestsCall = 2 // requests that a call makes of a server: the message and its answer
	busBegun     = 4e6
)

// busPage writes the page of the WebLogic Monitoring Exporter: snake case, no
// HELP and no TYPE lines.
func (d *Domain) busPage() []byte {
	var out strings.Builder
	row := func(name, labels string, v float64) {
		out.WriteString(name + `{location="` + BusTarget + `"` + labels + "} " + strconv.FormatFloat(v, 'f', -1, 64) + "\n")
	}
	s, now := d.servers[0], d.agenda.now
	perSecond := s.recent.rate(now, s.done) * 1e9
	const pool, jvm, source = `,name="ThreadPoolRuntime"`, `,name="osb1"`, `,name="jdbc/SOADataSource"`
	const manager, system = `,app="stock",name="default"`, `,app="stock",name="weblogic.kernel.System"`
	completed := float64(s.done*requestsCall + s.refuse + d.scrapes)
	row("wls_server_open_sockets_current_count", "", float64(40+s.inUse))
	row("wls_server_state_val", "", 2)
	row("wls_server_overallhealth_state", "", 0)
	row("wls_threadpool_execute_thread_total_count", pool, busThreads)
	row("wls_threadpool_execute_thread_idle_count", pool, busThreads-busStandby-busOwn)
	row("wls_threadpool_standby_thread_count", pool, busStandby)
	row("wls_threadpool_hogging_thread_count", pool, 0)
	row("wls_threadpool_stuck_thread_count", pool, 0)
	row("wls_threadpool_queue_length", pool, 0)
	row("wls_threadpool_pending_user_request_count", pool, 0)
	row("wls_threadpool_shared_capacity_for_work_managers", pool, 65536)
	row("wls_threadpool_overload_rejected_requests_count", pool, 0)
	row("wls_threadpool_completed_request_count", pool, busBegun+completed)
	row("wls_threadpool_throughput", pool, round4(perSecond*requestsCall))
	row("wls_jvm_process_cpu_load", jvm, round4(0.02+0.002*perSecond))
	row("wls_jvm_heap_free_percent", jvm, float64(45+int(now/healthEvery)%5))
	row("wls_jvm_heap_size_current", jvm, 2<<30)
	row("wls_jvm_uptime", jvm, float64((now + time.Hour).Milliseconds()))
	row("wls_workmanager_pending_requests", manager, 0)
	row("wls_workmanager_completed_requests", manager, busBegun*0.9+completed)
	row("wls_workmanager_stuck_thread_count", manager, 0)
	row("wls_workmanager_pending_requests", system, 0)
	row("wls_workmanager_completed_requests", system, 2200+float64(now/time.Minute))
	row("wls_datasource_active_connections_current_count", source, 1)
	row("wls_datasource_curr_capacity", source, 12)
	row("wls_datasource_num_available", source, 11)
	row("wls_datasource_waiting_for_connection_current_count", source, 0)
	out.WriteString(`wls_scrape_mbeans_count_total{instance="osb1:8011"} 27` + "\n")
	out.WriteString(`exporter_version{instance="osb1:8011",version="2.2.3"} 1` + "\n")
	return []byte(out.String())
}

// What the backend is.
const (
	backendThreads = 200
	backendIdle    = 20 // threads kept besides those at work
	backendCPU     = 0.03
	backendBegun   = 2e6
)

// backendPage writes the page of a Tomcat read through jmx_exporter.
func (d *Domain) backendPage() []byte {
	const labels = `port="8080",protocol="http-nio"`
	p := &page{}
	untyped := func(name, attribute string, v float64) {
		p.add(name, "untyped", "Catalina:"+attribute, "", []row{{labels, v}})
	}
	b, up := &d.backend, d.agenda.now+time.Hour
	busy := float64(b.inUse)
	untyped("tomcat_threadpool_maxthreads", "type=ThreadPool,attribute=maxThreads", backendThreads)
	untyped("tomcat_threadpool_currentthreadcount", "type=ThreadPool,attribute=currentThreadCount", float64(b.most+backendIdle))
	untyped("tomcat_threadpool_currentthreadsbusy", "type=ThreadPool,attribute=currentThreadsBusy", busy)
	untyped("tomcat_threadpool_connectioncount", "type=ThreadPool,attribute=connectionCount", busy+3)
	untyped("tomcat_threadpool_acceptcount", "type=ThreadPool,attribute=acceptCount", 100)
	p.counter("tomcat_requestcount", "Tomcat global requestCount", []row{{labels, backendBegun + float64(b.done)}})
	p.counter("tomcat_errorcount", "Tomcat global errorCount", []row{{labels, 3}})
	p.counter("tomcat_processingtime", "Tomcat global processingTime", []row{{labels, backendBegun*400 + float64(b.took.Milliseconds())}})
	load := min(0.95, backendCPU*b.load.rate(d.agenda.now, b.calls.integral(d.agenda.now)))
	p.add("java_lang_operatingsystem_processcpuload", "untyped", "java.lang:type=OperatingSystem,attribute=ProcessCpuLoad", "", one(round4(load)))
	p.add("java_lang_operatingsystem_availableprocessors", "untyped", "java.lang:type=OperatingSystem,attribute=AvailableProcessors", "", one(4))
	p.gauge("jvm_memory_bytes_used", "Used bytes of a given JVM memory area.", []row{{`area="heap"`, 800 << 20}})
	p.gauge("jvm_memory_bytes_max", "Max (bytes) of a given JVM memory area.", []row{{`area="heap"`, 2 << 30}})
	p.gauge("jvm_threads_current", "Current thread count of a JVM", one(float64(b.most+backendIdle+31)))
	p.gauge("process_start_time_seconds", "Start time of the process since unix epoch in seconds.",
		one(float64(d.start.Add(d.agenda.now-up).Unix())))
	return p.bytes()
}
