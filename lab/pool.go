package lab

import (
	"math"
	"math/rand/v2"
	"time"
)

// A PoolConfig is everything a Pool can be told. Times are virtual.
type PoolConfig struct {
	Seed   uint64
	Rate   float64       // requests a second on average, at random times
	Max    int           // connections; as many are kept open
	Hold   time.Duration // a request keeps its connection, evenly varied by ±Jitter
	Jitter float64
	Login  time.Duration // it takes to open a connection; one at a time
	Wait   time.Duration // a request waits for a connection before it gives up

	// At FailoverAt the database moves to another machine: every connection breaks
	// with the request that has it, and a login takes SlowLogin from then on. 0:
	// never.
	FailoverAt, SlowLogin time.Duration
}

// A Pool is a model of a HikariCP pool in front of a database: requests take an
// idle connection or queue for one, and a single thread opens connections one
// after the other until there are Max (HikariPool.addConnectionExecutor).
type Pool struct {
	clock
	cfg   PoolConfig
	gaps  *rand.Rand
	times *rand.Rand
	log   journal

	open    int   // connections
	busy    level // of these, with a request
	idle    int
	waiting level
	queue   fifo[*asker]
	opening bool
	epoch   *life // of the connections: a failover ends it

	uses, asked, broken, timeouts, logins int64
	held, waited, loggedIn                time.Duration
}

// An asker is a request that waits for a connection.
type asker struct {
	since time.Duration
	gone  bool // it gave up or was served
}

// PoolStats is what a Pool has done so far. Asked = Used + Broken + TimedOut +
// Busy + Waiting.
type PoolStats struct {
	Asked, Used, Broken, TimedOut int64
	Open, Busy, Idle, Waiting     int
	// Seconds since the start: of requests that hold a connection and that wait.
	HeldSeconds, BusySeconds, WaitedSeconds, WaitingSeconds float64
}

func newPool(c PoolConfig, start time.Time) *Pool {
	p := &Pool{cfg: c, clock: clock{start: start}, open: c.Max, idle: c.Max, epoch: &life{}}
	p.gaps, p.times = rand.New(rand.NewPCG(c.Seed, 9)), rand.New(rand.NewPCG(c.Seed, 10))
	if c.FailoverAt > 0 {
		p.agenda.after(c.FailoverAt, nil, p.failOver)
	}
	p.come()
	return p
}

func (p *Pool) seed() uint64 { return p.cfg.Seed }

// come lets the next request come, and those after it.
func (p *Pool) come() {
	gap := time.Duration(p.gaps.ExpFloat64() / p.cfg.Rate * float64(time.Second))
	p.agenda.after(gap, nil, func() {
		p.asked++
		if p.idle > 0 {
			p.idle--
			p.use()
		} else {
			p.wait()
		}
		p.come()
	})
}

// use gives a request a connection for as long as it needs it.
func (p *Pool) use() {
	p.busy.add(p.agenda.now, 1)
	takes := p.cfg.Hold + time.Duration((2*p.times.Float64()-1)*p.cfg.Jitter*float64(p.cfg.Hold))
	p.agenda.after(takes, p.epoch, func() {
		p.busy.add(p.agenda.now, -1)
		p.uses++
		p.held += takes
		p.release()
	})
}

func (p *Pool) wait() {
	a := &asker{since: p.agenda.now}
	p.queue.push(a)
	p.waiting.add(p.agenda.now, 1)
	p.agenda.after(p.cfg.Wait, nil, func() {
		if a.gone {
			return
		}
		p.timeouts++
		p.leave(a)
		p.logTimeout()
	})
}

// leave takes a request out of those that wait.
func (p *Pool) leave(a *asker) {
	a.gone = true
	p.waiting.add(p.agenda.now, -1)
	p.waited += p.agenda.now - a.since
}

// release hands a connection to who waits longest.
func (p *Pool) release() {
	for p.queue.len() > 0 {
		if a := p.queue.pop(); !a.gone {
			p.leave(a)
			p.use()
			return
		}
	}
	p.idle++
}

// failOver breaks every connection and begins to open new ones.
func (p *Pool) failOver() {
	p.epoch.over = true
	p.epoch = &life{}
	p.broken += p.busy.value
	p.busy.add(p.agenda.now, -p.busy.value)
	p.open, p.idle = 0, 0
	p.login()
}

// login opens one connection, and then the next.
func (p *Pool) login() {
	if p.opening || p.open >= p.cfg.Max {
		return
	}
	p.opening = true
	takes := p.cfg.Login
	if p.cfg.FailoverAt > 0 && p.agenda.now >= p.cfg.FailoverAt {
		takes = p.cfg.SlowLogin
	}
	p.agenda.after(takes, p.epoch, func() {
		p.opening = false
		p.logins++
		p.loggedIn += takes
		p.open++
		p.release()
		p.login()
	})
}

// Stats returns what the pool has done so far.
func (p *Pool) Stats() PoolStats {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.agenda.now
	return PoolStats{
		Asked: p.asked, Used: p.uses, Broken: p.broken, TimedOut: p.timeouts,
		Open: p.open, Busy: int(p.busy.value), Idle: p.idle, Waiting: int(p.waiting.value),
		HeldSeconds: p.held.Seconds(), BusySeconds: float64(p.busy.integral(now)) / 1e9,
		WaitedSeconds: p.waited.Seconds(), WaitingSeconds: float64(p.waiting.integral(now)) / 1e9,
	}
}

// before is how many requests the process had served when the model started.
func (p *Pool) before() float64 { return math.Floor(p.cfg.Rate * aged.Seconds()) }
