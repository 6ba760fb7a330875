package lab

import (
	"math"
	"sync"
	"time"
)

// A Span is from the least to the most that models and seeds gave; NaN where
// none gave a number.
type Span struct{ Least, Most float64 }

// A Prediction is what a fit makes of a change.
type Prediction struct {
	PerSecond       Span // writes completed
	ExpiredPerHour  Span // writes
	RefusedPerHour  Span // writes refused before they were sent
	TimedOutPerHour Span // handlers whose thread gave up waiting
	Latency         Span // mean seconds of a completed write
	Busy            Span // threads, on average
	PoolSize        Span
	Waiting         Span // requests in the queue, on average
	CPU             Span // 0 to 1
	Runs            int
	Stuck           int // runs in which every thread waits for a thread at the end
}

// Predict runs every model of the fit from the present state of the system, each
// with a number of seeds, does change and returns what it settles to. A nil
// change is none.
func (f *Fit) Predict(seeds int, change func(*Config)) Prediction {
	return f.run(seeds, func(c Config, lasted time.Duration) Steady {
		model, now := crowd(c, lasted)
		if change != nil {
			model.Set(change)
			now = settled(model)
		}
		return now
	})
}

// Afresh is Predict for a system that starts anew, as after a restart: with an
// empty queue, no thread held, and all its clients at once.
func (f *Fit) Afresh(seeds int, change func(*Config)) Prediction {
	return f.run(seeds, func(c Config, _ time.Duration) Steady {
		if change != nil {
			change(&c)
		}
		_, now := crowd(c.bounded(), 0)
		return now
	})
}

// run does one for every model of the fit and each of its seeds, all at once.
func (f *Fit) run(seeds int, one func(c Config, lasted time.Duration) Steady) Prediction {
	results := make([]Steady, len(f.Models)*seeds)
	var wait sync.WaitGroup
	for i := range results {
		wait.Go(func() {
			m := f.Models[i/seeds]
			m.Config.Seed = uint64(i%seeds) + 1
			results[i] = one(m.Config, m.Lasted)
		})
	}
	wait.Wait()
	return summary(results)
}

// Before and Now are what the models show of the times that were seen.
func (f *Fit) Before() Prediction {
	var shown []Steady
	for _, m := range f.Models {
		shown = append(shown, m.Before)
	}
	return summary(shown)
}

// Now is what the models show of the present; see Before.
func (f *Fit) Now() Prediction {
	var shown []Steady
	for _, m := range f.Models {
		shown = append(shown, m.Now)
	}
	return summary(shown)
}

func summary(results []Steady) Prediction {
	p := Prediction{}
	for _, s := range results {
		p.add(s)
	}
	return p
}

func (p *Prediction) add(s Steady) {
	first := p.Runs == 0
	p.Runs++
	if s.Stuck {
		p.Stuck++
	}
	for _, part := range []struct {
		span *Span
		v    float64
	}{
		{&p.PerSecond, s.PerSecond}, {&p.ExpiredPerHour, s.ExpiredPerHour}, {&p.RefusedPerHour, s.RefusedPerHour},
		{&p.Latency, s.Latency}, {&p.Busy, s.Busy}, {&p.PoolSize, float64(s.PoolSize)}, {&p.Waiting, s.MeanWaiting}, {&p.TimedOutPerHour, s.TimedOutPerHour}, {&p.CPU, s.CPU},
	} {
		part.span.add(part.v, first)
	}
}

// add widens the span; what is no number does not.
func (s *Span) add(v float64, first bool) {
	switch {
	case first || math.IsNaN(s.Least):
		*s = Span{v, v}
	case !math.IsNaN(v):
		s.Least, s.Most = min(s.Least, v), max(s.Most, v)
	}
}

// crowd starts all writers at once, as a job does, and returns the model once it
// has settled, and what it has settled to. The queue is that of the end of the
// time that the trouble has lasted, when this is known: it may grow all the time.
func crowd(c Config, lasted time.Duration) (*Model, Steady) {
	c.StartEvery = 0
	m := New(c, time.Time{})
	m.RunTo(m.Now().Add(startup))
	if lasted < steadySpan {
		return m, settled(m)
	}
	m.RunTo(m.Now().Add(lasted - steadySpan))
	before := m.Stats()
	m.RunTo(m.Now().Add(steadySpan))
	now := m.Stats()
	s := settled(m)
	s.Waiting, s.MeanWaiting = now.Waiting, between(before, now).MeanWaiting
	return m, s
}

// settled lets a round of expiries and pauses pass, and the dead work that is
// queued, and returns the figures of the time after: a minute, or ten rounds
// where requests expire, because they do so all at once.
func settled(m *Model) Steady {
	c, now := m.Config(), m.Stats()
	round := min(c.Deadline+c.PauseAfterExpiry+trackerSweep, longestRound)
	drain := min(c.handlerWait()*time.Duration(now.Waiting)/time.Duration(max(now.PoolSize, 1)), longestRound)
	m.RunTo(m.Now().Add(round + settleTime + drain))
	before := m.Stats()
	m.RunTo(m.Now().Add(max(round, steadySpan/2)))
	after := m.Stats()
	if after.Expired > before.Expired {
		m.RunTo(before.At.Add(expiryRounds * round))
		after = m.Stats()
	}
	return between(before, after)
}

const (
	expiryRounds = 10
	longestRound = 20 * time.Minute // for deadlines of hours
)
