package lab

import (
	"fmt"
	"math"
	"time"
)

// A front is the program that a Service is: what its pages and logs are called.
type front struct {
	targets []Target
	logs    []string
	page    func(s *Service, target string) []byte
	begin   func(*Service) // what it does by itself from the start on
}

func nothing(*Service) {}

// aged is how long a front's process was up when the model started, and how many
// calls it had served, so that its counters do not begin with the case.
const aged = 26 * time.Hour

// before is what a counter of calls stood at when the model started: the
// ordinary load since the process began.
func (s *Service) before() float64 { return math.Floor(s.cfg.Rate * aged.Seconds()) }

// begun is when the process started.
func (s *Service) begun() time.Time { return s.start.Add(-aged) }

func (s *Service) uptime() time.Duration { return s.agenda.now + aged }

// springLayout is the console pattern of Spring Boot.
func springLayout(at time.Time, e *entry) string {
	return fmt.Sprintf("%s.%03dZ %5s 1 --- [%15.15s] %-40s : ",
		at.Format("2006-01-02T15:04:05"), at.Nanosecond()/1e6, e.level, e.thread, e.logger)
}

// springMeters are what a Spring Boot program shows beside its own pools.
func (s *Service) springMeters(p *page) {
	processMeters(p, s.begun(), s.uptime(), round4(s.cpuBusy()), s.cfg.Cores)
	p.counter("process_cpu_time_ns", "The \"cpu time\" used by the Java Virtual Machine process", one(float64(s.cpuUsed())))
	const action = `action="end of minor GC",cause="G1 Evacuation Pause",gc="G1 Young Generation"`
	allocated := int64(s.before()) + s.counts.Served
	collections := allocated * callBytes / youngBytes
	p.summary("jvm_gc_pause_seconds", "Time spent in GC pause",
		[]span{{action, collections, float64(collections) * youngPause.Seconds(), youngPause.Seconds()}})
	const eden, old = `area="heap",id="G1 Eden Space"`, `area="heap",id="G1 Old Gen"`
	p.gauge("jvm_memory_max_bytes", "The maximum amount of memory in bytes that can be used for memory management",
		[]row{{eden, -1}, {old, heapMax}})
	p.gauge("jvm_memory_used_bytes", "The amount of used memory",
		[]row{{eden, float64(allocated * callBytes % youngBytes)}, {old, float64(oldBytes + s.exec.queue.len()*queuedBytes)}})
	p.gauge("jvm_threads_live_threads", "The current number of live threads including both daemon and non-daemon threads",
		one(float64(otherRunnable+otherWaiting+s.exec.size)))
	p.gauge("disk_free_bytes", "Usable space for path", []row{{`path="/."`, 61 << 30}})
	p.gauge("disk_total_bytes", "Total space for path", []row{{`path="/."`, 100 << 30}})
	idle := connectionPool - min(connectionPool, int(s.exec.busy.value))
	const pool = `pool="HikariPool-1"`
	for _, g := range []struct {
		name, help string
		v          float64
	}{
		{"hikaricp_connections", "Total connections", connectionPool},
		{"hikaricp_connections_max", "Max connections", connectionPool},
		{"hikaricp_connections_min", "Min connections", connectionPool},
		{"hikaricp_connections_active", "Active connections", float64(connectionPool - idle)},
		{"hikaricp_connections_idle", "Idle connections", float64(idle)},
		{"hikaricp_connections_pending", "Pending threads", 0},
	} {
		p.gauge(g.name, g.help, []row{{pool, g.v}})
	}
	p.counter("hikaricp_connections_timeout", "Connection timeout total count", []row{{pool, 0}})
	p.summary("hikaricp_connections_usage_seconds", "Connection usage time",
		[]span{{pool, allocated, s.before()*s.cfg.Time.Seconds() + s.counts.HeldSeconds, s.cfg.Time.Seconds()}})
}

// What a call of a Spring program costs in memory, one in the queue too, and
// how many connections to its database the program has.
const (
	callBytes      = 1 << 20
	queuedBytes    = 8 << 10
	connectionPool = 20
)
