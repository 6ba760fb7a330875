package sizing

// Coordinator is a queue of jobs in front of execution slots, with or without a
// limit on active jobs.
type Coordinator struct {
	Slots       Number // of all workers together
	Service     Number // seconds of one job
	Limit       Number // active jobs, queued and running, beyond which submissions are refused
	Jobs        Number // that come at once
	Deadline    Number // seconds a caller waits for a job
	Connections Number // clients that submit one job after the other
	Ack         Number // seconds until a submission is acknowledged, median
	Rate        Number // completions measured, per second
	Compared    Number // completions measured without the durable write, per second
}

const (
	waves     = "slots work in waves of one service time"
	serial    = "serial server: each submission waits for those of the other connections"
	fullShare = 0.95 // of the ceiling: at the ceiling
	manyWaves = 10   // of jobs within a limit: it hardly limits
)

// Result returns the ceiling, the waves of a burst, and what one serial writer
// explains.
func (in Coordinator) Result() (Result, error) {
	s := newSheet("Task coordinator")
	slots, hasSlots := s.take("slots", "", in.Slots, atLeastOne())
	service, hasService := s.take("service time", "s", in.Service, positive())
	limit, hasLimit := s.take("limit", "active jobs", in.Limit, atLeastOne())
	jobs, hasJobs := s.take("jobs", "", in.Jobs, atLeastOne())
	rate, hasRate := s.take("completed rate", "1/s", in.Rate, positive())
	if s.bad() {
		return s.done()
	}
	if !hasSlots && !hasRate {
		s.missing = append(s.missing, "slots and service time, or completed rate")
		return s.done()
	}
	if hasSlots && !hasService {
		s.missing = append(s.missing, "service time")
		return s.done()
	}
	if hasSlots {
		s.ceiling(slots, service, rate, hasRate)
		if hasJobs {
			s.burst(slots, service, jobs, limit, hasLimit)
		}
		if hasLimit {
			s.activeLimit(slots, service, limit, in.Deadline)
		}
	}
	if hasRate {
		s.serialWriter(rate, in)
	}
	return s.done()
}

func (s *sheet) ceiling(slots, service, rate float64, hasRate bool) {
	most := s.line("ceiling", "1/s", slots/service, littlesLaw, "slots ÷ service time = %s ÷ %s", digits(slots), seconds(service))
	if !hasRate {
		return
	}
	used := s.line("share of the ceiling", "ratio", rate/most, "measured against computed",
		"completed rate ÷ ceiling = %s ÷ %s", perSecond(rate), perSecond(most))
	switch {
	case used > 1+agreement:
		s.contradict([]string{"completed rate", "slots", "service time"},
			"%s were completed, but %s slots of %s can do %s at most: the service time or the number of slots is wrong",
			perSecond(rate), digits(slots), seconds(service), perSecond(most))
	case used >= fullShare:
		s.advise("Capacity is at its ceiling: more speed needs more slots or shorter jobs, not another limit.")
	}
}

// burst is what becomes of jobs that come at once, before the first one is done.
func (s *sheet) burst(slots, service, jobs, limit float64, hasLimit bool) {
	accepted := jobs
	if hasLimit {
		accepted = s.line("accepted", "jobs", min(jobs, limit), "admission limit", "the smaller of jobs and limit: %s, %s", digits(jobs), digits(limit))
		refused := s.line("refused", "jobs", jobs-accepted, "admission limit", "jobs − accepted = %s − %s", digits(jobs), digits(accepted))
		s.line("share refused", "ratio", refused/jobs, "admission limit", "refused ÷ jobs = %s ÷ %s", digits(refused), digits(jobs))
	}
	s.line("waves", "", ceil(accepted/slots), waves, "jobs ÷ slots, rounded up = %s ÷ %s", digits(accepted), digits(slots))
	for _, p := range []struct {
		name string
		p    float64
	}{{"end-to-end p50", 50}, {"end-to-end p95", 95}, {"end-to-end p99", 99}, {"end-to-end max", 100}} {
		r := rank(p.p, accepted)
		s.line(p.name, "s", ceil(r/slots)*service, waves+", nearest rank",
			"wave of job %s × service time = %s × %s", digits(r), digits(ceil(r/slots)), seconds(service))
	}
	if !hasLimit {
		s.advise("Nothing is refused: the last of %s jobs waits %s. A limit on active jobs tells the client to back off.",
			digits(jobs), seconds(ceil(jobs/slots)*service))
	}
}

