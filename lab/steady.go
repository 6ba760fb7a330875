package lab

import (
	"math"
	"time"
)

// Steady is what a configuration settles to.
type Steady struct {
	PerSecond       float64 // writes completed
	ExpiredPerHour  float64 // writes
	RefusedPerHour  float64 // writes refused before they were sent
	Latency         float64 // seconds a completed write took; NaN when none did
	CPU             float64 // share of all processors, 0 to 1
	Busy            float64 // threads with a task, on average
	PoolSize        int
	Waiting         int // queued at the end
	MeanWaiting     float64
	TimedOutPerHour float64 // handlers whose thread gave up waiting
	Stuck           bool    // every thread waits for a thread
}

const (
	settleTime  = 90 * time.Second // writers have started, and an expiry has shown
	steadySpan  = 2 * time.Minute
	steadyLimit = 6 // spans
	steadyClose = 0.005
)

// SteadyState runs a model of c in spans of two minutes until two in a row
// give the same rate to half a percent, or six have passed, and returns the
// last span's figures. Writers start StartEvery apart: with a pool that is too small, the
// figures of writers that start all at once can be others, because once every
// thread waits for a thread the model stays there.
func SteadyState(c Config) Steady {
	var epoch time.Time
	m := New(c, epoch)
	settled := startup + settleTime + time.Duration(c.Writers)*c.StartEvery
	m.RunTo(epoch.Add(settled))
	before := m.Stats()
	last := math.Inf(1)
	for i := 1; ; i++ {
		m.RunTo(epoch.Add(settled + time.Duration(i)*steadySpan))
		after := m.Stats()
		s := between(before, after)
		if i == steadyLimit || math.Abs(s.PerSecond-last) <= steadyClose*last {
			return s
		}
		before, last = after, s.PerSecond
	}
}

// between gives the figures of the time from a to b.
func between(a, b Stats) Steady {
	span := b.At.Sub(a.At).Seconds()
	done := float64(b.Completed - a.Completed)
	return Steady{
		PerSecond:       done / span,
		ExpiredPerHour:  float64(b.Expired-a.Expired) / span * 3600,
		RefusedPerHour:  float64(b.Refused-a.Refused) / span * 3600,
		Latency:         (b.OKSeconds - a.OKSeconds) / done,
		CPU:             (b.CPUSeconds - a.CPUSeconds) / span / float64(b.Cores),
		Busy:            (b.BusySeconds - a.BusySeconds) / span,
		PoolSize:        b.PoolSize,
		Waiting:         b.Waiting,
		MeanWaiting:     (b.WaitingSeconds - a.WaitingSeconds) / span,
		TimedOutPerHour: float64(b.TimedOut-a.TimedOut) / span * 3600,
		Stuck:           b.Stuck(),
	}
}
