package scrape

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// at is the time of every scrape in the tests.
var at = time.UnixMilli(1_700_000_000_000)

// serve starts an HTTP server for the test and returns host:port.
func serve(t testing.TB, h http.HandlerFunc) string {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return server.Listener.Addr().String()
}

// serveRaw starts a server that treats each connection with f and closes it.
func serveRaw(t testing.TB, f func(net.Conn)) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				f(conn)
			}()
		}
	}()
	return listener.Addr().String()
}

// answerRaw reads a request's head and writes text as it stands.
func answerRaw(t testing.TB, text string) string {
	return serveRaw(t, func(conn net.Conn) {
		readHead(conn)
		io.WriteString(conn, text)
	})
}

// readHead reads up to the blank line that ends a request's head.
func readHead(conn net.Conn) {
	buf := make([]byte, 4096)
	var head strings.Builder
	for !strings.Contains(head.String(), "\r\n\r\n") {
		n, err := conn.Read(buf)
		if err != nil {
			return
		}
		head.Write(buf[:n])
	}
}

// untilClosed keeps a connection open until the client gives up.
func untilClosed(conn net.Conn) { io.Copy(io.Discard, conn) }

// newScraper returns a scraper of the target s, and closes it after the test.
func newScraper(t testing.TB, s string, o Options) *Scraper {
	t.Helper()
	target, err := ParseTarget(s)
	if err != nil {
		t.Fatal(err)
	}
	scraper, err := NewScraper(target, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(scraper.Close)
	return scraper
}

func scrapeOnce(t testing.TB, s string, o Options) Result {
	t.Helper()
	return newScraper(t, s, o).Scrape(context.Background(), at)
}

// page is a handler that serves one text at one path.
func textAt(path, text string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != path {
			http.NotFound(w, r)
			return
		}
		io.WriteString(w, text)
	}
}
