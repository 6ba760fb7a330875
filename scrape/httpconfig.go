package scrape

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v3"
)

// An HTTPConfig says how a server is asked: credentials, TLS, proxy, headers. It
// reads like the HTTP client part of a Prometheus scrape configuration. The zero
// value asks without any of them, follows redirects, and speaks HTTP/2 where TLS
// negotiates it.
type HTTPConfig struct {
	BasicAuth       *BasicAuth        `yaml:"basic_auth"`
	Authorization   *Authorization    `yaml:"authorization"`
	OAuth2          *OAuth2           `yaml:"oauth2"`
	BearerToken     Secret            `yaml:"bearer_token"` // as authorization with credentials
	BearerTokenFile string            `yaml:"bearer_token_file"`
	TLS             TLSSettings       `yaml:"tls_config"`
	FollowRedirects *bool             `yaml:"follow_redirects"` // nil is true
	EnableHTTP2     *bool             `yaml:"enable_http2"`     // nil is true
	Proxy           ProxySettings     `yaml:",inline"`
	Headers         map[string]Header `yaml:"http_headers"` // sent with every request, by name
}

// Format writes nothing of the configuration: with a verb that a field does not
// know, fmt prints what is behind a pointer without asking it.
func (HTTPConfig) Format(f fmt.State, _ rune) { io.WriteString(f, "<HTTP client configuration>") }

// A BasicAuth is a user and a password. What stands in files is read for every
// request.
type BasicAuth struct {
	Username     string `yaml:"username"`
	UsernameFile string `yaml:"username_file"`
	Password     Secret `yaml:"password"`
	PasswordFile string `yaml:"password_file"`
}

// An Authorization is the header of that name. A file is read for every request.
type Authorization struct {
	Type            string `yaml:"type"` // Bearer when empty
	Credentials     Secret `yaml:"credentials"`
	CredentialsFile string `yaml:"credentials_file"`
}

// An OAuth2 says where a token is got with client credentials (RFC 6749,
// section 4.4). A file is read for every request; a new secret gets a new token.
type OAuth2 struct {
	ClientID         string            `yaml:"client_id"`
	ClientSecret     Secret            `yaml:"client_secret"`
	ClientSecretFile string            `yaml:"client_secret_file"`
	GrantType        string            `yaml:"grant_type"` // client_credentials, or empty
	Scopes           []string          `yaml:"scopes"`
	TokenURL         string            `yaml:"token_url"`
	EndpointParams   map[string]Secret `yaml:"endpoint_params"`
	TLS              TLSSettings       `yaml:"tls_config"`
	Proxy            ProxySettings     `yaml:",inline"`
}

// A TLSSettings is what a secure connection needs, each part in place or in a
// file. Files are read again when their content changes.
type TLSSettings struct {
	CA                 string     `yaml:"ca"` // certificates to trust instead of the system's
	CAFile             string     `yaml:"ca_file"`
	Cert               string     `yaml:"cert"` // client certificate, with its key
	CertFile           string     `yaml:"cert_file"`
	Key                Secret     `yaml:"key"`
	KeyFile            string     `yaml:"key_file"`
	ServerName         string     `yaml:"server_name"` // to expect in the server's certificate
	InsecureSkipVerify bool       `yaml:"insecure_skip_verify"`
	MinVersion         TLSVersion `yaml:"min_version"`
	MaxVersion         TLSVersion `yaml:"max_version"`
}

// A ProxySettings names the proxy between us and a server. It is secret as a
// whole, because a user and a password may stand in its URL.
type ProxySettings struct {
	URL             Secret              `yaml:"proxy_url"`
	NoProxy         string              `yaml:"no_proxy"`               // hosts to ask without it, with commas between
	FromEnvironment bool                `yaml:"proxy_from_environment"` // HTTP_PROXY, HTTPS_PROXY, NO_PROXY
	ConnectHeader   map[string][]Secret `yaml:"proxy_connect_header"`   // sent to the proxy alone
}

