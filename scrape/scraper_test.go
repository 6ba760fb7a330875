package scrape

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func writeCertificate(t *testing.T, path string, c *x509.Certificate) {
	t.Helper()
	data := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: c.Raw})
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

func gzipped(t testing.TB, text string) []byte {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestScrape(t *testing.T) {
	target := serve(t, textAt("/m", "a 1\n"))
	r := scrapeOnce(t, "shop/app="+target+"/m", Options{KeepBody: true})
	if r.Err != nil {
		t.Fatal(r.Err)
	}
	b := r.Batch(3)
	got := append(written(b.Samples), written(b.Meta[:1])...)
	want := []string{`{__name__="a", instance="app", service="shop"} 1`, `{__name__="up", instance="app", service="shop"} 1`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("samples (-want +got):\n%s", diff)
	}
	if b.Failed || b.Source != 3 || b.Time != at.UnixMilli() {
		t.Errorf("batch %+v", b)
	}
	if name, v := b.Meta[1].Labels.Get("__name__"), b.Meta[1].Value; name != "scrape_duration_seconds" || v != r.Duration.Seconds() || v <= 0 {
		t.Errorf("second sample about the scrape: %s %v", name, v)
	}
	if r.Status != 200 || r.Path != "/m" || r.Bytes != 4 || string(r.Body) != "a 1\n" {
		t.Errorf("result %+v", r)
	}
}

// A target without a path stays with the one that was found.
func TestUsualPaths(t *testing.T) {
	for _, test := range []struct {
		name  string
		serve http.HandlerFunc
		path  string
		asked string
	}{
		{"Spring Boot", textAt("/actuator/prometheus", "a 1\n"), "/actuator/prometheus", "/actuator/prometheus /actuator/prometheus"},
		{"exporter", textAt("/metrics", "a 1\n"), "/metrics", "/actuator/prometheus /metrics /metrics"},
		{"front page elsewhere", func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/metrics" {
				frontPage(w, r)
				return
			}
			io.WriteString(w, "a 1\n")
		}, "/metrics", "/actuator/prometheus /metrics /metrics"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var asked []string
			target := serve(t, func(w http.ResponseWriter, r *http.Request) {
				asked = append(asked, r.URL.Path)
				test.serve(w, r)
			})
			s := newScraper(t, target, Options{})
			for range 2 {
				if r := s.Scrape(context.Background(), at); r.Err != nil || r.Path != test.path {
					t.Errorf("got path %q, %v, want %q", r.Path, r.Err, test.path)
				}
			}
			if got := strings.Join(asked, " "); got != test.asked {
				t.Errorf("asked %q, want %q", got, test.asked)
			}
		})
	}
}

// What is protected says more than what is not there.
func TestUsualPathsTellTheMostTelling(t *testing.T) {
	target := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/actuator/prometheus" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		frontPage(w, r)
	})
	r := scrapeOnce(t, target, Options{})
	if r.Err == nil || r.Err.Kind != Unauthorized || r.Path != "/actuator/prometheus" {
		t.Errorf("got %v at %q", r.Err, r.Path)
	}
}

// A target that fails is not asked for a second path.
func TestUsualPathsSpareAFailingTarget(t *testing.T) {
	requests := 0
	target := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		requests++
		w.WriteHeader(http.StatusServiceUnavailable)
	})
	scrapeOnce(t, target, Options{})
	if requests != 1 {
		t.Errorf("%d requests, want 1", requests)
	}
}

func TestOneConnection(t *testing.T) {
	connections := make(map[string]bool)
	target := serve(t, func(w http.ResponseWriter, r *http.Request) {
		connections[r.RemoteAddr] = true
		if r.Header.Get("Cookie") != "" {
			t.Errorf("a cookie came back: %q", r.Header.Get("Cookie"))
		}
		http.SetCookie(w, &http.Cookie{Name: "session", Value: "x"})
		textAt("/metrics", strings.Repeat("a 1\n", 10000))(w, r)
	})
	s := newScraper(t, target, Options{})
	for range 5 {
		if r := s.Scrape(context.Background(), at); r.Err != nil {
			t.Fatal(r.Err)
		}
	}
	if len(connections) != 1 {
		t.Errorf("%d connections, want 1", len(connections))
	}
}

func TestBusy(t *testing.T) {
	inside, leave := make(chan bool), make(chan bool)
	target := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		inside <- true
		<-leave
		io.WriteString(w, "a 1\n")
	})
	s := newScraper(t, target+"/m", Options{})
	first := make(chan Result)
	go func() { first <- s.Scrape(context.Background(), at) }()
	<-inside
	second := s.Scrape(context.Background(), at)
	if second.Err == nil || second.Err.Kind != Busy || second.Meta != nil {
		t.Errorf("got %v with %v, want busy", second.Err, second.Meta)
	}
	close(leave)
	if r := <-first; r.Err != nil {
		t.Error(r.Err)
	}
}

