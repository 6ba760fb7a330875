package logparse

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// A quick is what the lines after a record mostly share with it: a stamp such as
// 2026-03-02T10:15:31.004Z of the same second and zone, then spaces and a level.
// Such lines are told by comparing words of eight bytes.
type quick struct {
	ready  bool
	words  [3]uint64 // the bytes of the stamp from 0, 8 and 11 on
	zone   uint64    // the bytes after the milliseconds, as far as mask goes
	mask   uint64
	after  int     // length of the stamp
	counts *Counts // of its second, in the tally
}

const (
	quickStamp = 19 // length of a stamp up to its seconds
	// quickMin is how long a line must be for all loads: a stamp, milliseconds, a
	// zone of eight bytes; or a stamp of at most 32 bytes and eight of a level.
	quickMin = 40
)

// prime makes ready for lines like the one that was just counted.
func (s *Scanner) prime() {
	q, r, sec := &s.quick, &s.stamps, s.lastSec
	q.ready = s.guess.head != nil && s.guess.head.plain && r.n == quickStamp && r.kept && r.skip == 4 &&
		r.n+r.length <= quickMin-8 && s.same != 0 && s.same == r.seen && sec > s.since && sec < s.until
	if !q.ready {
		return
	}
	q.words, q.zone, q.mask, q.after = r.words, r.zone, r.mask, quickStamp+r.length
	q.counts = &s.uncounted
	if s.tally != nil {
		q.counts = s.tally.cur
	}
}

// skimQuick passes over records as long as they are like the one before and not
// wanted, and over the frames of their stack traces.
func (s *Scanner) skimQuick() {
	q, run := s.quick, quickRun{head: -1}
	buf := s.src.buf[:s.src.end]
	pos, limit, hit, longest := s.src.pos, s.quickLimit(), s.hit, uint(s.src.max-quickMin)
	low, high, trace := uint32(1<<31), uint32(0), 0
	for pos < limit {
		b := buf[pos:]
		i := bytes.IndexByte(b, '\n')
		if uint(i-quickMin) > longest || hit < pos+i {
			break
		}
		head := (*[quickMin]byte)(b)
		if head[0] == '\t' {
			if run.head < 0 || trace+i >= maxTrace {
				break
			}
			trace += i + 1
		} else {
			millis := binary.LittleEndian.Uint32(head[quickStamp:])
			level := quickLevel(word(head[min(q.after, quickMin-8):]))
			if !q.fits(head) || !isMillis(millis) || level == NoLevel {
				break
			}
			q.counts.Levels[level]++
			ms := bits.ReverseBytes32(millis) & 0xffffff
			low, high = min(low, ms), max(high, ms)
			run.head, run.level, trace = pos, level, 0
			run.records++
			run.line = run.lines + 1
		}
		run.lines++
		pos += i + 1
	}
	if run.head >= 0 {
		run.low, run.high, run.trace = digitsToNanos(low), digitsToNanos(high), trace
		s.keepRun(&run, pos)
	}
}

// fits says whether a line begins with the stamp of the second, and has its zone.
func (q *quick) fits(head *[quickMin]byte) bool {
	return (word(head[:])^q.words[0])|(word(head[8:])^q.words[1])|(word(head[11:])^q.words[2])|
		(word(head[quickStamp+4:])&q.mask^q.zone) == 0
}

// A quickRun is what skimQuick passed over.
type quickRun struct {
	lines, records int64
	low, high      int32 // the least and the greatest milliseconds, in nanoseconds
	head           int   // where in the buffer the last record begins, -1: none
	line           int64 // which of the lines that is, from 1
	level          Level // of the last record
	trace          int   // bytes of its further lines
}

// keepRun accounts for a run that ends in the buffer at pos.
func (s *Scanner) keepRun(run *quickRun, pos int) {
	s.note(s.lastSec, run.low)
	s.note(s.lastSec, run.high)
	s.lastNsec = s.nanosAt(run.head)
	s.ghost = ghost{
		open: true, head: run.head, line: s.line + run.line, level: run.level, trace: run.trace,
		at: moment{s.lastSec, s.lastNsec},
	}
	s.stats.Records += run.records
	s.stats.Bytes += int64(pos - s.src.pos)
	s.line += run.lines
	s.src.pos = pos
}

// nanosAt returns the milliseconds of the stamp that begins in the buffer at
// at, in nanoseconds.
func (s *Scanner) nanosAt(at int) int32 {
	nsec, _ := millis(s.src.buf[at+quickStamp:])
	return nsec
}

// digitsToNanos returns the nanoseconds of milliseconds written as three digits.
func digitsToNanos(d uint32) int32 {
	return int32(d>>16&15*100+d>>8&15*10+d&15) * 1e6
}

// quickLimit returns how far in the buffer the filter has looked and this part
// of the file reaches.
func (s *Scanner) quickLimit() int {
	limit := s.looked
	if s.limit > 0 && s.limit-s.src.base < int64(limit) {
		limit = int(s.limit - s.src.base)
	}
	return limit
}

// isMillis says whether four bytes are a separator and three digits.
func isMillis(w uint32) bool {
	c := byte(w)
	return (c == '.' || c == ',') && w>>8&0xf0f0f0 == 0x303030 && (w>>8+0x060606)&0xf0f0f0 == 0x303030
}

// Words of eight bytes, of which the first is the lowest.
const (
	wordINFO  = 'I' | 'N'<<8 | 'F'<<16 | 'O'<<24 | ' '<<32
	wordWARN  = 'W' | 'A'<<8 | 'R'<<16 | 'N'<<24 | ' '<<32
	wordERROR = 'E' | 'R'<<8 | 'R'<<16 | 'O'<<24 | 'R'<<32 | ' '<<40
	wordDEBUG = 'D' | 'E'<<8 | 'B'<<16 | 'U'<<24 | 'G'<<32 | ' '<<40
	wordTRACE = 'T' | 'R'<<8 | 'A'<<16 | 'C'<<24 | 'E'<<32 | ' '<<40
)

// quickLevel returns the level that stands after one or two spaces, NoLevel if
// it takes a closer look to tell.
func quickLevel(w uint64) Level {
	if byte(w) != ' ' {
		return NoLevel
	}
	w >>= 8
	if byte(w) == ' ' {
		w >>= 8
	}
	switch w & (1<<40 - 1) {
	case wordINFO:
		return Info
	case wordWARN:
		return Warn
	}
	switch w & (1<<48 - 1) {
	case wordERROR:
		return Error
	case wordDEBUG:
		return Debug
	case wordTRACE:
		return Trace
	}
	return NoLevel
}
