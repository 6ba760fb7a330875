package logparse

import "io"

// A Piped reads a log that another program writes into a pipe, such as
// kubectl logs -f, while it comes. What a Follower does for a file it does for a
// stream: nothing is read twice, and Poll never waits.
//
// A Piped is not safe for concurrent use.
type Piped struct {
	scan   *Scanner
	source *Stream
	head   []byte // of the stream, from which the format is found
	judged int    // how much of head it was found from
}

// NewPiped begins to read a stream, which it closes in the end. Records carry
// path as their file.
func NewPiped(in io.ReadCloser, path string, o Options) *Piped {
	p := &Piped{scan: NewScanner(nil, path, o), source: NewStream(in)}
	p.scan.src.r = p.source
	p.scan.growing = true
	return p
}

// maxPollBlocks bounds what one Poll takes, so that a log that is written fast
// cannot hold up a round: 64 MiB. Its writer waits.
const maxPollBlocks = 1024

// Poll hands out the records that have come since the last call and are
// complete: a record is when the next one begins, or by Flush. It says whether
// there was anything new.
func (p *Piped) Poll(hand func(*Record)) (news bool, err error) {
	for n := 0; n < maxPollBlocks && p.source.Next(); n++ {
		news = true
		p.detect()
		p.hand(hand)
	}
	if p.source.Ended() && p.scan.growing {
		p.scan.growing = false // the last line may have no newline
		p.hand(hand)
	}
	if err := p.source.Err(); err != nil {
		return news, err
	}
	return news, p.scan.Err()
}

// Flush hands out the records for whose further lines a Piped is waiting. Call
// it when nothing new has come for a while.
func (p *Piped) Flush(hand func(*Record)) {
	p.scan.closeAll()
	p.hand(hand)
}

func (p *Piped) hand(hand func(*Record)) {
	p.scan.resume()
	var rec Record
	for p.scan.Next(&rec) {
		hand(&rec)
	}
}

// detect finds the format from what came first, and again when that is twice as
// long, until there is enough of it.
func (p *Piped) detect() {
	if len(p.head) < detectSize {
		p.head = append(p.head, p.source.Block[:min(len(p.source.Block), detectSize-len(p.head))]...)
	}
	if p.judged >= detectSize || len(p.head) < 2*p.judged {
		return
	}
	p.judged = len(p.head)
	p.scan.guessFrom(p.head, p.scan.o.Format)
}

// Ended tells whether the writer has closed the pipe.
func (p *Piped) Ended() bool { return p.source.Ended() }

// Stats returns the account of what was read.
func (p *Piped) Stats() Stats { return p.scan.Stats() }

// Close closes the stream.
func (p *Piped) Close() error { return p.source.Close() }