func TestRequestHeaders(t *testing.T) {
	token := filepath.Join(t.TempDir(), "token")
	userFile := filepath.Join(t.TempDir(), "user")
	for path, text := range map[string]string{token: "t0k3n\n", userFile: "evento:pass:word\r\nignored\n"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		name string
		opts Options
		want map[string]string
	}{
		{"plain", Options{}, map[string]string{
			"Accept": "text/plain;version=0.0.4", "Accept-Encoding": "identity", "User-Agent": "capdoctor", "Authorization": "",
		}},
		{"formats", Options{Formats: []Format{OpenMetrics, Text}, Gzip: true, UserAgent: "capdoctor/1"}, map[string]string{
			"Accept":          "application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.7",
			"Accept-Encoding": "gzip", "User-Agent": "capdoctor/1",
		}},
		{"protobuf", Options{Formats: []Format{Protobuf}}, map[string]string{
			"Accept": "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited",
		}},
		{"basic from environment", Options{Auth: Auth{Basic: "evento:secret"}}, map[string]string{"Authorization": "Basic ZXZlbnRvOnNlY3JldA=="}},
		{"basic from file", Options{Auth: Auth{BasicFile: userFile}}, map[string]string{"Authorization": "Basic ZXZlbnRvOnBhc3M6d29yZA=="}},
		{"bearer", Options{Auth: Auth{BearerFile: token}}, map[string]string{"Authorization": "Bearer t0k3n"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var got http.Header
			target := serve(t, func(w http.ResponseWriter, r *http.Request) {
				got = r.Header
				io.WriteString(w, "a 1\n")
			})
			if r := scrapeOnce(t, target+"/m", test.opts); r.Err != nil {
				t.Fatal(r.Err)
			}
			for name, want := range test.want {
				if got.Get(name) != want {
					t.Errorf("%s: got %q, want %q", name, got.Get(name), want)
				}
			}
		})
	}
}

func TestNewScraperRefusesCredentialsItCannotUse(t *testing.T) {
	noColon := filepath.Join(t.TempDir(), "auth")
	if err := os.WriteFile(noColon, []byte("s3cr3t\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		opts Options
		want string
	}{
		{Options{Auth: Auth{Basic: "a:b", BearerFile: "x"}}, "keep one"},
		{Options{Auth: Auth{Basic: "s3cr3t"}}, "CAPDOCTOR_BASIC_AUTH holds no colon"},
		{Options{Auth: Auth{BasicFile: noColon}}, "holds no colon"},
		{Options{Auth: Auth{BasicFile: noColon + "x"}}, "no such file"},
		{Options{Auth: Auth{Basic: "a:b"}, HTTP: HTTPConfig{OAuth2: &OAuth2{ClientID: "c", ClientSecret: "s3cr3t", TokenURL: "http://h"}}}, "keep one"},
	} {
		_, err := NewScraper(Target{Instance: "i", URL: "http://h:1"}, test.opts)
		if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "s3cr3t") {
			t.Errorf("got %v, want an error with %q", err, test.want)
		}
	}
}

func TestOAuth2(t *testing.T) {
	token := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, `{"access_token":"abc","token_type":"bearer"}`)
	})
	target := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer abc" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		io.WriteString(w, "a 1\n")
	})
	oauth := &OAuth2{ClientID: "c", ClientSecret: "s", TokenURL: "http://" + token}
	if r := scrapeOnce(t, target+"/m", Options{HTTP: HTTPConfig{OAuth2: oauth}}); r.Err != nil {
		t.Error(r.Err)
	}
}

func TestRedirectsAndCredentials(t *testing.T) {
	var seen string
	elsewhere := serve(t, func(w http.ResponseWriter, r *http.Request) {
		seen = r.Header.Get("Authorization")
		io.WriteString(w, "a 1\n")
	})
	elsewhere = strings.Replace(elsewhere, "127.0.0.1", "localhost", 1)
	away := serve(t, redirect("/m", "http://"+elsewhere+"/m", nil)) + "/m"
	within := serve(t, redirect("/m", "/n", textAt("/n", "a 1\n"))) + "/m"
	auth := Options{Auth: Auth{Basic: "evento:secret"}}

	if r := scrapeOnce(t, away, Options{}); r.Err != nil || seen != "" {
		t.Errorf("without credentials: %v, sent %q", r.Err, seen)
	}
	r := scrapeOnce(t, away, auth)
	if r.Err == nil || r.Err.Kind != Redirect || !strings.Contains(r.Err.Msg, "not followed with credentials") || seen != "" {
		t.Errorf("to another host: %v, sent %q", r.Err, seen)
	}
	if r := scrapeOnce(t, within, auth); r.Err != nil || r.Path != "/n" {
		t.Errorf("within a host: %v at %q", r.Err, r.Path)
	}
}

