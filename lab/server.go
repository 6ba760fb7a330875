package lab

import (
	"strconv"
	"time"
)

// A server is one run of an Evento server, from its start line to its end.
type server struct {
	m      *Model
	life   *life
	booted time.Duration

	exec     *executor
	fetch    *semaphore
	db       *hikari
	cpu      *cpu
	answers  *correlations
	relays   *relays
	logged   map[string]int64 // lines of this run, by level
	warnedAt time.Duration    // of the last line about saturation
	warned   bool

	importers []*ioLoop // the writers' connections
	bundleIO  *ioLoop   // the connection of nested requests and consumers

	served   int64 // nested requests and fetches done, for anybody or nobody
	dead     int64 // tasks begun whose sender had gone
	timedOut int64 // handlers whose thread gave up waiting
	parked   int   // threads that wait for the answer to something that needs a thread
	scrapes  timer
}

// startup is how long the server takes until bundles have connected.
const startup = 2 * time.Second

// bootServer starts a server now; its connections open once it is up.
func bootServer(m *Model) *server {
	s := &server{m: m, life: &life{}, booted: m.agenda.now, logged: map[string]int64{}}
	s.exec = &executor{keepAlive: m.cfg.KeepAlive, now: m.now}
	s.exec.resize(m.cfg)
	s.fetch = &semaphore{permits: m.cfg.FetchConcurrency}
	s.db = newHikari(m.cfg, m.now)
	s.cpu = newCPU(m.cfg)
	s.answers = newCorrelations(s)
	s.relays = newRelays(s)
	for i := range m.cfg.ImportConnections {
		s.importers = append(s.importers, &ioLoop{s: s, name: ioName(i), busy: true})
	}
	s.bundleIO = &ioLoop{s: s, name: ioName(m.cfg.ImportConnections), busy: true}
	s.logStart()
	s.after(startup, func() {
		s.logConnected()
		for _, l := range s.importers {
			l.resume()
		}
		s.bundleIO.resume()
	})
	m.agenda.every(time.Second, s.life, func() {
		s.exec.retire()
		s.cpu.recent.keep(m.agenda.now, int64(s.cpu.used(m.agenda.now)))
	})
	return s
}

// reconfigure takes over what can change while the server runs.
func (s *server) reconfigure() {
	if s.life.over {
		return
	}
	s.exec.resize(s.m.cfg)
	s.fetch.permits = s.m.cfg.FetchConcurrency
	s.fetch.admit()
}

// importer returns the connection that a writer uses.
func (s *server) importer(w *writer) *ioLoop {
	return s.importers[w.number%len(s.importers)]
}

func ioName(i int) string { return "netty-io-2-" + strconv.Itoa(i+1) }

func (s *server) after(d time.Duration, do func()) { s.m.agenda.after(d, s.life, do) }

// work uses a thread's time and the processor's, then calls done.
func (s *server) work(d, cost time.Duration, done func()) {
	takes, share := s.cpu.start(s.m.agenda.now, d, cost)
	s.after(takes, func() {
		s.cpu.stop(s.m.agenda.now, share)
		done()
	})
}

// An ioLoop is the thread that reads one connection. While it runs a task that
// the pool would not take, it reads nothing: what comes waits in the socket,
// where no meter sees it.
type ioLoop struct {
	s     *server
	name  string
	busy  bool
	inbox fifo[*request]
}

// deliver brings a request to the server.
func (l *ioLoop) deliver(r *request) {
	if l.busy {
		l.inbox.push(r)
		return
	}
	l.dispatch(r)
}

func (l *ioLoop) dispatch(r *request) {
	t := l.s.taskFor(r)
	if l.s.exec.submit(t) {
		return
	}
	l.s.warnSaturated(l.name)
	l.busy = true
	t(&worker{name: l.name, free: l.resume})
}

// resume reads on.
func (l *ioLoop) resume() {
	l.busy = false
	for !l.busy && l.inbox.len() > 0 {
		l.dispatch(l.inbox.pop())
	}
}

// backlog returns how many requests wait in sockets.
func (s *server) backlog() int {
	n := s.bundleIO.inbox.len()
	for _, l := range s.importers {
		n += l.inbox.len()
	}
	return n
}

// taskFor returns the work that a request is.
func (s *server) taskFor(r *request) task {
	if r.payload == AddCommand {
		return func(w *worker) { s.write(r, w) }
	}
	return func(w *worker) { s.serve(r, w) }
}
