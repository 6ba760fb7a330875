package lab

import "time"

// Scenarios of consumers of a log: a Kafka group and a Pulsar subscription.

func reads(c GroupConfig, f groupFront) func(time.Time) System {
	return func(start time.Time) System { return newGroup(c, f, start) }
}

func groupScenarios() []Scenario {
	return []Scenario{kafkaStalled(), kafkaHealthy(), pulsarDelayed(), pulsarUndelayed()}
}

// billing is three consumers of six partitions: 40 messages a second of 50 ms
// are two thirds of what they can do.
func billing() GroupConfig {
	return GroupConfig{Seed: 1, Rate: 40, Partitions: 6, Consumers: 3, Batch: 100, Time: 50 * time.Millisecond, Jitter: 0.5}
}

func kafkaStalled() Scenario {
	c := billing()
	c.HangAt = 5 * time.Minute
	return Scenario{
		Name:  "kafka-stalled",
		Title: "three consumers wait for an answer that does not come, and nobody polls",
		Story: "Three consumers of a Kafka group read 40 messages a second, 50 ms each. Then what they call stops answering, " +
			"and they call without a time-out: each hangs in the message it has. They stay in the group, as their heartbeats " +
			"go on; nothing is committed and the lag grows by 40 a second.",
		Other:  reads(c, kafkaFront()),
		Length: 9 * time.Minute,
		Span:   6 * time.Minute,
		Promises: []string{
			"No poll for four minutes, no message committed; the lag is above 9,000.",
			"CPU is idle, and the group still has its three members.",
		},
		Expect: Expect{
			Find:       []Found{{ID: "consumer-stalled"}},
			Not:        []string{"throttled", "cpu-saturated", "gc-thrash", "no-demand", "publishers-blocked", "unintended-delay"},
			AdviceMust: []string{"(?i)dump|time-?out"},
			Why:        "The consumers have not polled for minutes and commit nothing while messages keep coming: each hangs in one message.",
		},
	}
}

func kafkaHealthy() Scenario {
	return Scenario{
		Name:   "kafka-healthy",
		Title:  "the same 40 messages a second, worked off as they come",
		Story:  "Three consumers of a Kafka group read 40 messages a second, 50 ms each: two thirds of what they can do. The lag is a few messages.",
		Other:  reads(billing(), kafkaFront()),
		Length: 9 * time.Minute,
		Span:   6 * time.Minute,
		Promises: []string{
			"40 messages a second committed; the lag stays below 100.",
		},
		Expect: Expect{
			Not: []string{"consumer-stalled", "no-backpressure", "throttled", "cpu-saturated", "gc-thrash", "no-demand"},
			Why: "Each consumer polls every second or so and commits what it got.",
		},
	}
}

func pulsarDelayed() Scenario {
	c := billing()
	c.DelayAt, c.Delay = 5*time.Minute, 2*time.Hour
	return Scenario{
		Name:  "pulsar-delayed",
		Title: "all messages are to be delivered in two hours, and nobody meant it",
		Story: "Producers give a delivery time with each message, and take it from a clock in local time: since the last " +
			"release it lies two hours ahead. The broker holds every message back; three idle consumers wait.",
		Other:  reads(c, subscriptionFront()),
		Length: 9 * time.Minute,
		Span:   6 * time.Minute,
		Promises: []string{
			"40 messages a second come in and none goes out.",
			"More than 9,000 in the backlog, all of them delayed.",
		},
		Expect: Expect{
			Find:       []Found{{ID: "unintended-delay"}},
			Not:        []string{"consumer-stalled", "throttled", "no-backpressure", "publishers-blocked", "hidden-burst"},
			AdviceMust: []string{"(?i)deliver"},
			Why:        "The whole backlog waits for its delivery time; what may be delivered is delivered at once.",
		},
	}
}

func pulsarUndelayed() Scenario {
	return Scenario{
		Name:   "pulsar-undelayed",
		Title:  "the same messages without a delivery time",
		Story:  "40 messages a second come in and are delivered at once; three consumers of 50 ms each have a third of their time left.",
		Other:  reads(billing(), subscriptionFront()),
		Length: 9 * time.Minute,
		Span:   6 * time.Minute,
		Promises: []string{
			"40 messages a second in and out, no message is delayed.",
		},
		Expect: Expect{
			Not: []string{"unintended-delay", "consumer-stalled", "throttled", "no-backpressure", "publishers-blocked", "hidden-burst"},
			Why: "Nothing is delayed and the backlog is what is being worked on.",
		},
	}
}
