package lab

import "time"

// Scenarios of a task coordinator. A benchmark starts at 5 s and, for somebody
// who watches, again each 30 s.

const (
	benchAt    = 5 * time.Second
	benchEvery = 30 * time.Second
)

// coordinated makes coordinators of a configuration.
func coordinated(c CoordinatorConfig) func(time.Time) System {
	return func(start time.Time) System { return NewCoordinator(c, start) }
}

func coordinatorScenarios() []Scenario {
	return []Scenario{
		coordinatorUnbounded(), coordinatorLimited(), coordinatorDurable(), coordinatorHealthy(),
		coordinatorLowered(), coordinatorStale(), coordinatorPatient(),
	}
}

// overload is the published benchmark: 240 jobs of half a second at once.
func overload(limit int) CoordinatorConfig {
	c := TaskCoordinator()
	c.Limit = limit
	c.Bench = Bench{Jobs: 240, Connections: 8, Warmup: 5}
	c.BenchAt, c.BenchEvery = benchAt, benchEvery
	return c
}

func coordinatorUnbounded() Scenario {
	return Scenario{
		Name:  "coordinator-unbounded",
		Title: "240 jobs for 12 slots, and nothing is refused",
		Story: "A benchmark submits 240 jobs of half a second over 8 connections to a coordinator with 12 slots. Each is " +
			"acknowledged within 6 ms; the slots need 20 waves, so the last one is done after 10 s. The client is never " +
			"told to slow down.",
		Other:  coordinated(overload(10000)),
		Length: 20 * time.Second,
		Span:   15 * time.Second,
		Promises: []string{
			"240 of 240 jobs accepted, each acknowledged within 6 ms.",
			"23.8 jobs a second, which is what 12 slots can do.",
			"End to end 5 s for half of the jobs, 10 s for the last ones.",
		},
		Expect: Expect{
			Find:          []Found{{ID: "no-backpressure", Says: []string{"240"}}},
			Not:           []string{"load-shedding", "premature-shedding", "congestion-collapse", "serial-bottleneck", "wedged-pool", "no-demand"},
			AdviceMust:    []string{"(?i)max-active-jobs|admission|limit|bound|back.?pressure"},
			AdviceMustNot: []string{`(?i)^\W*(raise|increase) .*(limit|max-active)`},
			Why: "Throughput is at the ceiling of 12 slots and acknowledgements stay flat, while 240 accepted jobs make " +
				"callers wait up to 10 s: what is missing is a limit that says no.",
		},
	}
}

func coordinatorLimited() Scenario {
	return Scenario{
		Name:  "coordinator-limited",
		Title: "the same 240 jobs with a limit of 24 active ones: 216 are refused",
		Story: "The benchmark of coordinator-unbounded, with at most 24 active jobs. 24 are accepted and done within two " +
			"waves, a second in all; 216 are refused at once.",
		Other:  coordinated(overload(24)),
		Length: 20 * time.Second,
		Span:   15 * time.Second,
		Promises: []string{
			"24 of 240 jobs accepted, 216 refused.",
			"The same throughput; the slowest job takes 1 s instead of 10 s.",
		},
		Expect: Expect{
			Find:          []Found{{ID: "load-shedding", Says: []string{"24", "216"}}},
			Not:           []string{"premature-shedding", "congestion-collapse", "no-backpressure", "wedged-pool", "retry-storm", "no-demand"},
			AdviceMust:    []string{"(?i)back.?off|jitter|retry"},
			AdviceMustNot: []string{`(?i)^\W*(raise|increase) .*(limit|max-active)`},
			Why: "216 submissions are refused with the active count at its limit while all 12 slots work: shedding as " +
				"designed. A higher limit would buy waiting time only.",
		},
	}
}

func coordinatorDurable() Scenario {
	c := TaskCoordinator()
	c.Task, c.JobTime = "SHA256", 200*time.Microsecond
	c.Bench = Bench{Jobs: 400, Connections: 4, Warmup: 25}
	c.BenchAt, c.BenchEvery = benchAt, benchEvery
	return Scenario{
		Name:  "coordinator-durable",
		Title: "400 short jobs queue for the one thread that writes to disk",
		Story: "A benchmark submits 400 jobs of 0.2 ms over 4 connections. Each costs three durable writes on the " +
			"coordinator's one thread, 1.1 ms in all: 900 jobs a second, while the 12 slots are idle. Without the writes " +
			"it would be 4,900.",
		Other:  coordinated(c),
		Length: 20 * time.Second,
		Span:   15 * time.Second,
		Promises: []string{
			"About 900 jobs a second.",
			"Each is acknowledged after 4.4 ms: 4 connections ÷ 900 a second.",
		},
		Expect: Expect{
			Find:       []Found{{ID: "serial-bottleneck"}},
			Not:        []string{"congestion-collapse", "load-shedding", "premature-shedding", "wedged-pool", "no-demand"},
			AdviceMust: []string{"(?i)write|writer"},
			Why: "Acknowledgements take what one server in a row would take, and the slots are idle: the thread that " +
				"writes each change of state to disk is the limit.",
		},
	}
}

