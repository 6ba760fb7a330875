package lab

import (
	"strconv"
	"time"
)

// page writes the server's own actuator page as it would be now.
func (s *server) page() []byte {
	p := &page{}
	s.eventoMeters(p)
	if s.m.cfg.BusMeters {
		s.consumerMeters(p)
	}
	s.databaseMeters(p)
	s.schedulerMeters(p)
	s.jvmMeters(p)
	s.processMeters(p)
	s.httpMeters(p)
	return p.bytes()
}

func (s *server) eventoMeters(p *page) {
	p.gauge("evento_server_connections", "", one(s.connections()))
	p.gauge("evento_server_connections_available", "", one(s.connections()))
	p.gauge("evento_server_correlations_pending", "", one(float64(s.answers.open)))
	p.gauge("evento_server_forwarding_table_size", "", one(float64(s.relays.open)))
	p.counter("evento_server_forwarded", "", []row{
		{`path="raw"`, float64(s.relays.forwarded)},
		{`path="reencoded"`, 0},
	})
	if !s.m.cfg.BusMeters {
		return
	}
	p.gauge("evento_server_bus_executor_pool_size", "", one(float64(s.exec.size)))
	p.gauge("evento_server_bus_executor_max", "", one(float64(s.exec.max)))
	p.gauge("evento_server_bus_executor_active", "", one(float64(s.exec.submitted)))
	p.gauge("evento_server_bus_executor_queue_depth", "", one(float64(s.exec.queue.len())))
	p.counter("evento_server_bus_executor_saturated", "", one(float64(s.exec.saturated)))
}

// connections are the importer's and those of the bundles with the handlers of
// commands and of queries; none before they have connected.
func (s *server) connections() float64 {
	if s.uptime() < startup {
		return 0
	}
	return float64(len(s.importers) + 2)
}

func (s *server) consumerMeters(p *page) {
	const labels = `bundle="catalog-query",executor="read-model",instance="catalog-query-1"`
	stats := s.m.bundle.stats
	p.gauge("evento_consumer_executor_capacity", "", []row{{labels, 32}})
	p.gauge("evento_consumer_executor_in_flight", "", []row{{labels, float64(stats.admitted - stats.completed)}})
	p.counter("evento_consumer_executor_admitted", "", []row{{labels, float64(stats.admitted)}})
	p.counter("evento_consumer_executor_completed", "", []row{{labels, float64(stats.completed)}})
	p.counter("evento_consumer_executor_failed", "", []row{{labels, 0}})
	p.counter("evento_consumer_executor_rejected", "", []row{{labels, 0}})
}

func (s *server) databaseMeters(p *page) {
	const pool, source = `pool="HikariPool-1"`, `name="dataSource"`
	total, active := float64(s.db.total), float64(s.db.pinned+s.db.free.used)
	p.gauge("hikaricp_connections", "Total connections", []row{{pool, total}})
	p.gauge("hikaricp_connections_active", "Active connections", []row{{pool, active}})
	p.gauge("hikaricp_connections_idle", "Idle connections", []row{{pool, total - active}})
	p.gauge("hikaricp_connections_max", "Max connections", []row{{pool, total}})
	p.gauge("hikaricp_connections_min", "Min connections", []row{{pool, total}})
	p.gauge("hikaricp_connections_pending", "Pending threads", []row{{pool, float64(s.db.free.waiters.len())}})
	p.counter("hikaricp_connections_timeout", "Connection timeout total count", []row{{pool, 0}})
	p.summary("hikaricp_connections_acquire_seconds", "Connection acquire time", s.spans(pool, &s.db.acquire))
	p.summary("hikaricp_connections_usage_seconds", "Connection usage time", s.spans(pool, &s.db.usage))
	p.gauge("jdbc_connections_active", "Current number of active connections that have been allocated from "+
		"the data source.", []row{{source, active}})
	p.gauge("jdbc_connections_idle", "Number of established but idle connections.", []row{{source, total - active}})
	p.gauge("jdbc_connections_max", "Maximum number of active connections that can be allocated at the same time.",
		[]row{{source, total}})
	p.gauge("jdbc_connections_min", "Minimum number of idle connections in the pool.", []row{{source, total}})
}

func (s *server) spans(labels string, t *timer) []span {
	return []span{{labels, t.count, t.sum.Seconds(), time.Duration(t.max.value(s.m.agenda.now)).Seconds()}}
}

// schedulerMeters are those of Spring's own scheduler. They look like a pool of
// requests and are none.
func (s *server) schedulerMeters(p *page) {
	const name = `name="taskScheduler"`
	ticks := float64(s.uptime() / time.Second)
	p.gauge("executor_active_threads", "The approximate number of threads that are actively executing tasks",
		[]row{{name, 0}})
	p.counter("executor_completed_tasks", "The approximate total number of tasks that have completed execution",
		[]row{{name, ticks}})
	p.gauge("executor_pool_core_threads", "The core number of threads for the pool", []row{{name, 1}})
	p.gauge("executor_pool_max_threads", "The maximum allowed number of threads in the pool", []row{{name, 2147483647}})
	p.gauge("executor_pool_size_threads", "The current number of threads in the pool", []row{{name, 1}})
	p.gauge("executor_queue_remaining_tasks", "The number of additional elements that this queue can ideally accept "+
		"without blocking", []row{{name, 2147483647}})
	p.gauge("executor_queued_tasks", "The approximate number of tasks that are queued for execution", []row{{name, 2}})
}

func (s *server) httpMeters(p *page) {
	const labels = `error="none",exception="none",method="GET",outcome="SUCCESS",status="200",uri="/actuator/prometheus"`
	if s.scrapes.count > 0 {
		p.summary("http_server_requests_seconds", "", s.spans(labels, &s.scrapes))
	}
}

func (s *server) uptime() time.Duration { return s.m.agenda.now - s.booted }

func levels(written map[string]int64) []row {
	var rows []row
	for _, l := range []struct{ label, level string }{
		{"debug", "DEBUG"}, {"error", "ERROR"}, {"info", "INFO"}, {"trace", "TRACE"}, {"warn", "WARN"},
	} {
		rows = append(rows, row{"level=" + strconv.Quote(l.label), float64(written[l.level])})
	}
	return rows
}
