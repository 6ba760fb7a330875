package scrape

import (
	"bytes"
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// credentialsHint names the ways to give credentials.
const credentialsHint = "give credentials with --basic-auth-file FILE (user:password in it), CAPDOCTOR_BASIC_AUTH, --bearer-token-file FILE, or --http-config FILE"

// springPath is where a Spring Boot server, such as Evento's, has its metrics.
const springPath = "/actuator/prometheus"

// statusError is the error for a status that is not 200.
func (s *Scraper) statusError(resp *http.Response, page []byte) *Error {
	code, path := resp.StatusCode, shownPath(resp.Request.URL)
	e := s.fail(Status, "status %d %s at %s", code, http.StatusText(code), path)
	e.Status, e.Connected, e.Received = code, true, int64(len(page))
	switch {
	case code == http.StatusUnauthorized:
		e.Kind, e.Msg, e.Hint = Unauthorized, "401: no credentials were sent", credentialsHint
		if s.guarded {
			e.Msg = "401: wrong user, password or token"
		}
	case code == http.StatusForbidden:
		e.Kind, e.Msg = Forbidden, "403: "+path+" may not be read without other credentials"
		e.Hint = credentialsHint
	case code == http.StatusNotFound:
		e.Kind, e.Msg = NotFound, "404: nothing at "+path
		e.Hint = "give the whole URL, such as http://host:port" + springPath
	case code >= 300 && code < 400:
		e.Kind, e.Msg = Redirect, fmt.Sprintf("%d: a redirect that leads nowhere at %s", code, path)
		if follow := s.opts.HTTP.FollowRedirects; follow != nil && !*follow {
			e.Msg, e.Hint = fmt.Sprintf("%d: a redirect at %s, which follow_redirects: false forbids", code, path), "give the URL that it leads to"
		}
	case bytes.Contains(page, []byte("HTTP request to an HTTPS server")):
		e.Kind, e.Msg, e.Hint = TLS, "the port speaks https", "write the target as https://host:port/path"
	case code == http.StatusNotAcceptable:
		e.Hint = "it has none of the formats asked for"
	case code == http.StatusTooManyRequests:
		e.Hint = "ask less often: a longer --interval"
	case code == http.StatusBadGateway, code == http.StatusServiceUnavailable, code == http.StatusGatewayTimeout:
		e.Hint = "a proxy answers for it, or it starts or stops: ask the server itself, and read its log"
	case code >= 500:
		e.Hint = "the metrics page itself fails: the server's log says why"
	}
	return e
}

// isHTML tells whether a page is HTML or XML: no format of metrics begins with
// an angle bracket.
func isHTML(page []byte) bool {
	page = bytes.TrimPrefix(page, []byte("\xef\xbb\xbf"))
	return bytes.HasPrefix(bytes.TrimLeft(page, " \t\r\n"), []byte("<"))
}

// htmlError is the error for a web page. A server of single-page applications
// answers every path it does not know with 200 and its front page.
func (s *Scraper) htmlError(r *Result) *Error {
	if s.Once() {
		return s.fail(HTML, "a web page instead of metrics")
	}
	e := s.fail(HTML, "a web page instead of metrics at %s", quotePath(r.Path))
	e.Hint = "give the whole URL of the metrics page"
	if r.Path != springPath {
		e.Hint = "a Spring Boot server has its metrics at " + springPath
	}
	return e
}

// loginError is the error for a web page that a redirect led to.
func (s *Scraper) loginError(to *url.URL) *Error {
	e := s.fail(Redirect, "sent on to a web page, %s", shown(to))
	for _, word := range []string{"login", "signin", "sign-in", "sso", "auth", "saml"} {
		if strings.Contains(strings.ToLower(to.Path), word) {
			e.Msg = "sent on to a login page, " + shown(to)
			e.Hint = credentialsHint
			break
		}
	}
	return e
}

func (s *Scraper) parseError(cause *ParseError, page []byte) *Error {
	e := s.fail(cause.Kind, "%s", cause.Error())
	e.Err = cause
	switch {
	case cause.Kind == Truncated:
		e.Msg = "the page ends early: " + cause.Error()
	case cause.Kind == Garbage && looksJSON(page):
		e.Msg = "JSON instead of metrics"
		e.Hint = "a Spring Boot server has its metrics at " + springPath
	case cause.Kind == Garbage:
		e.Msg = "not readable as metrics: " + cause.Error()
	}
	return e
}

func looksJSON(page []byte) bool {
	page = bytes.TrimSpace(page)
	if len(page) < 2 {
		return false
	}
	first, last := page[0], page[len(page)-1]
	return first == '{' && last == '}' || first == '[' && last == ']'
}

func (s *Scraper) emptyError(r *Result, size int) *Error {
	e := s.fail(Empty, "a page of %d bytes without a sample", size)
	switch {
	case size == 0:
		e.Msg = "an empty page"
		e.Hint = "no metric is registered there, or it is another path: give the whole URL of the metrics page"
		if s.Once() {
			e.Hint = "curl -sS URL shows whether the endpoint answers"
		}
	case r.Info.Skipped > 0:
		e.Msg = fmt.Sprintf("no sample left: %d series have too many or too long labels", r.Info.Skipped)
	case r.Info.Native > 0:
		e.Msg = fmt.Sprintf("nothing but %d native histograms", r.Info.Native)
		e.Hint = "ask for the text format"
	}
	return e
}

func (s *Scraper) tooLargeError() *Error {
	return s.fail(TooLarge, "a page of more than %d MiB", s.opts.MaxBytes>>20)
}

// worthAnother tells whether another path of the same target may have what this
// one has not. A target that is slow or failing is not asked twice.
func worthAnother(e *Error) bool {
	switch e.Kind {
	case Unauthorized, Forbidden, NotFound, Redirect, HTML, Empty, Garbage:
		return true
	case Status:
		return e.Status < 500 && e.Status != http.StatusTooManyRequests
	}
	return false
}

// mostTelling returns the last try if it ended the search, else the one that
// says most about the target.
func mostTelling(tries []Result) Result {
	last := len(tries) - 1
	if tries[last].Err == nil || !worthAnother(tries[last].Err) {
		return tries[last]
	}
	for _, k := range []Kind{Unauthorized, Forbidden, Garbage, Status, Empty, Redirect, HTML, NotFound} {
		for _, try := range tries {
			if try.Err.Kind == k {
				return withPaths(try, tries)
			}
		}
	}
	return tries[last]
}

// withPaths names all paths when the tries failed alike.
func withPaths(try Result, tries []Result) Result {
	paths := make([]string, 0, len(tries))
	for _, other := range tries {
		if other.Err.Kind != try.Err.Kind {
			return try
		}
		paths = append(paths, quotePath(other.Path))
	}
	where := strings.Join(paths, " or ")
	switch try.Err.Kind {
	case NotFound:
		try.Err.Msg = "404: nothing at " + where
	case HTML:
		try.Err.Msg = "a web page instead of metrics at " + where
		try.Err.Hint = "give the whole URL of the metrics page"
	}
	return try
}

// shown is a URL for messages: without user info and query, bounded, escaped.
func shown(u *url.URL) string {
	plain := url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}
	return shorten(plain.String(), 120)
}

func shownPath(u *url.URL) string { return quotePath(u.Path) }

// quotePath is a path for messages, bounded and escaped.
func quotePath(path string) string {
	return shorten((&url.URL{Path: path}).EscapedPath(), 120)
}
