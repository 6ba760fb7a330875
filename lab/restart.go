package lab

import (
	"fmt"
	"time"
)

// Restart stops the server now and starts it again after down. Requests that it
// had are lost: their callers wait for their deadline. What is sent while it is
// down waits in the bundle. A restart of a server that is down does nothing.
func (m *Model) Restart(down time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	old := m.server
	if old.life.over {
		return
	}
	old.stop()
	m.bundle.logDisconnected()
	reconnect := &life{}
	m.bundle.logRetries(1, reconnect)
	m.agenda.after(down, nil, func() {
		reconnect.over = true
		m.server = bootServer(m)
		m.server.inherit(old)
	})
}

// stop ends the server's life: no event of it happens any more, and its
// connections carry nothing to it.
func (s *server) stop() {
	s.logStop()
	s.life.over = true
	for _, l := range append(s.importers, s.bundleIO) {
		l.busy = true
		l.inbox = fifo[*request]{}
	}
}

// inherit takes over what bundles have sent since the old server stopped.
func (s *server) inherit(old *server) {
	for i, l := range s.importers {
		l.inbox = old.importers[i].inbox
	}
	s.bundleIO.inbox = old.bundleIO.inbox
}

// A bundle tries to connect again after half a second, then after twice as
// long each time, up to half a minute.
const (
	firstBackoff = 500 * time.Millisecond
	longBackoff  = 30 * time.Second
)

func (b *bundle) logDisconnected() {
	b.record(entry{
		level: "WARN", thread: "evento-supervisor", logger: supervisorLogger,
		message: "event=supervisor_session_failed attempt=1 cause=java.nio.channels.ClosedChannelException",
	})
}

func (b *bundle) logRetries(attempt int, until *life) {
	wait := min(firstBackoff<<min(attempt-1, 10), longBackoff)
	b.m.agenda.after(wait, until, func() {
		b.record(entry{
			level: "WARN", thread: "evento-supervisor", logger: supervisorLogger,
			message: fmt.Sprintf("event=supervisor_session_failed attempt=%d "+
				"cause=java.net.ConnectException: Connection refused", attempt+1),
		})
		b.logRetries(attempt+1, until)
	})
}