func TestGzip(t *testing.T) {
	page := gzipped(t, strings.Repeat("a 1\n", 1000))
	target := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Encoding", r.Header.Get("Accept-Encoding"))
		w.Write(page)
	})
	r := scrapeOnce(t, target+"/m", Options{Gzip: true})
	if r.Err != nil || len(r.Samples) != 1000 || r.Bytes != int64(len(page)) {
		t.Errorf("%d samples, %d bytes, %v", len(r.Samples), r.Bytes, r.Err)
	}
	cut := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		w.Write(page[:len(page)-9])
	})
	if r := scrapeOnce(t, cut+"/m", Options{Gzip: true}); r.Err == nil || r.Err.Kind != Truncated {
		t.Errorf("cut: got %v", r.Err)
	}
}

// A page that unpacks to far more than it weighs is stopped at the limit.
func TestGzipBomb(t *testing.T) {
	page := gzipped(t, strings.Repeat("\n", 8<<20))
	target := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		w.Write(page)
	})
	r := scrapeOnce(t, target+"/m", Options{MaxBytes: 1 << 20})
	if r.Err == nil || r.Err.Kind != TooLarge {
		t.Errorf("got %v", r.Err)
	}
}

func TestHTTP2WhereTLSNegotiatesIt(t *testing.T) {
	var protocol atomic.Value
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		protocol.Store(r.Proto)
		io.WriteString(w, "a 1\n")
	}))
	server.EnableHTTP2 = true
	server.StartTLS()
	t.Cleanup(server.Close)
	r := scrapeOnce(t, server.URL+"/m", Options{TLS: TLSConfig{SkipVerify: true}})
	if r.Err != nil || protocol.Load() != "HTTP/2.0" {
		t.Errorf("%v over %v", r.Err, protocol.Load())
	}
}

func TestFiles(t *testing.T) {
	dir := t.TempDir()
	for name, data := range map[string][]byte{
		"app.prom":    []byte("a 1\n"),
		"app.prom.gz": gzipped(t, "a 1\n"),
		"om.txt":      []byte("a_total 1 # {x=\"y\"} 1\n# EOF\n"),
		"cut.prom.gz": gzipped(t, "a 1\n")[:20],
		"bad.prom":    []byte("a 1\nb\n"),
		"web.html":    []byte("<html>"),
		"large.prom":  []byte(strings.Repeat("a 1\n", 1000)),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct{ file, want string }{
		{"app.prom", "1 samples"},
		{"app.prom.gz", "1 samples"},
		{"om.txt", "1 samples"},
		{"cut.prom.gz", "truncated: cut: the file ends early: its gzip data are not complete"},
		{"bad.prom", `garbage: bad: not readable as metrics: line 2: expected value after metric, got "\n" ("INVALID") while parsing: "b\n"`},
		{"web.html", "html: web.html: a web page instead of metrics"},
		{"large.prom", "too large: large: a page of more than 0 MiB"},
		{"none.prom", "file: none: no such file"},
		{".", "file: .: a folder without case.yaml"},
	} {
		r := scrapeOnce(t, filepath.Join(dir, test.file), Options{MaxBytes: 2000})
		got := fmt.Sprintf("%d samples", len(r.Samples))
		if r.Err != nil {
			got = fmt.Sprintf("%v: %v", r.Err.Kind, r.Err)
		}
		if test.file == "." {
			got = strings.Replace(got, filepath.Base(dir), ".", 1)
		}
		if got != test.want {
			t.Errorf("%s: got %q, want %q", test.file, got, test.want)
		}
	}
}

func TestStandardInput(t *testing.T) {
	r := scrapeOnce(t, "-", Options{Stdin: strings.NewReader("a 1\nb 2")})
	want := []string{`{__name__="a", instance="stdin"} 1`, `{__name__="b", instance="stdin"} 2`}
	if diff := cmp.Diff(want, written(r.Samples)); diff != "" || r.Err != nil {
		t.Errorf("%v (-want +got):\n%s", r.Err, diff)
	}
	if r := scrapeOnce(t, "-", Options{}); r.Err == nil || r.Err.Kind != File {
		t.Errorf("without standard input: %v", r.Err)
	}
}
