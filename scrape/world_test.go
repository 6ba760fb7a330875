package scrape

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"maps"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// An authority signs certificates.
type authority struct {
	t    testing.TB
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

func newAuthority(t testing.TB, name string) *authority {
	t.Helper()
	a := &authority{t: t}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	var der []byte
	der, a.key = a.sign(template, nil)
	var err error
	if a.cert, err = x509.ParseCertificate(der); err != nil {
		t.Fatal(err)
	}
	return a
}

// sign makes a certificate with a new key, signed by itself without a parent.
func (a *authority) sign(template, parent *x509.Certificate) ([]byte, *ecdsa.PrivateKey) {
	a.t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		a.t.Fatal(err)
	}
	signer := a.key
	if parent == nil {
		parent, signer = template, key
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, &key.PublicKey, signer)
	if err != nil {
		a.t.Fatal(err)
	}
	return der, key
}

// issue returns a certificate for this host and its key, in PEM form.
func (a *authority) issue(name string) (cert, key string) {
	a.t.Helper()
	der, private := a.sign(&x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: name}, NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, DNSNames: []string{"localhost"},
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}, a.cert)
	bytes, err := x509.MarshalECPrivateKey(private)
	if err != nil {
		a.t.Fatal(err)
	}
	return pemOf("CERTIFICATE", der), pemOf("EC PRIVATE KEY", bytes)
}

func (a *authority) pem() string { return pemOf("CERTIFICATE", a.cert.Raw) }

func pemOf(kind string, data []byte) string {
	return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: data}))
}

// A world is what a client can reach: a target without and one with TLS, a token
// server, a proxy. It notes every request.
type world struct {
	t                           testing.TB
	dir                         string
	ca                          *authority
	plain, secure, login, proxy string // host:port

	mu     sync.Mutex
	seen   []string
	serves *tls.Certificate // of the target with TLS
	refuse http.HandlerFunc // answers instead of the token server; nil for tokens
}

func newWorld(t testing.TB) *world {
	t.Helper()
	w := &world{t: t, dir: t.TempDir(), ca: newAuthority(t, "our authority")}
	w.present(w.ca)
	page := func(name string) http.HandlerFunc {
		return func(out http.ResponseWriter, r *http.Request) {
			w.note(name, r)
			if r.URL.Path == "/away" {
				http.Redirect(out, r, "/m", http.StatusFound)
				return
			}
			io.WriteString(out, "a 1\n")
		}
	}
	w.plain = serve(t, page("plain"))
	secure := httptest.NewUnstartedServer(page("secure"))
	secure.EnableHTTP2 = true
	secure.Config.ErrorLog = log.New(io.Discard, "", 0) // it reports the handshakes that must fail
	secure.TLS = &tls.Config{GetConfigForClient: func(*tls.ClientHelloInfo) (*tls.Config, error) {
		w.mu.Lock()
		defer w.mu.Unlock()
		return &tls.Config{ClientAuth: tls.RequestClientCert, Certificates: []tls.Certificate{*w.serves}, NextProtos: []string{"h2", "http/1.1"}}, nil
	}}
	secure.StartTLS()
	t.Cleanup(secure.Close)
	w.secure = secure.Listener.Addr().String()
	w.login = serve(t, w.giveToken)
	w.proxy = serve(t, w.pass)
	cert, key := w.ca.issue("client one")
	w.write("ca.pem", w.ca.pem())
	w.write("client.pem", cert)
	w.write("client.key", key)
	w.write("password", " s3cr3t-pass\n")
	w.write("user", "evento\n")
	w.write("token", "s3cr3t-token\n")
	return w
}

// present makes the target with TLS show a new certificate.
func (w *world) present(by *authority) {
	w.t.Helper()
	cert, key := by.issue("target")
	pair, err := tls.X509KeyPair([]byte(cert), []byte(key))
	if err != nil {
		w.t.Fatal(err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.serves = &pair
}

// write writes a file of the configuration.
func (w *world) write(name, text string) {
	w.t.Helper()
	if err := os.WriteFile(filepath.Join(w.dir, name), []byte(text), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

// fill puts the addresses of the world into a configuration.
func (w *world) fill(text string) string {
	return strings.NewReplacer("LOGIN", w.login, "PROXY", w.proxy, "PLAIN", w.plain, "SECURE", w.secure, "DIR", w.dir).Replace(text)
}

// note writes a request down as it arrived.
func (w *world) note(who string, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	r.Body = io.NopCloser(bytes.NewReader(body)) // a proxy reads it again
	text := fmt.Sprintf("%s: %s %s %s %s", who, r.Method, r.URL, r.Proto, r.Host)
	if r.TLS != nil {
		text += " " + tls.VersionName(r.TLS.Version)
		for _, c := range r.TLS.PeerCertificates {
			text += " from " + c.Subject.CommonName
		}
	}
	for _, name := range slices.Sorted(maps.Keys(r.Header)) {
		text += fmt.Sprintf("\n  %s: %q", name, r.Header[name])
	}
	if len(body) > 0 {
		text += "\n  " + string(body)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.seen = append(w.seen, text)
}

// take returns the requests so far, and forgets them.
func (w *world) take() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	seen := w.seen
	w.seen = nil
	return seen
}

func (w *world) giveToken(out http.ResponseWriter, r *http.Request) {
	w.note("login", r)
	w.mu.Lock()
	other := w.refuse
	w.mu.Unlock()
	if other != nil {
		other(out, r)
		return
	}
	_, secret, _ := r.BasicAuth()
	out.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(out, `{"access_token":"token for %s","token_type":"bearer","expires_in":3600}`, secret)
}

// pass is a proxy: it tunnels, and forwards what is not secure.
func (w *world) pass(out http.ResponseWriter, r *http.Request) {
	w.note("proxy", r)
	if r.Method != http.MethodConnect {
		resp, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			w.t.Error(err)
			return
		}
		defer resp.Body.Close()
		maps.Copy(out.Header(), resp.Header)
		out.WriteHeader(resp.StatusCode)
		io.Copy(out, resp.Body)
		return
	}
	to, err := net.Dial("tcp", r.Host)
	if err != nil {
		out.WriteHeader(http.StatusBadGateway)
		return
	}
	from, _, err := out.(http.Hijacker).Hijack()
	if err != nil {
		w.t.Error(err)
		return
	}
	io.WriteString(from, "HTTP/1.1 200 OK\r\n\r\n")
	go func() { io.Copy(to, from); to.Close() }()
	go func() { io.Copy(from, to); from.Close() }()
}

// load reads a configuration from the world's folder.
func (w *world) load(text string) HTTPConfig {
	w.t.Helper()
	w.write("http.yaml", w.fill(text))
	c, err := LoadHTTPConfig(filepath.Join(w.dir, "http.yaml"))
	if err != nil {
		w.t.Fatal(err)
	}
	return c
}
