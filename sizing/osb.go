package sizing

// OSB is an Oracle Service Bus business service whose throttling value holds for
// the whole domain.
type OSB struct {
	Throttle   Number // maximum concurrency as configured, for the domain
	Servers    Number // managed servers
	Backend    Number // calls the backend bears; the throttling value when not given
	Batch      Number // branches of a Split-Join that start at once
	Parents    Number // Split-Joins at once on one server; 1 when not given
	Queue      Number // throttling queue of a server; 0 when not given
	Service    Number // seconds of one call
	Expiration Number // seconds a message may wait in the throttling queue
}

const (
	divided = "the value is divided by the managed servers and rounded up (genericparallel.com, 2014)"
	hardCap = "largest value that divides without a rest"
)

// Result returns a server's share, what all shares come to, the value that
// keeps a hard cap, and what becomes of a batch.
func (in OSB) Result() (Result, error) {
	s := newSheet("OSB throttling, divided by the servers of the domain")
	throttle := s.need("throttle", "calls", in.Throttle, atLeastOne())
	servers := s.need("servers", "", in.Servers, atLeastOne())
	backend, hasBackend := s.take("backend", "calls", in.Backend, atLeastOne())
	if s.bad() {
		return s.done()
	}
	each := s.line("share of a server", "calls", ceil(throttle/servers), divided,
		"throttle ÷ servers, rounded up = %s ÷ %s", digits(throttle), digits(servers))
	all := s.line("all servers together", "calls", servers*each, divided, "servers × share = %s × %s", digits(servers), digits(each))
	over := s.line("over the configured value", "calls", all-throttle, divided, "all together − throttle = %s − %s", digits(all), digits(throttle))
	s.line("over it, in parts", "ratio", over/throttle, divided, "over ÷ throttle = %s ÷ %s", digits(over), digits(throttle))
	s.osbCap(servers, all, throttle, backend, hasBackend)
	if batch, ok := s.take("batch", "branches", in.Batch, atLeastOne()); ok {
		s.osbBatch(each, batch, servers, in)
	}
	return s.done()
}

// osbCap is the value that keeps what the backend bears.
func (s *sheet) osbCap(servers, all, throttle, backend float64, hasBackend bool) {
	if !hasBackend {
		backend = throttle
	}
	safe := s.line("value that keeps "+digits(backend), "calls", servers*floor(backend/servers), hardCap,
		"servers × (cap ÷ servers, rounded down) = %s × %s", digits(servers), digits(floor(backend/servers)))
	switch {
	case safe == 0:
		s.advise("Impossible: each of %s servers lets one call through at least, and the cap is %s. "+
			"Call the backend from fewer servers, or limit it at the backend.", digits(servers), digits(backend))
	case all > backend:
		s.advise("Set the value to %s: with %s servers %s calls get through now, the backend bears %s.",
			digits(safe), digits(servers), digits(all), digits(backend))
	default:
		s.advise("%s calls at most get through: within %s.", digits(all), digits(backend))
	}
}

// osbBatch is what becomes of the branches of a Split-Join on one server.
func (s *sheet) osbBatch(each, batch, servers float64, in OSB) {
	parents := s.need("parents", "", in.Parents.or(1, "default"), atLeastOne())
	queue := s.need("throttling queue", "messages", in.Queue.or(0, "default"), count())
	asked := parents * batch
	fail := s.line("branches that fail", "branches", max(0, asked-each-queue), "what finds neither a call nor a place in the queue",
		"parents × batch − share − queue = %s − %s − %s", digits(asked), digits(each), digits(queue))
	need := s.line("throttle for the batch, divided evenly", "calls", servers*max(1, asked-queue), divided,
		"servers × (parents × batch − queue) = %s × %s", digits(servers), digits(max(1, asked-queue)))
	if fail > 0 {
		s.advise("%s of %s branches fail: make the batch %s or smaller, or set the throttle to %s if the backend bears it.",
			digits(fail), digits(asked), digits(max(1, floor((each+queue)/parents))), digits(need))
	}
	service, ok := s.take("service time", "s", in.Service, positive())
	if !ok {
		return
	}
	waiting := min(max(0, asked-each), queue)
	wait := s.line("wait in the throttling queue", "s", waiting*service/each, littlesLaw,
		"waiting × service time ÷ share = %s × %s ÷ %s", digits(waiting), seconds(service), digits(each))
	if expires, ok := s.take("expiration", "s", in.Expiration, positive()); ok && wait > expires {
		s.advise("The last branch waits %s, but messages expire after %s.", seconds(wait), seconds(expires))
	}
}
