package lab

import (
	"strings"
	"testing"
	"time"
)

// benched runs one benchmark to its end.
func benched(t *testing.T, change func(*CoordinatorConfig)) (BenchReport, *Coordinator) {
	t.Helper()
	c := TaskCoordinator()
	c.BenchAt = benchAt
	change(&c)
	m := NewCoordinator(c, epoch)
	m.RunTo(epoch.Add(5 * time.Minute))
	reports := m.Reports()
	if len(reports) != 1 {
		t.Fatalf("%d reports, want 1", len(reports))
	}
	return reports[0], m
}

// The published run: 240 jobs of 0.5 s on 12 slots, without a limit.
func TestOverloadUnbounded(t *testing.T) {
	r, _ := benched(t, func(c *CoordinatorConfig) { c.Bench = Bench{240, 8, 5} })
	if r.Accepted != 240 || r.Completed != 240 || r.Rejected != 0 {
		t.Errorf("%d accepted, %d completed, %d rejected; want 240, 240, 0", r.Accepted, r.Completed, r.Rejected)
	}
	for _, c := range []struct {
		name             string
		got, want, share float64
	}{
		{"jobs a second", r.PerSecond(), 23.6, 0.02},
		{"end-to-end p50", Percentile(r.EndToEnd, 50).Seconds(), 5.04, 0.02},
		{"end-to-end p99", Percentile(r.EndToEnd, 99).Seconds(), 10.028, 0.02},
		{"end-to-end max", Percentile(r.EndToEnd, 100).Seconds(), 10.039, 0.02},
	} {
		if !near(c.got, c.want, c.share) {
			t.Errorf("%s %.3f, published %.3f", c.name, c.got, c.want)
		}
	}
	if ack := Percentile(r.Ack, 99); ack > 20*time.Millisecond {
		t.Errorf("acknowledgement p99 %v, want it flat: published 19.1 ms", ack)
	}
}

// The same with a limit of 24 active jobs.
func TestOverloadBounded(t *testing.T) {
	r, _ := benched(t, func(c *CoordinatorConfig) { c.Bench, c.Limit = Bench{240, 8, 5}, 24 })
	if r.Accepted != 24 || r.Rejected != 216 {
		t.Errorf("%d accepted, %d rejected; want 24, 216", r.Accepted, r.Rejected)
	}
	if !near(r.PerSecond(), 22.8, 0.04) || !near(Percentile(r.EndToEnd, 99).Seconds(), 1.033, 0.03) ||
		!near(Percentile(r.EndToEnd, 50).Seconds(), 0.537, 0.03) {
		t.Errorf("%.1f jobs/s, p50 %v, p99 %v; published 22.8, 537 ms, 1033 ms", r.PerSecond(),
			Percentile(r.EndToEnd, 50), Percentile(r.EndToEnd, 99))
	}
}

// One thread that writes each change of state to disk: 896 jobs a second, 4,843
// without the writes, however many slots there are.
func TestDurableWriter(t *testing.T) {
	short := func(write time.Duration, workers int) BenchReport {
		r, _ := benched(t, func(c *CoordinatorConfig) {
			c.Bench, c.Write, c.Workers, c.JobTime, c.Task = Bench{2000, 4, 100}, write, workers, 200*time.Microsecond, "SHA256"
		})
		return r
	}
	file, memory, wide := short(TaskCoordinator().Write, 3), short(0, 3), short(TaskCoordinator().Write, 12)
	if !near(file.PerSecond(), 896, 0.01) || !near(memory.PerSecond(), 4843, 0.02) {
		t.Errorf("%.0f jobs/s in a file, %.0f in memory; published 896, 4843", file.PerSecond(), memory.PerSecond())
	}
	if ack := Percentile(file.Ack, 50).Seconds(); !near(ack, 4/file.PerSecond(), 0.05) || !near(ack, 0.0042, 0.08) {
		t.Errorf("acknowledgement %.2f ms, want connections ÷ rate, published 4.2 ms", 1e3*ack)
	}
	if !near(wide.PerSecond(), file.PerSecond(), 0.01) {
		t.Errorf("four times the slots make %.0f jobs/s instead of %.0f", wide.PerSecond(), file.PerSecond())
	}
}

// Slots that nobody uses while submissions are refused: the limit is too low.
func TestLimitBelowSlots(t *testing.T) {
	r, m := benched(t, func(c *CoordinatorConfig) { c.Bench, c.Limit = Bench{240, 8, 0}, 6 })
	if r.Accepted != 6 || !near(r.PerSecond(), 6/0.53, 0.05) {
		t.Errorf("%d accepted, %.1f jobs/s; want 6, 11.3", r.Accepted, r.PerSecond())
	}
	if s := m.Stats(); s.Submitted != s.Completed+s.Active || s.Running != 0 {
		t.Errorf("jobs are lost: %+v", s)
	}
}

