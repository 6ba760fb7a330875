package lab

import (
	"fmt"
	"math"
	"slices"
	"time"
)

// A Bench is a benchmark run: Connections clients submit their share of Jobs
// one after the other, then ask for the states of theirs in turn until all are
// done. Warmup jobs go before and are not timed.
type Bench struct {
	Jobs, Connections, Warmup int
}

// pollEvery is how long a connection waits between two rounds of questions.
const pollEvery = 20 * time.Millisecond

// A BenchReport is what a run found. Times are in the order of their size.
type BenchReport struct {
	Jobs, Accepted, Rejected, Completed int
	Took                                time.Duration // of the timed part
	Ack, EndToEnd                       []time.Duration
}

// PerSecond is the throughput.
func (r BenchReport) PerSecond() float64 { return float64(r.Completed) / r.Took.Seconds() }

// Percentile returns the p-th percentile by nearest rank; 0 of no times, as the
// benchmark prints it.
func Percentile(times []time.Duration, p float64) time.Duration {
	if len(times) == 0 {
		return 0
	}
	rank := int(math.Ceil(p / 100 * float64(len(times))))
	return times[min(max(rank, 1), len(times))-1]
}

// A benchRun is one run as it goes on.
type benchRun struct {
	m       *Coordinator
	started time.Duration
	open    int // connections at work
	report  BenchReport
}

// A connection is one client of a run.
type connection struct {
	run  *benchRun
	left int    // jobs to submit
	mine []*job // accepted and not yet seen done
}

// startBench warms up and then starts a run.
func (m *Coordinator) startBench() {
	b := m.cfg.Bench
	m.bench.write(entry{at: m.agenda.now, message: fmt.Sprintf("Benchmarking localhost:7071 \u2014 %d %s jobs, %d connections, %d warm-up jobs",
		b.Jobs, m.cfg.Task, b.Connections, b.Warmup)})
	m.run(b.Warmup, b.Connections, func(*benchRun) {
		m.run(b.Jobs, b.Connections, func(r *benchRun) {
			m.runs = append(m.runs, r)
			m.logReport(r.report)
		})
	})
	if m.cfg.BenchEvery > 0 {
		m.agenda.after(m.cfg.BenchEvery, nil, m.startBench)
	}
}

// run submits jobs over connections and calls then when all are done.
func (m *Coordinator) run(jobs, connections int, then func(*benchRun)) {
	r := &benchRun{m: m, started: m.agenda.now, open: connections, report: BenchReport{Jobs: jobs}}
	if jobs == 0 {
		then(r)
		return
	}
	for i := range connections {
		c := &connection{run: r, left: jobs / connections}
		if i < jobs%connections {
			c.left++
		}
		c.submit(func() { r.closed(then) })
	}
}

// closed notes that a connection has seen all its jobs done.
func (r *benchRun) closed(then func(*benchRun)) {
	r.open--
	if r.open > 0 {
		return
	}
	r.report.Took = r.m.agenda.now - r.started
	slices.Sort(r.report.Ack)
	slices.Sort(r.report.EndToEnd)
	then(r)
}

// submit sends the connection's next job, or begins to ask.
func (c *connection) submit(then func()) {
	m, report := c.run.m, &c.run.report
	if c.left == 0 {
		c.poll(then)
		return
	}
	c.left--
	sent := m.agenda.now
	m.submit(func(j *job) {
		if j == nil {
			report.Rejected++
		} else {
			report.Accepted++
			report.Ack = append(report.Ack, m.agenda.now-sent)
			c.mine = append(c.mine, j)
		}
		c.submit(then)
	})
}

// poll asks for the state of each job in turn.
func (c *connection) poll(then func()) { c.ask(0, then) }

// ask asks for the i-th job, then for the next one.
func (c *connection) ask(i int, then func()) {
	m := c.run.m
	if i == len(c.mine) {
		c.mine = slices.DeleteFunc(c.mine, func(j *job) bool { return j == nil })
		if len(c.mine) == 0 {
			then()
			return
		}
		m.agenda.after(pollEvery, nil, func() { c.poll(then) })
		return
	}
	j := c.mine[i]
	m.core.do(m.cfg.Status, func() int { return 0 }, func() {
		if j.done {
			c.run.report.Completed++
			c.run.report.EndToEnd = append(c.run.report.EndToEnd, m.agenda.now-j.sent)
			c.mine[i] = nil
		}
		c.ask(i+1, then)
	})
}

// Reports returns the reports of the runs that have ended.
func (m *Coordinator) Reports() []BenchReport {
	m.mu.Lock()
	defer m.mu.Unlock()
	var reports []BenchReport
	for _, r := range m.runs {
		reports = append(reports, r.report)
	}
	return reports
}
