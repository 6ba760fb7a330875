package sizing

import (
	"errors"
	"math"
	"testing"
)

func TestImpossibleIsExplained(t *testing.T) {
	for _, c := range []struct {
		name string
		in   calculator
		want string
	}{
		{"no servers", OSB{Throttle: n(20), Servers: n(0)}, "servers 0 (test): want a whole number from 1"},
		{"no throttle", OSB{Throttle: n(0), Servers: n(8)}, "throttle 0 calls (test): want a whole number from 1"},
		{"negative throttle", OSB{Throttle: n(-5), Servers: n(8)}, "throttle -5 calls (test): want a whole number from 1"},
		{"half a server", OSB{Throttle: n(20), Servers: n(2.5)}, "servers 2.5 (test): want a whole number from 1"},
		{"not a number", Pool{Workers: n(math.NaN()), Service: n(1)}, "workers (test) is not a number: want a whole number from 1"},
		{"infinite", Pool{Workers: n(4), Service: n(math.Inf(1))}, "service time +Inf s (test): want more than 0"},
		{"nothing", Pool{}, "not given: workers, service time"},
		{"nothing for Little", Little{Rate: n(4)}, "not given: two of in flight, rate, time"},
		{"Little does not hold", Little{InFlight: n(20), Rate: n(16), Time: n(0.3)},
			"20 in flight cannot be: rate × time = 16/s × 300 ms = 4.8; one of the three was measured elsewhere or at another time"},
		{"no time left", Little{InFlight: n(8), Rate: n(25), Think: n(0.4)},
			"8 in flight at 25/s make a round of 320 ms, which leaves nothing beside a think time of 400 ms"},
		{"longer than the deadline", Queue{Deadline: n(30), Service: n(40)},
			"a request takes 40 s and its caller waits 30 s: every request expires, whatever the queue"},
		{"faster than possible", Coordinator{Slots: n(12), Service: n(0.5), Rate: n(30)},
			"30/s were completed, but 12 slots of 500 ms can do 24/s at most: the service time or the number of slots is wrong"},
		{"slots alone", Coordinator{Slots: n(12)}, "not given: service time"},
		{"a node above its cluster", Pulsar{Limit: n(1000), Usage: n(100), Nodes: n(5), NodeUsage: n(150)},
			"one node has 150/s, but all nodes together 100/s"},
		{"after the window", Pulsar{Limit: n(100), Sent: n(100), SentBy: n(1.4)}, "1.4 s is after the end of a window of 1 s"},
		{"no limit", Pulsar{Average: n(5)}, "not given: limit, or target, or inflow"},
		{"max below core", Evento{Core: n(16), Max: n(8), Service: n(1)}, "max 8 is below core 16: a pool with these sizes does not start"},
		{"nested longer than the whole", Evento{Cores: n(8), Service: n(0.1), Nested: n(2), NestedTime: n(0.1)},
			"a request of 100 ms cannot wait for 2 nested ones of 100 ms each"},
		{"nested without a time", Evento{Cores: n(8), Service: n(0.1), Nested: n(2)}, "not given: nested time"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := c.in.Result()
			if err == nil || err.Error() != c.want {
				t.Errorf("got %v, want %s", err, c.want)
			}
			if len(r.Lines) > 0 {
				t.Errorf("computed %+v", r.Lines)
			}
			var missing *MissingError
			var outside *RangeError
			var contradiction *ContradictionError
			if !errors.As(err, &missing) && !errors.As(err, &outside) && !errors.As(err, &contradiction) {
				t.Errorf("%T is none of the errors of this package", err)
			}
		})
	}
}

func TestAdvice(t *testing.T) {
	for _, c := range []struct {
		in   calculator
		want string
	}{
		{OSB{Throttle: n(20), Servers: n(8)}, "Set the value to 16: with 8 servers 24 calls get through now, the backend bears 20."},
		{OSB{Throttle: n(3), Servers: n(8)}, "Impossible: each of 8 servers lets one call through at least, and the cap is 3. " +
			"Call the backend from fewer servers, or limit it at the backend."},
		{OSB{Throttle: n(40), Servers: n(8), Batch: n(10)},
			"5 of 10 branches fail: make the batch 5 or smaller, or set the throttle to 80 if the backend bears it."},
		{Coordinator{Slots: n(12), Service: n(0.5), Limit: n(8)},
			"A limit of 8 leaves 4 of 12 slots idle while jobs are refused: raise it to 12."},
		{Pool{Workers: n(4), Service: n(1), Rate: n(5)},
			"More comes than the pool can do: the queue and its wait never end, whatever its length. Admit 4/s at most, shorten the service time, or have 7 workers."},
		{Pool{Workers: n(16), Service: n(0.3), Clients: n(20)}, "More than 16 clients at once only wait for each other."},
		{Evento{Cores: n(8), QueueFirst: true, Service: n(0.3), Nested: n(2), NestedTime: n(0.1), Clients: n(20)},
			"20 clients can take all 16 threads, and each then waits for one more: nothing completes. Run 8 clients, " +
				"or bound what each bundle has in flight (maxInFlightRequests)."},
	} {
		r, err := c.in.Result()
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, a := range r.Advice {
			found = found || a == c.want
		}
		if !found {
			t.Errorf("%+v advises %q, want %q", c.in, r.Advice, c.want)
		}
	}
}

func TestNearestRank(t *testing.T) {
	if v, ok := NearestRank(nil, 50); ok || v != 0 {
		t.Errorf("of nothing: %v, %v; want no data", v, ok)
	}
	values := []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
	for p, want := range map[float64]float64{1: 1, 10: 1, 50: 5, 51: 6, 95: 10, 99: 10, 100: 10} {
		if v, ok := NearestRank(values, p); !ok || v != want {
			t.Errorf("p%v = %v, want %v", p, v, want)
		}
	}
	if _, ok := NearestRank(values, 0); ok {
		t.Error("p0 is no percentile")
	}
}

func TestFormat(t *testing.T) {
	for _, c := range []struct {
		v    float64
		unit string
		want string
	}{
		{30, "s", "30 s"}, {0, "s", "0 s"}, {0.0044642857, "s", "4.46 ms"}, {0.5, "s", "500 ms"}, {0.00000091, "s", "0.00091 ms"},
		{24, "1/s", "24/s"}, {23.6, "1/s", "23.6/s"}, {0.9, "ratio", "90 %"}, {0.98333, "ratio", "98.33 %"},
		{5.4051, "x", "5.41x"}, {9536, "requests", "9536 requests"}, {-4, "calls", "-4 calls"}, {1, "calls", "1 call"}, {1, "branches", "1 branch"}, {1, "s", "1 s"}, {0.117187, "s", "117.2 ms"},
		{math.NaN(), "s", "no data"}, {math.Inf(1), "", "+Inf"}, {1e18, "", "1e+18"}, {0.25, "", "0.25"}, {0.9999999999, "", "1"},
	} {
		if got := Format(c.v, c.unit); got != c.want {
			t.Errorf("Format(%v, %q) = %q, want %q", c.v, c.unit, got, c.want)
		}
	}
}
