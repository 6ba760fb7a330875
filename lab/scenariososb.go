package lab

import "time"

// Scenarios of an Oracle Service Bus domain.

func domain(c DomainConfig) func(time.Time) System {
	return func(start time.Time) System { return NewDomain(c, start) }
}

func domainScenarios() []Scenario {
	return []Scenario{osbRounding(), osbBatch(), osbSmaller(), osbHealthy()}
}

func osbRounding() Scenario {
	c := LegacyDomain()
	c.Joining, c.JoinAt = 4, 4*time.Minute
	return Scenario{
		Name:  "osb-rounding",
		Title: "a throttling value of 20 lets 24 calls through once 8 servers share it",
		Story: "4 servers share a throttling value of 20: 5 calls each, 20 in all, which the backend bears, 50 calls a " +
			"second. Then 4 more servers join. 20 ÷ 8 is 2.5 and is rounded up: 8 × 3 = 24 calls at once, and the backend " +
			"falls to 21 calls a second.",
		Other:  domain(c),
		Length: 5 * time.Minute,
		Promises: []string{
			"20 calls at once before, 24 after.",
			"50 calls a second before, 21 after, 1.15 s each.",
		},
		Expect: Expect{
			Find: []Found{{ID: "limit-overshoot", Says: []string{"24", "20"}}},
			Not: []string{"premature-shedding", "load-shedding", "no-demand", "pool-exhausted", "congestion-collapse",
				"batch-exceeds-share", "network-partition", "cpu-saturated"},
			AdviceMust:    []string{`(?i)\b16\b|multiple of|per server|number of servers`},
			AdviceMustNot: []string{`(?i)^\W*(raise|increase) .*(throttl|limit|concurrency)`},
			Facts:         map[string]float64{"limit": 20, "nodes": 8},
			Why: "The value of 20 is divided by 8 servers and rounded up to 3: 24 calls get through, more than the backend " +
				"bears. 16 would keep the cap.",
		},
	}
}

func osbBatch() Scenario {
	c := LegacyDomain()
	c.Joining, c.JoinAt = 4, 4*time.Minute
	c.Throttle, c.Queue, c.Expiration = 40, 0, 0
	c.Callers = 0
	c.Batch, c.BatchEvery = 10, 5*time.Second
	c.Bears = 80
	return Scenario{
		Name:  "osb-batch",
		Title: "batches of 10 fail by half once 8 servers share a value of 40",
		Story: "4 servers share a throttling value of 40, 10 calls each, and run Split-Joins of 10 branches. Then 4 more " +
			"servers join: 5 calls each, no throttling queue. Of every batch 5 branches fail.",
		Other:  domain(c),
		Length: 5 * time.Minute,
		Promises: []string{
			"No branch fails with 4 servers; 5 of 10 with 8.",
			"The servers are idle.",
		},
		Expect: Expect{
			Find: []Found{{ID: "batch-exceeds-share", Says: []string{"10", "5"}}},
			Not: []string{"congestion-collapse", "pool-exhausted", "cpu-saturated", "network-partition", "database-unreachable",
				"limit-overshoot", "no-demand", "wedged-pool"},
			AdviceMust:    []string{`(?i)batch|\b80\b`},
			AdviceMustNot: []string{`(?i)^\W*(add|start) .*(server|node)s?\b`},
			Facts:         map[string]float64{"limit": 40, "nodes": 8, "batch": 10},
			Why: "40 over 8 servers is 5 a server: a batch of 10 loses 5 branches, since nothing waits in a queue of 0. Batch " +
				"and throttling value have to be chosen together.",
		},
	}
}

func osbSmaller() Scenario {
	s := osbBatch()
	c := LegacyDomain()
	c.Servers = 8
	c.Throttle, c.Queue, c.Expiration = 40, 0, 0
	c.Callers = 0
	c.Batch, c.BatchEvery = 10, 5*time.Second
	c.SmallerAt, c.Smaller = time.Minute, 5
	c.Bears = 80
	s.Name = "osb-smaller"
	s.Title = "batches of 5 over 8 servers that share a value of 40, after some of 10 that failed"
	s.Story = "8 servers share a throttling value of 40, 5 calls each. For a minute their Split-Joins have 10 branches, of which " +
		"5 fail. Since then they have 5, a server's share."
	s.Other = domain(c)
	s.Length, s.Span = 8*time.Minute, 6*time.Minute
	s.Promises = []string{"No branch has failed for seven minutes."}
	s.Expect = Expect{
		Not: []string{"batch-exceeds-share", "throttled", "congestion-collapse", "pool-exhausted", "cpu-saturated", "limit-overshoot",
			"no-demand", "wedged-pool", "premature-shedding"},
		Facts: map[string]float64{"limit": 40, "nodes": 8, "batch": 5},
		Why:   "40 over 8 servers is 5 a server, and a batch of 5 fits; the failures are of another batch size and over.",
	}
	return s
}

func osbHealthy() Scenario {
	c := LegacyDomain()
	c.Batch, c.BatchEvery = 5, 10*time.Second
	return Scenario{
		Name:  "osb-healthy",
		Title: "4 servers share a throttling value of 20 without a rest",
		Story: "4 servers, 5 calls each, 20 in all: the backend answers 50 calls a second. Batches of 5 wait a moment in " +
			"the throttling queue and are done.",
		Other:  domain(c),
		Length: 5 * time.Minute,
		Promises: []string{
			"Never more than 20 calls at once, 50 a second.",
			"No branch of a batch fails.",
		},
		Expect: Expect{
			Not: []string{"limit-overshoot", "batch-exceeds-share", "premature-shedding", "throttled", "pool-exhausted",
				"congestion-collapse", "cpu-saturated", "no-demand", "wedged-pool"},
			Facts: map[string]float64{"limit": 20, "nodes": 4, "batch": 5},
			Why:   "20 divides by 4 without a rest, a batch of 5 is a server's share, and the backend bears 20.",
		},
	}
}
