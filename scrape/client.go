package scrape

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"

	"github.com/prometheus/common/config"
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

// maxCredentials bounds a file of credentials, in bytes.
const maxCredentials = 64 << 10

// newClient returns a client that keeps a connection open, stores no cookies and
// follows few redirects. guarded tells whether requests carry credentials.
func newClient(o Options) (client *http.Client, guarded bool, err error) {
	c, err := clientConfig(o)
	if err != nil {
		return nil, false, err
	}
	client, err = config.NewClientFromConfig(c, "capdoctor", config.WithUserAgent(o.UserAgent))
	if err != nil {
		return nil, false, fmt.Errorf("http client: %w", err)
	}
	guarded = c.BasicAuth != nil || c.Authorization != nil || c.OAuth2 != nil || c.HTTPHeaders != nil
	client.CheckRedirect = redirectRule(guarded)
	return client, guarded, nil
}

// clientConfig adds Auth and TLS to the configuration given.
func clientConfig(o Options) (config.HTTPClientConfig, error) {
	c := o.HTTP
	c.FollowRedirects = true
	c.EnableHTTP2 = true // where TLS negotiates it
	if o.TLS != (TLSConfig{}) {
		c.TLSConfig.CAFile = o.TLS.CAFile
		c.TLSConfig.CertFile = o.TLS.CertFile
		c.TLSConfig.KeyFile = o.TLS.KeyFile
		c.TLSConfig.ServerName = o.TLS.ServerName
		c.TLSConfig.InsecureSkipVerify = o.TLS.SkipVerify
	}
	if err := o.Auth.addTo(&c); err != nil {
		return c, err
	}
	if err := c.Validate(); err != nil {
		return c, fmt.Errorf("http client: %w", err)
	}
	return c, nil
}

func (a Auth) addTo(c *config.HTTPClientConfig) error {
	set := 0
	for _, value := range []string{a.BasicFile, a.Basic, a.BearerFile} {
		if value != "" {
			set++
		}
	}
	if set > 1 {
		return errors.New("more than one of basic auth file, CAPDOCTOR_BASIC_AUTH and bearer token file is set: keep one")
	}
	if a.BearerFile != "" {
		c.Authorization = &config.Authorization{Type: "Bearer", CredentialsFile: a.BearerFile}
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
	c.BasicAuth = &config.BasicAuth{Username: user, Password: config.Secret(password)}
	return nil
}

// firstLine returns the first line of a small file.
func firstLine(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxCredentials))
	if err != nil {
		return "", err
	}
	line, _, _ := strings.Cut(string(data), "\n")
	return strings.TrimSuffix(line, "\r"), nil
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
