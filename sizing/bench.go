package sizing

import (
	"math"
	"slices"
)

// A Bench is the report of one run of a load generator that submits jobs over
// several connections and asks for their states in turn. Times are seconds.
type Bench struct {
	Name                          string // what to call the run: a file, "before"
	Task                          string // what kind of job; may be empty
	Connections, Warmup           float64
	Requested, Accepted, Rejected float64
	Completed, Failed             float64
	Rate                          float64 // completions per second
	Ack, EndToEnd                 Percentiles
}

// Percentiles are nearest-rank percentiles; NaN where the report has none.
type Percentiles struct{ P50, P95, P99, Max float64 }

// pollEvery is how often the generator asks for the states of its jobs.
const pollEvery = 0.02

const (
	polled  = "states are asked for every 20 ms, one job after the other"
	fewJobs = 100 // below it the 99th of n, by nearest rank, is the largest
	quanta  = 5   // an end-to-end time is told from the polling above so many
)

// JudgeBench returns what one report says and how far it can be trusted. Slots
// and service time may be given; they tell the ceiling.
func JudgeBench(b Bench, slots, service Number) (Result, error) {
	s := newSheet("Benchmark " + b.Name)
	if !s.takeBench(b, "") {
		return s.done()
	}
	s.admitted(b)
	s.line("end-to-end against acknowledgement", "x", b.EndToEnd.P50/b.Ack.P50, "medians of the report",
		"%s ÷ %s", seconds(b.EndToEnd.P50), seconds(b.Ack.P50))
	if n, ok := s.take("slots", "", slots, atLeastOne()); ok {
		if each := s.need("service time", "s", service, positive()); !s.bad() {
			s.ceiling(n, each, b.Rate, true)
		}
	}
	expect := s.line("acknowledgement of a serial server", "s", b.Connections/b.Rate, serial,
		"connections ÷ completed rate = %s ÷ %s", digits(b.Connections), perSecond(b.Rate))
	s.fingerprint(b.Ack.P50, expect)
	s.honesty(b)
	return s.done()
}

// CompareBench compares two runs of one load. It refuses runs with different
// warm-ups: a cold and a warm virtual machine are two systems.
func CompareBench(before, after Bench) (Result, error) {
	s := newSheet("Benchmark " + before.Name + " against " + after.Name)
	if !s.takeBench(before, before.Name+": ") || !s.takeBench(after, after.Name+": ") {
		return s.done()
	}
	if before.Warmup != after.Warmup {
		s.contradict([]string{"warm-up jobs"}, "%s had %s warm-up jobs and %s had %s: runs with different warm-ups cannot be compared; "+
			"run both again with the same --warmup", before.Name, digits(before.Warmup), after.Name, digits(after.Warmup))
		return s.done()
	}
	s.sameLoad(before, after)
	s.against("throughput", "1/s", before.Rate, after.Rate)
	s.against("refused", "jobs", before.Rejected, after.Rejected)
	for _, p := range []struct {
		name          string
		before, after float64
	}{
		{"submit ack p50", before.Ack.P50, after.Ack.P50},
		{"submit ack p99", before.Ack.P99, after.Ack.P99},
		{"end-to-end p50", before.EndToEnd.P50, after.EndToEnd.P50},
		{"end-to-end p99", before.EndToEnd.P99, after.EndToEnd.P99},
	} {
		s.against(p.name, "s", p.before, p.after)
	}
	s.verdict(before, after)
	s.honesty(before)
	s.honesty(after)
	s.Advice = slices.Compact(s.Advice)
	return s.done()
}

// takeBench lists the inputs of a run; it is false for a run without figures.
func (s *sheet) takeBench(b Bench, head string) bool {
	for _, in := range []struct {
		name, unit string
		v          float64
	}{
		{"connections", "", b.Connections}, {"warm-up jobs", "", b.Warmup}, {"jobs requested", "", b.Requested},
		{"accepted", "", b.Accepted}, {"throughput", "1/s", b.Rate},
		{"submit ack p50", "s", b.Ack.P50}, {"end-to-end p50", "s", b.EndToEnd.P50},
	} {
		if math.IsNaN(in.v) {
			s.missing = append(s.missing, head+in.name)
			continue
		}
		s.Inputs = append(s.Inputs, Input{head + in.name, in.v, in.unit, b.Name})
	}
	if len(s.missing) > 0 {
		return false
	}
	if b.Accepted == 0 || b.Rate == 0 || b.Ack.P50 == 0 || b.EndToEnd.P50 == 0 || b.Connections < 1 {
		s.contradict([]string{"accepted", "throughput"}, "%s completed nothing: its times of 0 are no data, not 0 s", b.Name)
		return false
	}
	return true
}

