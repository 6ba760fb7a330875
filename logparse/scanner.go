package logparse

import "io"

// A Scanner reads the records of one log. It finds the format from the first
// 64 KiB, and the format of a line that is not of it by trying the others.
// Its memory is bounded: lines and traces are cut at stated lengths.
type Scanner struct {
	o      Options
	set    *Formats
	src    lineReader
	clock  clock
	stamps stampReader
	stats  Stats
	err    error

	guess      *guess
	line       int64 // lines read so far
	queue      []*entry
	free       []*entry
	joins      []*join
	scratch    scratch
	noted      bool
	first      moment // earliest and latest stamp
	latest     moment
	lastSec    int64 // of the record before
	lastNsec   int32
	started    bool // the format was looked for
	ended      bool // the source has no more
	growing    bool // the source may have more later
	lastSecSet bool
	same       int // stamps.seen of the last stamp whose time is sameSec; 0: none
	sameSec    int64

	filter    Filter
	tally     *Tally
	hit       int // where in the buffer the next thing begins that the filter found
	looked    int // how far the filter has looked
	ghost     ghost
	shape     jsonShape // of the line before
	quick     quick
	uncounted Counts // takes what is counted when there is no tally
	seen      header // of the line that is looked at
	trial     header // of the format that is tried
	since     int64  // seconds from 1970; the exact bounds are checked per record
	until     int64

	skipHead bool  // pass over the lines before the first header: they belong to another part
	limit    int64 // a header at or after this offset belongs to the next part; 0: none
}

// A Filter returns where in a text of whole lines the first thing begins that
// the caller looks for, -1 if there is none. A record is wanted when one of its
// lines holds such a thing. A filter must not keep the text, and must be safe
// for concurrent use.
type Filter func(text []byte) int

// scratch holds the buffers in which lines are rebuilt.
type scratch struct {
	clean  []byte
	inner  [4][]byte
	key    []byte
	text   []byte
	record [5][]byte
}

// NewScanner returns a scanner for a log; file is its name in records. It
// panics if the built-in formats are broken, which a test excludes; an unknown
// Options.Format is reported by Err.
func NewScanner(r io.Reader, file string, o Options) *Scanner {
	set := o.Formats
	var err error
	if set == nil {
		if set, err = builtinFormats(); err != nil {
			panic(err)
		}
	}
	s := &Scanner{o: o, set: set, src: newLineReader(r, o.maxLine()), clock: newClock(o)}
	s.stats.File = file
	s.since, s.until = -1<<62, 1<<62
	if !o.Since.IsZero() {
		s.since = o.Since.Unix()
	}
	if !o.Until.IsZero() {
		s.until = o.Until.Unix()
	}
	if o.Format != "" && set.Format(o.Format) == nil {
		s.err = unknownFormat(o.Format, set)
		s.ended = true
	}
	return s
}

// Next reads the next record into rec and says whether there was one. rec's
// slices are valid until the next call.
func (s *Scanner) Next(rec *Record) bool {
	for {
		if e := s.finished(); e != nil {
			if s.emit(e, rec) {
				return true
			}
			continue
		}
		if !s.advance() {
			return false
		}
	}
}

// Err returns the error that ended the reading, nil at the end of the log.
func (s *Scanner) Err() error {
	if s.err != nil {
		return s.err
	}
	return s.src.err
}

// Stats returns the account so far.
func (s *Scanner) Stats() Stats {
	st := s.stats
	st.Lines, st.Cut = s.line, st.Cut+s.src.cut
	st.Format = unknown
	if s.guess != nil {
		st.Format = s.guess.name()
	}
	if s.noted {
		st.First, st.Last = s.first.time(), s.latest.time()
	}
	st.Zone = s.clock.zone()
	st.Assumed = s.clock.assumptions()
	return st
}

// finished takes the oldest entry from the queue when it has all its lines.
func (s *Scanner) finished() *entry {
	if len(s.queue) == 0 {
		return nil
	}
	e := s.queue[0]
	if !e.closed && !(s.ended && !s.growing) && len(s.queue) <= openLimit {
		return nil
	}
	s.queue = append(s.queue[:0], s.queue[1:]...)
	s.free = append(s.free, e)
	return e
}

// openLimit is the number of records of several writers of one file that may be
// waiting for further lines.
const openLimit = 32

// advance reads one line; false means that there is none.
func (s *Scanner) advance() bool {
	if s.ended {
		return false
	}
	if !s.started && !s.start() {
		return false
	}
	for {
		skimmed := s.filter != nil && s.guess.fast != nil && len(s.queue) == 0
		if skimmed {
			s.skim()
		}
		at := s.src.offset()
		line, size, ok := s.src.next()
		if ok {
			s.take(line, at, int64(size), skimmed)
			return true
		}
		if s.src.eof || s.ended {
			return s.finish()
		}
		s.refill()
	}
}

