package scrape

import (
	"bytes"

	"github.com/capdoctor/capdoctor/series"
)

// A Cache reads the pages of one target, one after the other. It keeps the
// labels of every series it has seen on the last pages, so that of a page in
// the text format only the numbers are read anew; other formats are read as
// Parse does.
//
// Samples are those that Parse returns with the same options, in the same
// order, for every page that Parse reads in the format that it declares. Lines
// that are not asked for, and comments, are not looked at: a page whose only
// faults are there is read, where Parse refuses it or tries another format. The first page on which nothing is asked for is given to Parse, to
// tell other metrics from garbage.
//
// A Cache is not safe for concurrent use.
type Cache struct {
	opts    ParseOptions
	known   map[string]*known
	last    []*known // what was asked for on the last page, in order
	now     []*known // likewise on this page; nil where it is not known yet
	samples []series.Sample
	info    Info
	unread  unread
	page    []byte // a page that had no final newline
	pages   int    // read so far
	proven  bool   // the last page had nothing that was asked for, and Parse accepted it
}

// A known is a series that was on the page before.
type known struct {
	text   string // as it stands on the page
	labels series.Labels
	fate   fate
	bound  bool // its labels depend on the TYPE line
	kind   kind // what that said
}

// learnEvery is how many pages go by between two searches for names that only a
// pattern asks for.
const learnEvery = 32

// NewCache returns a cache for a target's pages.
func NewCache(o ParseOptions) *Cache {
	return &Cache{opts: o.withDefaults(), known: make(map[string]*known)}
}

// Parse reads a page and appends its samples to dst. Like the function Parse it
// returns no sample of a page that it refuses: the result is then dst as it was.
// It keeps nothing of body. Once the page has been seen, and dst has room, it
// does not allocate.
func (c *Cache) Parse(body []byte, contentType string, dst []series.Sample) ([]series.Sample, Info, error) {
	if f := c.opts.Filter; f != nil && f.match != nil && c.pages%learnEvery == 0 {
		c.opts.Filter = f.learn(body)
	}
	c.pages++
	if len(body) > 0 && formatOf(contentType) == Text && c.scan(body, dst) {
		samples := c.samples
		c.samples = nil // the caller's
		return samples, c.info, nil
	}
	samples, info, err := Parse(body, contentType, c.opts)
	c.proven = err == nil && info.Samples == 0 && info.Unasked > 0
	return append(dst, samples...), info, err
}

// scan reads a page in the text format. It returns false for a page that it
// cannot judge.
func (c *Cache) scan(body []byte, dst []series.Sample) bool {
	if bytes.IndexByte(body, 0) >= 0 {
		return false
	}
	c.samples = dst
	c.info = Info{Format: Text, FinalNewline: body[len(body)-1] == '\n'}
	c.now, c.last = c.last[:0], c.now
	c.unread.reset()
	if !c.info.FinalNewline {
		c.page = append(append(c.page[:0], body...), '\n')
		body = c.page
	}
	if !c.scanLines(newScanner(body)) || !c.readUnread(len(dst)) {
		c.now = c.now[:0]
		return false
	}
	c.info.Samples = len(c.samples) - len(dst)
	c.forget()
	c.proven = c.proven && c.info.Samples == 0
	return c.info.Samples <= c.opts.MaxSamples && (c.info.Samples > 0 || c.proven)
}

func (c *Cache) scanLines(s scanner) bool {
	for {
		passed, ok := s.next(c.opts.Filter)
		c.info.Unasked += passed
		if !ok {
			return !s.odd
		}
		if !c.takeExpected(&s) && !c.takeKnown(&s) {
			return false
		}
	}
}

// takeExpected takes the line at s if it is the one that stood at the same
// place among those of the last page.
func (c *Cache) takeExpected(s *scanner) bool {
	if len(c.now) >= len(c.last) {
		return false
	}
	k := c.last[len(c.now)]
	end := s.at + len(k.text)
	if end >= len(s.body) || !isBlank(s.body[end]) || string(s.body[s.at:end]) != k.text {
		return false
	}
	if k.bound && k.kind != s.declared() {
		return false
	}
	n, ok := readNumber(s.rest(len(k.text)))
	if !ok {
		return false
	}
	s.at = end + n.length
	c.take(k, n)
	return true
}

// takeKnown takes the line at s by looking its series up, or puts it aside for
// Prometheus' parser. It returns false when the line has no plain form.
func (c *Cache) takeKnown(s *scanner) bool {
	text, ok := s.series()
	if !ok {
		return false
	}
	n, plain := readNumber(s.rest(len(text)))
	k := c.known[string(text)]
	if k == nil || !plain || k.bound && k.kind != s.declared() {
		c.putAside(s, text)
		return true
	}
	s.at += len(text) + n.length
	c.take(k, n)
	return true
}

// take adds the sample of a series.
func (c *Cache) take(k *known, n number) {
	c.now = append(c.now, k)
	switch k.fate {
	case tooLong:
		c.info.Skipped++
	case unasked:
		c.info.Unasked++
	default:
		c.samples = append(c.samples, series.Sample{Labels: k.labels, Time: c.timeOf(n), Value: n.value})
	}
}

func (c *Cache) timeOf(n number) int64 {
	if !n.timed {
		return 0
	}
	c.info.Timestamps++
	if !c.opts.HonorTimestamps {
		return 0
	}
	return n.time
}

// forget drops series that are no longer on the page, once they are many.
func (c *Cache) forget() {
	const spare = 1000
	if len(c.known) <= 2*len(c.now)+spare {
		return
	}
	clear(c.known)
	for _, k := range c.now {
		c.known[k.text] = k
	}
}
