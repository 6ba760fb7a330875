package sizing

import (
	"math"
	"testing"
)

// n is an input of a test.
func n(v float64) Number { return Given(v, "test") }

// calculator is what all calculations have in common.
type calculator interface{ Result() (Result, error) }

var (
	_ calculator = Little{}
	_ calculator = Pool{}
	_ calculator = Queue{}
	_ calculator = Evento{}
	_ calculator = Coordinator{}
	_ calculator = OSB{}
	_ calculator = Pulsar{}
)

// valueOf returns the line of a name.
func valueOf(t *testing.T, r Result, name string) float64 {
	t.Helper()
	for _, l := range r.Lines {
		if l.Name == name {
			return l.Value
		}
	}
	t.Fatalf("no line %q in %+v", name, r.Lines)
	return 0
}

// TestVectors reproduces the published figures.
func TestVectors(t *testing.T) {
	type want map[string]float64
	for _, c := range []struct {
		name string
		in   calculator
		want want
	}{
		{"12 slots of 0.5 s", Coordinator{Slots: n(12), Service: n(0.5)}, want{"ceiling": 24}},
		{"240 jobs at once", Coordinator{Slots: n(12), Service: n(0.5), Jobs: n(240)}, want{
			"waves": 20, "end-to-end p50": 5, "end-to-end p95": 9.5, "end-to-end p99": 10, "end-to-end max": 10}},
		{"240 jobs, limit 24", Coordinator{Slots: n(12), Service: n(0.5), Jobs: n(240), Limit: n(24)}, want{
			"accepted": 24, "refused": 216, "share refused": 0.9, "end-to-end p50": 0.5, "end-to-end p99": 1,
			"longest time at the limit": 1}},
		{"measured at the ceiling", Coordinator{Slots: n(12), Service: n(0.5), Rate: n(23.6)}, want{"share of the ceiling": 23.6 / 24}},
		{"durable writes", Coordinator{Rate: n(896), Compared: n(4843), Connections: n(4), Ack: n(0.0042)}, want{
			"faster without the durable write": 5.405, "time of one job at the serial part": 0.001116,
			"time of one job without it": 0.000206, "cost of the durable write": 0.000910,
			"acknowledgement of a serial server": 0.00446}},
		{"in memory", Coordinator{Rate: n(4843), Connections: n(4)}, want{"acknowledgement of a serial server": 0.00083}},
		{"largest limit for 2 s", Coordinator{Slots: n(12), Service: n(0.5), Limit: n(24), Deadline: n(2)}, want{
			"largest limit for the deadline": 48}},

		{"OSB 20 over 2", OSB{Throttle: n(20), Servers: n(2)}, want{"share of a server": 10, "all servers together": 20, "value that keeps 20": 20}},
		{"OSB 20 over 4", OSB{Throttle: n(20), Servers: n(4)}, want{"share of a server": 5, "all servers together": 20}},
		{"OSB 20 over 8", OSB{Throttle: n(20), Servers: n(8)}, want{"share of a server": 3, "all servers together": 24,
			"over the configured value": 4, "over it, in parts": 0.2, "value that keeps 20": 16}},
		{"OSB 20 over 6", OSB{Throttle: n(20), Servers: n(6)}, want{"share of a server": 4, "all servers together": 24}},
		{"OSB 20 over 7", OSB{Throttle: n(20), Servers: n(7)}, want{"share of a server": 3, "all servers together": 21, "value that keeps 20": 14}},
		{"OSB 3 over 8", OSB{Throttle: n(3), Servers: n(8)}, want{"share of a server": 1, "all servers together": 8, "value that keeps 3": 0}},
		{"OSB batch over 4", OSB{Throttle: n(40), Servers: n(4), Batch: n(10)}, want{"share of a server": 10, "branches that fail": 0}},
		{"OSB batch over 8", OSB{Throttle: n(40), Servers: n(8), Batch: n(10)}, want{"share of a server": 5, "branches that fail": 5,
			"throttle for the batch, divided evenly": 80}},

		{"100 sent by 400 ms", Pulsar{Limit: n(100), Sent: n(100), SentBy: n(0.4)}, want{"wait of the next message": 0.6, "part of the window": 0.6}},
		{"threshold of a node", Pulsar{Limit: n(1000), Usage: n(750), Nodes: n(5), NodeUsage: n(150)}, want{
			"threshold of a node": 400, "all thresholds together": 2000, "against the limit": 2}},
		{"busiest node", Pulsar{Limit: n(1000), Usage: n(750), Nodes: n(5), NodeUsage: n(600)}, want{
			"threshold of a node": 850, "all thresholds together": 2000}},
		{"idle node", Pulsar{Limit: n(1000), Usage: n(750), Nodes: n(5), NodeUsage: n(0)}, want{
			"threshold of a node": 250, "all thresholds together": 2000}},
		{"unused cluster", Pulsar{Limit: n(1000), Usage: n(0), Nodes: n(5)}, want{"all thresholds together": 5000, "against the limit": 5}},
		{"used cluster", Pulsar{Limit: n(1000), Usage: n(1000), Nodes: n(5)}, want{"all thresholds together": 1000, "against the limit": 1}},
		{"above the limit", Pulsar{Limit: n(1000), Usage: n(1200), Nodes: n(5)}, want{"left in the cluster": 0, "threshold of a node": 240}},
		{"hidden peak", Pulsar{Limit: n(1000), Average: n(200)}, want{
			"seconds of a minute at the limit, at most": 12, "peak against average, at least": 5}},
		{"alarm", Pulsar{Limit: n(1000)}, want{"alarm at": 800}},
		{"alarm of a partition", Pulsar{Limit: n(5000)}, want{"alarm at": 4000}},
		{"partitions", Pulsar{Target: n(18000), Partition: n(5000)}, want{"partitions": 5}},
		{"tick", Pulsar{Inflow: n(20000)}, want{"overshoot of a partition, at most": 1000, "overshoot, in parts": 0.2}},
		{"fan-out 1", Pulsar{Limit: n(1000), FanOut: n(1)}, want{"production": 500, "consumption": 500}},
		{"fan-out 3", Pulsar{Limit: n(1000), FanOut: n(3)}, want{"production": 250, "consumption": 750}},

		{"64 threads of 20 ms", Pool{Workers: n(64), Service: n(0.02), Queue: n(256)}, want{"sustainable rate": 3200, "wait in the full queue": 0.08}},
		{"one lane, 20 ms", Queue{Deadline: n(30), Service: n(0.02)}, want{"useful depth, one-lane rule": 1500}},
		{"64 workers, 200 ms", Queue{Deadline: n(30), Service: n(0.2), Workers: n(64)}, want{
			"useful depth, one-lane rule": 150, "useful depth, pool rule": 9536}},
		{"queue of 256", Queue{Deadline: n(30), Service: n(0.2), Workers: n(64), Depth: n(256)}, want{
			"dead from a service time of, pool rule": 6, "dead from a service time of, one-lane rule": 0.117}},

		{"Little: in flight", Little{Rate: n(25), Time: n(0.3), Think: n(0.02)}, want{"in flight": 8}},
		{"Little: rate", Little{InFlight: n(8), Time: n(0.3), Think: n(0.02)}, want{"rate": 25}},
		{"Little: time", Little{InFlight: n(8), Rate: n(25), Think: n(0.02)}, want{"time": 0.3}},

		{"Evento, 8 cores before 2.4", Evento{Cores: n(8), QueueFirst: true, Service: n(0.3), Nested: n(2), NestedTime: n(0.1)}, want{
			"usable threads": 16, "requests at once before the pool grows": 1040, "thread time of a request": 0.5,
			"limit by threads": 32, "clients that never wait for a thread": 8, "clients that can stop the server": 16}},
		{"Evento, 8 cores of 2.4", Evento{Cores: n(8), Service: n(0.02), Fetches: n(1), FetchTime: n(0.01)}, want{
			"usable threads": 64, "limit by threads": 3200, "limit by fetch permits": 400, "binding limit": 400}},
		{"Evento, 2 cores", Evento{Cores: n(2), Service: n(0.02)}, want{"usable threads": 16}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := c.in.Result()
			if err != nil {
				t.Fatal(err)
			}
			for name, want := range c.want {
				// Exact but for the digits that a publication gives.
				if got := valueOf(t, r, name); math.Abs(got-want) > 1e-9+tolerance(want) {
					t.Errorf("%s = %v, want %v", name, got, want)
				}
			}
			for _, l := range r.Lines {
				if l.Formula == "" || l.Source == "" || math.IsNaN(l.Value) {
					t.Errorf("line without formula, source or value: %+v", l)
				}
			}
		})
	}
}

// tolerance is half of the last digit of a figure published with two digits or
// more; whole numbers and tenths are exact.
func tolerance(v float64) float64 {
	if v == math.Trunc(v) || v*10 == math.Trunc(v*10) {
		return 0
	}
	return v * 6e-3
}
