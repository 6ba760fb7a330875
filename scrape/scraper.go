package scrape

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/capdoctor/capdoctor/series"
)

// usualPaths are tried, in this order, on a target that names no path.
var usualPaths = [...]string{"/actuator/prometheus", "/metrics"}

// A Result is what came of one scrape.
type Result struct {
	Target      Target
	At          time.Time     // the time that its samples count at
	Duration    time.Duration // of the whole scrape
	Status      int           // HTTP status; 0 without an answer, and for files
	ContentType string
	Path        string // the path that was read; of several that were tried, the one the target stays with
	Requests    int    // made; redirects not counted, 0 for files
	Bytes       int64  // of the page as it was sent, and of what was sent in vain
	Narrowed    bool   // the server was asked to leave out what is not asked for
	Body        []byte // the page, decompressed, with Options.KeepBody; also when it could not be read
	Samples     []series.Sample
	Meta        []series.Sample // up and scrape_duration_seconds; none when Busy
	Info        Info
	Err         *Error // nil when Samples can be used
}

// A Scraper scrapes one target. Its methods may be called from several
// goroutines; only one scrape runs at a time.
type Scraper struct {
	target  Target
	opts    Options
	client  *http.Client // nil for files
	guarded bool         // requests carry credentials
	meta    metaLabels

	running sync.Mutex
	// Owned by the scrape that runs.
	path  string // the path found on a target that names none; empty before
	less  narrowing
	buf   bytes.Buffer // the page
	cache *Cache
	size  int // samples of the last page
}

// NewScraper returns a scraper of t. It fails when credentials or certificates
// cannot be used.
func NewScraper(t Target, o Options) (*Scraper, error) {
	o = o.withDefaults()
	o.Parse.Instance, o.Parse.Service = t.Instance, t.Service
	if o.Names != nil {
		o.Parse.Filter = NewFilter(o.Names)
		if o.Match != nil {
			o.Parse.Filter = o.Parse.Filter.OrMatching(o.Match)
		}
	}
	s := &Scraper{target: t, opts: o, meta: newMetaLabels(t), cache: NewCache(o.Parse)}
	s.less.off = !o.FilterAtServer || o.Parse.Filter == nil
	if t.URL == "" {
		return s, nil
	}
	if _, err := url.Parse(t.URL); err != nil {
		return nil, fmt.Errorf("target %q: bad URL", t.Instance)
	}
	var err error
	if s.client, s.guarded, err = newClient(o); err != nil {
		return nil, fmt.Errorf("target %q: %w", t.Instance, err)
	}
	return s, nil
}

// Target returns the target it was made for.
func (s *Scraper) Target() Target { return s.target }

// Once tells whether the target has only one page to give: a file or standard
// input.
func (s *Scraper) Once() bool { return s.target.URL == "" }

// Close drops the connection that is kept open.
func (s *Scraper) Close() {
	if s.client != nil {
		s.client.CloseIdleConnections()
	}
}

// Scrape reads the target now; its samples count at the time given. While
// another scrape of this target runs it returns at once with Busy.
func (s *Scraper) Scrape(ctx context.Context, at time.Time) Result {
	r := Result{Target: s.target, At: at}
	if !s.running.TryLock() {
		r.Err = s.fail(Busy, "the last scrape still runs")
		return r
	}
	defer s.running.Unlock()
	begin := time.Now()
	if s.Once() {
		s.readFile(&r)
	} else {
		ctx, cancel := context.WithTimeout(ctx, s.opts.Timeout)
		defer cancel()
		s.tryPaths(ctx, &r)
	}
	r.Duration = time.Since(begin)
	r.Meta = s.meta.samples(r.Err == nil, r.Duration)
	return r
}

// fail returns an error of this target.
func (s *Scraper) fail(k Kind, format string, args ...any) *Error {
	return &Error{Kind: k, Target: s.target.Instance, Msg: fmt.Sprintf(format, args...)}
}

// parse turns the page in the buffer into samples.
func (s *Scraper) parse(r *Result) {
	page := s.buf.Bytes()
	if s.opts.KeepBody {
		r.Body = bytes.Clone(page)
	}
	if isHTML(page) {
		r.Err = s.htmlError(r)
		return
	}
	samples, info, err := s.cache.Parse(page, r.ContentType, make([]series.Sample, 0, s.size))
	r.Info = info
	var e *ParseError
	switch {
	case errors.As(err, &e):
		r.Err = s.parseError(e, page)
	case info.Samples+info.Unasked == 0:
		r.Err = s.emptyError(r, len(page))
	default:
		r.Samples, s.size = samples, len(samples)
	}
}
