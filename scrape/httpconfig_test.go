package scrape

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/common/config"
	"go.yaml.in/yaml/v3"
)

// Configurations that are refused, or not: also by Prometheus, except where ours
// is stricter.
func TestHTTPConfigAsPrometheus(t *testing.T) {
	w := newWorld(t)
	w.write("not.pem", "no certificate")
	const oauth = "oauth2: {client_id: c, token_url: 'http://LOGIN/t'"
	for _, test := range []struct {
		text, want string
		stricter   bool // Prometheus accepts it
	}{
		{text: "follow_redirects: true"},
		{text: "basic_auth: {username: u, password: s3cr3t}"},
		{text: "basic_auth: {username_file: user, password_file: password}"},
		{text: "basic_auth: {username: u, username_file: user}", want: "at most one of username and username_file"},
		{text: "basic_auth: {password: s3cr3t, password_file: password}", want: "at most one of password and password_file"},
		{text: "basic_auth: {user: u}", want: "line 1: field user not found"},
		{text: "basic_auth: {username: u, password_ref: x}", want: "line 1: field password_ref not found"},
		{text: "basic_auth: {}\nauthorization: {}", want: "at most one of basic_auth, authorization and oauth2"},
		{text: "basic_auth: {}\n" + oauth + "}", want: "at most one of basic_auth, authorization and oauth2"},
		{text: "authorization: {}\n" + oauth + "}", want: "at most one of basic_auth, authorization and oauth2"},
		{text: "authorization: {type: ' Token ', credentials: s3cr3t}"},
		{text: "authorization: {type: bASIC, credentials: s3cr3t}", want: "written as basic_auth"},
		{text: "authorization: {credentials: s3cr3t, credentials_file: token}", want: "at most one of credentials and credentials_file"},
		{text: "bearer_token: s3cr3t"},
		{text: "bearer_token_file: token"},
		{text: "bearer_token: s3cr3t\nbearer_token_file: token", want: "at most one of"},
		{text: "bearer_token: s3cr3t\nbasic_auth: {}", want: "at most one of"},
		{text: "bearer_token_file: token\nauthorization: {}", want: "at most one of"},
		{text: "bearer_token: s3cr3t\n" + oauth + "}", want: "at most one of"},
		{text: oauth + "}"},
		{text: oauth + ", client_secret: s3cr3t, scopes: [a, b], endpoint_params: {k: v}}"},
		{text: oauth + ", client_secret: s3cr3t, client_secret_file: token}", want: "at most one of client_secret and"},
		{text: oauth + ", grant_type: client_credentials}"},
		{text: oauth + ", grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', client_certificate_key: x}", want: "line 1: field client_certificate_key not found", stricter: true},
		{text: oauth + ", grant_type: password}", want: "grant_type is not supported", stricter: true},
		{text: oauth + ", tls_config: {cert_file: client.pem}}", want: "a client certificate needs its key"},
		{text: oauth + ", proxy_url: 'http://PROXY', proxy_from_environment: true}", want: "at most one of proxy_url and"},
		{text: "oauth2: {token_url: 'http://LOGIN/'}", want: "no client_id"},
		{text: "oauth2: {client_id: c}", want: "no token_url"},
		{text: "oauth2: {client_id: c, token_url: 'LOGIN'}", want: "token_url is no web address", stricter: true},
		{text: "tls_config: {ca_file: ca.pem, min_version: TLS12, max_version: TLS13, server_name: x}"},
		{text: "tls_config: {cert_file: client.pem, key_file: client.key, insecure_skip_verify: true}"},
		{text: "tls_config: {ca_file: none.pem}", want: "no such file"},
		{text: "tls_config: {ca_file: not.pem}", want: "not.pem holds no certificate in PEM form"},
		{text: "tls_config: {ca: s3cr3t}", want: "ca of tls_config holds no certificate"},
		{text: "tls_config: {cert_file: client.pem, key_file: not.pem}", want: "client certificate in"},
		{text: "tls_config: {cert_file: client.pem}", want: "a client certificate needs its key"},
		{text: "tls_config: {key_file: client.key}", want: "a key its certificate"},
		{text: "tls_config: {ca: s3cr3t, ca_file: ca.pem}", want: "at most one of ca and ca_file"},
		{text: "tls_config: {cert: s3cr3t, cert_file: client.pem, key_file: client.key}", want: "at most one of cert and cert_file"},
		{text: "tls_config: {key: s3cr3t, cert_file: client.pem, key_file: client.key}", want: "at most one of key and key_file"},
		{text: "tls_config: {min_version: TLS14}", want: "line 1: want TLS10, TLS11, TLS12 or TLS13"},
		{text: "tls_config: {min_version: TLS13, max_version: TLS12}", want: "max_version is less than min_version"},
		{text: "tls_config: {insecure: true}", want: "field insecure not found"},
		{text: "proxy_url: 'http://u:s3cr3t@PROXY'\nno_proxy: x"},
		{text: "proxy_from_environment: true"},
		{text: "proxy_url: 'http://u:s3cr3t@PROXY'\nproxy_from_environment: true", want: "at most one of proxy_url and"},
		{text: "proxy_from_environment: true\nno_proxy: x", want: "at most one of no_proxy and"},
		{text: "no_proxy: x", want: "no_proxy needs proxy_url"},
		{text: "proxy_url: 's3cr3t@PROXY'", want: "proxy_url is no URL"},
		{text: "proxy_url: s3cr3t", want: "proxy_url is no URL", stricter: true},
		{text: "proxy_url: 'ftp://u:s3cr3t@PROXY'", want: "proxy_url is no URL", stricter: true},
		{text: "proxy_url: 'http://u:s3cr3t@PROXY:x'", want: "proxy_url is no URL"},
		{text: "proxy_url: 'http://PROXY'\nproxy_connect_header: {X-A: [s3cr3t]}"},
		{text: "proxy_connect_header: {X-A: [s3cr3t]}", want: "proxy_connect_header needs"},
		{text: "http_headers: {X-A: {values: [a], secrets: [s3cr3t], files: [token]}}"},
		{text: "http_headers: {authorization: {values: [s3cr3t]}}", want: `"authorization" may not be set`},
		{text: "http_headers: {X-A: {value: a}}", want: "line 1: field value not found"},
		{text: "follow_redirects: false\nenable_http2: false"},
		{text: "enable_http2: s3cr3t", want: "line 1: cannot unmarshal !!str"},
		{text: "basic_auth: s3cr3t", want: "line 1: cannot unmarshal !!str"},
		{text: "tls_config:\n  ca_file: [s3cr3t]", want: "line 2: cannot unmarshal !!seq"},
		{text: "a: b", want: "line 1: field a not found"},
		{text: "\"a\\nb\\e[31m\": b", want: "line 1: field a?b?[31m not found"},
		{text: "tls_config: {cert_file: client.pem}\nno_proxy: x", want: "a client certificate needs its key"},
		{text: "basic_auth: {}\nbasic_auth: {}", want: "line 2: mapping key \"basic_auth\" already defined"},
		{text: "basic_auth: [", want: "line 1: did not find expected node content"},
		{text: "", want: "no configuration in it", stricter: true},
		{text: "# s3cr3t", want: "no configuration in it", stricter: true},
		{text: strings.Repeat("# 3456789\n", 1<<17), want: "more than 1024 KiB", stricter: true},
	} {
		name := test.text[:min(len(test.text), 100)]
		w.write("http.yaml", w.fill(test.text))
		path := filepath.Join(w.dir, "http.yaml")
		c, err := LoadHTTPConfig(path)
		if err == nil {
			_, _, err = newClient(Options{HTTP: c})
		}
		switch {
		case test.want == "" && err != nil:
			t.Errorf("%s: %v", name, err)
		case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)):
			t.Errorf("%s: got %v, want an error with %q", name, err, test.want)
		case err != nil && (strings.Contains(err.Error(), "s3cr3t") || strings.Contains(err.Error(), "scrape.") || strings.Contains(err.Error(), "\n")):
			t.Errorf("%s: the error has more than one line, a value, or a type of ours: %v", name, err)
		}
		theirs, _, theirErr := config.LoadHTTPConfigFile(path)
		if theirErr == nil {
			_, theirErr = config.NewClientFromConfig(*theirs, "x")
		}
		if refused := test.want != "" && !test.stricter; refused != (theirErr != nil) {
			t.Errorf("%s: Prometheus says %v", name, theirErr)
		}
	}
}

