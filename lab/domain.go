package lab

import (
	"math/rand/v2"
	"time"
)

// A DomainConfig is everything a Domain can be told.
type DomainConfig struct {
	Seed       uint64
	Servers    int           // managed servers at the start
	Joining    int           // servers that join at JoinAt
	JoinAt     time.Duration // 0: none join
	Throttle   int           // maximum concurrency of the business service, for the whole domain
	Queue      int           // throttling queue of each server
	Expiration time.Duration // a message waits no longer in it
	Service    string        // name of the business service

	// The load of each server: Callers that call, wait for the answer and pause;
	// and Split-Joins, one each BatchEvery, of Batch branches at once.
	Callers    int
	Pause      time.Duration
	Batch      int
	BatchEvery time.Duration
	SmallerAt  time.Duration // from then on batches are of Smaller branches; 0: never
	Smaller    int

	// The backend: a call takes CallTime, or SlowTime when more than Bears are there.
	Bears              int
	CallTime, SlowTime time.Duration
	Jitter             float64
}

// LegacyDomain returns a domain of 4 servers in front of a backend that bears 20
// calls at once: 50 calls a second of 0.4 s. Above 20 a call takes 1.15 s.
func LegacyDomain() DomainConfig {
	return DomainConfig{
		Seed:       1,
		Servers:    4,
		Throttle:   20,
		Queue:      200,
		Expiration: time.Minute,
		Service:    "Stock/ReserveBS",
		Callers:    6,
		Pause:      20 * time.Millisecond,
		Bears:      20,
		CallTime:   400 * time.Millisecond,
		SlowTime:   1150 * time.Millisecond,
		Jitter:     0.02,
	}
}

// A Domain is a model of Oracle Service Bus servers that throttle one business
// service: each server lets through the domain's value divided by the servers,
// rounded up. Of the servers, the first one has a page and a log; the backend
// has a page.
type Domain struct {
	clock
	cfg     DomainConfig
	times   *rand.Rand
	servers []*busServer
	backend backend
	batches int
	log     journal // of the first server
	scrapes int64
}

// The targets of a Domain.
const (
	BusTarget     = "osb1"
	BackendTarget = "backend"
)

// A backend is what the business service calls.
type backend struct {
	inUse int
	calls level   // inUse, over time
	load  history // of its integral
	most  int     // calls at once so far
	done  int64
	took  time.Duration // of all calls
}

// NewDomain returns a domain that starts at start.
func NewDomain(c DomainConfig, start time.Time) *Domain {
	d := &Domain{cfg: c, clock: clock{start: start}, times: rand.New(rand.NewPCG(c.Seed, 4))}
	for range c.Servers {
		d.join()
	}
	d.logSettings()
	if c.JoinAt > 0 {
		d.agenda.after(c.JoinAt, nil, func() {
			for range c.Joining {
				d.join()
			}
		})
	}
	if c.SmallerAt > 0 {
		d.agenda.after(c.SmallerAt, nil, func() { d.cfg.Batch = c.Smaller })
	}
	d.agenda.every(healthEvery, nil, d.logHealth)
	d.agenda.every(time.Second, nil, func() {
		d.servers[0].recent.keep(d.agenda.now, d.servers[0].done)
		d.backend.load.keep(d.agenda.now, d.backend.calls.integral(d.agenda.now))
	})
	return d
}

func (d *Domain) seed() uint64 { return d.cfg.Seed }

// Share is how many calls one server lets through at once: the value divided by
// the servers, rounded up.
func (d *Domain) share() int { return (d.cfg.Throttle + len(d.servers) - 1) / len(d.servers) }

// join adds a server with its load.
func (d *Domain) join() {
	s := &busServer{d: d}
	d.servers = append(d.servers, s)
	if n := len(d.servers); n > 1 {
		d.logJoined(n)
	}
	for range d.cfg.Callers {
		d.agenda.after(d.vary(d.cfg.CallTime), nil, s.callAgain)
	}
	if d.cfg.BatchEvery > 0 {
		d.agenda.every(d.cfg.BatchEvery, nil, s.splitJoin)
	}
}

// serve does one call at the backend.
func (d *Domain) serve(then func()) {
	b := &d.backend
	b.inUse++
	b.calls.add(d.agenda.now, 1)
	b.most = max(b.most, b.inUse)
	takes := d.cfg.CallTime
	if b.inUse > d.cfg.Bears {
		takes = d.cfg.SlowTime
	}
	takes = d.vary(takes)
	d.agenda.after(takes, nil, func() {
		b.inUse--
		b.calls.add(d.agenda.now, -1)
		b.done++
		b.took += takes
		then()
	})
}

func (d *Domain) vary(t time.Duration) time.Duration {
	return t + time.Duration((2*d.times.Float64()-1)*d.cfg.Jitter*float64(t))
}

// DomainStats is what a domain has done so far.
type DomainStats struct {
	Servers int
	Share   int   // calls that one server lets through at once
	InUse   int   // calls at the backend
	Most    int   // calls at the backend at once, so far
	Done    int64 // calls answered
	Refused int64 // messages that found neither share nor place, or expired
}

// Stats returns what the domain has done so far.
func (d *Domain) Stats() DomainStats {
	d.mu.Lock()
	defer d.mu.Unlock()
	s := DomainStats{Servers: len(d.servers), Share: d.share(), InUse: d.backend.inUse, Most: d.backend.most}
	for _, server := range d.servers {
		s.Done += server.done
		s.Refused += server.refuse
	}
	return s
}
