package lab

import "time"

// A Spring Boot program with a HikariCP pool, by Micrometer's names.
const (
	stockTarget = "stock"
	stockPool   = "StockPool"
)

// Targets lists the program.
func (p *Pool) Targets() []Target { return []Target{{stockTarget, actuatorPath}} }

// LogNames lists the program's log.
func (p *Pool) LogNames() []string { return []string{stockTarget} }

// Logs returns the lines that the log has got since the last call.
func (p *Pool) Logs(name string) []LogLine { return p.springLog(&p.log, p.LogNames(), name) }

// Pages returns the page as it would be read now.
func (p *Pool) Pages() map[string][]byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	return map[string][]byte{stockTarget: p.page()}
}

// scrape runs to t and reads the page.
func (p *Pool) scrape(_ string, t time.Time) []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.agenda.runTo(t.Sub(p.start))
	return p.page()
}

// logTimeout is what HikariCP throws when no connection came free in time.
func (p *Pool) logTimeout() {
	p.log.write(entry{at: p.agenda.now, level: "ERROR", thread: "http-nio-8080-exec-" + itoa(int(p.timeouts%200)+1),
		logger: "o.h.engine.jdbc.spi.SqlExceptionHelper",
		message: stockPool + " - Connection is not available, request timed out after " + itoa(int(p.cfg.Wait.Milliseconds())) +
			"ms (total=" + itoa(p.open) + ", active=" + itoa(int(p.busy.value)) + ", idle=" + itoa(p.idle) + ", waiting=" + itoa(int(p.waiting.value)) + ")"})
}

// usedCPU is the share of four cores that a request a second takes.
const usedCPU = 0.001

func (p *Pool) page() []byte {
	now := p.agenda.now
	page := &page{}
	rate := 0.0
	if now > 0 {
		rate = float64(p.uses) / now.Seconds()
	}
	processMeters(page, p.start.Add(-aged), now+aged, round4(0.01+usedCPU*rate), 4)
	const action = `action="end of minor GC",cause="G1 Evacuation Pause",gc="G1 Young Generation"`
	collections := int64(p.before()+float64(p.uses)) / 400
	page.summary("jvm_gc_pause_seconds", "Time spent in GC pause",
		[]span{{action, collections, float64(collections) * youngPause.Seconds(), youngPause.Seconds()}})
	page.gauge("jvm_memory_max_bytes", "The maximum amount of memory in bytes that can be used for memory management", []row{{`area="heap",id="G1 Old Gen"`, heapMax}})
	page.gauge("jvm_memory_used_bytes", "The amount of used memory", []row{{`area="heap",id="G1 Old Gen"`, oldBytes}})
	const pool = `pool="` + stockPool + `"`
	for _, g := range []struct {
		name, help string
		v          int
	}{
		{"hikaricp_connections", "Total connections", p.open},
		{"hikaricp_connections_max", "Max connections", p.cfg.Max},
		{"hikaricp_connections_min", "Min connections", p.cfg.Max},
		{"hikaricp_connections_active", "Active connections", int(p.busy.value)},
		{"hikaricp_connections_idle", "Idle connections", p.idle},
		{"hikaricp_connections_pending", "Pending threads", int(p.waiting.value)},
	} {
		page.gauge(g.name, g.help, []row{{pool, float64(g.v)}})
	}
	page.counter("hikaricp_connections_timeout", "Connection timeout total count", []row{{pool, float64(p.timeouts)}})
	page.summary("hikaricp_connections_usage_seconds", "Connection usage time",
		[]span{{pool, int64(p.before()) + p.uses, p.before()*p.cfg.Hold.Seconds() + p.held.Seconds(), p.cfg.Hold.Seconds()}})
	page.summary("hikaricp_connections_creation_seconds", "Connection creation time",
		[]span{{pool, int64(p.cfg.Max) + p.logins, float64(p.cfg.Max)*p.cfg.Login.Seconds() + p.loggedIn.Seconds(), max(p.cfg.Login, p.cfg.SlowLogin).Seconds()}})
	return page.bytes()
}
