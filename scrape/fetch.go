package scrape

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
)

// tryPaths fetches the target's page, trying the usual paths until one has been
// found.
func (s *Scraper) tryPaths(ctx context.Context, r *Result) {
	if !s.target.Probes() {
		s.fetchLess(ctx, s.target.URL, r)
		return
	}
	paths := usualPaths[:]
	if s.path != "" {
		paths = []string{s.path}
	}
	var tries []Result
	for _, path := range paths {
		try := Result{Target: r.Target, At: r.At}
		s.fetchLess(ctx, withPath(s.target.URL, path), &try)
		tries = append(tries, try)
		if try.Err == nil {
			s.path = path
		}
		if try.Err == nil || !worthAnother(try.Err) {
			break
		}
	}
	*r = mostTelling(tries)
	r.Requests, r.Bytes = 0, 0
	for _, try := range tries {
		r.addCost(try)
	}
}

// addCost adds what another try has cost.
func (r *Result) addCost(try Result) {
	r.Requests += try.Requests
	r.Bytes += try.Bytes
}

// fetchLess fetches a page of which the server leaves out what is not asked for,
// if it can, and the whole page when that went wrong.
func (s *Scraper) fetchLess(ctx context.Context, address string, r *Result) {
	var wasted Result
	if query := s.less.next(); query != "" {
		r.Narrowed = true
		s.fetch(ctx, withQuery(address, query), r)
		switch {
		case r.Err != nil && !worthAnother(r.Err):
			return
		case r.Err == nil && s.less.complete(r.Samples):
			return
		}
		s.less.off = true
		wasted = *r
		*r = Result{Target: r.Target, At: r.At}
	}
	s.fetch(ctx, address, r)
	r.addCost(wasted)
	if r.Err == nil {
		s.less.learn(r.Path, s.buf.Bytes(), r.Samples)
	}
}

// withPath returns the URL of another path on the same host.
func withPath(base, path string) string {
	u, err := url.Parse(base)
	if err != nil {
		return base
	}
	u.Path = path
	return u.String()
}

// fetch makes one request and reads its answer.
func (s *Scraper) fetch(ctx context.Context, address string, r *Result) {
	ctx, conn := traced(ctx)
	req, err := s.request(ctx, address)
	if err != nil {
		r.Err = s.fail(Network, "cannot ask for this URL")
		return
	}
	r.Path = req.URL.Path
	r.Requests = 1
	resp, err := s.client.Do(req)
	if err != nil {
		r.Err = s.transportError(ctx, err, conn.reach(), 0)
		return
	}
	defer resp.Body.Close()
	r.Status = resp.StatusCode
	r.ContentType = resp.Header.Get("Content-Type")
	r.Path = resp.Request.URL.Path
	if err := s.readBody(resp, r); err != nil {
		r.Err = s.bodyError(ctx, err, conn.reach(), r)
		return
	}
	if resp.StatusCode != http.StatusOK {
		r.Err = s.statusError(resp, s.buf.Bytes())
		return
	}
	s.parse(r)
	if r.Err != nil && r.Err.Kind == HTML && resp.Request.URL.String() != req.URL.String() {
		r.Err = s.loginError(resp.Request.URL)
	}
	if r.Err != nil {
		r.Err.Status, r.Err.Connected, r.Err.Received = r.Status, true, r.Bytes
	}
}

func (s *Scraper) request(ctx context.Context, address string) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", accept(s.opts.Formats))
	encoding := "identity"
	if s.opts.Gzip {
		encoding = "gzip"
	}
	req.Header.Set("Accept-Encoding", encoding)
	return req, nil
}

// errTooLarge is the answer for a page beyond Options.MaxBytes.
var errTooLarge = errors.New("too large")

// maxErrorBody bounds what is read of the page that comes with a bad status.
const maxErrorBody = 16 << 10

// readBody reads the page into the buffer, decompressed.
func (s *Scraper) readBody(resp *http.Response, r *Result) error {
	s.buf.Reset()
	counted := &countingReader{r: resp.Body}
	defer func() { r.Bytes = counted.n }()
	if resp.StatusCode != http.StatusOK {
		_, err := s.buf.ReadFrom(io.LimitReader(counted, maxErrorBody))
		return err
	}
	switch encoding := strings.ToLower(resp.Header.Get("Content-Encoding")); encoding {
	case "", "identity":
		return s.readPage(counted)
	case "gzip", "x-gzip":
		return s.readGzip(counted)
	default:
		return fmt.Errorf("content encoding %q, which was not asked for", shorten(encoding, 40))
	}
}

func (s *Scraper) readGzip(from io.Reader) error {
	unzipped, err := gzip.NewReader(from)
	if errors.Is(err, io.EOF) {
		return nil // an empty page
	}
	if err != nil {
		return err
	}
	return s.readPage(unzipped)
}

// readPage reads a whole page of at most MaxBytes.
func (s *Scraper) readPage(from io.Reader) error {
	n, err := s.buf.ReadFrom(io.LimitReader(from, s.opts.MaxBytes+1))
	if err == nil && n > s.opts.MaxBytes {
		return errTooLarge
	}
	return err
}

// A countingReader counts the bytes read through it.
type countingReader struct {
	r io.Reader
	n int64
}

// Read reads and counts.
func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}
