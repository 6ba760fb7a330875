package lab

import "time"

// Scenarios of services that are a pool of threads: behind an Envoy proxy, as an
// executor or a bulkhead of a Spring program, and as a container with a quota.

func serves(c ServiceConfig, f front) func(time.Time) System {
	return func(start time.Time) System { return newService(c, f, start) }
}

func serviceScenarios() []Scenario {
	return []Scenario{
		envoyOverflow(), envoyMetastable(), envoyHealthy(),
		executorDeadWork(), executorLeap(), executorHealthy(),
		bulkheadPremature(), bulkheadHealthy(),
		containerThrottled(), containerHealthy(),
	}
}

// stock is a service of 10 threads behind a proxy: 100 calls a second of 60 ms
// are 6 of them.
func stock() ServiceConfig {
	return ServiceConfig{
		Seed: 1, Rate: 100, Deadline: 4 * time.Second,
		MaxConnections: 20, MaxPending: 10,
		Core: 10, Max: 10, Queue: noCapacity,
		Time: 60 * time.Millisecond, Jitter: 0.5, Cost: 8 * time.Millisecond, Cores: 4,
	}
}

const serviceLength = 10 * time.Minute

func envoyOverflow() Scenario {
	c := stock()
	c.Surge = Surge{From: serviceLength - 4*time.Minute, For: time.Hour, Slow: 3}
	return Scenario{
		Name:  "envoy-overflow",
		Title: "a service answers three times as slowly, and its proxy refuses what finds no connection",
		Story: "100 requests a second of 60 ms pass an Envoy cluster with 20 connections and 10 places to wait. Then the " +
			"service takes 180 ms for each: 10 threads make 56 a second. All connections are in use, 10 requests wait, and " +
			"Envoy answers the others at once with 503.",
		Other:  serves(c, envoyFront()),
		Length: serviceLength,
		Span:   6 * time.Minute,
		Promises: []string{
			"56 of 100 requests a second complete, 44 are refused.",
			"20 of 20 connections in use, 10 of 10 places to wait taken; nothing is sent again.",
		},
		Expect: Expect{
			Find:       []Found{{ID: "circuit-breaker-overflow"}},
			Not:        []string{"retry-storm", "metastable", "network-partition", "congestion-collapse", "no-demand", "database-unreachable"},
			AdviceMust: []string{"(?i)upstream|slow|service"},
			Why: "The service completes what its 10 threads can do in 180 ms each; the cluster's limits of 20 connections and " +
				"10 waiting requests turn the rest away.",
		},
	}
}

func envoyMetastable() Scenario {
	c := stock()
	c.MaxConnections, c.MaxPending = 1000, 1000
	c.TryTimeout, c.Retries, c.Backoff, c.MaxRetries = time.Second, 3, 25*time.Millisecond, 2000
	c.Surge = Surge{From: serviceLength - 5*time.Minute, For: 20 * time.Second, Slow: 6}
	return Scenario{
		Name:  "envoy-metastable",
		Title: "slow for 20 seconds, overloaded ever since: every request is sent four times",
		Story: "100 requests a second pass an Envoy cluster that gives a request a second and then sends it again, up to " +
			"three times. For 20 s the service is six times as slow; requests queue there for longer than a second. From " +
			"then on each is given up and sent again while the older copies wait in the service's queue: it works at full " +
			"speed for callers that have gone.",
		Other:  serves(c, envoyFront()),
		Length: serviceLength,
		Span:   8 * time.Minute,
		Promises: []string{
			"100 new requests a second as before; three times as many are retries.",
			"Next to none is answered within its second; nothing is slow any more.",
		},
		Expect: Expect{
			Find:       []Found{{ID: "metastable"}, {ID: "retry-storm"}},
			Not:        []string{"circuit-breaker-overflow", "network-partition", "no-demand", "database-unreachable"},
			AdviceMust: []string{"(?i)retr"},
			Why: "The load is what it always was and the service is as fast as before, but the queue holds older copies of " +
				"every request; the retries alone are more than it can serve.",
		},
	}
}

func envoyHealthy() Scenario {
	c := stock()
	c.TryTimeout, c.Retries, c.Backoff, c.MaxRetries = time.Second, 3, 25*time.Millisecond, 2000
	return Scenario{
		Name:   "envoy-healthy",
		Title:  "the same 100 requests a second, answered in 60 ms",
		Story:  "100 requests a second pass an Envoy cluster with 20 connections. 6 are in use, nothing waits, nothing is sent again.",
		Other:  serves(c, envoyFront()),
		Length: serviceLength,
		Span:   6 * time.Minute,
		Promises: []string{
			"100 requests a second, 6 at once.",
			"No overflow, no retry, no timeout.",
		},
		Expect: Expect{
			Not: []string{"circuit-breaker-overflow", "metastable", "retry-storm", "network-partition", "no-demand", "congestion-collapse"},
			Why: "6 of 20 connections are in use and every request is answered at the first try.",
		},
	}
}

