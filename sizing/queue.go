package sizing

// Queue tells how much of a queue is of use to callers that wait for a deadline.
type Queue struct {
	Deadline Number // seconds a caller waits
	Service  Number // seconds of one request
	Workers  Number // that serve the queue; 1 when not given
	Depth    Number // of the queue as it is configured
}

const (
	oneLane  = "one-lane rule: deadline ÷ service time (Evento, Throughput and Capacity)"
	poolRule = "pool rule: the last in the queue is answered at its deadline"
)

// Result returns the useful depth by both rules. The one-lane rule takes no
// account of how many workers serve the queue: it is the careful one, and with
// N workers about N times stricter.
func (in Queue) Result() (Result, error) {
	s := newSheet("Useful queue depth")
	deadline := s.need("deadline", "s", in.Deadline, positive())
	service := s.need("service time", "s", in.Service, positive())
	workers := s.need("workers", "", in.Workers.or(1, "default"), atLeastOne())
	depth, hasDepth := s.take("queue", "requests", in.Depth, count())
	if s.bad() || !s.fitsDeadline(service, deadline) {
		return s.done()
	}
	s.usefulDepth(deadline, service, workers, depth, hasDepth)
	return s.done()
}

// fitsDeadline refuses requests that take longer than anybody waits.
func (s *sheet) fitsDeadline(service, deadline float64) bool {
	if service < deadline {
		return true
	}
	s.contradict([]string{"service time", "deadline"},
		"a request takes %s and its caller waits %s: every request expires, whatever the queue", seconds(service), seconds(deadline))
	return false
}

func (s *sheet) usefulDepth(deadline, service, workers, depth float64, hasDepth bool) {
	lane := s.line("useful depth, one-lane rule", "requests", floor(deadline/service), oneLane,
		"deadline ÷ service time = %s ÷ %s", seconds(deadline), seconds(service))
	pool := s.line("useful depth, pool rule", "requests", floor(workers*(deadline-service)/service), poolRule,
		"workers × (deadline − service time) ÷ service time = %s × %s ÷ %s", digits(workers), seconds(deadline-service), seconds(service))
	s.advise("A queue deeper than the pool rule's %s holds work that is answered after its caller has gone; "+
		"the one-lane rule's %s is the careful limit, for service times that grow under load.", digits(pool), digits(lane))
	if !hasDepth {
		return
	}
	s.line("wait in the full queue", "s", depth*service/workers, littlesLaw,
		"queue × service time ÷ workers = %s × %s ÷ %s", digits(depth), seconds(service), digits(workers))
	s.line("dead part of the queue, pool rule", "requests", max(0, depth-pool), poolRule,
		"queue − useful depth, at least 0 = %s − %s", digits(depth), digits(pool))
	if depth == 0 {
		return
	}
	s.line("dead from a service time of, pool rule", "s", workers*deadline/(depth+workers), poolRule,
		"workers × deadline ÷ (queue + workers) = %s × %s ÷ %s", digits(workers), seconds(deadline), digits(depth+workers))
	s.line("dead from a service time of, one-lane rule", "s", deadline/depth, oneLane,
		"deadline ÷ queue = %s ÷ %s", seconds(deadline), digits(depth))
	if depth > pool {
		s.advise("Make the queue %s or less.", digits(pool))
	}
}
