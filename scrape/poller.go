package scrape

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"
)

// PollOptions say how a Poller goes about it. Now and After must be set: the
// clock is the caller's.
type PollOptions struct {
	Interval    time.Duration // between the starts of two scrapes of one target; more than 0
	Concurrency int           // scrapes at one time, over all targets; 0 is DefaultConcurrency

	Now   func() time.Time
	After func(time.Duration) <-chan time.Time
}

// DefaultConcurrency is how many targets are scraped at one time.
const DefaultConcurrency = 16

// A Poller scrapes targets at an interval, each at its own pace: a target that
// is slow or fails is asked less often (see [Backoff]) and delays no other. One
// request is in flight per target.
type Poller struct {
	scrapers []*Scraper
	opts     PollOptions
	slots    chan struct{}

	mu    sync.Mutex
	costs map[string]Cost
}

// A Cost is what reading one target has cost so far.
type Cost struct {
	Instance string
	Scrapes  int
	Failed   int
	Requests int
	Bytes    int64         // as they were sent
	Time     time.Duration // sum over all scrapes
}

// NewPoller returns a poller of targets whose instances differ.
func NewPoller(scrapers []*Scraper, o PollOptions) *Poller {
	if o.Concurrency <= 0 {
		o.Concurrency = DefaultConcurrency
	}
	return &Poller{
		scrapers: scrapers, opts: o,
		slots: make(chan struct{}, o.Concurrency),
		costs: make(map[string]Cost),
	}
}

// Run scrapes until ctx ends and returns the results as they come. The channel
// is closed when the last scrape has ended; with files alone, after each was
// read once. A target waits with its next scrape until its last result is
// received.
func (p *Poller) Run(ctx context.Context) <-chan Result {
	results := make(chan Result)
	var running sync.WaitGroup
	for _, s := range p.scrapers {
		running.Go(func() { p.poll(ctx, s, results) })
	}
	go func() {
		running.Wait()
		close(results)
	}()
	return results
}

// poll scrapes one target at its times.
func (p *Poller) poll(ctx context.Context, s *Scraper, results chan<- Result) {
	due := p.opts.Now().Add(Jitter(s.target.Instance, p.opts.Interval))
	for slow := 0; ; {
		r, ok := p.scrapeAt(ctx, s, due)
		if !ok {
			return
		}
		select {
		case results <- r:
		case <-ctx.Done():
			return
		}
		if s.Once() {
			return
		}
		if slow++; !isSlow(p.opts.Interval, r) {
			slow = 0
		}
		due = later(due.Add(Backoff(p.opts.Interval, slow, r.Duration)), p.opts.Now())
	}
}

func later(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}

// scrapeAt scrapes when the time and a slot have come. ok is false when ctx
// ended before the scrape did.
func (p *Poller) scrapeAt(ctx context.Context, s *Scraper, due time.Time) (r Result, ok bool) {
	if wait := due.Sub(p.opts.Now()); wait > 0 {
		select {
		case <-p.opts.After(wait):
		case <-ctx.Done():
			return r, false
		}
	}
	select {
	case p.slots <- struct{}{}:
	case <-ctx.Done():
		return r, false
	}
	defer func() { <-p.slots }()
	r = s.Scrape(ctx, p.opts.Now())
	if ctx.Err() != nil {
		return r, false
	}
	p.count(r)
	return r, true
}

// count adds a result to the costs of its target.
func (p *Poller) count(r Result) {
	p.mu.Lock()
	defer p.mu.Unlock()
	c := p.costs[r.Target.Instance]
	c.Instance = r.Target.Instance
	c.Scrapes++
	if r.Err != nil {
		c.Failed++
	}
	c.Requests += r.Requests
	c.Bytes += r.Bytes
	c.Time += r.Duration
	p.costs[r.Target.Instance] = c
}

// Costs returns what was spent so far, by instance. It may be called while Run
// runs.
func (p *Poller) Costs() []Cost {
	p.mu.Lock()
	defer p.mu.Unlock()
	costs := make([]Cost, 0, len(p.costs))
	for _, c := range p.costs {
		costs = append(costs, c)
	}
	slices.SortFunc(costs, func(a, b Cost) int { return strings.Compare(a.Instance, b.Instance) })
	return costs
}
