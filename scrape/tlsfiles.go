package scrape

import (
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"
	"sync"

	"go.yaml.in/yaml/v3"
)

// A TLSVersion is a version of the protocol, as crypto/tls numbers them; 0 leaves
// the choice to it.
type TLSVersion uint16

// UnmarshalYAML reads TLS10, TLS11, TLS12 or TLS13.
func (v *TLSVersion) UnmarshalYAML(n *yaml.Node) error {
	switch n.Value {
	case "TLS10":
		*v = tls.VersionTLS10
	case "TLS11":
		*v = tls.VersionTLS11
	case "TLS12":
		*v = tls.VersionTLS12
	case "TLS13":
		*v = tls.VersionTLS13
	default:
		return fmt.Errorf("line %d: want TLS10, TLS11, TLS12 or TLS13", n.Line)
	}
	return nil
}

// A material is the content of what TLSSettings name.
type material struct {
	ca, cert, key []byte
}

// read reads what stands in files.
func (t *TLSSettings) read() (m material, err error) {
	for _, part := range []struct {
		into       *[]byte
		text, file string
	}{
		{&m.ca, t.CA, t.CAFile}, {&m.cert, t.Cert, t.CertFile}, {&m.key, string(t.Key), t.KeyFile},
	} {
		*part.into = []byte(part.text)
		if part.file == "" {
			continue
		}
		if *part.into, err = readBounded(part.file, maxCertificates); err != nil {
			return m, err
		}
	}
	return m, nil
}

func (m material) sum() [sha256.Size]byte {
	h := sha256.New()
	for _, part := range [][]byte{m.ca, m.cert, m.key} {
		digest := sha256.Sum256(part)
		h.Write(digest[:])
	}
	return [sha256.Size]byte(h.Sum(nil))
}

// config is the configuration of crypto/tls.
func (t *TLSSettings) config(m material) (*tls.Config, error) {
	c := &tls.Config{
		ServerName:         t.ServerName,
		InsecureSkipVerify: t.InsecureSkipVerify,
		MinVersion:         uint16(t.MinVersion),
		MaxVersion:         uint16(t.MaxVersion),
	}
	if t.CA != "" || t.CAFile != "" {
		c.RootCAs = x509.NewCertPool()
		if !c.RootCAs.AppendCertsFromPEM(m.ca) {
			return nil, errors.New(place("ca", t.CAFile) + " holds no certificate in PEM form")
		}
	}
	if t.Cert != "" || t.CertFile != "" {
		pair, err := tls.X509KeyPair(m.cert, m.key)
		if err != nil {
			return nil, fmt.Errorf("client certificate in %s with the key in %s: %w", place("cert", t.CertFile), place("key", t.KeyFile), err)
		}
		// Sent whichever authorities the server names.
		c.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) { return &pair, nil }
	}
	return c, nil
}

// place is where a part of TLSSettings stands.
func place(setting, file string) string {
	if file != "" {
		return file
	}
	return setting + " of tls_config"
}

// A reloader sends requests over a transport that it makes anew when the content
// of the files of its settings changes.
type reloader struct {
	settings TLSSettings
	make     func(*tls.Config) *http.Transport

	mu   sync.Mutex
	of   [sha256.Size]byte // the material that the transport was made of
	made *http.Transport
}

// newReloader fails when the files cannot be used now.
func newReloader(settings TLSSettings, make func(*tls.Config) *http.Transport) (*reloader, error) {
	r := &reloader{settings: settings, make: make}
	_, err := r.transport()
	return r, err
}

// RoundTrip sends a request.
func (r *reloader) RoundTrip(req *http.Request) (*http.Response, error) {
	t, err := r.transport()
	if err != nil {
		return nil, err
	}
	return t.RoundTrip(req)
}

func (r *reloader) transport() (*http.Transport, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.made != nil && r.settings.CAFile+r.settings.CertFile+r.settings.KeyFile == "" {
		return r.made, nil
	}
	m, err := r.settings.read()
	if err != nil {
		return nil, err
	}
	if r.made != nil && m.sum() == r.of {
		return r.made, nil
	}
	c, err := r.settings.config(m)
	if err != nil {
		return nil, err
	}
	if r.made != nil {
		r.made.CloseIdleConnections()
	}
	r.made, r.of = r.make(c), m.sum()
	return r.made, nil
}

// CloseIdleConnections drops the connections that are kept open.
func (r *reloader) CloseIdleConnections() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.made != nil {
		r.made.CloseIdleConnections()
	}
}
