package logparse

import "io"

// pipedAhead is how many blocks of a pipe are read ahead; then its writer waits.
const pipedAhead = 16

// A Piped reads a log that another program writes into a pipe, such as
// kubectl logs -f, while it comes. What a Follower does for a file it does for a
// stream: nothing is read twice, and Poll never waits.
//
// A Piped is not safe for concurrent use.
type Piped struct {
	scan   *Scanner
	source *pipeSource
	in     io.Closer
	head   []byte // of the stream, from which the format is found
	judged int    // how much of head it was found from
}

// NewPiped begins to read a stream, which it closes in the end. Records carry
// path as their file.
func NewPiped(in io.ReadCloser, path string, o Options) *Piped {
	p := &Piped{scan: NewScanner(nil, path, o), source: newPipeSource(in), in: in}
	p.scan.src.r = p.source
	p.scan.growing = true
	return p
}

// Poll hands out the records that have come since the last call and are
// complete: a record is when the next one begins, or by Flush. It says whether
// there was anything new.
func (p *Piped) Poll(hand func(*Record)) (news bool, err error) {
	for p.source.gather() {
		news = true
		p.detect()
		p.hand(hand)
	}
	if p.source.err != nil && p.scan.growing {
		p.scan.growing = false // the last line may have no newline
		p.hand(hand)
	}
	if err := p.source.err; err != nil && err != io.EOF {
		return news, err
	}
	return news, p.scan.Err()
}

// Flush hands out the records for whose further lines a Piped is waiting. Call
// it when nothing new has come for a while.
func (p *Piped) Flush(hand func(*Record)) {
	for _, e := range p.scan.queue {
		e.closed = true
	}
	p.hand(hand)
}

func (p *Piped) hand(hand func(*Record)) {
	p.scan.src.eof, p.scan.src.err = false, nil
	var rec Record
	for p.scan.Next(&rec) {
		hand(&rec)
	}
}

// detect finds the format from what came first, and again when that is twice as
// long, until there is enough of it.
func (p *Piped) detect() {
	if len(p.head) < detectSize {
		p.head = append(p.head, p.source.block[:min(len(p.source.block), detectSize-len(p.head))]...)
	}
	if p.judged >= detectSize || len(p.head) < 2*p.judged {
		return
	}
	p.judged = len(p.head)
	p.scan.guessFrom(p.head, p.scan.o.Format)
}

// Ended tells whether the writer has closed the pipe.
func (p *Piped) Ended() bool { return p.source.err != nil }

// Stats returns the account of what was read.
func (p *Piped) Stats() Stats { return p.scan.Stats() }

// Close closes the stream, and with that ends a reading that waits for it where
// the system lets it.
func (p *Piped) Close() error {
	close(p.source.stop)
	return p.in.Close()
}

// A pipeSource reads a stream in a goroutine of its own and hands out what has
// come, or io.EOF: there is no more for now.
type pipeSource struct {
	blocks chan []byte
	ending error // why there are no more blocks; set before blocks is closed
	stop   chan struct{}
	block  []byte // what was gathered and not yet read
	err    error  // io.EOF at the end of the stream
}

func newPipeSource(in io.Reader) *pipeSource {
	s := &pipeSource{blocks: make(chan []byte, pipedAhead), stop: make(chan struct{})}
	go s.run(in)
	return s
}

func (s *pipeSource) run(in io.Reader) {
	defer close(s.blocks)
	for {
		buf := make([]byte, readSize/4)
		n, err := in.Read(buf)
		if n > 0 {
			select {
			case s.blocks <- buf[:n]:
			case <-s.stop:
				return
			}
		}
		if err != nil {
			s.ending = err
			return
		}
	}
}

// gather takes the next block that has come; false where there is none.
func (s *pipeSource) gather() bool {
	select {
	case b, ok := <-s.blocks:
		if !ok {
			s.err = s.ending
			return false
		}
		s.block = b
		return true
	default:
		return false
	}
}

// Read implements io.Reader.
func (s *pipeSource) Read(p []byte) (int, error) {
	if len(s.block) == 0 {
		return 0, io.EOF
	}
	n := copy(p, s.block)
	s.block = s.block[n:]
	return n, nil
}

var _ io.Reader = (*pipeSource)(nil)
