package main

import (
	"context"
	"time"

	"github.com/capdoctor/capdoctor/scrape"
)

// A watching scrapes targets in rounds and judges after each. A target that
// still answers the last round is left out of the next one: there is never more
// than one request in flight per target. Each of several targets is asked a
// little after the round begins, always at its own distance, so that they do not
// start at one instant. With spare set, one that is slow or fails is asked less
// often.
type watching struct {
	spare    bool
	session  *session
	scrapers []*scrape.Scraper
	inputs   []*input // of the scrapers, by index
	interval time.Duration
	busy     []bool
	slow     []int       // scrapes in a row that failed or were slow
	asked    []time.Time // when the last scrape of each began
	next     []time.Time // before it a target is spared
	flying   int
	results  chan indexed
	keep     func(scrape.Result)      // sees every result; may be nil
	stored   *storedInput             // what a server has of further targets, read in every round; may be nil
	before   func(at time.Time) error // called before a round is judged; may be nil
}

type indexed struct {
	i int
	r scrape.Result
}

func newWatching(s *session, scrapers []*scrape.Scraper, inputs []*input, interval time.Duration) *watching {
	return &watching{
		session: s, scrapers: scrapers, inputs: inputs, interval: interval,
		busy: make([]bool, len(scrapers)), slow: make([]int, len(scrapers)),
		asked: make([]time.Time, len(scrapers)), next: make([]time.Time, len(scrapers)),
		results: make(chan indexed, len(scrapers)),
	}
}

// run scrapes from start to end, both rounds included, and then waits for
// answers that are still out. after is called behind every round.
func (w *watching) run(ctx context.Context, start, end time.Time, after func(round int, at time.Time) error) error {
	for round := 0; ; round++ {
		at := start.Add(time.Duration(round) * w.interval)
		last := at.Add(w.interval).After(end)
		w.launch(ctx, at)
		if err := w.gather(ctx, at.Add(w.interval), last); err != nil {
			return err
		}
		if w.stored != nil {
			if err := w.stored.catchUp(ctx, at); err != nil {
				return err
			}
		}
		if w.before != nil {
			if err := w.before(at); err != nil {
				return err
			}
		}
		if err := w.session.tick(ctx, w.judgedAt(at, last)); err != nil {
			return err
		}
		if err := after(round, at); err != nil || last {
			return err
		}
		if err := sleepUntil(ctx, at.Add(w.interval)); err != nil {
			return err
		}
	}
}

// judgedAt is the time of the tick behind a round: the round's own, so that
// rates reach back to the first scrape; behind the last one, which waits for
// slow targets, the time at which it was over.
func (w *watching) judgedAt(at time.Time, last bool) time.Time {
	if last && w.lateness(at) {
		return now()
	}
	return at
}

// lateness tells whether an answer to an earlier round than at came in.
func (w *watching) lateness(at time.Time) bool {
	for _, in := range w.inputs {
		if in.Error != "" && in.Last.Before(at) {
			return true
		}
	}
	return false
}

// launch starts a scrape of every target that is idle and has more to give.
func (w *watching) launch(ctx context.Context, at time.Time) {
	for i, s := range w.scrapers {
		if w.busy[i] || at.Before(w.next[i]) || s.Once() && w.inputs[i].Scrapes > 0 {
			continue
		}
		w.pace(i, at)
		w.busy[i] = true
		w.flying++
		go func() {
			if delay := w.delay(i); delay > 0 {
				sleepUntil(ctx, at.Add(delay)) // a scrape under an ended context says so itself
			}
			w.results <- indexed{i, s.Scrape(ctx, at)}
		}()
	}
}

// delay is how long after the beginning of a round a target is asked.
func (w *watching) delay(i int) time.Duration {
	if len(w.scrapers) == 1 || w.scrapers[i].Once() {
		return 0
	}
	return scrape.Jitter(w.inputs[i].Name, w.interval)
}

// pace tells the store how long ago the target was asked last, when that was
// more than an interval ago because it was slow or spared.
func (w *watching) pace(i int, at time.Time) {
	interval := w.interval
	if !w.asked[i].IsZero() {
		interval = max(interval, at.Sub(w.asked[i]))
	}
	w.session.store.SetInterval(w.inputs[i].source, interval)
	w.asked[i] = at
}

// spareTarget decides when a target may be asked again.
func (w *watching) spareTarget(i int, r scrape.Result) {
	if scrape.Slow(w.interval, r) {
		w.slow[i]++
	} else {
		w.slow[i] = 0
	}
	if w.spare {
		w.next[i] = r.At.Add(scrape.Backoff(w.interval, w.slow[i], r.Duration))
	}
}

// gather takes answers until all are in or the next round is due; behind the
// last round it waits for every one, which a time-out bounds.
func (w *watching) gather(ctx context.Context, due time.Time, last bool) error {
	timer := time.NewTimer(due.Sub(now()))
	defer timer.Stop()
	deadline := timer.C
	if last {
		deadline = nil
	}
	for w.flying > 0 {
		select {
		case got := <-w.results:
			w.flying--
			w.busy[got.i] = false
			w.session.take(w.inputs[got.i], got.r)
			w.spareTarget(got.i, got.r)
			if w.keep != nil {
				w.keep(got.r)
			}
		case <-deadline:
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}

func sleepUntil(ctx context.Context, t time.Time) error {
	timer := time.NewTimer(t.Sub(now()))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
