package sizing

// Pool is a number of workers (threads, connections, slots) and what comes to
// them.
type Pool struct {
	Workers  Number
	Service  Number // seconds that one request holds a worker
	Rate     Number // requests that come, per second
	Clients  Number // callers with one request at a time each
	Think    Number // seconds that a caller pauses between two; 0 when not given
	Queue    Number // places behind the workers
	Deadline Number // seconds a caller waits
}

// headroom is the use up to which a pool still answers without long waits.
const headroom = 0.8

// Result returns what the pool sustains and what the rest comes to.
func (in Pool) Result() (Result, error) {
	s := newSheet("Pool of workers")
	workers := s.need("workers", "", in.Workers, atLeastOne())
	service := s.need("service time", "s", in.Service, positive())
	rate, hasRate := s.take("rate", "1/s", in.Rate, positive())
	clients, hasClients := s.take("clients", "", in.Clients, atLeastOne())
	think, _ := s.take("think time", "s", in.Think, notNegative())
	queue, hasQueue := s.take("queue", "requests", in.Queue, count())
	deadline, hasDeadline := s.take("deadline", "s", in.Deadline, positive())
	if s.bad() {
		return s.done()
	}
	most := s.line("sustainable rate", "1/s", workers/service, littlesLaw,
		"workers ÷ service time = %s ÷ %s", digits(workers), seconds(service))
	if hasRate {
		s.poolLoad(workers, service, rate, most)
	}
	if hasClients {
		s.poolClients(workers, service, clients, think, most)
	}
	if hasQueue {
		wait := s.line("wait in the full queue", "s", queue*service/workers, littlesLaw,
			"queue × service time ÷ workers = %s × %s ÷ %s", digits(queue), seconds(service), digits(workers))
		s.line("worst time of a request", "s", wait+service, "wait and service", "wait + service time = %s + %s", seconds(wait), seconds(service))
	}
	if hasDeadline && s.fitsDeadline(service, deadline) {
		s.usefulDepth(deadline, service, workers, queue, false)
	}
	return s.done()
}

// poolLoad compares what comes with what the pool sustains.
func (s *sheet) poolLoad(workers, service, rate, most float64) {
	busy := s.line("workers busy", "", rate*service, littlesLaw, "rate × service time = %s × %s", perSecond(rate), seconds(service))
	use := s.line("use of the pool", "ratio", busy/workers, littlesLaw, "workers busy ÷ workers = %s ÷ %s", digits(busy), digits(workers))
	enough := s.line("workers for a use of 80 %", "", ceil(busy/headroom), "80 % headroom", "workers busy ÷ 0.8 = %s ÷ 0.8", digits(busy))
	switch {
	case use > 1:
		s.line("queue grows by", "1/s", rate-most, "what comes and is not done", "rate − sustainable rate = %s − %s", perSecond(rate), perSecond(most))
		s.advise("More comes than the pool can do: the queue and its wait never end, whatever its length. Admit %s at most, shorten the service time, or have %s workers.",
			perSecond(most), digits(enough))
	case use > 1-noise:
		s.advise("The pool is 100 %% in use: what waits after a burst waits for ever, as nothing is left to work it off. %s workers would leave headroom.", digits(enough))
	case use > headroom:
		s.advise("The pool is %s in use: small bursts wait long. %s workers would leave headroom.", percent(use), digits(enough))
	default:
		s.advise("The pool is %s in use: enough.", percent(use))
	}
}

// poolClients is a closed loop: every caller has one request at a time.
func (s *sheet) poolClients(workers, service, clients, think, most float64) {
	free := s.line("rate of the clients, without waiting", "1/s", clients/(service+think), littlesLaw,
		"clients ÷ (service time + think time) = %s ÷ %s", digits(clients), seconds(service+think))
	if free <= most && clients <= workers {
		s.advise("%s clients never wait for one of %s workers.", digits(clients), digits(workers))
		return
	}
	rate := min(free, most)
	s.line("time of a request", "s", max(service, clients/rate-think), littlesLaw,
		"clients ÷ rate − think time = %s ÷ %s − %s", digits(clients), perSecond(rate), seconds(think))
	s.advise("More than %s clients at once only wait for each other.", digits(floor(most*(service+think))))
}
