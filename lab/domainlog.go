package lab

import (
	"fmt"
	"time"
)

// healthEvery is how often a server logs how much memory it has free.
const healthEvery = time.Minute

// busLayout is the head of a WebLogic server log line. The level holds severity
// and subsystem, the logger the message id.
func busLayout(at time.Time, e *entry) string {
	return fmt.Sprintf("####<%s> %s <app-1> <%s> <[ACTIVE] ExecuteThread: '%s' for queue: 'weblogic.kernel.Default (self-tuning)'> "+
		"<<WLS Kernel>> <> <> <%d> <%s> ", at.Format("Jan 2, 2006 3:04:05 PM MST"), e.level, BusTarget, e.thread, at.UnixMilli(), e.logger)
}

// record writes a line of the first server.
func (d *Domain) record(severity, subsystem, id, text string) {
	thread := itoa(3 + int(d.agenda.now/time.Second)%12)
	d.log.write(entry{at: d.agenda.now, level: "<" + severity + "> <" + subsystem + ">", thread: thread, logger: id,
		message: "<" + text + "> "})
}

func (d *Domain) logSettings() {
	c := d.cfg
	d.record("Info", "ALSB Logging", "BEA-000000", fmt.Sprintf(" [ThrottlingSettings, startup, request-pipeline, REQUEST] business service %s: "+
		"throttling enabled, maximum concurrency %d, throttling queue %d, message expiration %d ms",
		c.Service, c.Throttle, c.Queue, c.Expiration.Milliseconds()))
}

func (d *Domain) logJoined(n int) {
	d.record("Info", "Cluster", "BEA-000111", fmt.Sprintf("Adding osb%d with ID -%d422S:10.0.0.%d:[8011,8011,-1,-1,-1,-1,-1]:osb_domain:osb%d "+
		"to cluster: osb_cluster view.", n, n, 50+n, n))
}

func (d *Domain) logHealth() {
	d.record("Info", "Health", "BEA-310002", fmt.Sprintf("%d%% of the total memory in the server is free.", 45+int(d.agenda.now/healthEvery)%5))
}

func (d *Domain) logBatch(s *busServer, number int) {
	if s == d.servers[0] {
		d.record("Info", "ALSB Logging", "BEA-000000", fmt.Sprintf(" [ReserveSplitJoin, parallel] batch=%d branches=%d started", number, d.cfg.Batch))
	}
}

func (d *Domain) logJoin(s *busServer, number, ok, failed int) {
	if s == d.servers[0] {
		d.record("Info", "ALSB Logging", "BEA-000000", fmt.Sprintf(" [ReserveSplitJoin, join] batch=%d ok=%d failed=%d", number, ok, failed))
	}
}

func (d *Domain) logThrottled(s *busServer, number, branch int) {
	if s == d.servers[0] {
		d.record("Error", "OSB Kernel", "BEA-380000", fmt.Sprintf("Failed to process request message for service %s (branch %d of batch %d): "+
			"com.bea.wli.sb.transports.TransportException: maximum concurrency reached and throttling queue is full",
			d.cfg.Service, branch, number))
	}
}

// LogNames lists the first server.
func (d *Domain) LogNames() []string { return []string{BusTarget} }

// Logs returns the lines that the first server's log has got since the last
// call. Times are UTC.
func (d *Domain) Logs(name string) []LogLine {
	d.mu.Lock()
	defer d.mu.Unlock()
	if name != BusTarget {
		return nil
	}
	return d.log.drain(d.start, busLayout)
}