// orders is a Spring program that hands its calls to eight threads: 40 a second
// of 200 ms are all that these can do.
func orders() ServiceConfig {
	return ServiceConfig{
		Seed: 1, Rate: 34, Deadline: 10 * time.Second,
		Core: 8, Max: 8, Queue: noCapacity,
		Time: 200 * time.Millisecond, Jitter: 0.3, Cost: 20 * time.Millisecond, Cores: 4,
	}
}

func executorDeadWork() Scenario {
	c := orders()
	c.Surge = Surge{From: 2 * time.Minute, For: 2 * time.Minute, Load: 2.5}
	return Scenario{
		Name:  "executor-dead-work",
		Title: "every task is done after its caller has gone: the queue is a minute long, the callers wait 10 s",
		Story: "34 tasks a second go to an executor of 8 threads with a queue without a bound; each takes 200 ms. For two " +
			"minutes 85 a second come. 5,000 wait then, and the threads work them off in order: what they begin was sent " +
			"two minutes ago, by callers that waited 10 s.",
		Other:  serves(c, executorFront()),
		Length: serviceLength,
		Span:   6 * time.Minute,
		Promises: []string{
			"8 of 8 threads busy, 40 tasks a second; more than 3,000 wait.",
			"Every task begun is dead: its caller has gone. CPU is at 20 %.",
		},
		Expect: Expect{
			Find:          []Found{{ID: "pool-exhausted", Says: []string{"8 of 8"}}, {ID: "dead-work-queue"}},
			Not:           []string{"cpu-saturated", "gc-thrash", "wedged-pool", "no-demand", "pool-never-grows", "clock-leap", "disk-full"},
			AdviceMustNot: []string{`(?i)^\W*(raise|increase|enlarge|deepen) .*queue`},
			Facts:         map[string]float64{"deadline_seconds": 10},
			Why: "The queue is longer than the callers wait: 8 threads make 40 tasks a second, more than 3,000 wait, so each is " +
				"begun more than a minute after its caller gave up at 10 s.",
		},
	}
}

func executorLeap() Scenario {
	c := orders()
	c.Rate = 12
	c.StopAt, c.StopFor = serviceLength-3*time.Minute, 74*time.Second+213*time.Millisecond
	return Scenario{
		Name:  "executor-leap",
		Title: "the machine stood still for 74 s, and the pool's housekeeper noticed",
		Story: "12 tasks a second go to an executor of 8 threads. The virtual machine is stopped for 74 s, as for a move to " +
			"another host, and goes on with its clock set right. The 900 tasks that came meanwhile are worked off in half a minute.",
		Other:  serves(c, executorFront()),
		Length: serviceLength,
		Span:   6 * time.Minute,
		Promises: []string{
			"HikariCP's housekeeper, due every 30 s, says that it comes more than 74 s late.",
			"No page is answered meanwhile; afterwards all is as before.",
		},
		Expect: Expect{
			Find: []Found{{ID: "clock-leap"}},
			Not:  []string{"gc-thrash", "cpu-saturated", "cpu-throttled", "held-connections", "database-unreachable", "wedged-pool"},
			Why: "The housekeeper's own line gives the time that was lost; no collection and no load explains it, and the pool " +
				"is as it was.",
		},
	}
}

func executorHealthy() Scenario {
	c := orders()
	return Scenario{
		Name:   "executor-healthy",
		Title:  "the same 34 tasks a second, never interrupted",
		Story:  "34 tasks a second go to an executor of 8 threads, 200 ms each. 7 threads are busy on average; what waits does so for a moment.",
		Other:  serves(c, executorFront()),
		Length: serviceLength,
		Span:   6 * time.Minute,
		Promises: []string{
			"34 tasks a second, answered within a second.",
			"Nothing expires; the housekeeper is on time.",
		},
		Expect: Expect{
			Not: []string{"dead-work-queue", "clock-leap", "wedged-pool", "cpu-saturated", "gc-thrash", "no-demand", "pool-never-grows",
				"congestion-collapse", "held-connections", "pool-filling", "database-unreachable", "disk-full", "queue-saturated"},
			Facts: map[string]float64{"deadline_seconds": 10},
			Why:   "The threads have room, the queue empties within a second, and the housekeeper has nothing to say.",
		},
	}
}

