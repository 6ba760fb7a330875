package lab

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
)

// A Sighting is what an Evento server and its callers showed for some time. What
// is NaN was not seen.
type Sighting struct {
	Clients         int
	PerSecond       float64 // writes completed
	ExpiredPerHour  float64 // writes
	TimedOutPerHour float64 // handlers whose thread gave up waiting
	Busy            float64 // threads with a task, on average
	Waiting         float64 // requests in the queue, on average
	CPU             float64 // share of all processors, 0 to 1
}

// SightingOf is a Sighting of so many clients that make so many writes a second,
// and of nothing else.
func SightingOf(clients int, perSecond float64) Sighting {
	nan := math.NaN()
	return Sighting{clients, perSecond, nan, nan, nan, nan, nan}
}

// An Incident is what was observed of a system and what is to be explained.
type Incident struct {
	// Server is what is known of the pool, its queue, the deadline, the
	// processors and the callers' pauses; Nested is how many requests of its own
	// a write makes. Its times of a write are not used.
	Server Config
	Before Sighting // while work was completed; Clients 0: not seen
	Now    Sighting
	Lasted time.Duration // how long it has been as it is now; 0 is not known
	// Service is how long a write takes that waits for nothing; 0 lets it follow
	// from Before.
	Service time.Duration
	// WriteCPU is the processor time of a write; 0 takes the model's.
	WriteCPU time.Duration
}

// A Fit is the models that show what was observed. They differ in what cannot be
// observed: which part of a write is spent in its nested requests.
type Fit struct{ Models []Fitted }

// A Fitted is one model of a fit.
type Fitted struct {
	Config      Config
	NestedShare float64 // part of a write's time that its nested requests take, 0 to 1
	Service     time.Duration
	Lasted      time.Duration // in the present state; chosen by the queue where it is not known
	Before, Now Steady        // what it shows; Before is zero where none was seen
	Checks      []Check
}

// A Check is a quantity that was observed, beside what a model shows of it.
type Check struct {
	What            string
	Observed, Model float64
	// Fitted: a parameter of the model was chosen by it. The others were not used.
	Fitted bool
	// Usual is what a difference is measured by: the observed value, or more where
	// a difference from next to nothing would say nothing.
	Usual float64
}

// Off is how far the model is off, as a part of what is usual.
func (c Check) Off() float64 {
	if c.Model == c.Observed {
		return 0
	}
	return math.Abs(c.Model-c.Observed) / c.Usual
}

// A MisfitError tells that no model shows what was observed; the checks are those
// of the nearest one that it fails.
type MisfitError struct{ Misses []Check }

func (e *MisfitError) Error() string {
	var parts []string
	for _, m := range e.Misses {
		parts = append(parts, fmt.Sprintf("%s: %.3g observed, %.3g in the model (off by %.0f %%)", m.What, m.Observed, m.Model, 100*m.Off()))
	}
	return "the model misses what was observed by more than 20 %: " + strings.Join(parts, "; ")
}

// Tolerance is how far a model may be off any quantity that was observed.
const Tolerance = 0.2

// nestedShares are tried in turn.
func nestedShares() []float64 { return []float64{0.2, 0.3, 0.4, 0.5, 2. / 3, 0.8} }

// mostModels bounds the models of a fit: its extremes and what lies between.
const mostModels = 3

// fewAnHour is one a minute: a difference from fewer says nothing.
const fewAnHour = 60

// The quantities that are compared.
const (
	RateBefore  = "writes a second before"
	RateNow     = "writes a second now"
	ExpiredNow  = "writes expired an hour now"
	TimedOutNow = "handlers timed out an hour now"
	BusyNow     = "threads busy now"
	WaitingNow  = "requests waiting now"
	CPUNow      = "processors busy now"
)

// FitEvento finds models that show what was observed to a fifth, every quantity
// of it: the rate before and now, what expires, the handlers that time out, the
// threads at work, the queue and the processors. A quantity of next to nothing
// may be off by a fifth of what is usual: the rate of the one before, the queue
// of a thread's worth of requests each, the processors of all of them. The error
// is a *MisfitError where there is none.
func FitEvento(in Incident) (*Fit, error) {
	fit := &Fit{}
	var nearest []Check
	for _, share := range nestedShares() {
		m := in.fit(share)
		misses := slices.DeleteFunc(slices.Clone(m.Checks), func(c Check) bool { return c.Off() <= Tolerance })
		if len(misses) == 0 {
			fit.Models = append(fit.Models, m)
			continue
		}
		if nearest == nil || worst(misses) < worst(nearest) {
			nearest = misses
		}
	}
	if len(fit.Models) == 0 {
		return nil, &MisfitError{nearest}
	}
	if n := len(fit.Models); n > mostModels {
		fit.Models = []Fitted{fit.Models[0], fit.Models[n/2], fit.Models[n-1]}
	}
	return fit, nil
}

// worst is the largest miss.
func worst(misses []Check) float64 {
	return slices.MaxFunc(misses, func(a, b Check) int { return cmp.Compare(a.Off(), b.Off()) }).Off()
}

