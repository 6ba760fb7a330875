package scrape

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/url"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/oauth2"
)

// transportError is the error for a request that got no answer, or not all of
// it. received counts the bytes of the page that came.
func (s *Scraper) transportError(ctx context.Context, err error, at reach, received int64) *Error {
	e := s.classify(ctx, err, at, received)
	e.Err = withoutURL(err)
	e.Connected, e.Connect, e.Received = at.connected, at.connect, received
	return e
}

// withoutURL drops the address that net/http puts in front of its errors.
func withoutURL(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err
	}
	return err
}

func (s *Scraper) classify(ctx context.Context, err error, at reach, received int64) *Error {
	var redirect *redirectError
	var dns *net.DNSError
	var path *fs.PathError
	var token *tokenError
	switch {
	case errors.As(err, &redirect):
		return s.fail(Redirect, "%s", redirect.msg)
	case errors.Is(err, context.Canceled):
		return s.fail(Canceled, "the scrape was called off")
	case errors.As(err, &token):
		return s.noTokenError(ctx, token)
	case throughProxy(err):
		e := s.fail(Network, "the proxy cannot be reached: %s", shorten(withoutURL(err).Error(), maxMessage))
		e.Hint = "check proxy_url, or name the host in no_proxy"
		return e
	case errors.As(err, &dns) && dns.IsNotFound:
		e := s.fail(DNS, "host name %q is not known", dns.Name)
		e.Hint = "check the spelling, or give an address"
		return e
	case errors.As(err, &dns):
		return s.fail(DNS, "no answer about the host name %q", dns.Name)
	case isTimeout(ctx, err):
		return s.timeoutError(at, received)
	case errors.Is(err, syscall.ECONNREFUSED):
		e := s.fail(Refused, "connection refused: nothing listens there")
		e.Hint = "check host and port, and whether the process runs"
		return e
	case errors.As(err, &path):
		return s.fail(Credentials, "%q cannot be read: %v", path.Path, path.Err)
	}
	if e := s.tlsError(err); e != nil {
		return e
	}
	return s.brokenError(err)
}

// noTokenError is the error for a request that was not sent, because the token
// server gave no token.
func (s *Scraper) noTokenError(ctx context.Context, cause *tokenError) *Error {
	var refused *oauth2.RetrieveError
	var path *fs.PathError
	switch {
	case errors.As(cause, &refused):
		e := s.fail(Unauthorized, "no OAuth2 token: the token server answers %s", refusal(refused))
		e.Hint = "check client_id, client_secret, scopes and token_url"
		return e
	case isTimeout(ctx, cause):
		return s.fail(Timeout, "no OAuth2 token in %v: the token server is slow", s.opts.Timeout)
	case errors.As(cause, &path):
		return s.fail(Credentials, "%q cannot be read: %v", path.Path, path.Err)
	}
	e := s.fail(Credentials, "no OAuth2 token: %s", shorten(withoutURL(cause.err).Error(), maxMessage))
	e.Hint = "check token_url"
	return e
}

// refusal is the status of a token server, and the code of RFC 6749, section 5.2.
func refusal(e *oauth2.RetrieveError) string {
	text := fmt.Sprint(e.Response.StatusCode)
	if e.ErrorCode != "" {
		text += ", " + strconv.QuoteToASCII(shorten(e.ErrorCode, maxMessage))
	}
	return text
}

// throughProxy tells whether a request failed on the way to the proxy.
func throughProxy(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) && op.Op == "proxyconnect"
}

func isTimeout(ctx context.Context, err error) bool {
	var n net.Error
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(ctx.Err(), context.DeadlineExceeded) ||
		errors.As(err, &n) && n.Timeout()
}

