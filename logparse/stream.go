package logparse

import "io"

// streamAhead is how many blocks of a stream are read ahead; then its writer
// waits.
const streamAhead = 16

// A Stream reads what comes through a pipe in a goroutine of its own, so that
// what has come can be taken without waiting for more.
//
// A Stream is not safe for concurrent use.
type Stream struct {
	Block []byte // what Next took, as far as Read has not given it out

	in     io.Closer
	blocks chan []byte
	ending error // why there are no more blocks; set before blocks is closed
	stop   chan struct{}
	ended  error // io.EOF at the end of the stream
}

// NewStream begins to read a stream.
func NewStream(in io.ReadCloser) *Stream {
	s := &Stream{in: in, blocks: make(chan []byte, streamAhead), stop: make(chan struct{})}
	go s.run(in)
	return s
}

func (s *Stream) run(in io.Reader) {
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

// Next takes the next block that has come; false where there is none.
func (s *Stream) Next() bool {
	select {
	case b, ok := <-s.blocks:
		if !ok {
			s.ended = s.ending
			return false
		}
		s.Block = b
		return true
	default:
		return false
	}
}

// Read gives out the block that Next took, then io.EOF: there is no more for
// now.
func (s *Stream) Read(p []byte) (int, error) {
	if len(s.Block) == 0 {
		return 0, io.EOF
	}
	n := copy(p, s.Block)
	s.Block = s.Block[n:]
	return n, nil
}

// Ended tells whether Next has met the end of the stream.
func (s *Stream) Ended() bool { return s.ended != nil }

// Err returns the error that ended the stream, nil for its end.
func (s *Stream) Err() error {
	if s.ended == io.EOF {
		return nil
	}
	return s.ended
}

// Close closes the stream, and with that ends a reading that waits for its
// writer, where the system lets it. It must be called once.
func (s *Stream) Close() error {
	close(s.stop)
	return s.in.Close()
}

var _ io.ReadCloser = (*Stream)(nil)