// The same configuration sends the same requests as Prometheus' own client.
func TestRequestsAsPrometheus(t *testing.T) {
	w := newWorld(t)
	t.Setenv("HTTP_PROXY", "http://"+w.proxy)
	t.Setenv("NO_PROXY", "")
	const trust = "tls_config: {ca_file: ca.pem}\n"
	for _, test := range []struct {
		name, text, target string
		requests           int
	}{
		{"plain", "follow_redirects: true", "http://PLAIN/m", 1},
		{"basic auth", "basic_auth: {username: evento, password: ' s3cr3t '}", "http://PLAIN/m", 1},
		{"basic auth from files", "basic_auth: {username_file: user, password_file: password}", "http://PLAIN/m", 1},
		{"empty basic auth", "basic_auth: {}", "http://PLAIN/m", 1},
		{"bearer", "authorization: {credentials: s3cr3t}", "http://PLAIN/m", 1},
		{"another type", "authorization: {type: Token, credentials_file: token}", "http://PLAIN/m", 1},
		{"bearer token", "bearer_token_file: token", "http://PLAIN/m", 1},
		{"headers", "http_headers: {x-b: {values: [1, two]}, X-A: {secrets: [s3cr3t], values: [v], files: [token, user]}, Accept: {values: [more]}, Cookie: {values: [c=d]}}", "http://PLAIN/m", 1},
		{"redirect", "basic_auth: {username: u}\nhttp_headers: {X-A: {values: [a]}}", "http://PLAIN/away", 2},
		{"no redirect", "follow_redirects: false", "http://PLAIN/away", 1},
		{"TLS", trust + "basic_auth: {username: u}", "https://SECURE/m", 1},
		{"CA in place", "tls_config: {ca: \"CATEXT\"}", "https://SECURE/m", 1},
		{"any certificate", "tls_config: {insecure_skip_verify: true}", "https://SECURE/m", 1},
		{"HTTP/1.1", trust + "enable_http2: false", "https://SECURE/m", 1},
		{"server name", "tls_config: {ca_file: ca.pem, server_name: localhost}", "https://SECURE/m", 1},
		{"versions", "tls_config: {ca_file: ca.pem, min_version: TLS12, max_version: TLS12}", "https://SECURE/m", 1},
		{"client certificate", "tls_config: {ca_file: ca.pem, cert_file: client.pem, key_file: client.key}", "https://SECURE/m", 1},
		{"redirect within TLS", trust + "authorization: {credentials: s3cr3t}", "https://SECURE/away", 2},
		{"proxy", "proxy_url: http://u:p@PROXY\nauthorization: {credentials: s3cr3t}", "http://PLAIN/m", 2},
		{"tunnel", trust + "proxy_url: http://u:p@PROXY\nproxy_connect_header: {X-A: [one, two]}\nauthorization: {credentials: s3cr3t}", "https://SECURE/m", 2},
		{"no proxy", "proxy_url: http://PROXY\nno_proxy: 127.0.0.1", "http://PLAIN/m", 1},
		{"not this proxy", "proxy_url: http://PROXY\nno_proxy: app.example", "http://PLAIN/m", 1}, // a loopback address is asked without one
		{"proxy of the environment", "proxy_from_environment: true", "http://PLAIN/m", 1},
		{"OAuth2", "oauth2: {client_id: c, client_secret: s, token_url: 'http://LOGIN/t', scopes: [a, b], endpoint_params: {audience: x, grant_type: y}}", "http://PLAIN/m", 2},
		{"OAuth2 from a file", trust + "oauth2: {client_id: c, client_secret_file: password, token_url: 'http://LOGIN/t?q=1'}\nhttp_headers: {X-A: {values: [a]}}", "https://SECURE/m", 2},
		{"OAuth2 without a secret", "oauth2: {client_id: c, token_url: 'http://LOGIN/t'}", "http://PLAIN/m", 2},
		{"OAuth2 through a proxy", "oauth2: {client_id: c, client_secret: s, token_url: 'http://LOGIN/t', proxy_url: 'http://PROXY'}", "http://PLAIN/m", 3},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := strings.ReplaceAll(test.text, "CATEXT", strings.ReplaceAll(w.ca.pem(), "\n", `\n`))
			opts := Options{HTTP: w.load(text), UserAgent: "capdoctor/1"}
			s := newScraper(t, w.fill(test.target), opts)
			if r := s.Scrape(context.Background(), at); (r.Err != nil) != (test.name == "no redirect") {
				t.Error(r.Err)
			}
			ours := w.take()
			askAsPrometheus(t, w, s, w.fill(test.target))
			if diff := cmp.Diff(w.take(), ours); diff != "" || len(ours) != test.requests {
				t.Errorf("%d requests (-Prometheus +ours):\n%s", len(ours), diff)
			}
		})
	}
}

