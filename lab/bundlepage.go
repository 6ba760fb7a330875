package lab

// The bundle's own process: what a write and being there cost it.
const (
	bundleCores    = 4
	bundleIdleCPU  = 0.012 // processors
	bundleWriteCPU = 0.011 // seconds a write
)

// page writes the bundle's page. Its meters are the importer's own, and those of
// Resilience4j where it sends again: the framework registers none in a bundle.
func (b *bundle) page() []byte {
	p := &page{}
	now := b.m.agenda.now
	ok, timeout := b.m.server.spans(`outcome="ok"`, &b.okTime), b.m.server.spans(`outcome="timeout"`, &b.lateTime)
	p.summary("catalog_import_call_seconds", "Import calls as the writer sees them", append(ok, timeout...))
	p.gauge("catalog_import_calls_in_flight", "Import calls that wait for an answer", one(float64(b.inFlight.value)))
	p.counter("catalog_import_calls_refused", "Import calls refused before they were sent", one(float64(b.refused)))
	p.counter("catalog_import_calls_retried", "Import calls sent again after a timeout", one(float64(b.retried)))
	p.gauge("catalog_import_writers", "Concurrent import writers", one(float64(b.m.cfg.Writers)))
	p.counter("catalog_products_written", "Products the aggregate has written", one(float64(b.written)))
	if b.m.cfg.Retries > 0 {
		b.retryMeters(p)
	}
	busy := round4((bundleIdleCPU + bundleWriteCPU*b.recent.rate(now, b.completed)*1e9) / bundleCores)
	processMeters(p, b.m.start, now, busy, bundleCores)
	return p.bytes()
}

func (b *bundle) retryMeters(p *page) {
	c := b.retries
	p.counter("resilience4j_retry_calls", "The number of calls, by how they ended", []row{
		{`kind="failed_with_retry",name="import"`, float64(c.failedRetried)},
		{`kind="failed_without_retry",name="import"`, float64(c.failed)},
		{`kind="successful_with_retry",name="import"`, float64(c.okRetried)},
		{`kind="successful_without_retry",name="import"`, float64(c.ok)},
	})
}