// fit finds the time of a write under a share, and compares.
func (in Incident) fit(share float64) Fitted {
	m := Fitted{NestedShare: share, Service: in.Service}
	if m.Service == 0 {
		m.Service = in.scale(share)
	}
	m.Config = in.shaped(m.Service, share)
	if in.Before.Clients > 0 {
		c := m.Config
		c.Writers = in.Before.Clients
		m.Before = SteadyState(c)
		m.see(RateBefore, in.Before.PerSecond, m.Before.PerSecond, in.Service == 0, in.Before.PerSecond)
	}
	m.Lasted = in.lasted(m.Config)
	_, m.Now = crowd(m.Config, m.Lasted)
	threads := float64(max(m.Now.PoolSize, 1))
	m.see(RateNow, in.Now.PerSecond, m.Now.PerSecond, false, in.usual(m.Service))
	m.see(ExpiredNow, in.Now.ExpiredPerHour, m.Now.ExpiredPerHour, in.Server.PauseAfterExpiry > 0, max(in.Now.ExpiredPerHour, fewAnHour))
	m.see(TimedOutNow, in.Now.TimedOutPerHour, m.Now.TimedOutPerHour, in.Server.HandlerWait > 0, max(in.Now.TimedOutPerHour, fewAnHour))
	m.see(BusyNow, in.Now.Busy, m.Now.Busy, false, max(in.Now.Busy, threads/4))
	m.see(WaitingNow, in.Now.Waiting, m.Now.MeanWaiting, m.Lasted > in.Lasted, max(in.Now.Waiting, threads))
	m.see(CPUNow, in.Now.CPU, m.Now.CPU, false, max(in.Now.CPU, 0.25))
	return m
}

// lasted is how long the present state has lasted. A queue that grows tells it
// where nothing else does.
func (in Incident) lasted(c Config) time.Duration {
	if in.Lasted > 0 || math.IsNaN(in.Now.Waiting) || in.Now.Waiting <= float64(c.Core) {
		return in.Lasted
	}
	c.StartEvery = 0
	m := New(c, time.Time{})
	m.RunTo(m.Now().Add(startup))
	for before := m.Stats(); m.elapsed() < longestLasted; {
		m.RunTo(m.Now().Add(steadySpan))
		now := m.Stats()
		if between(before, now).MeanWaiting >= in.Now.Waiting*(1-Tolerance/2) {
			return m.elapsed() - startup
		}
		before = now
	}
	return 0
}

// longestLasted bounds how far back the beginning is looked for.
const longestLasted = time.Hour

// see notes a quantity, unless it was not observed.
func (m *Fitted) see(what string, observed, model float64, fitted bool, usual float64) {
	if !math.IsNaN(observed) {
		m.Checks = append(m.Checks, Check{what, observed, model, fitted, usual})
	}
}

// usual is the rate that the rate now is compared by: the one before, or that of
// callers who wait for nothing.
func (in Incident) usual(write time.Duration) float64 {
	if in.Before.Clients > 0 {
		return max(in.Now.PerSecond, in.Before.PerSecond)
	}
	return max(in.Now.PerSecond, float64(in.Now.Clients)/(write+in.Server.ThinkTime).Seconds())
}

const (
	firstGuess = 300 * time.Millisecond
	leastWrite = 2 * time.Millisecond
	fitRounds  = 8
	fitClose   = 0.01
)

// scale finds the time of a write with which the callers before made their rate:
// rates are nearly proportional to it.
func (in Incident) scale(share float64) time.Duration {
	write := firstGuess
	for range fitRounds {
		c := in.shaped(write, share)
		c.Writers = in.Before.Clients
		ratio := SteadyState(c).PerSecond / in.Before.PerSecond
		if math.Abs(ratio-1) < fitClose || ratio == 0 || math.IsNaN(ratio) || math.IsInf(ratio, 0) {
			break
		}
		round := float64(write + c.ThinkTime)
		write = max(leastWrite, time.Duration(round*ratio)-c.ThinkTime)
	}
	return write
}

// shaped returns the server with writes of a length, of which a share is spent in
// nested requests. What a write costs in processor time keeps the proportions of
// the model.
func (in Incident) shaped(write time.Duration, share float64) Config {
	c, model := in.Server, Evento()
	c.Writers = in.Now.Clients
	c.StartEvery = model.StartEvery
	nested := time.Duration(share * float64(write))
	if c.Nested == 0 {
		nested = 0
	}
	c.OwnTime = write - nested
	c.ServiceTime = nested / time.Duration(max(c.Nested, 1))
	c.QueryTime = min(model.QueryTime, max(c.ServiceTime, c.OwnTime/4))
	c.FetchTime = min(model.FetchTime, max(c.ServiceTime, c.OwnTime/4))
	whole := model.OwnCPU + time.Duration(model.Nested)*model.NestedCPU
	cost := in.WriteCPU
	if cost == 0 {
		cost = time.Duration(float64(whole) * float64(write) / float64(firstGuess))
	}
	cost = min(cost, write*9/10)
	c.OwnCPU = time.Duration(float64(cost) * float64(model.OwnCPU) / float64(whole))
	c.NestedCPU = (cost - c.OwnCPU) / time.Duration(max(c.Nested, 1))
	return c.bounded()
}
