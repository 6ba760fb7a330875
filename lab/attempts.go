package lab

import (
	"slices"
	"time"
)

// What a coordinator does with a job's attempts, and what it keeps over a
// restart.

const (
	keptJobs    = 64 // jobs that are done and still listed
	maxAttempts = 3
	retryBase   = time.Second // before the second attempt, twice as long before the third
	sweepEvery  = 500 * time.Millisecond
	stateWrite  = 1 // durable write of one change of a job's state
)

// boot starts the process; its workers register within three seconds.
func (m *Coordinator) boot() {
	m.life = &life{}
	m.core = core{agenda: &m.agenda, life: m.life, write: m.cfg.Write}
	m.logf("INFO", "main", "Coordinator", "Coordinator listening: workers=7070 clients=7071")
	for i := range m.cfg.Workers {
		m.agenda.after(time.Duration(i+1)*time.Second, m.life, m.register)
	}
	if m.cfg.TaskTimeout > 0 {
		m.agenda.every(sweepEvery, m.life, m.sweep)
	}
}

// restart stops the process and starts it again with another limit. Workers
// drop what they had when their connection breaks; jobs that were not done are
// queued again, those that were running with a new attempt to come.
func (m *Coordinator) restart() {
	m.life.over = true
	m.inSlots.add(m.agenda.now, -m.inSlots.value)
	m.free, m.queue = nil, fifo[*job]{}
	m.agenda.after(m.cfg.RestartDown, nil, func() {
		m.cfg.Limit = m.cfg.RestartLimit
		for _, j := range m.open {
			if !j.done {
				j.attempt = ""
				m.queue.push(j)
			}
		}
		m.boot()
	})
}

// assign begins the next attempt at a job.
func (m *Coordinator) assign(j *job, worker int) {
	j.attempts++
	j.attempt, j.worker, j.began = m.uuid(), worker, m.agenda.now
	m.logf("INFO", coreThread, coreLogger, "Job assigned: jobId=%s workerId=worker-%d attempt=%d/%d attemptId=%s",
		j.id, worker+1, j.attempts, maxAttempts, j.attempt)
}

// work lets a worker do a job's present attempt and report its result.
func (m *Coordinator) work(j *job, worker int) {
	began, attempt := m.agenda.now, j.attempt
	m.inSlots.add(began, 1)
	takes := m.cfg.JobTime
	if m.cfg.Jitter > 0 {
		takes += time.Duration((2*m.times.Float64() - 1) * m.cfg.Jitter * float64(takes))
	}
	m.agenda.after(2*m.cfg.Dispatch+takes, m.life, func() {
		m.core.do(m.cfg.Complete, func() int { return m.result(j, worker, attempt) }, func() {
			m.inSlots.add(m.agenda.now, -1)
			m.counts.AttemptSeconds += (m.agenda.now - began).Seconds()
			if j.attempt == attempt && !j.done {
				m.counts.Completed++
				m.retire(j)
			}
			m.free[worker]++
			m.schedule()
		})
	})
}

// result logs what comes of an attempt's result and returns the writes it needs.
func (m *Coordinator) result(j *job, worker int, attempt string) int {
	if j.attempt != attempt {
		m.counts.Stale++
		m.logf("WARN", coreThread, coreLogger, "Stale result rejected: jobId=%s workerId=worker-%d attemptId=%s jobState=%s",
			j.id, worker+1, attempt, j.state())
		return 0
	}
	m.logf("INFO", coreThread, coreLogger, "Job completed: jobId=%s workerId=worker-%d attempts=%d", j.id, worker+1, j.attempts)
	return stateWrite
}

// retire takes a job out of the active ones.
func (m *Coordinator) retire(j *job) {
	j.done = true
	m.active--
	m.inSystem.add(m.agenda.now, -1)
	m.counts.JobSeconds += (m.agenda.now - j.accepted).Seconds()
	if len(m.open) > 2*m.active+keptJobs {
		m.open = slices.DeleteFunc(m.open, func(j *job) bool { return j.done })
	}
}

// state is what a job whose attempt was given up is in.
func (j *job) state() string {
	switch {
	case j.done:
		return "FAILED"
	case j.attempt != "":
		return "RUNNING"
	}
	return "RETRY_WAIT"
}

// sweep gives up attempts that take too long.
func (m *Coordinator) sweep() {
	for _, j := range slices.Clone(m.open) {
		if over := m.agenda.now - j.began - m.cfg.TaskTimeout; j.attempt != "" && !j.done && over >= 0 {
			m.giveUp(j, over)
		}
	}
}

func (m *Coordinator) giveUp(j *job, over time.Duration) {
	m.logf("WARN", coreThread, coreLogger, "Task execution deadline expired: jobId=%s workerId=worker-%d attempt=%d/%d timeoutMillis=%d overdueMillis=%d",
		j.id, j.worker+1, j.attempts, maxAttempts, m.cfg.TaskTimeout.Milliseconds(), over.Milliseconds())
	j.attempt = ""
	if j.attempts == maxAttempts {
		m.counts.Failed++
		m.retire(j)
		m.logf("WARN", coreThread, coreLogger, "Job failed permanently: jobId=%s attempts=%d error=\"task execution deadline expired\"", j.id, j.attempts)
		return
	}
	m.counts.Retried++
	wait := retryBase << (j.attempts - 1)
	m.logf("INFO", coreThread, coreLogger, "Retry scheduled: jobId=%s attempt=%d/%d delayMillis=%d cause=\"task execution deadline expired\"",
		j.id, j.attempts+1, maxAttempts, wait.Milliseconds())
	m.agenda.after(wait, m.life, func() {
		m.logf("INFO", coreThread, coreLogger, "Job requeued after backoff: jobId=%s attempt=%d/%d", j.id, j.attempts+1, maxAttempts)
		m.queue.push(j)
		m.schedule()
	})
}
