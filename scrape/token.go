package scrape

import (
	"context"
	"crypto/tls"
	"fmt"
	"net/http"
	"net/url"
	"sync"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"
)

// tokens gets OAuth2 tokens, and keeps one until it expires or the secret of the
// client changes.
type tokens struct {
	config OAuth2
	client *http.Client // that asks the token server

	mu     sync.Mutex
	secret string
	source *clientcredentials.Config // with that secret; nil before the first token
	token  *oauth2.Token
}

func newTokens(c OAuth2, userAgent string) (*tokens, error) {
	next, err := newReloader(c.TLS, func(t *tls.Config) *http.Transport {
		transport := newTransport(t, c.Proxy, false)
		transport.DisableCompression = false
		return transport
	})
	if err != nil {
		return nil, fmt.Errorf("oauth2: %w", err)
	}
	return &tokens{config: c, client: &http.Client{Transport: &sender{userAgent: userAgent, next: next}}}, nil
}

// A tokenError is a request that was not sent because there is no token for it.
type tokenError struct{ err error }

func (e *tokenError) Error() string { return "no OAuth2 token: " + e.err.Error() }

func (e *tokenError) Unwrap() error { return e.err }

// authorize puts a token into a request.
func (t *tokens) authorize(r *http.Request) error {
	secret, err := secretOf(t.config.ClientSecret, t.config.ClientSecretFile)
	if err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.source == nil || secret != t.secret {
		t.secret, t.source, t.token = secret, t.newSource(secret), nil
	}
	if !t.token.Valid() {
		ctx, cancel := t.asking(r.Context())
		defer cancel()
		token, err := t.source.Token(ctx)
		if over := r.Context().Err(); over != nil {
			return &tokenError{over}
		}
		if err != nil {
			return &tokenError{err}
		}
		t.token = token
	}
	t.token.SetAuthHeader(r)
	return nil
}

func (t *tokens) newSource(secret string) *clientcredentials.Config {
	params := url.Values{}
	for name, value := range t.config.EndpointParams {
		params.Set(name, string(value))
	}
	return &clientcredentials.Config{
		ClientID: t.config.ClientID, ClientSecret: secret, TokenURL: t.config.TokenURL,
		Scopes: t.config.Scopes, EndpointParams: params,
	}
}

// asking is a context for the token server that ends with that of the scrape.
// It is another one because what it reports is no connection to the target.
func (t *tokens) asking(scrape context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(context.WithValue(context.Background(), oauth2.HTTPClient, t.client))
	stop := context.AfterFunc(scrape, cancel)
	return ctx, func() { stop(); cancel() }
}
