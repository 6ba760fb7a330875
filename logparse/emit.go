package logparse

import (
	"bytes"
	"time"
)

// emit counts a finished entry and, if it is wanted, fills rec with it.
func (s *Scanner) emit(e *entry, rec *Record) bool {
	if e.cut {
		s.stats.Cut++
	}
	if !e.known && !s.countRecord(e) || !e.wanted {
		return false
	}
	s.fill(e, rec)
	return true
}

// countRecord counts a record and says whether it lies within the bounds.
func (s *Scanner) countRecord(e *entry) bool {
	if !s.within(e) {
		s.stats.Outside++
		s.overrun(e)
		return false
	}
	s.stats.Records++
	if e.format == nil {
		s.stats.Unparsed++
	}
	if e.dated {
		s.note(e.sec, e.nsec)
	} else {
		s.stats.Undated++
	}
	switch {
	case s.tally == nil:
	case e.dated || s.lastSecSet:
		s.tally.add(e.sec, e.header.level, e.header.status)
	default:
		s.tally.addUndated(e.header.level, e.header.status)
	}
	return true
}

// within says whether an entry lies within Since and Until.
func (s *Scanner) within(e *entry) bool {
	if e.sec > s.since && e.sec < s.until {
		return true
	}
	t := e.time()
	return !t.Before(s.o.Since) && (s.o.Until.IsZero() || t.Before(s.o.Until))
}

// Behind Until the reading ends when this many records in a row are later by more
// than a minute: then the log is in order, and what follows is later still.
const (
	overrunRecords = 20_000
	overrunSeconds = 60
)

// overrun counts the records in a row that lie behind Until.
func (s *Scanner) overrun(e *entry) {
	if e.sec < s.until+overrunSeconds {
		return
	}
	if s.over == 0 || s.overFrom != s.stats.Records {
		s.over, s.overFrom = 0, s.stats.Records
	}
	if s.over++; s.over == overrunRecords {
		s.ended, s.stats.Ended = true, true
	}
}

// note keeps the earliest and the latest time.
func (s *Scanner) note(sec int64, nsec int32) {
	t := moment{sec, nsec}
	if !s.noted {
		s.noted, s.first, s.latest = true, t, t
		return
	}
	if s.latest.before(t) {
		s.latest = t
	} else if t.before(s.first) {
		s.first = t
	}
}

// A moment is a time in seconds and nanoseconds from 1970.
type moment struct {
	sec  int64
	nsec int32
}

func (m moment) before(o moment) bool { return m.sec < o.sec || m.sec == o.sec && m.nsec < o.nsec }

func (m moment) time() time.Time { return time.Unix(m.sec, int64(m.nsec)).UTC() }

// time returns the time of an entry, zero if it has none.
func (e *entry) time() time.Time {
	if !e.dated && e.sec == 0 {
		return time.Time{}
	}
	return time.Unix(e.sec, int64(e.nsec)).UTC()
}

// fill fills a record with an entry.
func (s *Scanner) fill(e *entry, rec *Record) {
	h := &e.header
	*rec = Record{
		File: s.stats.File, Line: e.line, Offset: e.offset,
		Time: e.time(), Level: h.level, Status: h.status,
		Source: h.source.of(e.text), Logger: h.logger.of(e.text), Thread: h.thread.of(e.text),
		Message: h.message.of(e.text), Trace: e.trace, Raw: e.raw,
	}
	if (h.trace != span{}) {
		rec.Trace = append(append(s.scratch.text[:0], h.trace.of(e.text)...), '\n')
		s.scratch.text = rec.Trace
	}
	if h.escaped {
		s.unescape(rec, h.trace != span{})
	}
	if bytes.IndexByte(rec.Message, esc) >= 0 {
		s.scratch.record[4] = clean(s.scratch.record[4], rec.Message)
		rec.Message = s.scratch.record[4]
	}
	if len(rec.Source) == 0 {
		rec.Source = e.key
	}
}

// unescape takes the escapes of JSON out of the parts of a record.
func (s *Scanner) unescape(rec *Record, trace bool) {
	parts := [...]*[]byte{&rec.Logger, &rec.Thread, &rec.Message, &rec.Trace}
	for i, p := range parts {
		if p == &rec.Trace && !trace || bytes.IndexByte(*p, '\\') < 0 {
			continue
		}
		s.scratch.record[i] = unescape(s.scratch.record[i][:0], *p)
		*p = s.scratch.record[i]
	}
}
