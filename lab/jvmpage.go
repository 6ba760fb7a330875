package lab

import (
	"math"
	"strconv"
	"time"
)

// What a request costs in memory, and what a young collection frees and takes.
const (
	bytesPerRequest = 1 << 20
	bytesIdle       = 2 << 20 // a second
	youngBytes      = 256 << 20
	youngPause      = 6 * time.Millisecond
	oldBytes        = 400 << 20
	heapMax         = 4 << 30
)

// allocated returns the bytes that the server's work has allocated so far.
func (s *server) allocated() int64 {
	return s.served*bytesPerRequest + int64(s.uptime()/time.Millisecond)*bytesIdle/1000
}

func (s *server) jvmMeters(p *page) {
	const action = `action="end of minor GC",cause="G1 Evacuation Pause",gc="G1 Young Generation"`
	allocated := s.allocated()
	collections := allocated / youngBytes
	var longest float64
	if collections > 0 {
		longest = youngPause.Seconds()
	}
	p.summary("jvm_gc_pause_seconds", "Time spent in GC pause",
		[]span{{action, collections, float64(collections) * youngPause.Seconds(), longest}})
	p.gauge("jvm_gc_overhead", "An approximation of the percent of CPU time used by GC activities over the last "+
		"lookback period or since monitoring began, whichever is shorter, in the range [0..1]", one(s.gcOverhead()))
	p.counter("jvm_gc_memory_allocated_bytes", "Incremented for an increase in the size of the (young) heap memory "+
		"pool after one GC to before the next", one(float64(collections*youngBytes)))
	const eden, old = `area="heap",id="G1 Eden Space"`, `area="heap",id="G1 Old Gen"`
	held := float64(oldBytes + s.exec.queue.len()*bytesPerRequest/16)
	p.gauge("jvm_memory_max_bytes", "The maximum amount of memory in bytes that can be used for memory management",
		[]row{{eden, -1}, {old, heapMax}})
	p.gauge("jvm_memory_used_bytes", "The amount of used memory",
		[]row{{eden, float64(allocated % youngBytes)}, {old, held}})
	s.threadMeters(p)
}

// gcOverhead is the share of time spent in collections since the start.
func (s *server) gcOverhead() float64 {
	up := s.uptime().Seconds()
	if up <= 0 {
		return 0
	}
	share := float64(s.allocated()/youngBytes) * youngPause.Seconds() / up
	return math.Round(share*1e6) / 1e6
}

// Threads of the server that are not of the bus pool, by what they do at rest.
const (
	otherRunnable = 11
	otherWaiting  = 28
	otherTimed    = 20
)

// threadMeters tell what the threads do: one with a nested request works, one
// with a write waits for its handler, at most a deadline; an idle one waits for
// work, at most the keep-alive time.
func (s *server) threadMeters(p *page) {
	busy := int(s.exec.busy.value)
	forPermit := s.fetch.waiters.len() + s.db.free.waiters.len()
	forHandler := min(s.parked, busy)
	running := max(busy-forHandler-forPermit, 0)
	states := map[string]int{
		"runnable":      otherRunnable + running,
		"waiting":       otherWaiting + forPermit,
		"timed-waiting": otherTimed + forHandler + s.exec.size - busy,
	}
	var rows []row
	for _, state := range []string{"blocked", "new", "runnable", "terminated", "timed-waiting", "waiting"} {
		rows = append(rows, row{"state=" + strconv.Quote(state), float64(states[state])})
	}
	all := float64(otherRunnable + otherWaiting + otherTimed + s.exec.size)
	p.gauge("jvm_threads_states_threads", "The current number of threads", rows)
	p.gauge("jvm_threads_live_threads", "The current number of live threads including both daemon and non-daemon threads",
		one(all))
	p.gauge("jvm_threads_daemon_threads", "The current number of live daemon threads", one(all-otherRunnable))
}

func (s *server) processMeters(p *page) {
	now := s.m.agenda.now
	busy := round4(s.cpu.busy(now))
	processMeters(p, s.m.start.Add(s.booted), s.uptime(), busy, int(s.cpu.cores/oneProcessor))
	p.counter("process_cpu_time_ns", "The \"cpu time\" used by the Java Virtual Machine process",
		one(float64(s.cpu.used(now))))
	p.gauge("system_cpu_usage", "The \"recent cpu usage\" of the system the application is running in",
		one(round4(min(1, busy+0.004))))
	p.gauge("system_load_average_1m", "The sum of the number of runnable entities queued to available processors and "+
		"the number of runnable entities running on the available processors averaged over a period of time",
		one(round4(busy*float64(s.cpu.cores/oneProcessor))))
	p.counter("logback_events", "Number of log events that were enabled by the effective log level", levels(s.logged))
	p.gauge("disk_free_bytes", "Usable space for path", []row{{`path="/."`, 61 << 30}})
	p.gauge("disk_total_bytes", "Total space for path", []row{{`path="/."`, 100 << 30}})
}

// processMeters are what every Java process tells of itself.
func processMeters(p *page, started time.Time, uptime time.Duration, busy float64, cores int) {
	p.gauge("process_cpu_usage", "The \"recent cpu usage\" for the Java Virtual Machine process", one(busy))
	p.gauge("process_start_time_seconds", "Start time of the process since unix epoch.",
		one(float64(started.UnixMilli())/1000))
	p.gauge("process_uptime_seconds", "The uptime of the Java virtual machine", one(float64(uptime.Milliseconds())/1000))
	p.gauge("system_cpu_count", "The number of processors available to the Java virtual machine", one(float64(cores)))
}

func round4(v float64) float64 { return math.Round(v*1e4) / 1e4 }
