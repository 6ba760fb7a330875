package lab

import "time"

// Scenarios on a server whose pool grows first, as from Evento 2.4 on.

func saturated() Scenario {
	c := EventoGrowFirst()
	c.Writers = 350
	c.StartEvery = 20 * time.Millisecond
	c.Nested = 0
	c.OwnTime = 1800 * time.Millisecond
	c.OwnCPU = 65 * time.Millisecond
	c.ImportConnections = 16
	return Scenario{
		Name:  "saturated",
		Title: "350 writers at the ceiling of a server that grows first: full, and working",
		Story: "350 writers in 16 importers send writes of 1.8 s that need no second thread. 64 threads work, 256 writes " +
			"wait, and the threads that read the connections have to run some themselves. 38 writes a second are made, " +
			"each after 9 s: the ceiling, not a collapse.",
		Config: c,
		Length: 30 * time.Minute,
		Promises: []string{
			"64 of 64 threads busy, 220 to 256 of 256 places in the queue taken.",
			"evento_server_bus_executor_saturated_total grows by 2 to 3 a second.",
			"37 to 40 writes a second, steady; nothing expires.",
		},
		Expect: Expect{
			Find: []Found{{ID: "queue-saturated", Says: []string{"256"}}, {ID: "pool-exhausted", Says: []string{"64 of 64"}}},
			Not: []string{"congestion-collapse", "pool-never-grows", "wedged-pool", "cpu-saturated", "no-demand",
				"retry-storm"},
			AdviceMust:    []string{"(?i)(reduce|lower|limit|fewer|bound|cut).*(concurren|client|in.?flight|writer)|maxInFlight"},
			AdviceMustNot: []string{`(?i)^\W*(raise|increase|enlarge|deepen) .*queue`},
			Facts:         map[string]float64{"deadline_seconds": 30},
			Why: "Pool and queue are full and the saturated counter moves, but work completes at its ceiling and no " +
				"request waits longer than its deadline.",
		},
	}
}

func busy() Scenario {
	c := EventoGrowFirst()
	c.Writers = 28
	return Scenario{
		Name:  "busy",
		Title: "28 writers on a server that grows first: busy and healthy",
		Story: "28 writers make 87.5 writes a second. 44 of 64 threads are busy on average and 64 % of the processors. " +
			"Nothing waits.",
		Config: c,
		Length: 20 * time.Minute,
		Promises: []string{
			"87.5 writes a second, nothing waits, nothing expires.",
			"60 to 70 % of threads and of processors are busy.",
		},
		Expect: Expect{
			Not: []string{"congestion-collapse", "pool-exhausted", "queue-saturated", "dead-work-queue", "no-demand",
				"cpu-saturated", "wedged-pool", "retry-storm", "held-connections"},
			Facts: map[string]float64{"deadline_seconds": 30},
			Why:   "Two thirds of threads and processors are in use, nothing waits and nothing expires.",
		},
	}
}

func retryStorm() Scenario {
	c := EventoGrowFirst()
	c.Cores, c.Core, c.Max = 4, 8, 32
	c.Writers = 12
	c.Deadline = 2 * time.Second
	c.Retries = 3
	c.PauseAfterExpiry = 10 * time.Second
	return Scenario{
		Name:  "retry-storm",
		Title: "40 impatient writers: three of four requests are retries",
		Story: "12 writers with a deadline of 2 s make 37.5 writes a second on a server with 32 threads. Then 40 start at once. Every write " +
			"expires, is sent again three times, and each time an older copy of it still holds a thread.",
		Config: c,
		Steps:  []Step{{20 * time.Minute, "40 writers instead of 12, all at once", writers(40)}},
		Length: 5 * time.Minute,
		Span:   time.Minute,
		Promises: []string{
			"8 requests a second are sent, 6 of them retries; near 0 are answered in time.",
			"Writes are applied after their caller has gone.",
		},
		Expect: Expect{
			Find:       []Found{{ID: "congestion-collapse"}, {ID: "retry-storm"}},
			Not:        []string{"cpu-saturated", "gc-thrash", "no-demand", "pool-never-grows"},
			AdviceMust: []string{"(?i)retr"},
			Facts:      map[string]float64{"deadline_seconds": 2},
			Why: "Three of four requests are retries of writes whose older copies still hold threads; next to nothing is " +
				"answered in time while CPU is idle.",
		},
	}
}

func wedged() Scenario {
	c := EventoGrowFirst()
	c.Writers = 20
	c.Deadline = time.Hour
	return Scenario{
		Name:  "wedged",
		Title: "all 64 threads wait for a 65th, and no deadline frees one",
		Story: "20 writers make 62.5 writes a second. Then 80 start at once, with a deadline of an hour. 64 writes hold " +
			"the 64 threads and wait for requests that are queued behind them. Nothing completes and nothing expires.",
		Config: c,
		Steps:  []Step{{20 * time.Minute, "80 writers instead of 20, all at once", writers(80)}},
		Until:  Stats.Stuck,
		Length: 5 * time.Minute,
		Promises: []string{
			"64 of 64 threads busy, 0 writes a second, nothing expires.",
			"The queue stands still.",
		},
		Expect: Expect{
			Find:       []Found{{ID: "wedged-pool", Says: []string{"64 of 64"}}},
			Not:        []string{"cpu-saturated", "gc-thrash", "no-demand", "pool-never-grows", "database-unreachable"},
			AdviceMust: []string{"(?i)dump"},
			Facts:      map[string]float64{"deadline_seconds": 3600},
			Why: "All 64 threads are busy and not one request has completed for minutes: each waits for a request that " +
				"waits for a thread.",
		},
	}
}

func fetchSemaphore() Scenario {
	c := EventoGrowFirst()
	c.Writers = 8
	return Scenario{
		Name:  "fetch-semaphore",
		Title: "60 consumers rebuild a read model: threads wait for 4 permits",
		Story: "8 writers make 25 writes a second. Then 60 consumers begin to read the whole history, half a second a " +
			"fetch. Only 4 fetches run at once, however many threads there are; the others hold a thread and wait. " +
			"Each write fetches events too and waits with them.",
		Config: c,
		Steps: []Step{{20 * time.Minute, "60 consumers, fetches of 0.5 s", func(m *Model) {
			m.Set(func(c *Config) { c.Consumers, c.FetchTime = 60, 500*time.Millisecond })
		}}},
		Length: 5 * time.Minute,
		Promises: []string{
			"64 of 64 threads busy; more than 45 of them wait for one of 4 permits.",
			"evento_server_correlations_pending stays at 8 or below, CPU is under 10 %.",
			"Writes fall from 25.0/s to about 1/s; nothing expires.",
		},
		Expect: Expect{
			Find: []Found{{ID: "pool-exhausted", Says: []string{"64 of 64"}}},
			Not: []string{"cpu-saturated", "gc-thrash", "no-demand", "pool-never-grows", "wedged-pool",
				"database-unreachable"},
			Facts: map[string]float64{"deadline_seconds": 30, "fetch_concurrency": 4},
			Why: "All 64 threads are taken by event fetches that wait for one of 4 permits; more threads would only " +
				"wait too.",
		},
	}
}
