package logparse

import "io"

// aheadBlocks is how many blocks a readahead may hold.
const aheadBlocks = 4

// A readahead reads a source in a goroutine of its own, so that taking off a
// compression and parsing go on side by side.
type readahead struct {
	full  chan block
	empty chan []byte
	stop  chan struct{}
	cur   []byte // what is left of buf
	buf   []byte
	err   error
}

type block struct {
	buf []byte
	n   int
	err error
}

func newReadahead(r io.Reader) *readahead {
	a := &readahead{full: make(chan block, aheadBlocks), empty: make(chan []byte, aheadBlocks), stop: make(chan struct{})}
	for range aheadBlocks {
		a.empty <- make([]byte, readSize)
	}
	go a.run(r)
	return a
}

func (a *readahead) run(r io.Reader) {
	defer close(a.full)
	for {
		select {
		case <-a.stop:
			return
		case buf := <-a.empty:
			n, err := readFull(r, buf)
			a.full <- block{buf, n, err}
			if err != nil {
				return
			}
		}
	}
}

// readFull reads until buf is full or the source ends.
func readFull(r io.Reader, buf []byte) (int, error) {
	n := 0
	for n < len(buf) {
		k, err := r.Read(buf[n:])
		n += k
		if err != nil {
			return n, err
		}
	}
	return n, nil
}

// Read implements io.Reader.
func (a *readahead) Read(p []byte) (int, error) {
	for len(a.cur) == 0 {
		if a.buf != nil {
			a.empty <- a.buf
			a.buf = nil
		}
		if a.err != nil {
			return 0, a.err
		}
		b := <-a.full
		a.buf, a.cur, a.err = b.buf, b.buf[:b.n], b.err
	}
	n := copy(p, a.cur)
	a.cur = a.cur[n:]
	return n, nil
}

// Close ends the goroutine once its current read returns.
func (a *readahead) Close() error {
	close(a.stop)
	return nil
}

var _ io.ReadCloser = (*readahead)(nil)
