package scrape

import (
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

const short = 100 * time.Millisecond

// free returns a port of this machine where nothing listens.
func free(t testing.TB) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}

func status(code int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(code)
		io.WriteString(w, body)
	}
}

// frontPage answers every path as a server of a single-page application does.
func frontPage(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/html")
	io.WriteString(w, "\ufeff \n<!doctype html><html><body>GUI</body></html>")
}

func redirect(from, to string, then http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == from {
			http.Redirect(w, r, to, http.StatusFound)
			return
		}
		then(w, r)
	}
}

// failures is one case for each way in which a scrape of an endpoint fails.
func failures(t *testing.T) []failure {
	basic := Options{Auth: Auth{Basic: "evento:wrong"}}
	hurry := Options{Timeout: short}
	return []failure{
		{name: "refused", target: free(t), kind: Refused, msg: "connection refused: nothing listens there"},
		{name: "unknown host", target: "no-such-host.invalid:80", kind: DNS, msg: `host name "no-such-host.invalid" is not known|no answer about the host name "no-such-host.invalid"`},
		{
			name: "hangs before headers", target: serveRaw(t, untilClosed), opts: hurry, kind: Timeout, connected: true,
			msg: "accepts connections in [0-9]+ms and sends 0 bytes in 100ms: busy or starved, not gone",
		},
		{
			name: "hangs in the body", target: serveRaw(t, func(c net.Conn) {
				readHead(c)
				io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\na 1\nb 2\n")
				untilClosed(c)
			}), opts: hurry, kind: Timeout, connected: true, status: 200, received: 8,
			msg: "sent 8 bytes in 100ms and did not finish: slow or starved",
		},
		{
			name: "hangs in the TLS handshake", target: "https://" + serveRaw(t, untilClosed) + "/m", opts: hurry, kind: Timeout, connected: true,
			msg: "accepts connections in [0-9]+ms and does not finish the TLS handshake in 100ms",
		},
		{name: "closes without answer", target: serveRaw(t, readHead), kind: Network, connected: true, msg: "the connection was closed before an answer came", hint: "https://"},
		{name: "not HTTP", target: answerRaw(t, "SSH-2.0-OpenSSH_9.2\r\n"), kind: Network, connected: true, msg: "the answer is not HTTP"},
		{name: "401", target: serve(t, status(401, "")), kind: Unauthorized, connected: true, status: 401, msg: "401: no credentials were sent", hint: "--basic-auth-file FILE"},
		{name: "401 with credentials", target: serve(t, status(401, "")), opts: basic, kind: Unauthorized, connected: true, status: 401, msg: "401: wrong user, password or token", hint: "--bearer-token-file FILE"},
		{name: "403", target: serve(t, status(403, "no")), kind: Forbidden, connected: true, status: 403, received: 2, msg: "403: /actuator/prometheus may not be read"},
		{name: "404 everywhere", target: serve(t, status(404, "")), kind: NotFound, connected: true, status: 404, msg: "404: nothing at /actuator/prometheus or /metrics", hint: "whole URL"},
		{name: "404 at a path", target: serve(t, status(404, "")) + "/a%1B b", kind: NotFound, connected: true, status: 404, msg: "404: nothing at /a%1B%20b"},
		{name: "503", target: serve(t, status(503, "busy")), kind: Status, connected: true, status: 503, received: 4, msg: "status 503 Service Unavailable at /actuator/prometheus", hint: "starts or stops"},
		{name: "500", target: serve(t, status(500, "")), kind: Status, connected: true, status: 500, msg: "status 500 Internal Server Error", hint: "log says why"},
		{name: "204", target: serve(t, status(204, "")), kind: Status, connected: true, status: 204, msg: "status 204 No Content"},
		{name: "redirect without place", target: serve(t, status(302, "")), kind: Redirect, connected: true, msg: "302: a redirect that leads nowhere", status: 302},
		{name: "redirects in circles", target: serve(t, redirect("/m", "/m", nil)) + "/m", kind: Redirect, connected: true, msg: "more than 3 redirects, the last to http://[0-9.:]+/m"},
		{name: "redirect to a login page", target: serve(t, redirect("/m", "/oauth/login?next=/m", frontPage)) + "/m", kind: Redirect, connected: true, status: 200, received: 49, msg: "sent on to a login page, http://[0-9.:]+/oauth/login$"},
		{name: "redirect to another page", target: serve(t, redirect("/m", "/welcome", frontPage)) + "/m", kind: Redirect, connected: true, status: 200, received: 49, msg: "sent on to a web page, http://[0-9.:]+/welcome$"},
		{name: "single-page application", target: serve(t, frontPage), kind: HTML, connected: true, status: 200, received: 49, msg: "a web page instead of metrics at /actuator/prometheus or /metrics"},
		{name: "single-page application at a path", target: serve(t, frontPage) + "/metrics", kind: HTML, connected: true, status: 200, received: 49, msg: "a web page instead of metrics at /metrics", hint: "/actuator/prometheus"},
		{name: "empty", target: serve(t, status(200, "")), kind: Empty, connected: true, status: 200, msg: "an empty page", hint: "whole URL"},
		{name: "only comments", target: serve(t, status(200, "# EOF\n")), kind: Empty, connected: true, status: 200, received: 6, msg: "a page of 6 bytes without a sample"},
		{name: "JSON", target: serve(t, status(200, `{"names":["a"]}`)), kind: Garbage, connected: true, status: 200, received: 15, msg: "JSON instead of metrics", hint: "/actuator/prometheus"},
		{name: "garbage", target: serve(t, status(200, "a 1\nhello\n")), kind: Garbage, connected: true, status: 200, received: 10, msg: "not readable as metrics: line 2: expected value after metric"},
		{name: "truncated length", target: answerRaw(t, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\na 1\n"), kind: Truncated, connected: true, status: 200, received: 4, msg: "the page ends early, after 4 bytes"},
		{name: "truncated chunks", target: answerRaw(t, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\na 1\n\r\n9\r\nb 2"), kind: Truncated, connected: true, status: 200, received: 7, msg: "the page ends early, after 7 bytes"},
		{name: "truncated OpenMetrics", target: serve(t, openMetrics("a_total 1\nb 2")), kind: Truncated, connected: true, status: 200, received: 13, msg: "the page ends early: line 2: data does not end with # EOF"},
		{name: "too large", target: serve(t, status(200, strings.Repeat("a 1\n", 1<<18)+"b 1\n")), opts: Options{MaxBytes: 1 << 20}, kind: TooLarge, connected: true, status: 200, received: 1<<20 + 1, msg: "a page of more than 1 MiB"},
		{name: "too many samples", target: serve(t, status(200, "a 1\nb 1\n")), opts: Options{Parse: ParseOptions{MaxSamples: 1}}, kind: TooLarge, connected: true, status: 200, received: 8, msg: "more than 1 samples on one page"},
		{name: "unknown encoding", target: serve(t, encoded("br", "xxx")), kind: Garbage, connected: true, status: 200, msg: `content encoding "br"`},
		{name: "not gzip", target: serve(t, encoded("gzip", "a 1\nb 2\nc 3\n")), kind: Garbage, connected: true, status: 200, received: 12, msg: "cannot be read: gzip: invalid header"},
		{name: "TLS to a plain port", target: "https://" + serve(t, status(200, "a 1\n")) + "/m", kind: TLS, connected: true, msg: "the port does not speak TLS"},
		{name: "credentials file gone", target: serve(t, status(200, "a 1\n")), opts: Options{Auth: Auth{BearerFile: "no/such/token"}}, kind: Credentials, msg: `"no/such/token" cannot be read: no such file or directory`},
	}
}

type failure struct {
	name      string
	target    string
	opts      Options
	kind      Kind
	msg       string // a regular expression
	hint      string
	status    int
	connected bool
	received  int64
}

func encoded(encoding, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", encoding)
		io.WriteString(w, body)
	}
}

func openMetrics(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", mediaRange(OpenMetrics))
		io.WriteString(w, body)
	}
}

func TestFailures(t *testing.T) {
	for _, f := range failures(t) {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			f.check(t, scrapeOnce(t, f.target, f.opts))
		})
	}
}