// admitted tells what was refused.
func (s *sheet) admitted(b Bench) {
	if b.Requested < 1 {
		return
	}
	s.line("share refused", "ratio", b.Rejected/b.Requested, "counts of the report", "rejected ÷ requested = %s ÷ %s", digits(b.Rejected), digits(b.Requested))
	if b.Rejected > 0 {
		s.advise("%s of %s jobs were refused: clients have to back off with jitter and submit again.", digits(b.Rejected), digits(b.Requested))
	} else {
		s.advise("Nothing was refused: a queue that grows shows only in the end-to-end time.")
	}
}

// honesty says what the report cannot show.
func (s *sheet) honesty(b Bench) {
	walk := pollEvery + b.Accepted/b.Connections*b.Ack.P50
	s.line(b.Name+": resolution of end-to-end times", "s", walk, polled,
		"20 ms + jobs of a connection × one round trip = 20 ms + %s × %s, at most", digits(b.Accepted/b.Connections), seconds(b.Ack.P50))
	if b.EndToEnd.P50 < quanta*pollEvery {
		s.advise("%s: an end-to-end median of %s is not resolvable: states are asked for every 20 ms.", b.Name, seconds(b.EndToEnd.P50))
	}
	if b.Accepted < fewJobs {
		s.advise("%s: p99 of %s jobs is the slowest one.", b.Name, digits(b.Accepted))
	}
	if b.Warmup == 0 {
		s.advise("%s: no warm-up: its tail is that of a cold virtual machine. Run it again with --warmup.", b.Name)
	}
}

// sameLoad says in which ways two runs were different loads.
func (s *sheet) sameLoad(a, b Bench) {
	if a.Task != b.Task {
		s.advise("The runs did different tasks (%s, %s): only shares can be compared.", a.Task, b.Task)
	}
	if a.Connections != b.Connections || a.Requested != b.Requested {
		s.advise("The runs were different loads (%s jobs over %s connections, %s over %s): compare throughput, not times.",
			digits(a.Requested), digits(a.Connections), digits(b.Requested), digits(b.Connections))
	}
}

// against adds how a number changed.
func (s *sheet) against(name, unit string, before, after float64) {
	if math.IsNaN(before) || math.IsNaN(after) {
		return
	}
	if before == 0 {
		s.line(name, unit, after, "second run", "%s before", Format(before, unit))
		return
	}
	s.line(name, "x", after/before, "second run against first", "%s ÷ %s", Format(after, unit), Format(before, unit))
}

// sameShare is how far two throughputs may differ and still be called equal.
const sameShare = 0.05

// verdict says in a sentence what changed.
func (s *sheet) verdict(a, b Bench) {
	change := b.Rate/a.Rate - 1
	switch {
	case math.Abs(change) <= sameShare && a.Rejected == 0 && b.Rejected > 0:
		s.advise("Throughput is the same (%s, %s); refusing %s jobs bounded the wait: p50 from %s to %s.",
			perSecond(a.Rate), perSecond(b.Rate), digits(b.Rejected), seconds(a.EndToEnd.P50), seconds(b.EndToEnd.P50))
	case math.Abs(change) <= sameShare:
		s.advise("Throughput is the same: %s, %s.", perSecond(a.Rate), perSecond(b.Rate))
	case change > 0:
		s.advise("The second run does %s times as much: %s instead of %s.", digits(b.Rate/a.Rate), perSecond(b.Rate), perSecond(a.Rate))
	default:
		s.advise("The first run did %s times as much: %s instead of %s.", digits(a.Rate/b.Rate), perSecond(a.Rate), perSecond(b.Rate))
	}
}
