package lab

import (
	"fmt"
	"time"
)

// The Spring Boot programs: one that hands calls to an executor of its own, and
// one that guards them by a Resilience4j bulkhead with threads.
const (
	springTarget = "orders"
	executorName = `name="orderExecutor"`
	bulkheadName = `name="pricing"`
	noCapacity   = 1<<31 - 1 // of a LinkedBlockingQueue without a bound
)

// executorFront shows a java.util.concurrent executor bound by Micrometer, and
// the log of a HikariCP pool.
func executorFront() front {
	return front{
		targets: []Target{{springTarget, actuatorPath}}, logs: []string{springTarget},
		page: executorPage, begin: (*Service).keepHouse,
	}
}

func executorPage(s *Service, _ string) []byte {
	p := &page{}
	s.springMeters(p)
	gauge := func(name, help string, v int) { p.gauge(name, help, []row{{executorName, float64(v)}}) }
	gauge("executor_active_threads", "The approximate number of threads that are actively executing tasks", int(s.exec.busy.value))
	gauge("executor_pool_core_threads", "The core number of threads for the pool", s.exec.core)
	gauge("executor_pool_max_threads", "The maximum allowed number of threads in the pool", s.exec.max)
	gauge("executor_pool_size_threads", "The current number of threads in the pool", s.exec.size)
	gauge("executor_queued_tasks", "The approximate number of tasks that are queued for execution", s.exec.queue.len())
	gauge("executor_queue_remaining_tasks", "The number of additional elements that this queue can ideally accept without blocking",
		s.exec.capacity-s.exec.queue.len())
	p.counter("executor_completed_tasks", "The approximate total number of tasks that have completed execution",
		[]row{{executorName, s.before() + float64(s.counts.Served) - float64(s.exec.busy.value)}})
	return p.bytes()
}

// houseEvery is how often HikariCP looks after its pool, and houseLate how late
// it must be to say that the clock leapt or the thread starved.
const (
	houseEvery = 30 * time.Second
	houseLate  = houseEvery * 3 / 2
)

// keepHouse is HikariCP's housekeeper.
func (s *Service) keepHouse() {
	s.log.write(entry{at: 0, level: "INFO", thread: "main", logger: "com.zaxxer.hikari.HikariDataSource", message: "HikariPool-1 - Start completed."})
	s.houseAfter(s.agenda.now)
}

func (s *Service) houseAfter(last time.Duration) {
	s.inside(houseEvery, func() {
		now := s.agenda.now
		if late := now - last; late > houseLate {
			s.log.write(entry{at: now, level: "WARN", thread: "HikariPool-1:housekeeper", logger: "com.zaxxer.hikari.pool.HikariPool",
				message: "HikariPool-1 - Thread starvation or clock leap detected (housekeeper delta=" + hikariTime(late) + ")."})
		}
		busy := min(connectionPool, int(s.exec.busy.value))
		s.log.write(entry{at: now, level: "DEBUG", thread: "HikariPool-1:housekeeper", logger: "com.zaxxer.hikari.pool.HikariPool",
			message: fmt.Sprintf("HikariPool-1 - Pool stats (total=%d, active=%d, idle=%d, waiting=0)", connectionPool, busy, connectionPool-busy)})
		s.houseAfter(now)
	})
}

// hikariTime writes a duration as HikariCP does: 1m47s213ms.
func hikariTime(d time.Duration) string {
	text := ""
	for _, part := range []struct {
		of   time.Duration
		name string
	}{{24 * time.Hour, "d"}, {time.Hour, "h"}, {time.Minute, "m"}, {time.Second, "s"}, {time.Millisecond, "ms"}, {time.Microsecond, "\u00b5s"}, {1, "ns"}} {
		if n := d / part.of; n > 0 {
			text += itoa(int(n)) + part.name
			d -= n * part.of
		}
	}
	return text
}

// bulkheadFront shows a Resilience4j thread pool bulkhead and the HTTP requests
// that go through it.
func bulkheadFront() front {
	return front{targets: []Target{{springTarget, actuatorPath}}, page: bulkheadPage, begin: nothing}
}

func bulkheadPage(s *Service, _ string) []byte {
	p := &page{}
	s.springMeters(p)
	gauge := func(name, help string, v int) {
		p.gauge("resilience4j_bulkhead_"+name, help, []row{{bulkheadName, float64(v)}})
	}
	busy := int(s.exec.busy.value)
	gauge("active_thread_count", "The number of active threads", busy)
	gauge("available_thread_count", "The number of available threads", s.exec.max-busy)
	gauge("core_thread_pool_size", "The core thread pool size", s.exec.core)
	gauge("max_thread_pool_size", "The maximum thread pool size", s.exec.max)
	gauge("queue_capacity", "The queue capacity", s.exec.capacity)
	gauge("queue_depth", "The queue depth", s.exec.queue.len())
	gauge("thread_pool_size", "The thread pool size", s.exec.size)
	var spans []span
	for _, a := range []struct {
		how            visitEnd
		before         float64
		exception, end string
		status         string
	}{
		{visitAnswered, s.before(), "none", "SUCCESS", "200"},
		{visitRefused, 0, "BulkheadFullException", "SERVER_ERROR", "503"},
		{visitExpired, 0, "TimeoutException", "SERVER_ERROR", "504"},
	} {
		t := &s.proxy.ends[a.how]
		if n := int64(a.before) + t.count; n > 0 {
			spans = append(spans, span{`error="` + a.exception + `",exception="` + a.exception + `",method="GET",outcome="` + a.end +
				`",status="` + a.status + `",uri="/prices/{sku}"`, n, a.before*s.cfg.Time.Seconds() + t.sum.Seconds(),
				time.Duration(t.max.value(s.agenda.now)).Seconds()})
		}
	}
	p.summary("http_server_requests_seconds", "Duration of HTTP server request handling", spans)
	return p.bytes()
}
