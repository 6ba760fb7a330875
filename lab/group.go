package lab

import (
	"math/rand/v2"
	"time"
)

// A GroupConfig is everything a Group can be told. Times are virtual.
type GroupConfig struct {
	Seed       uint64
	Rate       float64 // messages a second on average, at random times
	Partitions int
	Consumers  int           // partition i belongs to consumer i modulo Consumers
	Batch      int           // most messages that a consumer takes at once
	Time       time.Duration // a message takes a consumer, evenly varied by ±Jitter
	Jitter     float64

	// From HangAt on what the consumers call does not answer, and they wait for it
	// without a time-out; 0: never.
	HangAt time.Duration
	// From DelayAt on messages are not to be delivered before Delay has passed; 0
	// is no delay.
	DelayAt, Delay time.Duration
}

// A Group is a model of consumers that read a log with partitions: a consumer
// polls, works through what it got one by one, commits and polls again. What it
// is called is its front's.
type Group struct {
	clock
	cfg       GroupConfig
	front     groupFront
	gaps      *rand.Rand
	times     *rand.Rand
	parts     []*partition
	consumers []*reader
	log       journal

	backlog level // messages that are not committed
	waited  time.Duration
	done    int64
}

// A groupFront is the program that a Group is: what its pages and logs are called.
type groupFront struct {
	targets []Target
	logs    []string
	page    func(g *Group, target string) []byte
}

// A partition is a log of messages that are read in their order.
type partition struct {
	end       int64 // messages so far
	visible   int64 // of these, to be delivered by now
	position  int64 // taken by the consumer
	committed int64
	sent      fifo[time.Duration] // of those not committed
}

// A reader is a consumer of the group.
type reader struct {
	g        *Group
	number   int
	parts    []*partition
	polled   time.Duration // last
	consumed int64
	gone     bool // it has left the group
}

// GroupStats is what a Group has done so far. Sent = Committed + Backlog.
type GroupStats struct {
	Sent, Committed, Backlog, Delayed int64
	// Seconds since the start: of messages until they were committed, and of
	// messages that were not yet.
	WaitSeconds, BacklogSeconds float64
	PollAge                     time.Duration // of the consumer that polled longest ago
}

const (
	emptyPoll   = 100 * time.Millisecond // a poll that finds nothing
	maxPoll     = 5 * time.Minute        // between two polls, before a consumer is taken for dead
	heartbeat   = 3 * time.Second
	commitTime  = 5 * time.Millisecond
	offsetStart = 3_000_000 // of each partition when the model starts
)

func newGroup(c GroupConfig, f groupFront, start time.Time) *Group {
	g := &Group{cfg: c, front: f, clock: clock{start: start}}
	g.gaps, g.times = rand.New(rand.NewPCG(c.Seed, 7)), rand.New(rand.NewPCG(c.Seed, 8))
	for i := range c.Partitions {
		p := &partition{}
		g.parts = append(g.parts, p)
		if i < c.Consumers {
			r := &reader{g: g, number: i + 1}
			g.consumers = append(g.consumers, r)
			g.agenda.after(0, nil, r.poll)
			g.agenda.every(heartbeat, nil, r.beat)
		}
		r := g.consumers[i%c.Consumers]
		r.parts = append(r.parts, p)
	}
	g.send()
	return g
}

func (g *Group) seed() uint64 { return g.cfg.Seed }

// send lets the next message come, and those after it.
func (g *Group) send() {
	gap := time.Duration(g.gaps.ExpFloat64() / g.cfg.Rate * float64(time.Second))
	g.agenda.after(gap, nil, func() {
		p := g.parts[g.gaps.IntN(len(g.parts))]
		p.end++
		p.sent.push(g.agenda.now)
		g.backlog.add(g.agenda.now, 1)
		if g.cfg.Delay > 0 && g.agenda.now >= g.cfg.DelayAt {
			g.agenda.after(g.cfg.Delay, nil, func() { p.visible++ })
		} else {
			p.visible++
		}
		g.send()
	})
}

// poll takes what is there, as far as a batch goes, and works through it.
func (r *reader) poll() {
	g := r.g
	r.polled = g.agenda.now
	taken, left := make([]int64, len(r.parts)), g.cfg.Batch
	for i, p := range r.parts {
		n := min(p.visible-p.position, int64(left))
		p.position += n
		taken[i], left = n, left-int(n)
	}
	n := g.cfg.Batch - left
	if n == 0 {
		g.agenda.after(emptyPoll, nil, r.poll)
		return
	}
	r.consumed += int64(n)
	r.handle(n, func() { r.commit(taken) })
}

// handle works through n messages, one by one; one whose call is not answered
// is the last.
func (r *reader) handle(n int, then func()) {
	g := r.g
	if n == 0 {
		then()
		return
	}
	if g.cfg.HangAt > 0 && g.agenda.now >= g.cfg.HangAt {
		return
	}
	takes := g.cfg.Time + time.Duration((2*g.times.Float64()-1)*g.cfg.Jitter*float64(g.cfg.Time))
	g.agenda.after(takes, nil, func() { r.handle(n-1, then) })
}

func (r *reader) commit(taken []int64) {
	g := r.g
	g.agenda.after(commitTime, nil, func() {
		for i, p := range r.parts {
			for range taken[i] {
				g.waited += g.agenda.now - p.sent.pop()
			}
			p.committed += taken[i]
			g.done += taken[i]
			g.backlog.add(g.agenda.now, -taken[i])
		}
		r.poll()
	})
}

// beat is the thread that tells the group that the consumer lives. It takes the
// consumer out when it has not polled for too long.
func (r *reader) beat() {
	if !r.gone && r.g.agenda.now-r.polled > maxPoll {
		r.gone = true
		r.g.logPollTimeout(r)
	}
}

// Stats returns what the group has done so far.
func (g *Group) Stats() GroupStats {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := g.agenda.now
	s := GroupStats{Committed: g.done, Backlog: g.backlog.value, WaitSeconds: g.waited.Seconds(), BacklogSeconds: float64(g.backlog.integral(now)) / 1e9}
	for _, p := range g.parts {
		s.Sent += p.end
		s.Delayed += p.end - p.visible
	}
	for _, r := range g.consumers {
		s.PollAge = max(s.PollAge, now-r.polled)
	}
	return s
}

// Targets lists what the group's front shows.
func (g *Group) Targets() []Target { return g.front.targets }

// Pages returns the pages as they would be read now.
func (g *Group) Pages() map[string][]byte {
	g.mu.Lock()
	defer g.mu.Unlock()
	pages := map[string][]byte{}
	for _, t := range g.front.targets {
		pages[t.Name] = g.front.page(g, t.Name)
	}
	return pages
}

// scrape runs to t and reads one page.
func (g *Group) scrape(target string, t time.Time) []byte {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.agenda.runTo(t.Sub(g.start))
	return g.front.page(g, target)
}

// LogNames lists the front's log, if it has one.
func (g *Group) LogNames() []string { return g.front.logs }

// Logs returns the lines that a log has got since the last call.
func (g *Group) Logs(name string) []LogLine { return g.springLog(&g.log, g.front.logs, name) }
