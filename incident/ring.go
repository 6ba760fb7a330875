package incident

import (
	"errors"
	"fmt"
	"time"

	"github.com/klauspost/compress/zstd"
)

// A Ring keeps the last scrapes and log bytes in memory, compressed, until
// something happens that is worth a recording. The zero value keeps nothing;
// use NewRing. It is not safe for concurrent use.
type Ring struct {
	before  time.Duration
	most    int64
	enc     *zstd.Encoder
	dec     *zstd.Decoder
	items   []ringItem
	bytes   int64 // compressed, of all items
	dropped int
}

// A ringItem is one scrape, or bytes of a log.
type ringItem struct {
	target  string // empty for a log
	log     string
	at      time.Time
	meta    Meta
	hasBody bool
	packed  []byte
}

// NewRing returns a ring of the last before. It holds at most mostBytes
// compressed bytes and drops the oldest beyond that.
func NewRing(before time.Duration, mostBytes int64) (*Ring, error) {
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxBody))
	if err != nil {
		return nil, err
	}
	return &Ring{before: before, most: mostBytes, enc: enc, dec: dec}, nil
}

// AddScrape takes an answer of a target in, as Writer.AddScrape does. Scrapes
// and logs must come in order of time.
func (r *Ring) AddScrape(target string, at time.Time, m Meta, body []byte) {
	r.add(ringItem{target: target, at: at, meta: m, hasBody: body != nil}, body)
}

// AppendLog takes bytes that were appended to a log in.
func (r *Ring) AppendLog(name string, at time.Time, b []byte) {
	r.add(ringItem{log: name, at: at, hasBody: true}, b)
}

func (r *Ring) add(it ringItem, body []byte) {
	it.packed = r.enc.EncodeAll(body, nil)
	r.items = append(r.items, it)
	r.bytes += int64(len(it.packed))
	for len(r.items) > 0 && (it.at.Sub(r.items[0].at) > r.before || r.bytes > r.most) {
		if it.at.Sub(r.items[0].at) <= r.before {
			r.dropped++
		}
		r.bytes -= int64(len(r.items[0].packed))
		r.items[0] = ringItem{}
		r.items = r.items[1:]
	}
}

// Start is the time of the oldest thing that is kept; zero when nothing is.
func (r *Ring) Start() time.Time {
	if len(r.items) == 0 {
		return time.Time{}
	}
	return r.items[0].at
}

// Dropped counts what had to go before its time because the ring was full.
func (r *Ring) Dropped() int { return r.dropped }

// Drain writes what is kept into w, whose case must have been set with a start
// that is not after Start, and empties the ring. What the writer refuses is left
// out and named in the error.
func (r *Ring) Drain(w *Writer) error {
	items := r.items
	r.items, r.bytes = nil, 0
	var refused []error
	for _, it := range items {
		refused = append(refused, r.write(w, it))
	}
	return errors.Join(refused...)
}

func (r *Ring) write(w *Writer, it ringItem) error {
	body, err := r.dec.DecodeAll(it.packed, []byte{})
	switch {
	case err != nil:
		return fmt.Errorf("ring: %w", err)
	case it.log != "":
		return w.AppendLog(it.log, it.at, body)
	case !it.hasBody:
		body = nil
	}
	return w.AddScrape(it.target, it.at, it.meta, body)
}
