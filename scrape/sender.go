package scrape

import (
	"cmp"
	"crypto/tls"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"time"

	"golang.org/x/net/http/httpproxy"
)

// A sender adds to every request what an HTTPConfig says.
type sender struct {
	config    HTTPConfig
	userAgent string
	tokens    *tokens // nil without OAuth2
	next      *reloader
}

func newSender(c HTTPConfig, userAgent string) (*sender, error) {
	next, err := newReloader(c.TLS, func(t *tls.Config) *http.Transport {
		return newTransport(t, c.Proxy, c.EnableHTTP2 == nil || *c.EnableHTTP2)
	})
	if err != nil {
		return nil, err
	}
	s := &sender{config: c, userAgent: userAgent, next: next}
	if c.OAuth2 != nil {
		if s.tokens, err = newTokens(*c.OAuth2, userAgent); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// newTransport has no limit of time but that of the request, and of a handshake.
func newTransport(t *tls.Config, proxy ProxySettings, http2 bool) *http.Transport {
	protocols := &http.Protocols{}
	protocols.SetHTTP1(true)
	protocols.SetHTTP2(http2)
	return &http.Transport{
		Proxy:               proxy.choose(),
		ProxyConnectHeader:  proxy.connectHeader(),
		TLSClientConfig:     t,
		TLSHandshakeTimeout: 10 * time.Second,
		DisableCompression:  true,
		IdleConnTimeout:     5 * time.Minute, // longer than any interval that is usual
		Protocols:           protocols,
		HTTP2:               &http.HTTP2Config{SendPingTimeout: time.Minute},
	}
}

// RoundTrip sends a request.
func (s *sender) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	if s.userAgent != "" {
		r.Header.Set("User-Agent", s.userAgent)
	}
	if err := s.addHeaders(r.Header); err != nil {
		return nil, err
	}
	if err := s.authorize(r); err != nil {
		return nil, err
	}
	return s.next.RoundTrip(r)
}

func (s *sender) addHeaders(to http.Header) error {
	for _, name := range slices.Sorted(maps.Keys(s.config.Headers)) {
		h := s.config.Headers[name]
		for _, v := range h.Values {
			to.Add(name, v)
		}
		for _, v := range h.Secrets {
			to.Add(name, string(v))
		}
		for _, file := range h.Files {
			v, err := secretOf("", file)
			if err != nil {
				return err
			}
			to.Add(name, v)
		}
	}
	return nil
}

// authorize sends the credentials with the first request, before anybody asks.
func (s *sender) authorize(r *http.Request) error {
	switch c := s.config; {
	case c.BasicAuth != nil:
		user, err := secretOf(Secret(c.BasicAuth.Username), c.BasicAuth.UsernameFile)
		password, err2 := secretOf(c.BasicAuth.Password, c.BasicAuth.PasswordFile)
		r.SetBasicAuth(user, password)
		return cmp.Or(err, err2)
	case c.Authorization != nil:
		credentials, err := secretOf(c.Authorization.Credentials, c.Authorization.CredentialsFile)
		r.Header.Set("Authorization", c.Authorization.Type+" "+credentials)
		return err
	case s.tokens != nil:
		return s.tokens.authorize(r)
	}
	return nil
}

// CloseIdleConnections drops the connections that are kept open.
func (s *sender) CloseIdleConnections() {
	s.next.CloseIdleConnections()
	if s.tokens != nil {
		s.tokens.client.CloseIdleConnections()
	}
}

// choose returns the function that chooses the proxy of a request; nil for none.
func (p ProxySettings) choose() func(*http.Request) (*url.URL, error) {
	proxies := &httpproxy.Config{HTTPProxy: string(p.URL), HTTPSProxy: string(p.URL), NoProxy: p.NoProxy}
	switch {
	case p.FromEnvironment:
		proxies = httpproxy.FromEnvironment()
	case p.URL == "":
		return nil
	case p.NoProxy == "": // for every host, also for this one
		u, err := url.Parse(string(p.URL))
		if err != nil {
			return func(*http.Request) (*url.URL, error) { return nil, fmt.Errorf("proxy_url is no URL") }
		}
		return http.ProxyURL(u)
	}
	choose := proxies.ProxyFunc()
	return func(r *http.Request) (*url.URL, error) { return choose(r.URL) }
}

func (p ProxySettings) connectHeader() http.Header {
	if len(p.ConnectHeader) == 0 {
		return nil
	}
	h := http.Header{}
	for name, values := range p.ConnectHeader {
		for _, v := range values {
			h[name] = append(h[name], string(v))
		}
	}
	return h
}