func (f failure) check(t *testing.T, r Result) {
	e := r.Err
	if e == nil {
		t.Fatalf("the scrape was good: %v", written(r.Samples))
	}
	got := fmt.Sprintf("%v status=%d connected=%v received=%d", e.Kind, e.Status, e.Connected, e.Received)
	want := fmt.Sprintf("%v status=%d connected=%v received=%d", f.kind, f.status, f.connected, f.received)
	if got != want {
		t.Errorf("got %s (%v), want %s", got, e, want)
	}
	if !regexp.MustCompile(f.msg).MatchString(e.Msg) {
		t.Errorf("got message %q, want %q", e.Msg, f.msg)
	}
	if !strings.Contains(e.Hint, f.hint) {
		t.Errorf("got hint %q, want one with %q", e.Hint, f.hint)
	}
	if e.Error() != r.Target.Instance+": "+e.Msg {
		t.Errorf("error %q does not begin with the target", e)
	}
	if b := r.Batch(7); !b.Failed || b.Samples != nil || b.Source != 7 || b.Time != at.UnixMilli() || b.Meta[0].Value != 0 {
		t.Errorf("batch of a failed scrape: %+v", b)
	}
}

func TestFailureNeverShowsCredentials(t *testing.T) {
	for _, f := range failures(t) {
		if f.opts.Auth == (Auth{}) {
			f.opts.Auth = Auth{Basic: "evento:s3cr3t"}
		}
		f.opts.Timeout = max(f.opts.Timeout, short)
		r := scrapeOnce(t, f.target, f.opts)
		if text := fmt.Sprintf("%v %+v %v", r.Err, r.Err, r.Target); strings.Contains(text, "s3cr3t") {
			t.Errorf("%s: %s", f.name, text)
		}
	}
}

func TestCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	target := serveRaw(t, func(c net.Conn) {
		readHead(c)
		cancel()
		untilClosed(c)
	})
	r := newScraper(t, target, Options{}).Scrape(ctx, at)
	if r.Err == nil || r.Err.Kind != Canceled {
		t.Errorf("got %v, want %v", r.Err, Canceled)
	}
}

func TestStarvedOnOpenConnection(t *testing.T) {
	target := serveRaw(t, func(c net.Conn) {
		readHead(c)
		io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\na 1\n")
		untilClosed(c)
	})
	s := newScraper(t, target+"/m", Options{Timeout: short})
	if r := s.Scrape(context.Background(), at); r.Err != nil {
		t.Fatal(r.Err)
	}
	r := s.Scrape(context.Background(), at)
	if r.Err == nil || r.Err.Msg != "keeps the connection open and sends 0 bytes in 100ms: busy or starved, not gone" {
		t.Errorf("got %v", r.Err)
	}
}

// A dropped packet is not a refusal: an address that never answers.
func TestNoConnection(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	s := newScraper(t, "127.0.0.1:1/m", Options{Timeout: short})
	s.client.Transport = hangingDial(t)
	r := s.Scrape(ctx, at)
	if r.Err == nil || r.Err.Kind != Timeout || r.Err.Connected || !strings.Contains(r.Err.Msg, "no connection in 100ms") {
		t.Errorf("got %+v", r.Err)
	}
}

// hangingDial is a transport whose connections are never made.
func hangingDial(t *testing.T) *http.Transport {
	return &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}}
}

func TestTLS(t *testing.T) {
	server := httptest.NewUnstartedServer(textAt("/metrics", "a 1\n"))
	server.Config.ErrorLog = log.New(io.Discard, "", 0) // it reports the handshakes that must fail
	server.StartTLS()
	t.Cleanup(server.Close)
	ca := filepath.Join(t.TempDir(), "ca.pem")
	writeCertificate(t, ca, server.Certificate())
	port := server.Listener.Addr().(*net.TCPAddr).Port
	byAddress := fmt.Sprintf("https://127.0.0.1:%d/metrics", port)
	for _, test := range []struct {
		name   string
		target string
		tls    TLSConfig
		kind   Kind
		msg    string
	}{
		{name: "authority given", target: byAddress, tls: TLSConfig{CAFile: ca}},
		{name: "probing", target: fmt.Sprintf("https://127.0.0.1:%d", port), tls: TLSConfig{CAFile: ca}},
		{name: "any certificate", target: byAddress, tls: TLSConfig{SkipVerify: true}},
		{name: "name given", target: fmt.Sprintf("https://localhost:%d/metrics", port), tls: TLSConfig{CAFile: ca, ServerName: "example.com"}},
		{name: "unknown authority", target: byAddress, kind: TLS, msg: "its certificate is signed by an unknown authority"},
		{name: "other name", target: byAddress, tls: TLSConfig{CAFile: ca, ServerName: "other.test"}, kind: TLS, msg: "its certificate is for another host name"},
		{name: "plain to TLS port", target: fmt.Sprintf("http://127.0.0.1:%d/metrics", port), kind: TLS, msg: "the port speaks https"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := scrapeOnce(t, test.target, Options{TLS: test.tls})
			switch {
			case test.kind == 0 && r.Err != nil:
				t.Error(r.Err)
			case test.kind != 0 && (r.Err == nil || r.Err.Kind != test.kind || r.Err.Msg != test.msg):
				t.Errorf("got %v, want %v %q", r.Err, test.kind, test.msg)
			}
		})
	}
	if _, err := NewScraper(Target{Instance: "i", URL: byAddress}, Options{TLS: TLSConfig{CAFile: os.DevNull + "/x"}}); err == nil {
		t.Error("a CA file that cannot be read was accepted")
	}
}