// refill reads on after copying what still points into the buffer.
func (s *Scanner) refill() {
	for _, e := range s.queue {
		e.own()
	}
	keep := s.src.pos
	if g := &s.ghost; g.open && keep-g.head <= s.src.max+maxTrace {
		keep = g.head
	} else {
		g.outside = true // too long to come back to
	}
	dropped, _ := s.src.fill(keep)
	s.ghost.head -= keep
	s.hit, s.looked = s.hit-keep, s.looked-keep
	if !s.skipHead {
		s.stats.Bytes += dropped
	}
}

// start finds the format from the first bytes.
func (s *Scanner) start() bool {
	for !s.src.eof && s.src.end-s.src.pos < detectSize {
		s.refill()
	}
	head := s.src.buf[s.src.pos:s.src.end]
	if len(head) == 0 {
		return s.finish()
	}
	s.started = true
	if s.guess == nil {
		s.guess = detect(head[:min(len(head), detectSize)], s.set, s.o.Format)
	}
	s.clock.hint(s.guess.wall)
	return true
}

// finish takes the line without a newline at the end of the source.
func (s *Scanner) finish() bool {
	if s.growing {
		return false
	}
	at := s.src.offset()
	if line, ok := s.src.last(); ok && !s.ended {
		s.take(line, at, int64(len(line)), false)
		s.src.pos = s.src.end
	}
	s.flushJoins()
	s.ended = true
	return len(s.queue) > 0
}

// take accounts for one line and finds out what it is; skimmed says that skim
// stopped before it.
func (s *Scanner) take(line []byte, at, size int64, skimmed bool) {
	if s.guess.fast != nil {
		if start := int(at - s.src.base); s.filter != nil && !skimmed && s.skimLine(line, start) {
			s.count(size)
			return
		}
		if s.ended || s.takeFast(line, at, size) {
			return
		}
	}
	s.takeAny(line, at, size)
}

// count accounts for one line.
func (s *Scanner) count(size int64) {
	if s.skipHead {
		return
	}
	if size > 0 {
		s.line++
	}
	s.stats.Bytes += size
}

// takeFast handles the two frequent cases of a log without carriers: a line of
// the main format, and an indented line after one.
func (s *Scanner) takeFast(line []byte, at, size int64) bool {
	if len(line) == 0 {
		return false
	}
	if isSpace(line[0]) && !s.guess.indented {
		e := s.lastOpen()
		if e == nil || e.format == nil || e.format.Pair || len(e.key) > 0 || line[len(line)-1] == '\r' {
			return false
		}
		s.count(size)
		s.addLine(e, line)
		return true
	}
	h := &s.seen
	*h = header{}
	if line[len(line)-1] == '\r' || !s.guess.fast.decode(line, h, &s.stamps) || h.rest > 0 {
		return false
	}
	if h.level == NoLevel && s.guess.format.Wrap != "" {
		return false
	}
	if s.beyond(at) {
		return true
	}
	s.skipHead = false
	s.count(size)
	if e := s.lastOpen(); e != nil {
		e.closed = true
	}
	e := s.open(s.guess.format, h, at, s.line)
	e.raw, e.text = line, line
	s.filterFirst(e)
	return true
}

// beyond ends the reading when a header belongs to the next part of the file.
func (s *Scanner) beyond(at int64) bool {
	if s.limit > 0 && at >= s.limit {
		s.ended = true
	}
	return s.ended
}

// open begins a record: what came before from the same writer is complete.
func (s *Scanner) open(f *Format, h *header, at, line int64) *entry {
	e := s.entry()
	e.format, e.header = f, *h
	e.line, e.offset = line, at
	if h.stamp.has != 0 {
		s.date(e)
	} else {
		e.sec, e.nsec = s.lastSec, s.lastNsec
	}
	s.queue = append(s.queue, e)
	return e
}

// date resolves the stamp of an entry.
func (s *Scanner) date(e *entry) {
	e.sec, e.nsec = s.clock.resolve(&e.header.stamp)
	e.dated = true
	s.lastSec, s.lastNsec, s.lastSecSet = e.sec, e.nsec, true
}

// entry returns an empty entry.
func (s *Scanner) entry() *entry {
	if n := len(s.free); n > 0 {
		e := s.free[n-1]
		s.free = s.free[:n-1]
		e.reset()
		return e
	}
	return &entry{}
}

func (s *Scanner) lastOpen() *entry {
	if n := len(s.queue); n > 0 && !s.queue[n-1].closed {
		return s.queue[n-1]
	}
	return nil
}

// addLine adds a further line to an entry.
func (s *Scanner) addLine(e *entry, line []byte) {
	if s.filter != nil && !e.wanted && !e.cut && len(e.trace)+len(line) < maxTrace {
		e.wanted = s.filter(line) >= 0
	}
	if startsTraceback(line) {
		e.python = true
	}
	e.add(line)
}

// filterFirst asks the filter about the first line of an entry.
func (s *Scanner) filterFirst(e *entry) {
	e.wanted = s.filter == nil || s.filter(e.text) >= 0
}

// settled returns the offset before which every record was handed out.
func (s *Scanner) settled() int64 {
	at := s.src.offset()
	for _, e := range s.queue {
		at = min(at, e.offset)
	}
	for _, j := range s.joins {
		at = min(at, j.piece.at)
	}
	return at
}