// activeLimit is what a limit on active jobs costs and gives.
func (s *sheet) activeLimit(slots, service, limit float64, within Number) {
	s.line("longest time at the limit", "s", ceil(limit/slots)*service, waves,
		"limit ÷ slots, rounded up × service time = %s × %s", digits(ceil(limit/slots)), seconds(service))
	switch {
	case limit < slots:
		s.advise("A limit of %s leaves %s of %s slots idle while jobs are refused: raise it to %s.",
			digits(limit), digits(slots-limit), digits(slots), digits(slots))
	case limit > manyWaves*slots:
		s.advise("A limit of %s bounds the wait at %s only. %s, two waves, bounds it at %s with the same throughput.",
			digits(limit), seconds(ceil(limit/slots)*service), digits(2*slots), seconds(2*service))
	default:
		s.advise("A higher limit buys waiting time, not throughput: refused clients have to back off with jitter.")
	}
	deadline, ok := s.take("deadline", "s", within, positive())
	if !ok || !s.fitsDeadline(service, deadline) {
		return
	}
	s.line("largest limit for the deadline", "active jobs", slots*floor(deadline/service), waves,
		"slots × (deadline ÷ service time, rounded down) = %s × %s", digits(slots), digits(floor(deadline/service)))
}

// serialWriter compares an acknowledgement time with what one thread that does
// everything in turn would give.
func (s *sheet) serialWriter(rate float64, in Coordinator) {
	each := s.line("time of one job at the serial part", "s", 1/rate, "one at a time", "1 ÷ completed rate = 1 ÷ %s", perSecond(rate))
	if connections, ok := s.take("connections", "", in.Connections, atLeastOne()); ok {
		expect := s.line("acknowledgement of a serial server", "s", connections/rate, serial,
			"connections ÷ completed rate = %s ÷ %s", digits(connections), perSecond(rate))
		if ack, ok := s.take("acknowledgement", "s", in.Ack, positive()); ok {
			s.fingerprint(ack, expect)
		}
	}
	other, ok := s.take("rate without durable write", "1/s", in.Compared, positive())
	if !ok {
		return
	}
	s.line("faster without the durable write", "x", other/rate, "measured", "rate without ÷ with = %s ÷ %s", perSecond(other), perSecond(rate))
	without := s.line("time of one job without it", "s", 1/other, "one at a time", "1 ÷ %s", perSecond(other))
	cost := s.line("cost of the durable write", "s", each-without, "per job", "%s − %s", seconds(each), seconds(without))
	if cost > 0 {
		s.advise("The durable write costs %s a job: write several transitions in one transaction, or acknowledge before the write.", seconds(cost))
	}
}

// fingerprintShare is how near an acknowledgement must be to that of a serial
// server: measured were 4.2 against 4.46 ms.
const fingerprintShare = 0.25

func (s *sheet) fingerprint(ack, expect float64) {
	off := s.line("measured against it", "ratio", ack/expect, serial, "acknowledgement ÷ expected = %s ÷ %s", seconds(ack), seconds(expect))
	if off > 1-fingerprintShare && off < 1+fingerprintShare {
		s.advise("Acknowledgements take what one serial server would take: one thread or one writer is the limit, not the workers.")
		return
	}
	s.advise("Acknowledgements do not follow a serial server: look for the limit elsewhere.")
}