// prices is a Spring program whose calls go to eight threads of a bulkhead, in
// bursts of six within a millisecond.
func prices() ServiceConfig {
	return ServiceConfig{
		Seed: 1, Rate: 18, Burst: 6, SpreadBurst: 20 * time.Microsecond, Deadline: 5 * time.Second,
		Core: 8, Max: 8, Queue: 1, HandOver: 80 * time.Microsecond,
		Time: 40 * time.Millisecond, Jitter: 0.3, Cost: 6 * time.Millisecond, Cores: 4,
	}
}

func bulkheadPremature() Scenario {
	return Scenario{
		Name:  "bulkhead-premature",
		Title: "calls are refused while all threads of the bulkhead are idle",
		Story: "A page asks for six prices at once, three times a second, through a bulkhead of 8 threads with a queue of " +
			"one. Each call must pass the queue, and an idle thread takes 80 microseconds to fetch it: of six calls within " +
			"a tenth of a millisecond most find the one place taken and are refused. The threads idle.",
		Other:  serves(prices(), bulkheadFront()),
		Length: serviceLength,
		Span:   6 * time.Minute,
		Promises: []string{
			"18 calls a second; two thirds of them are refused with BulkheadFullException.",
			"Less than one of 8 threads is busy on average.",
		},
		Expect: Expect{
			Find:       []Found{{ID: "premature-shedding", Says: []string{"8"}}},
			Not:        []string{"load-shedding", "pool-exhausted", "cpu-saturated", "congestion-collapse", "queue-saturated", "no-demand"},
			AdviceMust: []string{"(?i)queue|synchronous|hand"},
			Why: "8 threads have next to nothing to do, and calls are refused because a burst of six has to pass a queue of " +
				"one place.",
		},
	}
}

func bulkheadHealthy() Scenario {
	c := prices()
	c.Queue = 16
	return Scenario{
		Name:   "bulkhead-healthy",
		Title:  "the same bursts through a queue of 16",
		Story:  "A page asks for six prices at once, three times a second, through a bulkhead of 8 threads with a queue of 16. A burst fits into it; nothing is refused.",
		Other:  serves(c, bulkheadFront()),
		Length: serviceLength,
		Span:   6 * time.Minute,
		Promises: []string{
			"18 calls a second, none refused.",
		},
		Expect: Expect{
			Not: []string{"premature-shedding", "load-shedding", "pool-exhausted", "queue-saturated", "no-demand", "congestion-collapse",
				"cpu-saturated", "throttled"},
			Why: "The queue holds a whole burst until the idle threads have fetched it.",
		},
	}
}

// api is a program on eight processors: a request costs 25 ms of one, and comes
// with 11 others. 1.5 processors are at work on average.
func api() ServiceConfig {
	return ServiceConfig{
		Seed: 1, Rate: 60, Burst: 12, SpreadBurst: time.Millisecond, Deadline: 10 * time.Second,
		Core: 4096, Max: 4096, Queue: noCapacity,
		Cost: 25 * time.Millisecond, Jitter: 0.2, Cores: 8,
	}
}

func containerThrottled() Scenario {
	c := api()
	c.Quota = 2
	return Scenario{
		Name:  "container-throttled",
		Title: "stopped in most of its periods at three quarters of its quota",
		Story: "A Go program uses 1.5 processors on average and may use 2. It sees 8 and runs on all of them: twelve requests " +
			"that come together use the 200 ms of a period up in the first third of it, and all its threads are stopped " +
			"until the next one.",
		Other:  serves(c, containerFront()),
		Length: serviceLength,
		Span:   6 * time.Minute,
		Promises: []string{
			"1.5 of 2 processors used, throttled in more than half of the periods in which something runs.",
			"A request of 25 ms takes more than 100 ms on average.",
		},
		Expect: Expect{
			Find: []Found{{ID: "cpu-throttled"}},
			Not:  []string{"cpu-saturated", "gc-thrash", "no-demand", "event-loop-blocked", "clock-leap"},
			Why: "The program's threads use the quota of a period at once and are stopped for the rest of it; on average there " +
				"is a quarter to spare.",
		},
	}
}

func containerHealthy() Scenario {
	c := api()
	c.Quota = 6
	return Scenario{
		Name:   "container-healthy",
		Title:  "the same load with a quota of 6",
		Story:  "The same twelve requests at a time need 300 ms of the 600 ms that a period gives. They are rarely stopped.",
		Other:  serves(c, containerFront()),
		Length: serviceLength,
		Span:   6 * time.Minute,
		Promises: []string{
			"1.5 of 6 processors used, throttled in about one of twenty periods.",
			"A request takes about 40 ms.",
		},
		Expect: Expect{
			Not: []string{"cpu-throttled", "cpu-saturated", "gc-thrash", "no-demand", "no-backpressure"},
			Why: "What comes together fits into one period's quota.",
		},
	}
}
