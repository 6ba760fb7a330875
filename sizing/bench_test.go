package sizing

import (
	"math"
	"strings"
	"testing"
)

// The published runs: 240 jobs of 500 ms over 8 connections, without and with a
// limit of 24 active jobs.
func unbounded() Bench {
	return Bench{
		Name: "before", Task: "SLEEP", Connections: 8, Warmup: 5, Requested: 240, Accepted: 240, Completed: 240, Rate: 23.6,
		Ack: Percentiles{0.0039, math.NaN(), 0.0191, math.NaN()}, EndToEnd: Percentiles{5.04, math.NaN(), 10.028, 10.039},
	}
}

func bounded() Bench {
	return Bench{
		Name: "after", Task: "SLEEP", Connections: 8, Warmup: 5, Requested: 240, Accepted: 24, Rejected: 216, Completed: 24, Rate: 22.8,
		Ack: Percentiles{0.0077, math.NaN(), 0.0131, math.NaN()}, EndToEnd: Percentiles{0.537, math.NaN(), 1.033, 1.033},
	}
}

func TestJudgeBench(t *testing.T) {
	r, err := JudgeBench(unbounded(), n(12), n(0.5))
	if err != nil {
		t.Fatal(err)
	}
	if got := valueOf(t, r, "share of the ceiling"); math.Abs(got-23.6/24) > 1e-9 {
		t.Errorf("share of the ceiling %v", got)
	}
	if got := valueOf(t, r, "before: resolution of end-to-end times"); math.Abs(got-(0.02+30*0.0039)) > 1e-9 {
		t.Errorf("resolution %v, want 20 ms and 30 round trips", got)
	}
	text := strings.Join(r.Advice, "\n")
	for _, want := range []string{"Nothing was refused", "Capacity is at its ceiling", "do not follow a serial server"} {
		if !strings.Contains(text, want) {
			t.Errorf("advice lacks %q: %s", want, text)
		}
	}
}

func TestSerialBench(t *testing.T) {
	b := Bench{Name: "file", Connections: 4, Warmup: 100, Requested: 2000, Accepted: 2000, Completed: 2000, Rate: 896,
		Ack: Percentiles{0.0042, math.NaN(), 0.0064, math.NaN()}, EndToEnd: Percentiles{1.11, math.NaN(), 2.142, math.NaN()}}
	r, err := JudgeBench(b, Number{}, Number{})
	if err != nil {
		t.Fatal(err)
	}
	if text := strings.Join(r.Advice, "\n"); !strings.Contains(text, "one serial server would take") {
		t.Errorf("the one writer is not recognised: %s", text)
	}
}

func TestCompareBench(t *testing.T) {
	r, err := CompareBench(unbounded(), bounded())
	if err != nil {
		t.Fatal(err)
	}
	if got := valueOf(t, r, "throughput"); math.Abs(got-22.8/23.6) > 1e-9 {
		t.Errorf("throughput changed by %v", got)
	}
	text := strings.Join(r.Advice, "\n")
	for _, want := range []string{
		"Throughput is the same (23.6/s, 22.8/s); refusing 216 jobs bounded the wait: p50 from 5.04 s to 537 ms.",
		"after: p99 of 24 jobs is the slowest one.",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("advice lacks %q: %s", want, text)
		}
	}
}

func TestBenchHonesty(t *testing.T) {
	cold := unbounded()
	cold.Warmup = 0
	if _, err := CompareBench(cold, bounded()); err == nil || !strings.Contains(err.Error(), "different warm-ups cannot be compared") {
		t.Errorf("different warm-ups: %v", err)
	}
	r, err := JudgeBench(cold, Number{}, Number{})
	if err != nil || !strings.Contains(strings.Join(r.Advice, "\n"), "no warm-up") {
		t.Errorf("no warm-up is not said: %v, %v", err, r.Advice)
	}
	fast := unbounded()
	fast.EndToEnd.P50 = 0.06
	if r, err = JudgeBench(fast, Number{}, Number{}); err != nil || !strings.Contains(strings.Join(r.Advice, "\n"), "not resolvable") {
		t.Errorf("60 ms is below the resolution: %v, %v", err, r.Advice)
	}
	empty := bounded()
	empty.Accepted, empty.Rate, empty.EndToEnd = 0, 0, Percentiles{}
	if _, err := JudgeBench(empty, Number{}, Number{}); err == nil || !strings.Contains(err.Error(), "no data") {
		t.Errorf("a run that accepted nothing: %v", err)
	}
	lost := unbounded()
	lost.Rate = math.NaN()
	if _, err := JudgeBench(lost, Number{}, Number{}); err == nil || err.Error() != "not given: throughput" {
		t.Errorf("a cut report: %v", err)
	}
}