// askAsPrometheus sends the request of s with Prometheus' client.
func askAsPrometheus(t *testing.T, w *world, s *Scraper, url string) {
	t.Helper()
	c, _, err := config.LoadHTTPConfigFile(filepath.Join(w.dir, "http.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	client, err := config.NewClientFromConfig(*c, "x", config.WithUserAgent("capdoctor/1"))
	if err != nil {
		t.Fatal(err)
	}
	defer client.CloseIdleConnections()
	r, err := s.request(context.Background(), url)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	io.Copy(io.Discard, resp.Body)
	resp.Body.Close()
}

// What stands in files is read again when it changes, by the same scraper.
func TestRotation(t *testing.T) {
	w := newWorld(t)
	scraped := func(s *Scraper, want string) {
		t.Helper()
		r := s.Scrape(context.Background(), at)
		seen := strings.Join(w.take(), "\n")
		if r.Err != nil || !strings.Contains(seen, want) {
			t.Errorf("%v, want a request with %q:\n%s", r.Err, want, seen)
		}
	}
	basic := newScraper(t, w.plain+"/m", Options{HTTP: w.load("basic_auth: {username: u, password_file: password}")})
	token := newScraper(t, w.plain+"/m", Options{HTTP: w.load("authorization: {credentials_file: token}")})
	header := newScraper(t, w.plain+"/m", Options{HTTP: w.load("http_headers: {X-A: {files: [token]}}")})
	oauth := newScraper(t, w.plain+"/m", Options{HTTP: w.load("oauth2: {client_id: c, client_secret_file: token, token_url: 'http://LOGIN/t'}")})
	scraped(basic, `"Basic dTpzM2NyM3QtcGFzcw=="`)
	scraped(token, `"Bearer s3cr3t-token"`)
	scraped(header, `X-A: ["s3cr3t-token"]`)
	scraped(oauth, `"Bearer token for s3cr3t-token"`)
	w.write("password", "new")
	w.write("token", "new\n")
	scraped(basic, `"Basic dTpuZXc="`)
	scraped(token, `"Bearer new"`)
	scraped(header, `X-A: ["new"]`)
	scraped(oauth, `"Bearer token for new"`)

	mutual := newScraper(t, "https://"+w.secure+"/m", Options{HTTP: w.load("tls_config: {ca_file: ca.pem, cert_file: client.pem, key_file: client.key}")})
	scraped(mutual, "from client one")
	cert, key := w.ca.issue("client two")
	w.write("client.pem", cert)
	if r := mutual.Scrape(context.Background(), at); r.Err == nil || !strings.Contains(r.Err.Error(), "private key does not match") {
		t.Errorf("a certificate without its key: %v", r.Err)
	}
	w.write("client.key", key)
	scraped(mutual, "from client two")
	other := newAuthority(t, "another authority")
	w.present(other)
	mutual.Close()
	if r := mutual.Scrape(context.Background(), at); r.Err == nil || r.Err.Kind != TLS {
		t.Errorf("an authority that is not trusted: %v", r.Err)
	}
	w.write("ca.pem", other.pem())
	scraped(mutual, "from client two")
}

// A token is asked for once, until it expires.
func TestTokensAreKept(t *testing.T) {
	w := newWorld(t)
	s := newScraper(t, w.plain+"/m", Options{HTTP: w.load("oauth2: {client_id: c, client_secret: s, token_url: 'http://LOGIN/t'}")})
	count := func(scrapes int) (asked int) {
		t.Helper()
		for range scrapes {
			if r := s.Scrape(context.Background(), at); r.Err != nil {
				t.Fatal(r.Err)
			}
		}
		for _, text := range w.take() {
			if strings.HasPrefix(text, "login:") {
				asked++
			}
		}
		return asked
	}
	if n := count(3); n != 1 {
		t.Errorf("%d tokens for 3 scrapes, want 1", n)
	}
	s = newScraper(t, w.plain+"/m", Options{HTTP: w.load("oauth2: {client_id: c, client_secret: s, token_url: 'http://LOGIN/t'}")})
	w.refuse = func(out http.ResponseWriter, _ *http.Request) {
		out.Header().Set("Content-Type", "application/json")
		io.WriteString(out, `{"access_token":"short","token_type":"bearer","expires_in":1}`)
	}
	if n := count(3); n != 3 {
		t.Errorf("%d tokens for 3 scrapes whose tokens are about to expire, want 3", n)
	}
}

// What stands between us and the target is named, not the target.
func TestFailuresOnTheWay(t *testing.T) {
	w := newWorld(t)
	oauth := "oauth2: {client_id: c, client_secret: s3cr3t, token_url: 'http://LOGIN/t'}"
	answer := func(code int, text string) http.HandlerFunc {
		return func(out http.ResponseWriter, _ *http.Request) {
			out.Header().Set("Content-Type", "application/json")
			out.WriteHeader(code)
			io.WriteString(out, text)
		}
	}
	for _, test := range []struct {
		name, text string
		refuse     http.HandlerFunc
		kind       Kind
		want       string
	}{
		{"refused", oauth, answer(401, `{"error":"invalid_client"}`), Unauthorized, `no OAuth2 token: the token server answers 401, "invalid_client"`},
		{"hostile", oauth, answer(401, `{"error":"\u001b[31m`+strings.Repeat("x", 5000)+`"}`), Unauthorized, `"\x1b[31mxxx`},
		{"garbage", oauth, answer(200, "<html>"), Credentials, "no OAuth2 token: oauth2: cannot"},
		{"slow", oauth, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, Timeout, "no OAuth2 token in 300ms: the token server is slow"},
		{"gone", strings.ReplaceAll(oauth, "LOGIN", "127.0.0.1:1"), nil, Credentials, "connection refused"},
		{"no secret", "oauth2: {client_id: c, client_secret_file: none, token_url: 'http://LOGIN/t'}", nil, Credentials, "none\" cannot be read: no such file"},
		{"no password", "basic_auth: {password_file: none}", nil, Credentials, "none\" cannot be read: no such file"},
		{"large password", "basic_auth: {password_file: large}", nil, Credentials, "large\" cannot be read: more than 64 KiB"},
		{"no header", "http_headers: {X-A: {files: [none]}}", nil, Credentials, "none\" cannot be read: no such file"},
		{"proxy", "proxy_url: http://u:s3cr3t@127.0.0.1:1", nil, Network, "the proxy cannot be reached"},
	} {
		t.Run(test.name, func(t *testing.T) {
			w.write("large", strings.Repeat("s3cr3t", 1<<14))
			w.mu.Lock()
			w.refuse = test.refuse
			w.mu.Unlock()
			r := scrapeOnce(t, w.plain+"/m", Options{HTTP: w.load(test.text), Timeout: 300 * time.Millisecond})
			if r.Err == nil || r.Err.Kind != test.kind || !strings.Contains(r.Err.Error(), test.want) {
				t.Fatalf("got %v: %v, want %v with %q", r.Err.Kind, r.Err, test.kind, test.want)
			}
			if text := r.Err.Error(); strings.Contains(text, "s3cr3t") || len(text) > 500 || strings.ContainsAny(text, "\x1b\n") {
				t.Errorf("the error is %d bytes long, or holds a secret or a control character: %q", len(text), text)
			}
		})
	}
}

func TestRedirectsThatAreNotFollowed(t *testing.T) {
	w := newWorld(t)
	r := scrapeOnce(t, w.plain+"/away", Options{HTTP: w.load("follow_redirects: false")})
	if r.Err == nil || r.Err.Kind != Redirect || !strings.Contains(r.Err.Msg, "follow_redirects: false forbids") {
		t.Errorf("got %v", r.Err)
	}
	away := serve(t, redirect("/m", "http://"+strings.Replace(w.plain, "127.0.0.1", "localhost", 1)+"/m", nil))
	r = scrapeOnce(t, away+"/m", Options{HTTP: w.load("http_headers: {X-A: {secrets: [s3cr3t]}}")})
	if seen := w.take(); r.Err == nil || r.Err.Kind != Redirect || len(seen) != 1 {
		t.Errorf("got %v; seen %q", r.Err, seen)
	}
}

// Settings that say the same twice are refused.
func TestOneSourceOfCredentials(t *testing.T) {
	w := newWorld(t)
	for _, test := range []struct {
		text, want string
		opts       Options
	}{
		{"basic_auth: {username: u}", "keep one", Options{Auth: Auth{Basic: "u:s3cr3t"}}},
		{"bearer_token: s3cr3t", "keep one", Options{Auth: Auth{BearerFile: "x"}}},
		{"tls_config: {ca_file: ca.pem}", "keep one", Options{TLS: TLSConfig{SkipVerify: true}}},
		{"http_headers: {X-A: {values: [a]}}", "", Options{Auth: Auth{Basic: "u:s3cr3t"}, TLS: TLSConfig{SkipVerify: true}}},
	} {
		test.opts.HTTP = w.load(test.text)
		_, _, err := newClient(test.opts)
		if (err != nil) != (test.want != "") || err != nil && (!strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "s3cr3t")) {
			t.Errorf("%s: got %v, want %q", test.text, err, test.want)
		}
	}
}

const everySecret = `
tls_config: {cert_file: client.pem, key: s3cr3t-key}
proxy_url: http://u:s3cr3t-proxy@h
proxy_connect_header: {X-A: [s3cr3t-connect]}
http_headers: {X-A: {secrets: [s3cr3t-header], files: [token]}}
oauth2: {client_id: c, client_secret: s3cr3t-client, token_url: "http://h/", endpoint_params: {p: s3cr3t-param}, proxy_url: "http://u:s3cr3t-proxy@h"}
`

func TestSecretsAreNotPrinted(t *testing.T) {
	w := newWorld(t)
	c := w.load(everySecret)
	var texts []string
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
		for _, v := range []any{c, &c, Options{HTTP: c}, c.Headers, c.TLS.Key, &c.TLS.Key, []Secret{c.TLS.Key}} {
			texts = append(texts, fmt.Sprintf(verb, v))
		}
	}
	asYAML, err := yaml.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	asJSON, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	texts = append(texts, string(asYAML), string(asJSON), c.TLS.Key.String())
	for _, text := range texts {
		if strings.Contains(text, "s3cr3t") || strings.Contains(text, fmt.Sprintf("%x", "s3cr3t")) {
			t.Errorf("a secret is written: %s", text)
		}
	}
	want := []string{"s3cr3t-client", "s3cr3t-header", "s3cr3t-token"}
	if diff := cmp.Diff(want, Options{HTTP: c}.Secrets()); diff != "" {
		t.Errorf("secrets (-want +got):\n%s", diff)
	}
	want = []string{"evento:pass", "pass"}
	if diff := cmp.Diff(want, Options{Auth: Auth{Basic: "evento:pass"}}.Secrets()); diff != "" {
		t.Errorf("secrets (-want +got):\n%s", diff)
	}
}

// FuzzHTTPConfig reads anything, and says on one line what is wrong with it.
func FuzzHTTPConfig(f *testing.F) {
	for _, text := range []string{everySecret, "basic_auth: {username: u}", "a\tb: 1", "\"a\\nb\": 1", "http_headers: {\x1b: 1}", "oauth2: &a {x: *a}", "- \x00", "tls_config: {min_version: [TLS12]}"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := parseHTTPConfig([]byte(text))
		if err != nil {
			if s := err.Error(); len(s) > 1000 || strings.ContainsFunc(s, unicode.IsControl) || strings.Contains(s, "scrape.") && !strings.Contains(text, "scrape.") {
				t.Errorf("%q", s)
			}
			return
		}
		if c.OAuth2 != nil && c.BasicAuth != nil {
			t.Errorf("two kinds of credentials are accepted")
		}
		if _, err := parseHTTPConfig([]byte(text)); err != nil {
			t.Errorf("accepted once and then not: %v", err)
		}
	})
}
