package scrape

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// Auth holds what proves to a target who asks. It is sent with the first
// request: an Evento server, for one, answers 401 without saying what it wants.
// At most one of the three may be set.
type Auth struct {
	BasicFile  string // a file with user:password in its first line
	Basic      string // user:password, from the environment
	BearerFile string // a file with a token, read again for every request
}

// A TLSConfig holds what a secure connection needs. Files are read again when they change.
type TLSConfig struct {
	CAFile     string // certificates to trust instead of the system's
	CertFile   string // client certificate, with KeyFile
	KeyFile    string
	ServerName string // the name to expect in the target's certificate
	SkipVerify bool   // trust any certificate
}

// newClient returns a client that keeps a connection open, stores no cookies and
// follows few redirects. guarded tells whether requests carry credentials.
func newClient(o Options) (client *http.Client, guarded bool, err error) {
	c, err := clientConfig(o)
	if err != nil {
		return nil, false, err
	}
	s, err := newSender(c, o.UserAgent)
	if err != nil {
		return nil, false, fmt.Errorf("http client: %w", err)
	}
	client = &http.Client{Transport: s, CheckRedirect: redirectRule(c.guarded())}
	if c.FollowRedirects != nil && !*c.FollowRedirects {
		client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	}
	return client, c.guarded(), nil
}

// clientConfig adds Auth and TLS to the configuration given.
func clientConfig(o Options) (HTTPConfig, error) {
	c := o.HTTP
	if o.TLS != (TLSConfig{}) {
		if c.TLS != (TLSSettings{}) {
			return c, errors.New("tls_config and a setting of TLS beside it, such as --ca-file: keep one")
		}
		c.TLS = TLSSettings{
			CAFile: o.TLS.CAFile, CertFile: o.TLS.CertFile, KeyFile: o.TLS.KeyFile,
			ServerName: o.TLS.ServerName, InsecureSkipVerify: o.TLS.SkipVerify,
		}
	}
	if err := o.Auth.addTo(&c); err != nil {
		return c, err
	}
	if err := c.complete(); err != nil {
		return c, fmt.Errorf("http client: %w", err)
	}
	return c, nil
}

func (a Auth) addTo(c *HTTPConfig) error {
	if several(a.BasicFile != "", a.Basic != "", a.BearerFile != "") {
		return errors.New("more than one of basic auth file, CAPDOCTOR_BASIC_AUTH and bearer token file is set: keep one")
	}
	if a != (Auth{}) && (c.proves() || c.BearerToken != "" || c.BearerTokenFile != "") {
		return errors.New("credentials in the HTTP client configuration and in a basic auth file, CAPDOCTOR_BASIC_AUTH or a bearer token file: keep one")
	}
	if a.BearerFile != "" {
		c.Authorization = &Authorization{CredentialsFile: a.BearerFile}
		return nil
	}
	pair, origin := a.Basic, "CAPDOCTOR_BASIC_AUTH"
	if a.BasicFile != "" {
		line, err := firstLine(a.BasicFile)
		if err != nil {
			return fmt.Errorf("basic auth file: %w", err)
		}
		pair, origin = line, a.BasicFile
	}
	if pair == "" && a.BasicFile == "" {
		return nil
	}
	user, password, found := strings.Cut(pair, ":")
	if !found {
		return fmt.Errorf("%s holds no colon: want user:password", origin)
	}
	c.BasicAuth = &BasicAuth{Username: user, Password: Secret(password)}
	return nil
}

// maxRedirects is how many redirects are followed in one scrape.
const maxRedirects = 3

// A redirectError is a redirect that was not followed.
type redirectError struct{ msg string }

func (e *redirectError) Error() string { return e.msg }

// redirectRule refuses long chains and, for requests with credentials, the way
// to another host or off TLS.
func redirectRule(guarded bool) func(*http.Request, []*http.Request) error {
	return func(next *http.Request, via []*http.Request) error {
		first := via[0].URL
		switch {
		case len(via) > maxRedirects:
			return &redirectError{fmt.Sprintf("more than %d redirects, the last to %s", maxRedirects, shown(next.URL))}
		case guarded && !strings.EqualFold(next.URL.Hostname(), first.Hostname()):
			return &redirectError{"redirect to another host, " + shown(next.URL) + ", not followed with credentials"}
		case guarded && first.Scheme == "https" && next.URL.Scheme != "https":
			return &redirectError{"redirect from https to " + shown(next.URL) + ", not followed with credentials"}
		}
		return nil
	}
}

// Secrets are the secret texts of the options, and what stands in the files that
// they name, sorted. A file that cannot be read has none.
func (o Options) Secrets() []string {
	c := o.HTTP
	if err := o.Auth.addTo(&c); err != nil {
		return c.Secrets()
	}
	all := c.Secrets()
	if c.BasicAuth != nil && o.HTTP.BasicAuth == nil {
		all = append(all, c.BasicAuth.Username+":"+string(c.BasicAuth.Password))
	}
	slices.Sort(all)
	return all
}
