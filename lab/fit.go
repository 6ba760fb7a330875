package lab

import (
	"fmt"
	"math"
	"strings"
	"time"
)

// A Sighting is what an Evento server and its callers showed for some time.
type Sighting struct {
	Clients        int
	PerSecond      float64 // writes completed
	ExpiredPerHour float64 // writes; NaN is not known
}

// An Incident is what was observed of a system and what is to be explained.
type Incident struct {
	// Server is what is known of the pool, its queue, the deadline, the
	// processors and the callers' pauses; Nested is how many requests of its own
	// a write makes. Its times of a write are not used.
	Server Config
	Before Sighting // while work was completed; Clients 0: not seen
	Now    Sighting
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
	Before, Now Steady // what it shows; Before is zero where none was seen
}

// A Miss is a number that a model does not show.
type Miss struct {
	What            string
	Observed, Model float64
}

// A MisfitError tells that no model shows what was observed; the misses are
// those of the nearest one.
type MisfitError struct{ Misses []Miss }

func (e *MisfitError) Error() string {
	var parts []string
	for _, m := range e.Misses {
		parts = append(parts, fmt.Sprintf("%s: %.3g observed, %.3g in the model", m.What, m.Observed, m.Model))
	}
	return "the model misses what was observed by more than 20 %: " + strings.Join(parts, "; ")
}

// tolerance is how far a model may be off.
const tolerance = 0.2

// nestedShares are tried in turn.
func nestedShares() []float64 { return []float64{0.2, 0.3, 0.4, 0.5, 2. / 3, 0.8} }

// mostModels bounds the models of a fit: its extremes and what lies between.
const mostModels = 3

// FitEvento finds models that show what was observed to a fifth: the rate
// before, and the rate and the expiries now. The rate now may be off by a fifth
// of the usual rate, since a fifth of nothing is nothing. The error is a
// *MisfitError where there is none.
func FitEvento(in Incident) (*Fit, error) {
	fit := &Fit{}
	var nearest []Miss
	for _, share := range nestedShares() {
		m, misses := in.fit(share)
		if len(misses) == 0 {
			fit.Models = append(fit.Models, m)
			continue
		}
		if nearest == nil || len(misses) < len(nearest) {
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

// fit finds the time of a write under a share, and compares.
func (in Incident) fit(share float64) (Fitted, []Miss) {
	m := Fitted{NestedShare: share, Service: in.Service}
	if m.Service == 0 {
		m.Service = in.scale(share)
	}
	m.Config = in.shaped(m.Service, share)
	var misses []Miss
	if in.Before.Clients > 0 {
		c := m.Config
		c.Writers = in.Before.Clients
		m.Before = SteadyState(c)
		misses = missed(misses, "writes a second before", in.Before.PerSecond, m.Before.PerSecond, in.Before.PerSecond)
	}
	_, m.Now = crowd(m.Config)
	misses = missed(misses, "writes a second now", in.Now.PerSecond, m.Now.PerSecond, in.usual(m.Service))
	misses = missed(misses, "writes expired an hour now", in.Now.ExpiredPerHour, m.Now.ExpiredPerHour, in.Now.ExpiredPerHour)
	return m, misses
}

// usual is the rate that the rate now is compared by: the one before, or that of
// callers who wait for nothing.
func (in Incident) usual(write time.Duration) float64 {
	if in.Before.Clients > 0 {
		return max(in.Now.PerSecond, in.Before.PerSecond)
	}
	return max(in.Now.PerSecond, float64(in.Now.Clients)/(write+in.Server.ThinkTime).Seconds())
}

// missed appends a miss where a model is off by more than a fifth of usual.
func missed(misses []Miss, what string, observed, model, usual float64) []Miss {
	if math.IsNaN(observed) || math.Abs(model-observed) <= tolerance*usual {
		return misses
	}
	return append(misses, Miss{what, observed, model})
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
