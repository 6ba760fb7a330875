package lab

import "time"

// Scenarios of Pulsar brokers.

func brokers(c BrokersConfig) func(time.Time) System {
	return func(start time.Time) System { return NewBrokers(c, start) }
}

func brokerScenarios() []Scenario {
	return []Scenario{pulsarBurst(), pulsarOvershoot(), pulsarThrottled(), pulsarNear(), pulsarEven(), pulsarHealthy()}
}

func pulsarBurst() Scenario {
	c := OrderBrokers()
	c.Brokers, c.Steady = 1, 0
	c.Burst, c.BurstEvery = 3000, 15*time.Second
	return Scenario{
		Name:  "pulsar-burst",
		Title: "throttled at 200 messages a second, with a limit of 1,000",
		Story: "A producer sends what it has collected in 15 s at once: 3,000 messages. The limit of 1,000 a second lets " +
			"them through in three windows, and throttles in two of them. Over a minute it is 200 messages a second.",
		Other:  brokers(c),
		Length: 4 * time.Minute,
		Promises: []string{
			"200 messages a second on average, with a limit of 1,000.",
			"4 throttle events in 15 s; the last of 3,000 messages waits 2 s.",
		},
		Expect: Expect{
			Find: []Found{{ID: "hidden-burst", Says: []string{"200", "1000"}}},
			Not: []string{"cpu-saturated", "disk-full", "no-demand", "limit-overshoot", "congestion-collapse", "consumer-stalled",
				"publishers-blocked"},
			AdviceMust:    []string{"(?i)spread|smooth|even|pace|shorter|burst|peak"},
			AdviceMustNot: []string{`(?i)^\W*(raise|increase) .*because .*average`, "(?i)impossible"},
			Facts:         map[string]float64{"limit": 1000, "window_seconds": 1},
			Why: "The throttle counter rises while the average is a fifth of the limit: the messages come at once and need " +
				"three windows of a second.",
		},
	}
}

func pulsarOvershoot() Scenario {
	c := OrderBrokers()
	c.Steady = 150
	c.Burst, c.BurstEvery = 250, 10*time.Second
	return Scenario{
		Name:  "pulsar-overshoot",
		Title: "five brokers take 2,000 messages in one second, with a limit of 1,000",
		Story: "Five brokers take 150 messages a second each, 750 of 1,000. Each may take what the cluster has left on top " +
			"of its own: 150 + 250. Every 10 s 250 more come to each of them at once, and all five take them: 2,000 in one " +
			"second, and nobody is throttled.",
		Other:  brokers(c),
		Length: 2*time.Minute + 13*time.Second,
		Every:  time.Second,
		Span:   6 * time.Second,
		Promises: []string{
			"750 messages a second, 2,000 in one second of ten.",
			"No throttle event.",
		},
		Expect: Expect{
			Find: []Found{{ID: "limit-overshoot", Says: []string{"2000", "1000"}}},
			Not: []string{"throttled", "hidden-burst", "cpu-saturated", "no-demand", "congestion-collapse", "load-shedding",
				"batch-exceeds-share"},
			AdviceMust:    []string{"(?i)node|broker|threshold|headroom"},
			AdviceMustNot: []string{"(?i)impossible"},
			Facts:         map[string]float64{"limit": 1000, "nodes": 5, "window_seconds": 1},
			Why: "Each broker's threshold is its own use and what the cluster has left, 150 + 250: five of them let 2,000 " +
				"through in one window, and no throttle event is counted.",
		},
	}
}

func pulsarThrottled() Scenario {
	c := OrderBrokers()
	c.Brokers, c.Steady = 1, 1300
	return Scenario{
		Name:  "pulsar-throttled",
		Title: "1,300 messages a second for a limit of 1,000: throttled in every second",
		Story: "Two producers send 1,300 messages a second, evenly, to a topic with a limit of 1,000. In each second the broker " +
			"reads until 1,000 are taken and then nothing more; what is not read waits at the producers and grows by 300 a " +
			"second.",
		Other:  brokers(c),
		Length: 8 * time.Minute,
		Span:   6 * time.Minute,
		Promises: []string{
			"1,000 messages a second, throttled in every window.",
			"A message waits longer for every second that it goes on.",
		},
		Expect: Expect{
			Find: []Found{{ID: "throttled"}},
			Not: []string{"hidden-burst", "limit-overshoot", "cpu-saturated", "disk-full", "no-demand", "consumer-stalled",
				"publishers-blocked", "congestion-collapse"},
			AdviceMust: []string{"(?i)limit|partition|slow|rate"},
			Facts:      map[string]float64{"limit": 1000, "window_seconds": 1},
			Why:        "The throttle counter moves all the time and the rate stands at the limit itself: the load is above it.",
		},
	}
}

func pulsarNear() Scenario {
	c := OrderBrokers()
	c.Steady = 170
	return Scenario{
		Name:   "pulsar-near",
		Title:  "five brokers at 85 percent of the limit",
		Story:  "Five brokers take 170 messages a second each, 850 of 1,000. Nothing is throttled yet.",
		Other:  brokers(c),
		Length: 8 * time.Minute,
		Span:   3 * time.Minute,
		Promises: []string{
			"850 messages a second, evenly.",
			"No throttle event.",
		},
		Expect: Expect{
			Find:  []Found{{ID: "near-limit", Says: []string{"850", "1000"}}},
			Not:   []string{"throttled", "hidden-burst", "limit-overshoot", "no-demand", "congestion-collapse", "cpu-saturated"},
			Facts: map[string]float64{"limit": 1000, "nodes": 5, "window_seconds": 1},
			Why:   "850 of 1,000 messages a second is above the alarm at 80 percent, and the counters of throttling stand still.",
		},
	}
}

func pulsarEven() Scenario {
	c := OrderBrokers()
	c.Steady = 150
	return Scenario{
		Name:   "pulsar-even",
		Title:  "five brokers take 750 messages in every second, with a limit of 1,000",
		Story:  "Five brokers take 150 messages a second each, 750 of 1,000, in every second the same.",
		Other:  brokers(c),
		Length: 2*time.Minute + 13*time.Second,
		Every:  time.Second,
		Span:   8 * time.Second,
		Promises: []string{
			"750 messages in each second, no throttle event.",
		},
		Expect: Expect{
			Not:   []string{"limit-overshoot", "near-limit", "no-demand", "congestion-collapse", "cpu-saturated"},
			Facts: map[string]float64{"limit": 1000, "nodes": 5, "window_seconds": 1},
			Why:   "Read once a second, the five brokers together never take more than 750.",
		},
	}
}

func pulsarHealthy() Scenario {
	return Scenario{
		Name:   "pulsar-healthy",
		Title:  "five brokers at 65 percent of the limit",
		Story:  "Five brokers take 130 messages a second each, 650 of 1,000. Their throttle counters stand where they stood.",
		Other:  brokers(OrderBrokers()),
		Length: 8 * time.Minute,
		Span:   6 * time.Minute,
		Promises: []string{
			"650 messages a second, evenly.",
			"No throttle event.",
		},
		Expect: Expect{
			Not: []string{"throttled", "hidden-burst", "limit-overshoot", "near-limit", "no-demand", "congestion-collapse",
				"cpu-saturated", "consumer-stalled", "publishers-blocked"},
			Facts: map[string]float64{"limit": 1000, "nodes": 5, "window_seconds": 1},
			Why:   "650 of 1,000 messages a second is below the alarm at 80 percent, and nothing is throttled.",
		},
	}
}