func TestBenchOutput(t *testing.T) {
	_, m := benched(t, func(c *CoordinatorConfig) { c.Bench, c.Limit = Bench{240, 8, 5}, 24 })
	lines := strings.Split(strings.TrimSpace(text(m.Logs(BenchLog))), "\n")
	for i, head := range []string{
		"Benchmarking localhost:7071 \u2014 240 SLEEP jobs, 8 connections, 5 warm-up jobs",
		"Benchmark finished in 1.0 s",
		"  Jobs:        240 requested, 24 accepted, 216 rejected",
		"  Outcomes:    24 completed, 0 failed",
		"  Throughput:  23.", "  Submit ack:  p50 ", "  End-to-end:  p50 ",
		"  (end-to-end = submit to observed-terminal via polling; upper bound)",
	} {
		if len(lines) != 8 || !strings.HasPrefix(lines[i], head) {
			t.Fatalf("line %d of %d: %q, want %q", i, len(lines), lines[i], head)
		}
	}
	log := text(m.Logs(CoordinatorLog))
	if n := strings.Count(log, "Job submission rejected (overloaded): activeJobs=24 limit=24 type=SLEEP"); n != 216 {
		t.Errorf("%d refusals in the log, want 216", n)
	}
	if again := text(m.Logs(CoordinatorLog)); again != "" {
		t.Errorf("lines are told twice: %.80q", again)
	}
}

func TestPercentileOfNothing(t *testing.T) {
	if got := Percentile(nil, 50); got != 0 {
		t.Errorf("%v, want 0 as the benchmark prints it", got)
	}
}

// Mean number of jobs in the system = rate x mean time, and the same of slots.
func TestCoordinatorLittlesLaw(t *testing.T) {
	for _, c := range []CoordinatorConfig{coordinatorHealthyConfig(), primes(30 * time.Second), primes(time.Minute)} {
		m := NewCoordinator(c, epoch)
		m.RunTo(epoch.Add(40 * time.Minute))
		s := m.Stats()
		// Of a queue that grows the open jobs are most of it.
		if d := s.ActiveSeconds - s.JobSeconds; d < 0 || c.TaskTimeout != 30*time.Second && !near(s.JobSeconds, s.ActiveSeconds, 0.05) {
			t.Errorf("jobs: %.1f s of their own times, %.1f s in the system, %d open", s.JobSeconds, s.ActiveSeconds, s.Active)
		}
		if !near(s.AttemptSeconds, s.SlotSeconds, 0.05) {
			t.Errorf("slots: %.1f s of attempts, %.1f s in use", s.AttemptSeconds, s.SlotSeconds)
		}
		if s.Submitted != s.Completed+s.Failed+s.Active {
			t.Errorf("%+v", s)
		}
	}
}

func coordinatorHealthyConfig() CoordinatorConfig {
	c := TaskCoordinator()
	c.Limit, c.JobEvery = 24, time.Second/18
	return c
}

// Started again with a lower limit, a coordinator keeps what it had accepted,
// refuses what is new, and lets in again once enough is done.
func TestLoweredLimit(t *testing.T) {
	c := TaskCoordinator()
	c.JobEvery = time.Second / 30
	c.RestartAt, c.RestartDown, c.RestartLimit = 40*time.Second, 2*time.Second, 24
	m := NewCoordinator(c, epoch)
	m.RunTo(epoch.Add(40 * time.Second))
	before := m.Stats()
	m.RunTo(epoch.Add(47 * time.Second))
	above := m.Stats()
	if before.Active < 200 || above.Active < 100 || above.Submitted != before.Submitted || above.Rejected == 0 || above.Running != 12 {
		t.Errorf("before %+v, 5 s after the start %+v", before, above)
	}
	m.RunTo(epoch.Add(70 * time.Second))
	if after := m.Stats(); after.Active > 24 || after.Submitted == before.Submitted || after.Completed < before.Submitted {
		t.Errorf("half a minute later %+v", after)
	}
}

// Deadlines shorter than jobs waste more than half of the work; longer ones none.
func TestStaleResults(t *testing.T) {
	for _, c := range []struct {
		timeout time.Duration
		wasted  bool
	}{{30 * time.Second, true}, {time.Minute, false}} {
		m := NewCoordinator(primes(c.timeout), epoch)
		m.RunTo(epoch.Add(20 * time.Minute))
		s := m.Stats()
		if c.wasted != (s.Stale > s.Completed) || !c.wasted && (s.Stale > 0 || s.Retried > 0) {
			t.Errorf("deadline %v: %+v", c.timeout, s)
		}
	}
}
