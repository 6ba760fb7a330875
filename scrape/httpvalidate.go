package scrape

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// complete fills in defaults and refuses what Prometheus refuses, and, as it
// could never work, a proxy or token server whose URL is none.
func (c *HTTPConfig) complete() error {
	if err := c.bearer(); err != nil {
		return err
	}
	if several(c.BasicAuth != nil, c.Authorization != nil, c.OAuth2 != nil) {
		return errors.New("at most one of basic_auth, authorization and oauth2 may be set")
	}
	var err error
	switch {
	case c.BasicAuth != nil:
		err = c.BasicAuth.check()
	case c.Authorization != nil:
		c.Authorization, err = c.Authorization.complete()
	case c.OAuth2 != nil:
		err = c.OAuth2.check()
	}
	return cmp.Or(err, c.TLS.check(), c.Proxy.check(), checkHeaders(c.Headers))
}

// several tells whether more than one is set.
func several(set ...bool) bool {
	n := 0
	for _, s := range set {
		if s {
			n++
		}
	}
	return n > 1
}

// bearer makes an authorization of the two old names of a token.
func (c *HTTPConfig) bearer() error {
	if c.BearerToken == "" && c.BearerTokenFile == "" {
		return nil
	}
	if several(c.proves(), c.BearerToken != "", c.BearerTokenFile != "") {
		return errors.New("at most one of basic_auth, authorization, oauth2, bearer_token and bearer_token_file may be set")
	}
	c.Authorization = &Authorization{Credentials: c.BearerToken, CredentialsFile: c.BearerTokenFile}
	c.BearerToken, c.BearerTokenFile = "", ""
	return nil
}

func (b *BasicAuth) check() error {
	if several(b.Username != "", b.UsernameFile != "") {
		return errors.New("basic_auth: at most one of username and username_file may be set")
	}
	if several(b.Password != "", b.PasswordFile != "") {
		return errors.New("basic_auth: at most one of password and password_file may be set")
	}
	return nil
}

// complete returns a copy: several scrapers may share a configuration.
func (a Authorization) complete() (*Authorization, error) {
	if several(a.Credentials != "", a.CredentialsFile != "") {
		return nil, errors.New("authorization: at most one of credentials and credentials_file may be set")
	}
	if a.Type = strings.TrimSpace(a.Type); a.Type == "" {
		a.Type = "Bearer"
	}
	if strings.EqualFold(a.Type, "basic") {
		return nil, errors.New("authorization: type basic is written as basic_auth")
	}
	return &a, nil
}

func (o *OAuth2) check() error {
	u, err := url.Parse(o.TokenURL)
	switch {
	case o.ClientID == "":
		return errors.New("oauth2: no client_id")
	case o.TokenURL == "":
		return errors.New("oauth2: no token_url")
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return errors.New("oauth2: token_url is no web address")
	case o.GrantType != "" && o.GrantType != "client_credentials":
		return errors.New("oauth2: grant_type is not supported: only client_credentials is")
	case several(o.ClientSecret != "", o.ClientSecretFile != ""):
		return errors.New("oauth2: at most one of client_secret and client_secret_file may be set")
	}
	if err := cmp.Or(o.TLS.check(), o.Proxy.check()); err != nil {
		return fmt.Errorf("oauth2: %w", err)
	}
	return nil
}

func (t *TLSSettings) check() error {
	cert, key := t.Cert != "" || t.CertFile != "", t.Key != "" || t.KeyFile != ""
	switch {
	case several(t.CA != "", t.CAFile != ""):
		return errors.New("tls_config: at most one of ca and ca_file may be set")
	case several(t.Cert != "", t.CertFile != ""):
		return errors.New("tls_config: at most one of cert and cert_file may be set")
	case several(t.Key != "", t.KeyFile != ""):
		return errors.New("tls_config: at most one of key and key_file may be set")
	case cert != key:
		return errors.New("tls_config: a client certificate needs its key, and a key its certificate")
	case t.MinVersion != 0 && t.MaxVersion != 0 && t.MaxVersion < t.MinVersion:
		return errors.New("tls_config: max_version is less than min_version")
	}
	return nil
}

// proxySchemes are what a proxy speaks.
var proxySchemes = []string{"http", "https", "socks5", "socks5h"}

func (p *ProxySettings) check() error {
	u, err := url.Parse(string(p.URL)) // an error of url.Parse holds the URL
	switch {
	case p.URL != "" && (err != nil || !slices.Contains(proxySchemes, u.Scheme) || u.Host == ""):
		return errors.New("proxy_url is no URL of a proxy: want http://, https://, socks5:// or socks5h:// and a host")
	case len(p.ConnectHeader) > 0 && !p.FromEnvironment && p.URL == "":
		return errors.New("proxy_connect_header needs proxy_url or proxy_from_environment")
	case p.FromEnvironment && p.URL != "":
		return errors.New("at most one of proxy_url and proxy_from_environment may be set")
	case p.FromEnvironment && p.NoProxy != "":
		return errors.New("at most one of no_proxy and proxy_from_environment may be set")
	case p.URL == "" && p.NoProxy != "":
		return errors.New("no_proxy needs proxy_url")
	}
	return nil
}

// reserved are the headers that are set otherwise, or change the connection;
// those that Prometheus reserves.
var reserved = []string{
	"Authorization", "Host", "Content-Encoding", "Content-Length", "Content-Type", "User-Agent", "Connection",
	"Keep-Alive", "Proxy-Authenticate", "Proxy-Authorization", "Www-Authenticate", "Accept-Encoding",
	"X-Prometheus-Remote-Write-Version", "X-Prometheus-Remote-Read-Version", "X-Prometheus-Scrape-Timeout-Seconds",
	"X-Amz-Date", "X-Amz-Security-Token", "X-Amz-Content-Sha256",
}

func checkHeaders(headers map[string]Header) error {
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		if slices.Contains(reserved, http.CanonicalHeaderKey(name)) {
			return fmt.Errorf("http_headers: %q may not be set", name)
		}
	}
	return nil
}
