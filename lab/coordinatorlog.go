package lab

import (
	"fmt"
	"time"
)

// The messages are the templates of the coordinator's own logging statements
// and of its benchmark's output.

const (
	coreThread = "coordinator-core"
	coreLogger = "CoordinatorCore"
)

// coordinatorLayout has the time of day and no date, as the coordinator's
// workers and clients log.
func coordinatorLayout(at time.Time, e *entry) string {
	return fmt.Sprintf("%s %-5s [%s] %s - ", at.Format("15:04:05.000"), e.level, e.thread, e.logger)
}

// bareLayout is no head at all: the output of a command.
func bareLayout(time.Time, *entry) string { return "" }

func (m *Coordinator) logf(level, thread, logger, format string, args ...any) {
	m.log.write(entry{at: m.agenda.now, level: level, thread: thread, logger: logger, message: fmt.Sprintf(format, args...)})
}

// Logs returns the lines that "coordinator" or "bench" has got since the last
// call. Times in the lines are UTC; those of the benchmark have none.
func (m *Coordinator) Logs(name string) []LogLine {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch name {
	case CoordinatorLog:
		return m.log.drain(m.start, coordinatorLayout)
	case BenchLog:
		return m.bench.drain(m.start, bareLayout)
	}
	return nil
}

// logReport prints a run's report as the benchmark does.
func (m *Coordinator) logReport(r BenchReport) {
	for _, text := range []string{
		fmt.Sprintf("Benchmark finished in %.1f s", r.Took.Seconds()),
		fmt.Sprintf("  Jobs:        %d requested, %d accepted, %d rejected", r.Jobs, r.Accepted, r.Rejected),
		fmt.Sprintf("  Outcomes:    %d completed, %d failed", r.Completed, r.Accepted-r.Completed),
		fmt.Sprintf("  Throughput:  %.1f completed jobs/s", r.PerSecond()),
		"  Submit ack:  " + percentiles(r.Ack),
		"  End-to-end:  " + percentiles(r.EndToEnd),
		"  (end-to-end = submit to observed-terminal via polling; upper bound)",
	} {
		m.bench.write(entry{at: m.agenda.now, message: text})
	}
}

func percentiles(times []time.Duration) string {
	ms := func(p float64) float64 { return float64(Percentile(times, p)) / 1e6 }
	return fmt.Sprintf("p50 %.1f ms   p95 %.1f ms   p99 %.1f ms   max %.1f ms", ms(50), ms(95), ms(99), ms(100))
}
