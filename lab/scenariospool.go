package lab

import "time"

// Scenarios of a connection pool whose database moves.

func pools(c PoolConfig) func(time.Time) System {
	return func(start time.Time) System { return newPool(c, start) }
}

func poolScenarios() []Scenario { return []Scenario{poolFilling(), poolRefilled()} }

// reservations are 60 requests a second that keep one of 20 connections for 0.2 s: 12 of
// them are in use.
func reservations() PoolConfig {
	return PoolConfig{
		Seed: 1, Rate: 60, Max: 20, Hold: 200 * time.Millisecond, Jitter: 0.5,
		Login: 20 * time.Millisecond, Wait: 30 * time.Second, FailoverAt: 6 * time.Minute, SlowLogin: 20 * time.Millisecond,
	}
}

func poolFilling() Scenario {
	c := reservations()
	c.SlowLogin = 20 * time.Second
	return Scenario{
		Name:  "pool-filling",
		Title: "after a failover every login takes 20 s, and the pool opens one connection after the other",
		Story: "A program uses 12 of its 20 connections when the database moves to another machine. All of them break. The new " +
			"machine looks up the name of every client and gets no answer: a login takes 20 s. The pool opens one at a time, so " +
			"it needs four minutes for what the load needs, and requests give up after 30 s meanwhile.",
		Other:  pools(c),
		Length: 8 * time.Minute,
		Span:   4 * time.Minute,
		Promises: []string{
			"Six of 20 connections after two minutes, all of them in use, hundreds of requests waiting.",
			"The database and the CPU are idle.",
		},
		Expect: Expect{
			Find:       []Found{{ID: "pool-filling"}},
			Not:        []string{"pool-exhausted", "cpu-saturated", "gc-thrash", "no-demand", "held-connections", "database-lock-wait"},
			AdviceMust: []string{"(?i)login|open"},
			Why:        "The pool is far from its maximum of 20 and has nothing to give: logins take 20 s each, one after the other.",
		},
	}
}

func poolRefilled() Scenario {
	return Scenario{
		Name:   "pool-refilled",
		Title:  "the same failover with logins of 20 ms",
		Story:  "All connections of the pool break, and within half a second all of them are open again.",
		Other:  pools(reservations()),
		Length: 8 * time.Minute,
		Span:   4 * time.Minute,
		Promises: []string{
			"20 connections, 12 of them in use, nobody waits.",
		},
		Expect: Expect{
			Not: []string{"pool-filling", "pool-exhausted", "held-connections", "wedged-pool", "congestion-collapse", "cpu-saturated", "no-demand"},
			Why: "The pool is full again before a scrape sees it.",
		},
	}
}
