package lab

import (
	"cmp"
	"time"
)

// A Config is everything a Model can be told. Times are virtual. Fields that a
// running Model can still change are changed with Set; the others are read
// once, by New.
type Config struct {
	Seed uint64 // same seed, same bytes

	// The callers.
	Writers            int           // concurrent import writers, each with one call at a time
	StartEvery         time.Duration // writers that start together are this far apart; 0 is all at once
	ThinkTime          time.Duration // a writer's own time between two writes
	Deadline           time.Duration // of every request
	HandlerWait        time.Duration // how long the server's thread waits for a handler; 0 is the deadline
	PauseAfterExpiry   time.Duration // before a writer goes on after an expired write; the incident's importer paused 90 s
	Retries            int           // times an expired write is sent again before the pause
	MaxInFlight        int           // writes a bundle lets out at once; more are refused; 0 is no bound
	PauseAfterRefusal  time.Duration // before a writer tries again what was refused
	Consumers          int           // event consumers, each fetching all the time
	ConsumerDelay      time.Duration // between two fetches of a consumer
	ImportConnections  int           // sockets the writers share; at least 1
	ConsumerStatsEvery time.Duration // how often consumers push their figures to the server

	// A write: its own work in Nested+1 equal parts, and between two parts a
	// request through the same pool. Each time varies evenly by ±Jitter.
	OwnTime     time.Duration
	Nested      int
	ServiceTime time.Duration // of one nested request, once it has a thread
	Jitter      float64       // 0 to below 1
	FetchTime   time.Duration // of an event fetch that holds a permit and a connection
	QueryTime   time.Duration // of any other nested request, and of publishing, that holds a connection

	// The server.
	Core, Max, Queue  int
	GrowFirst         bool          // grow to Max before queueing (Evento 2.4); else the queue must be full first
	KeepAlive         time.Duration // an idle thread ends after it
	FetchConcurrency  int           // permits for event fetches
	FetchMaxAge       time.Duration // a fetch older than this is thrown away unserved; 0 is never
	BusMeters         bool          // meters of pool and consumers, expiries at WARN and by type: as from 2.4.0
	Cores             int
	OwnCPU, NestedCPU time.Duration // processor time of one write's own work, and of one nested request
	IdleCPU           float64       // processors busy with nothing
	Connections       int           // of the database pool
	Pinned            int           // of these, held for life by distributed locks
}

// Evento returns the server and the importer of the incident: 8 processors, a
// pool of 16 threads that would grow to 64 only when 1024 requests are queued,
// writes of 0.3 s that need a second thread twice, and 20 writers.
//
// The own work of a write lies before, between and after its two nested
// requests, in thirds of 33 ms, and every time varies by a tenth; see the
// package comment for what other arrangements give.
func Evento() Config {
	return Config{
		Seed:               1,
		Writers:            20,
		StartEvery:         250 * time.Millisecond,
		ThinkTime:          20 * time.Millisecond,
		Deadline:           30 * time.Second,
		PauseAfterRefusal:  time.Second,
		ConsumerDelay:      time.Second,
		ImportConnections:  1,
		ConsumerStatsEvery: 30 * time.Second,

		OwnTime:     100 * time.Millisecond,
		Nested:      2,
		ServiceTime: 100 * time.Millisecond,
		Jitter:      0.1,
		FetchTime:   10 * time.Millisecond,
		QueryTime:   3 * time.Millisecond,

		Core:             16,
		Max:              64,
		Queue:            1024,
		KeepAlive:        90 * time.Second,
		FetchConcurrency: 4,
		BusMeters:        true,
		Cores:            8,
		OwnCPU:           14 * time.Millisecond,
		NestedCPU:        22 * time.Millisecond,
		IdleCPU:          0.04,
		Connections:      10,
		Pinned:           5,
	}
}

// EventoGrowFirst returns the same server with the pool of Evento 2.4: it grows
// to 64 threads before anything queues, and the queue holds 256.
func EventoGrowFirst() Config {
	c := Evento()
	c.GrowFirst = true
	c.Queue = 256
	c.FetchMaxAge = 30 * time.Second
	return c
}

// bounded returns c with every field in the range that the model can run with.
func (c Config) bounded() Config {
	c.Writers = max(c.Writers, 0)
	c.Retries = max(c.Retries, 0)
	c.Nested = max(c.Nested, 0)
	c.Consumers = max(c.Consumers, 0)
	c.ImportConnections = max(c.ImportConnections, 1)
	c.Core = max(c.Core, 1)
	c.Max = max(c.Max, c.Core)
	c.Queue = max(c.Queue, 0)
	c.FetchConcurrency = max(c.FetchConcurrency, 1)
	c.Cores = max(c.Cores, 1)
	c.Pinned = max(c.Pinned, 0)
	c.Connections = max(c.Connections, c.Pinned+1)
	c.Jitter = min(max(c.Jitter, 0), 0.99)
	c.ThinkTime = max(c.ThinkTime, time.Millisecond)
	c.OwnTime = max(c.OwnTime, time.Millisecond)
	c.ServiceTime = max(c.ServiceTime, time.Millisecond)
	c.PauseAfterRefusal = max(c.PauseAfterRefusal, time.Millisecond)
	c.ConsumerDelay = max(c.ConsumerDelay, time.Millisecond)
	c.ConsumerStatsEvery = max(c.ConsumerStatsEvery, time.Second)
	c.Deadline = max(c.Deadline, time.Second)
	c.HandlerWait = max(c.HandlerWait, 0)
	return c
}

// handlerWait is how long a thread waits for a handler.
func (c *Config) handlerWait() time.Duration { return cmp.Or(c.HandlerWait, c.Deadline) }
