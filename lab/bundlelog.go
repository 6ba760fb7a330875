package lab

import (
	"fmt"
	"time"
)

const (
	trackerLogger    = "com.evento.application.client.correlation.BundleCorrelationTracker"
	dispatcherLogger = "com.evento.application.client.InboundDispatcher"
	supervisorLogger = "com.evento.application.client.ConnectionSupervisor"
	importLogger     = "com.acme.catalog.Import"
)

func (b *bundle) record(e entry) {
	e.at = b.m.agenda.now
	b.log.write(e)
}

// logExpired is the tracker's line about one sweep; byType came with 2.4.0.
func (b *bundle) logExpired(late []*request, pending int) {
	message := fmt.Sprintf("event=bundle_correlation_expired count=%d pending=%d", len(late), pending)
	if b.m.cfg.BusMeters {
		message += " byType=" + byType(late)
	}
	b.record(entry{
		level: b.m.expiryLevel(), thread: "evento-bundle-correlation-cleaner", logger: trackerLogger, message: message,
	})
}

// logHandlerThrew tells that the handler of a write gave up, because a request
// of its own expired.
func (b *bundle) logHandlerThrew(write, nested *request) {
	b.record(entry{
		level: "WARN", thread: "evento-bundle-handler", logger: dispatcherLogger,
		message: fmt.Sprintf("event=handler_threw correlationId=%s payloadType=%s",
			b.m.correlationID(write), write.payload),
		trace: []string{
			"com.evento.transport.RequestTimeoutException: " + b.expiredText(nested),
			"\tat com.evento.application.client.correlation.BundleCorrelationTracker.sweep(BundleCorrelationTracker.java:118)",
		},
	})
}

func (b *bundle) expiredText(r *request) string {
	return fmt.Sprintf("%s: request expired after %dms (timeout=%d)",
		r.payload, (b.m.agenda.now - r.sent).Milliseconds(), r.deadline.Milliseconds())
}

func (b *bundle) logWriteFailed(w *writer, r *request) {
	then := "next product"
	switch {
	case w.retries < b.m.cfg.Retries:
		then = fmt.Sprintf("retry %d of %d", w.retries+1, b.m.cfg.Retries)
	case b.m.cfg.PauseAfterExpiry > 0:
		then = fmt.Sprintf("pausing %d s", b.m.cfg.PauseAfterExpiry/time.Second)
	}
	b.record(entry{
		level: "ERROR", thread: "import-writer-" + itoa(w.number), logger: importLogger,
		message: fmt.Sprintf("product %d failed: %s, %s", w.product, b.expiredText(r), then),
	})
}

func (b *bundle) logRefused(w *writer, limit int) {
	b.record(entry{
		level: "WARN", thread: "import-writer-" + itoa(w.number), logger: importLogger,
		message: fmt.Sprintf("product %d refused: refusing %s: %d requests already in flight (max %d)",
			w.product, AddCommand, b.inFlight.value, limit),
	})
}

func (b *bundle) logProgress() {
	rate := float64(b.completed-b.progress) / progressEvery.Seconds()
	b.progress = b.completed
	b.record(entry{
		level: "INFO", thread: "import-main", logger: importLogger,
		message: fmt.Sprintf("written=%d rate=%.2f/s writers=%d", b.completed, rate, b.m.cfg.Writers),
	})
}
