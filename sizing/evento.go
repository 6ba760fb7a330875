package sizing

// Evento is an Evento server: a pool of threads, the queue behind it, and the
// permits for event fetches, in series.
type Evento struct {
	Cores      Number // processors; needed where Core, Max are not given
	Core       Number // threads that are started first; max(8, 2 × cores)
	Max        Number // threads; max(core, 8 × cores)
	Queue      Number // 256; 1024 before 2.4.0
	QueueFirst bool   // a server before 2.4.0: threads beyond Core only when the queue is full
	Service    Number // seconds that a request holds its thread, without waiting for another one
	Nested     Number // requests of its own that it waits for and that need another thread; 0 when not given
	NestedTime Number // seconds of one of them
	Clients    Number // callers with one request at a time each
	Think      Number // seconds that a caller pauses between two; 0 when not given
	Deadline   Number // seconds a caller waits; 30
	Fetches    Number // event fetches a request makes; 0 when not given
	FetchTime  Number // seconds of one of them
	Permits    Number // fetches that run at once; 4
}

const (
	eventoDefault = "Evento's default"
	growth        = "a Java pool starts threads beyond core only when its queue is full"
	growsFirst    = "from 2.4.0 on the pool grows before it queues"
	inSeries      = "the smallest of limits in series binds"
	secondThread  = "each request holds one thread and needs one more for a while"
)

// Result returns what each limit allows and which one binds.
func (in Evento) Result() (Result, error) {
	s := newSheet("Evento server: threads, queue and fetch permits in series")
	e := in.threads(s)
	service := s.need("service time", "s", in.Service, positive())
	nested := s.need("nested requests", "", in.Nested.or(0, "default"), count())
	nestedTime, hasNestedTime := s.take("nested time", "s", in.NestedTime, positive())
	if nested > 0 && !hasNestedTime {
		s.missing = append(s.missing, "nested time")
	}
	if s.bad() {
		return s.done()
	}
	if nested*nestedTime > service {
		s.contradict([]string{"service time", "nested time"},
			"a request of %s cannot wait for %s nested ones of %s each", seconds(service), digits(nested), seconds(nestedTime))
		return s.done()
	}
	usable := e.usable(s)
	work := s.line("thread time of a request", "s", service+nested*nestedTime, "its own thread and those of its nested requests",
		"service time + nested requests × nested time = %s + %s × %s", seconds(service), digits(nested), seconds(nestedTime))
	byThreads := s.line("limit by threads", "1/s", usable/work, littlesLaw, "usable threads ÷ thread time = %s ÷ %s", digits(usable), seconds(work))
	binding := in.permits(s, byThreads)
	in.callers(s, usable, service, nested, binding)
	in.queue(s, e, usable, service)
	return s.done()
}

// eventoPool are the three sizes of the pool.
type eventoPool struct {
	core, max, queue float64
	queueFirst       bool
}

// threads fills in Evento's defaults.
func (in Evento) threads(s *sheet) eventoPool {
	e := eventoPool{queueFirst: in.QueueFirst}
	core, top := in.Core, in.Max
	if cores, ok := s.take("cores", "", in.Cores, atLeastOne()); ok {
		core = core.or(max(8, 2*cores), eventoDefault+": 2 × cores, 8 at least")
		top = top.or(max(core.Value, 8*cores), eventoDefault+": 8 × cores, core at least")
	}
	e.core = s.need("core threads", "", core, atLeastOne())
	e.max = s.need("max threads", "", top, atLeastOne())
	capacity := 256.0
	if in.QueueFirst {
		capacity = 1024
	}
	e.queue = s.need("queue", "requests", in.Queue.or(capacity, eventoDefault), count())
	if len(s.missing) == 0 && e.max < e.core {
		s.contradict([]string{"core threads", "max threads"}, "max %s is below core %s: a pool with these sizes does not start",
			digits(e.max), digits(e.core))
	}
	return e
}

// usable is how many threads there are before the queue is full.
func (e eventoPool) usable(s *sheet) float64 {
	if !e.queueFirst {
		return s.line("usable threads", "", e.max, growsFirst, "max = %s", digits(e.max))
	}
	n := s.line("usable threads", "", e.core, growth, "core = %s, until the queue is full", digits(e.core))
	if e.max > e.core {
		full := s.line("requests at once before the pool grows", "", e.core+e.queue, growth, "core + queue = %s + %s", digits(e.core), digits(e.queue))
		s.advise("The pool stays at %s of %s threads until %s requests are there at once: set core to %s, or update to 2.4.0 or later.",
			digits(e.core), digits(e.max), digits(full), digits(e.max))
	}
	return n
}

// permits is the limit by event fetches; it returns the rate that binds.
func (in Evento) permits(s *sheet, byThreads float64) float64 {
	fetches, ok := s.take("fetches of a request", "", in.Fetches, positive())
	if !ok {
		return byThreads
	}
	time := s.need("fetch time", "s", in.FetchTime, positive())
	permits := s.need("fetch permits", "", in.Permits.or(4, eventoDefault), atLeastOne())
	if s.bad() {
		return byThreads
	}
	byPermits := s.line("limit by fetch permits", "1/s", permits/(fetches*time), littlesLaw,
		"permits ÷ (fetches × fetch time) = %s ÷ (%s × %s)", digits(permits), digits(fetches), seconds(time))
	binding := s.line("binding limit", "1/s", min(byThreads, byPermits), inSeries, "the smaller of %s, %s", perSecond(byThreads), perSecond(byPermits))
	if byPermits < byThreads {
		s.advise("The %s permits for event fetches bind (evento.es.fetch.concurrency): more threads raise nothing. "+
			"Raise the permits against measured heap only.", digits(permits))
	} else {
		s.advise("The threads bind, not the fetch permits.")
	}
	return binding
}

// callers is what a number of clients makes of it.
func (in Evento) callers(s *sheet, usable, service, nested, binding float64) {
	free := usable
	if nested > 0 {
		free = s.line("clients that never wait for a thread", "", max(1, floor(usable/2)), secondThread, "usable threads ÷ 2 = %s ÷ 2", digits(usable))
		s.line("clients that can stop the server", "", usable, secondThread, "usable threads = %s: all of them wait for one more", digits(usable))
	}
	clients, ok := s.take("clients", "", in.Clients, atLeastOne())
	if !ok {
		return
	}
	think, _ := s.take("think time", "s", in.Think, notNegative())
	s.line("rate of the clients", "1/s", min(binding, clients/(service+think)), littlesLaw,
		"clients ÷ (service time + think time), the binding limit at most = %s ÷ %s", digits(clients), seconds(service+think))
	switch {
	case nested > 0 && clients >= usable:
		s.advise("%s clients can take all %s threads, and each then waits for one more: nothing completes. Run %s clients, "+
			"or bound what each bundle has in flight (maxInFlightRequests).", digits(clients), digits(usable), digits(free))
	case clients > free:
		s.advise("%s clients wait for threads at times; %s do not.", digits(clients), digits(free))
	default:
		s.advise("%s clients find a thread at once.", digits(clients))
	}
}

// queue is how much of the queue is of use.
func (in Evento) queue(s *sheet, e eventoPool, usable, service float64) {
	deadline := s.need("deadline", "s", in.Deadline.or(30, eventoDefault), positive())
	if s.bad() || !s.fitsDeadline(service, deadline) {
		return
	}
	s.usefulDepth(deadline, service, usable, e.queue, true)
}