// timeoutError tells apart a host that is gone, one that is starved, and one
// that is slow.
func (s *Scraper) timeoutError(at reach, received int64) *Error {
	limit := s.opts.Timeout
	var e *Error
	switch {
	case !at.connected:
		e = s.fail(Timeout, "no connection in %v: nothing answers, not even to refuse", limit)
		e.Hint = "check the address, the network and the firewall"
		return e
	case received > 0:
		e = s.fail(Timeout, "sent %d bytes in %v and did not finish: slow or starved", received, limit)
	case at.securing:
		e = s.fail(Timeout, "accepts connections %s and does not finish the TLS handshake in %v: busy or starved, not gone", within(at), limit)
	case at.reused:
		e = s.fail(Timeout, "keeps the connection open and sends 0 bytes in %v: busy or starved, not gone", limit)
	default:
		e = s.fail(Timeout, "accepts connections %s and sends 0 bytes in %v: busy or starved, not gone", within(at), limit)
	}
	e.Hint = "the metrics page often shares the starved threads: try a longer --timeout, or read the logs"
	return e
}

// within says how fast a connection was made, to the millisecond.
func within(at reach) string {
	return "in " + max(at.connect.Round(time.Millisecond), time.Millisecond).String()
}

// tlsError returns nil when err has nothing to do with TLS.
func (s *Scraper) tlsError(err error) *Error {
	var (
		unknown  x509.UnknownAuthorityError
		hostname x509.HostnameError
		invalid  x509.CertificateInvalidError
		verify   *tls.CertificateVerificationError
		record   tls.RecordHeaderError
		alert    tls.AlertError
	)
	e := s.fail(TLS, "the secure connection failed: %s", shorten(withoutURL(err).Error(), maxMessage))
	switch {
	case errors.As(err, &unknown):
		e.Msg = "its certificate is signed by an unknown authority"
		e.Hint = "give the authority's certificate with --ca-file FILE"
	case errors.As(err, &hostname):
		e.Msg = "its certificate is for another host name"
		e.Hint = "use the name in the certificate, or give it with --server-name"
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		e.Msg = "its certificate has expired or is not valid yet"
	case errors.As(err, &record):
		e.Msg = "the port does not speak TLS"
		e.Hint = "write the target as http://host:port/path"
	case errors.As(err, &alert):
		e.Hint = "it may want a client certificate: --cert-file FILE --key-file FILE"
	case errors.As(err, &invalid), errors.As(err, &verify):
	default:
		if strings.Contains(err.Error(), "server gave HTTP response to HTTPS client") {
			e.Msg, e.Hint = "the port does not speak TLS", "write the target as http://host:port/path"
			return e
		}
		return nil
	}
	return e
}

// brokenError is the error for a connection that broke.
func (s *Scraper) brokenError(err error) *Error {
	text := withoutURL(err).Error()
	switch {
	case strings.Contains(text, "malformed HTTP"):
		e := s.fail(Network, "the answer is not HTTP")
		e.Hint = "the port may speak TLS (https://) or another protocol"
		return e
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		e := s.fail(Network, "the connection was closed before an answer came")
		if s.target.URL != "" && !strings.HasPrefix(s.target.URL, "https:") {
			e.Hint = "the port may speak TLS: try https://host:port/path"
		}
		return e
	}
	return s.fail(Network, "%s", shorten(text, maxMessage))
}

// bodyError is the error for a page that did not come whole.
func (s *Scraper) bodyError(ctx context.Context, err error, at reach, r *Result) *Error {
	var e *Error
	switch {
	case errors.Is(err, errTooLarge):
		e = s.tooLargeError()
	case errors.Is(err, context.Canceled), isTimeout(ctx, err):
		e = s.transportError(ctx, err, at, r.Bytes)
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET):
		e = s.fail(Truncated, "the page ends early, after %d bytes", r.Bytes)
	default:
		e = s.fail(Garbage, "cannot be read: %s", shorten(withoutURL(err).Error(), maxMessage))
	}
	e.Err = err
	e.Status, e.Connected, e.Received = r.Status, true, r.Bytes
	return e
}