func coordinatorHealthy() Scenario {
	c := TaskCoordinator()
	c.Limit = 24
	c.JobEvery = time.Second / 18
	return Scenario{
		Name:   "coordinator-healthy",
		Title:  "18 jobs a second for 12 slots with a limit of 24",
		Story:  "A client submits 18 jobs of half a second a second. 9 of 12 slots work, nothing waits and nothing is refused.",
		Other:  coordinated(c),
		Length: 25 * time.Second,
		Span:   15 * time.Second,
		Promises: []string{
			"18 jobs a second, 9 or 10 active.",
			"Nothing is refused.",
		},
		Expect: Expect{
			Not: []string{"no-backpressure", "load-shedding", "premature-shedding", "serial-bottleneck", "above-lowered-limit",
				"congestion-collapse", "wedged-pool", "no-demand"},
			Why: "9 of 12 slots work, each job starts at once, and none is refused.",
		},
	}
}

func coordinatorLowered() Scenario {
	c := TaskCoordinator()
	c.JobEvery = time.Second / 30
	c.RestartAt, c.RestartDown, c.RestartLimit = 40*time.Second, 2*time.Second, 24
	return Scenario{
		Name:  "coordinator-lowered",
		Title: "started again with a limit of 24 while more than 200 jobs are recovered",
		Story: "A client submits 30 jobs of half a second a second, 6 more than 12 slots can do; nothing is refused, and " +
			"after 40 s more than 200 are active. The coordinator is stopped and started again with a limit of 24. It recovers " +
			"all of them from its file and refuses new ones until fewer than 24 are left.",
		Other:  coordinated(c),
		Length: 47 * time.Second,
		Span:   45 * time.Second,
		Promises: []string{
			"More than 150 active jobs with a limit of 24; every submission is refused.",
			"All 12 slots work; in less than ten seconds refusals end by themselves.",
		},
		Expect: Expect{
			Find:          []Found{{ID: "above-lowered-limit", Says: []string{"24"}}},
			Not:           []string{"premature-shedding", "no-backpressure", "congestion-collapse", "wedged-pool", "retry-storm", "serial-bottleneck"},
			AdviceMust:    []string{"(?i)wait|finish"},
			AdviceMustNot: []string{`(?i)^\W*(cancel|kill|raise|increase)`},
			Why: "The active jobs were accepted before the limit was lowered. All slots work them off, and what is refused " +
				"meanwhile was not begun.",
		},
	}
}

// primes is a coordinator with long jobs: 36 s on average, up to half as long
// or as short again, one every 5 s. 7 of 12 slots are in use.
func primes(timeout time.Duration) CoordinatorConfig {
	c := TaskCoordinator()
	c.Task, c.JobTime, c.Jitter = "PRIME_COUNT", 36*time.Second, 0.5
	c.JobEvery, c.TaskTimeout = 5*time.Second, timeout
	return c
}

func coordinatorStale() Scenario {
	return Scenario{
		Name:  "coordinator-stale",
		Title: "jobs of 18 to 54 s are given up after 30 s, and their results are thrown away",
		Story: "A client submits a job every 5 s; most take longer than the 30 s after which the coordinator gives an " +
			"attempt up and has another worker begin again. The first worker knows nothing of it, works to the end, and its " +
			"result is rejected as stale.",
		Other:  coordinated(primes(30 * time.Second)),
		Length: 6 * time.Minute,
		Span:   345 * time.Second,
		Promises: []string{
			"More than half of the results are stale.",
			"All 12 slots are in use and jobs wait, with a load that needs 7.",
		},
		Expect: Expect{
			Find:       []Found{{ID: "wasted-work", Says: []string{"results"}}},
			Not:        []string{"load-shedding", "premature-shedding", "congestion-collapse", "wedged-pool", "serial-bottleneck"},
			AdviceMust: []string{"(?i)deadline|time-?out"},
			Why:        "The deadline of an attempt is shorter than most jobs: they are done two or three times, and only results in time count.",
		},
	}
}

func coordinatorPatient() Scenario {
	return Scenario{
		Name:   "coordinator-patient",
		Title:  "the same jobs with a deadline of 60 s",
		Story:  "A client submits a job of 18 to 54 s every 5 s. Each is done at the first attempt; 7 of 12 slots are in use.",
		Other:  coordinated(primes(60 * time.Second)),
		Length: 6 * time.Minute,
		Span:   345 * time.Second,
		Promises: []string{
			"Every job is done at its first attempt.",
			"7 of 12 slots in use, nothing waits.",
		},
		Expect: Expect{
			Not: []string{"wasted-work", "network-partition", "above-lowered-limit", "congestion-collapse", "wedged-pool", "serial-bottleneck",
				"no-backpressure", "load-shedding"},
			Why: "No job is longer than its deadline, and nothing is done twice.",
		},
	}
}