// A Header is what is sent under one name. Files are read for every request.
type Header struct {
	Values  []string `yaml:"values"`
	Secrets []Secret `yaml:"secrets"`
	Files   []string `yaml:"files"`
}

// LoadHTTPConfig reads a configuration. Files that it names are relative to its
// folder. A setting that is not known is an error, with its line; no error holds
// a value.
func LoadHTTPConfig(path string) (HTTPConfig, error) {
	data, err := readBounded(path, maxHTTPConfig)
	if err != nil {
		return HTTPConfig{}, err
	}
	c, err := parseHTTPConfig(data)
	if err != nil {
		return HTTPConfig{}, fmt.Errorf("%s: %w", path, err)
	}
	c.setDirectory(filepath.Dir(path))
	return c, nil
}

func parseHTTPConfig(data []byte) (HTTPConfig, error) {
	var c HTTPConfig
	d := yaml.NewDecoder(bytes.NewReader(data))
	d.KnownFields(true)
	if err := d.Decode(&c); errors.Is(err, io.EOF) {
		return c, errors.New("no configuration in it")
	} else if err != nil {
		return c, withoutValues(err)
	}
	return c, c.complete()
}

// What the decoder says holds the names of our types, and the beginning of values.
var (
	typeInError  = regexp.MustCompile(` in(to)? (type )?(map\[[a-z]+\])?(\[\])*[a-z]+(\.\w+)?$`)
	valueInError = regexp.MustCompile("(?s) ?`.*`")
)

// withoutValues says what the decoder says, on one line that can be printed.
func withoutValues(err error) error {
	all := []string{strings.TrimPrefix(err.Error(), "yaml: ")}
	var wrong *yaml.TypeError
	if errors.As(err, &wrong) {
		all = nil
		for _, text := range wrong.Errors {
			all = append(all, typeInError.ReplaceAllString(valueInError.ReplaceAllString(text, ""), ""))
		}
	}
	printable := func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return '?' // of a name in the file
	}
	return errors.New(shorten(strings.Map(printable, strings.Join(all, "; ")), maxMessage))
}

// setDirectory makes the names of files relative to a folder.
func (c *HTTPConfig) setDirectory(dir string) {
	join := func(names ...*string) {
		for _, name := range names {
			if *name != "" && !filepath.IsAbs(*name) {
				*name = filepath.Join(dir, *name)
			}
		}
	}
	join(&c.TLS.CAFile, &c.TLS.CertFile, &c.TLS.KeyFile)
	if b := c.BasicAuth; b != nil {
		join(&b.UsernameFile, &b.PasswordFile)
	}
	if a := c.Authorization; a != nil {
		join(&a.CredentialsFile)
	}
	if o := c.OAuth2; o != nil {
		join(&o.ClientSecretFile, &o.TLS.CAFile, &o.TLS.CertFile, &o.TLS.KeyFile)
	}
	for _, h := range c.Headers {
		for i := range h.Files {
			join(&h.Files[i])
		}
	}
}

// proves tells whether the configuration has credentials that go into the
// Authorization header.
func (c HTTPConfig) proves() bool {
	return c.BasicAuth != nil || c.Authorization != nil || c.OAuth2 != nil
}

// guarded tells whether requests carry something that no other host may see.
func (c HTTPConfig) guarded() bool { return c.proves() || len(c.Headers) > 0 }

// Secrets are the secret texts of the configuration that stand in it or, now, in
// its files, sorted. A file that cannot be read has none.
func (c HTTPConfig) Secrets() []string {
	var all []string
	add := func(text Secret, file string) {
		if s, err := secretOf(text, file); err == nil && s != "" {
			all = append(all, s)
		}
	}
	if b := c.BasicAuth; b != nil {
		add(b.Password, b.PasswordFile)
	}
	if a := c.Authorization; a != nil {
		add(a.Credentials, a.CredentialsFile)
	}
	if o := c.OAuth2; o != nil {
		add(o.ClientSecret, o.ClientSecretFile)
	}
	for _, h := range c.Headers {
		for _, v := range h.Secrets {
			add(v, "")
		}
		for _, file := range h.Files {
			add("", file)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}
