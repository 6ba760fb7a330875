package lab

import (
	"fmt"
	"time"
)

// The messages of this file are the templates of Evento 2.4.5's own logging
// statements.

func (s *server) logf(level, thread, logger, format string, args ...any) {
	s.record(entry{level: level, thread: thread, logger: logger, message: fmt.Sprintf(format, args...)})
}

func (s *server) record(e entry) {
	e.at = s.m.agenda.now
	s.m.serverLog.write(e)
	s.logged[e.level]++
}

func (s *server) logStart() {
	c := &s.m.cfg
	s.logf("INFO", "main", "BusConfiguration",
		"event=bus_business_executor_configured core=%d max=%d queue=%d keepAliveMs=%d",
		c.Core, c.Max, c.Queue, c.KeepAlive.Milliseconds())
	s.logf("WARN", "main", "BusConfiguration", "event=bus_auth_disabled detail=\"evento.server.bus.auth-token "+
		"not set; any bundle may register. Set a token to require authentication.\"")
	s.logf("INFO", "main", "NettyServerTransport", "event=server_started port=3030")
	s.logf("INFO", "main", "BusConfiguration", "event=bus_started port=3030 server_instance=server-0")
	s.logf("INFO", "main", "EventStoreRequestHandlerBridge",
		"EventFetchRequest concurrency limit: %d max-age: %dms", c.FetchConcurrency, c.FetchMaxAge.Milliseconds())
}

func (s *server) logConnected() {
	for _, b := range []struct {
		name     string
		handlers int
	}{{"catalog-import", 0}, {"catalog-query", 12}, {"catalog-command", 31}} {
		s.logf("INFO", s.bundleIO.name, "HandshakeHandler",
			"event=handshake_accepted bundle=%s instance=%s-1 version=7 caps=[dedup, chunk]", b.name, b.name)
		s.logf("INFO", s.bundleIO.name, "ClusterRegistry",
			"event=handlers_registered node=%s-1 count=%d", b.name, b.handlers)
	}
}

func (s *server) logStop() {
	s.logf("INFO", "SpringApplicationShutdownHook", "BusLifecycle", "event=lifecycle_stopping deadline_ms=30000")
	if s.answers.open > 0 {
		s.logf("WARN", "SpringApplicationShutdownHook", "CorrelationStore",
			"event=shutdown_force_cancel remaining=%d", s.answers.open)
	}
	s.logf("INFO", "SpringApplicationShutdownHook", "NettyServerTransport", "event=server_stopped")
	s.logf("INFO", "SpringApplicationShutdownHook", "BusLifecycle", "event=lifecycle_stopped")
}

// timeoutTrace is what a handler's future throws when its time is over.
func timeoutTrace() []string {
	return []string{
		"java.util.concurrent.TimeoutException: null",
		"\tat java.base/java.util.concurrent.CompletableFuture.timedGet(CompletableFuture.java:1981)",
		"\tat com.evento.server.es.CommandBrokerHandler.handle(CommandBrokerHandler.java:171)",
	}
}

func tooOldTrace(age, limit time.Duration) []string {
	return []string{
		fmt.Sprintf("java.lang.IllegalStateException: EventFetchRequest expired: age=%dms > max=%dms; "+
			"the requester has given up", age.Milliseconds(), limit.Milliseconds()),
		"\tat com.evento.server.es.EventStoreRequestHandlerBridge.fetch(EventStoreRequestHandlerBridge.java:96)",
	}
}

func (s *server) logHandlerThrew(thread string, r *request, trace []string) {
	s.record(entry{
		level: "WARN", thread: thread, logger: "BusLifecycle", trace: trace,
		message: fmt.Sprintf("event=local_handler_threw payloadType=%s correlationId=%s",
			r.payload, s.m.correlationID(r)),
	})
}

func (s *server) logCorrelationsExpired(count, pending int) {
	s.logf(s.m.expiryLevel(), "evento-correlation-cleaner", "CorrelationStore",
		"event=correlations_expired count=%d pending=%d", count, pending)
}

func (s *server) logRelaysPruned(count, remaining int) {
	s.logf("INFO", "bus-maintenance", "ForwardingTable",
		"event=forwarding_table_pruned count=%d remaining=%d", count, remaining)
}

// saturationWarnEvery is business-executor-saturation-warn-interval.
const saturationWarnEvery = 10 * time.Second

// warnSaturated tells that thread had to run a task itself, at most once in an
// interval; servers before 2.4.0 say nothing.
func (s *server) warnSaturated(thread string) {
	now := s.m.agenda.now
	if !s.m.cfg.BusMeters || s.warned && now-s.warnedAt < saturationWarnEvery {
		return
	}
	s.warned, s.warnedAt = true, now
	e := s.exec
	s.logf("WARN", thread, "BusBusinessExecutor",
		"event=bus_business_executor_saturated total=%d poolSize=%d max=%d queueDepth=%d submitted=%d "+
			"hint=incoming request rate exceeds capacity; raise evento.server.bus.business-executor-max-size "+
			"or reduce client concurrency", e.saturated, e.size, e.max, e.queue.len(), e.submitted)
}

// expiryLevel is the level of a line about expired requests: it was INFO before
// 2.4.0.
func (m *Model) expiryLevel() string {
	if m.cfg.BusMeters {
		return "WARN"
	}
	return "INFO"
}
