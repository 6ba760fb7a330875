package scrape

import (
	"strings"
	"time"
)

// A Recorded scrape is one that was kept: the page and how it was got.
type Recorded struct {
	At          time.Time
	Duration    time.Duration
	Status      int // 0 when unknown
	ContentType string
	Error       string // what Error.Error and the hint said when it failed; empty when a page came
	Body        []byte
	HasBody     bool
}

// A Replay reads the recorded scrapes of one target, in order of time.
type Replay struct{ scraper *Scraper }

// NewReplay returns a replay of the scrapes of t.
func NewReplay(t Target, o ParseOptions) *Replay {
	o.Instance, o.Service = t.Instance, t.Service
	return &Replay{&Scraper{target: t, opts: Options{Parse: o}, meta: newMetaLabels(t), cache: NewCache(o)}}
}

// Result gives what the scrape gave when it was recorded, so far as the
// recording has it: the page is read again, a failure is repeated in its own
// words.
func (p *Replay) Result(rec Recorded) Result {
	s := p.scraper
	r := Result{Target: s.target, At: rec.At, Duration: rec.Duration, Status: rec.Status, ContentType: rec.ContentType, Bytes: int64(len(rec.Body))}
	switch {
	case rec.Error != "":
		r.Err = &Error{Kind: Network, Target: s.target.Instance, Status: rec.Status, Msg: strings.TrimPrefix(rec.Error, s.target.Instance+": ")}
	case rec.Status != 0 && rec.Status != 200:
		r.Err = s.fail(Status, "status %d instead of metrics", rec.Status)
	case !rec.HasBody:
		r.Err = s.fail(Empty, "no page was recorded")
	default:
		s.buf.Reset()
		s.buf.Write(rec.Body)
		s.parse(&r)
	}
	r.Meta = s.meta.samples(r.Err == nil, r.Duration)
	if rec.Duration == 0 && r.Err == nil {
		r.Meta = r.Meta[:1] // how long it took is not known
	}
	return r
}
