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
	over      int   // records in a row that lie behind Until
	overFrom  int64 // how many records within had been read when they began

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
