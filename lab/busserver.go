package lab

// A busServer is one managed server.
type busServer struct {
	d      *Domain
	inUse  int // calls to the backend
	queue  fifo[*message]
	done   int64
	refuse int64
	recent history // of done
}

// A message is one call of the business service.
type message struct {
	end  func(ok bool) // called once
	over bool          // expired in the throttling queue
}

// callAgain is one caller: it calls, waits, pauses, and calls again.
func (s *busServer) callAgain() {
	s.call(func(bool) { s.d.agenda.after(s.d.vary(s.d.cfg.Pause), nil, s.callAgain) })
}

// call sends a message: at once while the server's share lasts, else from the
// throttling queue, else not at all.
func (s *busServer) call(end func(ok bool)) {
	c := &message{end: end}
	switch {
	case s.inUse < s.d.share():
		s.start(c)
	case s.queue.len() < s.d.cfg.Queue:
		s.queue.push(c)
		if s.d.cfg.Expiration > 0 {
			s.d.agenda.after(s.d.cfg.Expiration, nil, func() { s.expire(c) })
		}
	default:
		s.refuse++
		end(false)
	}
}

// expire ends the wait of a message that is still in the queue.
func (s *busServer) expire(c *message) {
	if c.end == nil {
		return
	}
	end := c.end
	c.over, c.end = true, nil
	s.refuse++
	end(false)
}

// start calls the backend.
func (s *busServer) start(c *message) {
	end := c.end
	c.end = nil // it cannot expire any more
	s.inUse++
	s.d.serve(func() {
		s.inUse--
		s.done++
		end(true)
		s.admit()
	})
}

// admit starts what waits, as far as the share goes.
func (s *busServer) admit() {
	for s.queue.len() > 0 && s.inUse < s.d.share() {
		if c := s.queue.pop(); !c.over {
			s.start(c)
		}
	}
}

// splitJoin sends a batch of branches at once and waits for all.
func (s *busServer) splitJoin() {
	d := s.d
	number := firstBatch + d.batches
	d.batches++
	d.logBatch(s, number)
	ok, failed, branches := 0, 0, d.cfg.Batch
	for range branches {
		s.call(func(answered bool) {
			if answered {
				ok++
			} else {
				failed++
				d.logThrottled(s, number, ok+failed)
			}
			if ok+failed == branches {
				d.logJoin(s, number, ok, failed)
			}
		})
	}
}

const firstBatch = 4100
