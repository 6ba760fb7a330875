package scrape

import (
	"bytes"
	"slices"

	"github.com/capdoctor/capdoctor/series"
)

// An unread holds the lines of a page whose series are not known yet. They are
// read together by Prometheus' parser when the page has been walked over.
type unread struct {
	page   []byte
	kind   kind // of the last TYPE line in it
	series []unreadSeries
}

type unreadSeries struct {
	text   string
	kind   kind
	line   int // its place among the lines asked for
	sample int // its place among the samples
}

func (u *unread) reset() { u.page, u.kind, u.series = u.page[:0], otherKind, u.series[:0] }

// putAside keeps the line at s, whose series is text, for later, and a place
// for its sample.
func (c *Cache) putAside(s *scanner, text []byte) {
	u := &c.unread
	if k := s.declared(); k != u.kind {
		u.kind = k
		u.page = append(u.page, k.header()...)
	}
	end := bytes.IndexByte(s.rest(len(text)), '\n') + len(text) + 1
	u.page = append(u.page, s.body[s.at:s.at+end]...)
	u.series = append(u.series, unreadSeries{string(text), u.kind, len(c.now), len(c.samples)})
	c.now = append(c.now, nil)
	c.samples = append(c.samples, series.Sample{})
	s.at += end
}

// readUnread reads the lines that were put aside. It returns false when
// Prometheus' parser refuses one. The page's samples begin at first.
func (c *Cache) readUnread(first int) bool {
	u := &c.unread
	if len(u.series) == 0 {
		return true
	}
	lines := 0
	p := newPage(Text, u.page, c.opts, func(e entry) {
		if lines < len(u.series) {
			c.settle(u.series[lines], e)
		}
		lines++
	})
	if p.read() != nil || lines != len(u.series) {
		return false
	}
	c.info.Skipped += p.info.Skipped
	c.info.Unasked += p.info.Unasked
	c.info.Timestamps += p.info.Timestamps
	if p.info.Samples < lines {
		c.dropUnkept(first)
	}
	return true
}

// settle fills the place that was kept for a series. The sample of one that is
// not kept has no labels.
func (c *Cache) settle(u unreadSeries, e entry) {
	k := &known{
		text: u.text, labels: e.labels, fate: e.fate,
		bound: e.labels.Has("le") || e.labels.Has("quantile"), kind: u.kind,
	}
	c.known[k.text] = k
	c.now[u.line] = k
	c.samples[u.sample] = series.Sample{Labels: e.labels, Time: e.time, Value: e.value}
}

// dropUnkept removes the places of series that turned out not to be kept.
func (c *Cache) dropUnkept(first int) {
	kept := slices.DeleteFunc(c.samples[first:], func(s series.Sample) bool { return s.Labels.IsEmpty() })
	c.samples = c.samples[:first+len(kept)]
}
