package lab

import (
	"slices"
	"time"
)

// Scenarios returns all scenarios, the incident first: those of Evento, of a
// task coordinator, of an OSB domain, of Pulsar brokers, of services that are a
// pool of threads, and of consumers of a log.
func Scenarios() []Scenario {
	return slices.Concat(eventoScenarios(), coordinatorScenarios(), domainScenarios(), brokerScenarios(),
		serviceScenarios(), groupScenarios(), poolScenarios())
}

func eventoScenarios() []Scenario {
	return []Scenario{
		collapse(),
		healthy(),
		oldServer(),
		metastable(),
		restart(),
		saturated(),
		busy(),
		retryStorm(),
		wedged(),
		fetchSemaphore(),
	}
}

// before is how long a scenario runs well, so that there is a baseline.
const before = 40 * time.Minute

// writers changes the number of writers; new ones start all at once, as those
// of one job do.
func writers(n int) func(*Model) {
	return func(m *Model) {
		m.Set(func(c *Config) { c.Writers, c.StartEvery = n, 0 })
	}
}

// startEight is the import as it ran well, on the server of the incident.
func startEight() Config {
	c := Evento()
	c.Writers = 8
	return c
}

func collapse() Scenario {
	return Scenario{
		Name:  "collapse",
		Title: "20 writers stop an idle server",
		Story: "The import runs with 8 writers for 40 minutes and makes 25 writes a second. Then it is started again " +
			"with 20. All 16 threads take a write, each write waits for a second thread, and there is none: nothing " +
			"ends before its deadline. The pool could grow to 64, but only once 1024 requests wait.",
		Config: startEight(),
		Steps:  []Step{{before, "20 writers instead of 8, all at once", writers(20)}},
		Until:  Stats.Stuck,
		Length: 5 * time.Minute,
		Promises: []string{
			"Writes fall from 25.0/s to near 0 and stay there.",
			"16 of 16 threads wait for a thread, the queue grows, and about 2,400 writes an hour expire.",
			"CPU is under 2 %, the database idle.",
			"With 8 writers again it recovers in a few minutes, when the queue of dead work has drained.",
		},
		Expect: Expect{
			Find: []Found{
				{ID: "congestion-collapse", Says: []string{AddCommand}},
				{ID: "pool-never-grows", Says: []string{"16", "64"}},
			},
			Not: []string{"cpu-saturated", "gc-thrash", "database-lock-wait", "database-unreachable", "no-demand",
				"queue-saturated", "load-shedding"},
			AdviceMust:    []string{"(?i)(reduce|lower|fewer|less|cut).*(concurren|client|writer)"},
			AdviceMustNot: []string{`(?i)^\W*(raise|increase|enlarge|deepen) .*queue`},
			Facts:         map[string]float64{"deadline_seconds": 30},
			Why: "20 writers against 16 usable threads, each write in need of a second one: the pool stays at core 16 " +
				"of max 64 because its queue of 1024 is never full. Requests expire while CPU and database are idle.",
		},
	}
}

func healthy() Scenario {
	return Scenario{
		Name:  "healthy",
		Title: "8 writers, the same server",
		Story: "The import runs with 8 writers for 46 minutes. Between 8 and 16 of 16 threads are busy, nothing waits " +
			"for long, nothing expires.",
		Config: startEight(),
		Length: 46 * time.Minute,
		Promises: []string{
			"25.0 writes a second with 8 writers.",
			"Nothing expires, CPU is at 18 to 20 %.",
		},
		Expect: Expect{
			Not: []string{"congestion-collapse", "pool-never-grows", "pool-exhausted", "queue-saturated",
				"dead-work-queue", "no-demand", "cpu-saturated", "wedged-pool", "retry-storm", "held-connections"},
			Facts: map[string]float64{"deadline_seconds": 30},
			Why: "8 writers need 12.5 threads on average and have 16: 25 writes a second, no queue to speak of and no " +
				"timeout. The 5 connections always in use are held by locks.",
		},
	}
}

func oldServer() Scenario {
	s := collapse()
	s.Name = "old-server"
	s.Title = "the same collapse on a server before 2.4.0, which has no meters of its pool"
	s.Story = "As collapse, on a server that exports nothing of its pool, logs expiries at INFO and does not name " +
		"what expired. What is left are the callers' figures, the pool of connections, CPU and the log."
	s.Config.BusMeters = false
	s.Promises = []string{
		"No evento_server_bus_executor_ meter; the log tells only how the pool was configured.",
		"bundle_correlation_expired is at INFO and has no byType.",
		"Writes fall from 25.0/s to near 0 while CPU is under 2 %.",
	}
	s.Expect.Find = []Found{{ID: "congestion-collapse"}}
	s.Expect.Not = []string{"cpu-saturated", "gc-thrash", "database-unreachable", "no-demand", "pool-never-grows"}
	s.Expect.AdviceMust = nil
	s.Expect.Why = "The pool cannot be seen, yet writes fell to near 0 while their callers wait and expire, CPU is idle " +
		"and the database too."
	return s
}

func metastable() Scenario {
	c := Evento()
	c.Writers = 16
	c.Retries = 1000
	c.PauseAfterExpiry = 90 * time.Second
	return Scenario{
		Name:  "metastable",
		Title: "the burst is over, the collapse is not: retries keep it going",
		Story: "The import runs with 16 writers, 18.6 writes a second, in balance. For two minutes 8 more join and all " +
			"threads get stuck. The 8 leave; the 16 send every expired write again at once, in step, and the server " +
			"stays stuck. Without retries the writers would pause 90 s and it would recover by itself.",
		Config: c,
		Steps: []Step{
			{before, "8 more writers", writers(24)},
			{before + 2*time.Minute, "the 8 writers leave", writers(16)},
		},
		Length: 5 * time.Minute,
		Promises: []string{
			"16 writers made 18.6/s before the burst and make near 0 after it.",
			"Every request sent is a retry.",
			"With retries off it recovers.",
		},
		Expect: Expect{
			Find:       []Found{{ID: "congestion-collapse"}, {ID: "pool-never-grows", Says: []string{"16", "64"}}},
			Not:        []string{"cpu-saturated", "gc-thrash", "database-unreachable", "no-demand", "queue-saturated"},
			AdviceMust: []string{"(?i)retr"},
			Facts:      map[string]float64{"deadline_seconds": 30},
			Why: "The number of writers is what it was when all was well; the retries of expired writes keep all 16 " +
				"threads waiting for a 17th.",
		},
	}
}

func restart() Scenario {
	c := EventoGrowFirst()
	c.Writers = 12
	return Scenario{
		Name:  "restart",
		Title: "the server restarts: counters start again, nothing is wrong",
		Story: "The import runs with 12 writers on a server of 2.4, 37.5 writes a second. The server is restarted and is " +
			"away for 10 s. The 12 writes it had are lost and expire; then all goes on as before.",
		Config: c,
		Steps: []Step{{20 * time.Minute, "restart of the server, 10 s away",
			func(m *Model) { m.Restart(10 * time.Second) }}},
		Length: 3 * time.Minute,
		Promises: []string{
			"The server's counters and its uptime start again; its log has a second start line.",
			"12 writes or fewer expire, once.",
			"Writes are back at 37.5/s.",
		},
		Expect: Expect{
			Not: []string{"congestion-collapse", "pool-exhausted", "wedged-pool", "cpu-saturated", "retry-storm"},
			Why: "The server was restarted, lost what it had in hand, and works as before.",
		},
	}
}
