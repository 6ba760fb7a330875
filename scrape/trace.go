package scrape

import (
	"context"
	"crypto/tls"
	"net/http/httptrace"
	"sync"
	"time"
)

// A connection notes how far a request came. Its methods may be called while a
// cancelled dial still runs.
type connection struct {
	mu        sync.Mutex
	began     time.Time
	connected bool
	reused    bool
	connect   time.Duration
	securing  bool // the TLS handshake has begun and not ended
}

// traced returns a context whose requests report to a new connection.
func traced(ctx context.Context) (context.Context, *connection) {
	c := &connection{}
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		ConnectStart:      func(_, _ string) { c.start() },
		ConnectDone:       func(_, _ string, err error) { c.done(err) },
		GotConn:           func(i httptrace.GotConnInfo) { c.got(i.Reused) },
		TLSHandshakeStart: func() { c.secure(true) },
		TLSHandshakeDone:  func(_ tls.ConnectionState, err error) { c.secure(err != nil) },
	}), c
}

func (c *connection) start() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.began = time.Now()
}

func (c *connection) done(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err == nil && !c.connected {
		c.connected, c.connect = true, time.Since(c.began)
	}
}

func (c *connection) got(reused bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.connected, c.reused = true, reused
}

func (c *connection) secure(running bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.securing = running
}

// A reach is how far a request had come at one moment.
type reach struct {
	connected, reused, securing bool
	connect                     time.Duration
}

func (c *connection) reach() reach {
	c.mu.Lock()
	defer c.mu.Unlock()
	return reach{c.connected, c.reused, c.securing, c.connect}
}
