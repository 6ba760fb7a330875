package logparse

import (
	"bytes"
	"encoding/binary"
)

// journalDecoder recognises the first line of an entry of the journal export
// format; the other fields are further lines, which journalState reads.
type journalDecoder struct{}

func (journalDecoder) decode(line []byte, _ *header, _ *stampReader) bool {
	return bytes.HasPrefix(line, []byte("__CURSOR="))
}

// A journalState reads the fields of one entry: KEY=value, or KEY alone and
// then eight bytes with the length of a value that may hold newlines.
type journalState struct {
	key  []byte // of a binary field that is being read
	data []byte
}

// maxField bounds a binary field, in bytes.
const maxField = maxTrace

// field takes one line after the first and says whether the entry goes on.
func (e *entry) journalField(line []byte, r *stampReader) bool {
	j := &e.journal
	if j.key != nil {
		j.data = append(append(j.data, line...), '\n')
		if !j.complete() {
			return true
		}
		key := j.key
		value := j.value()
		*j = journalState{}
		e.setJournal(key, value, r)
		return true
	}
	if len(line) == 0 {
		return false
	}
	key, value, ok := bytes.Cut(line, []byte("="))
	if !ok {
		j.key = bytes.Clone(line)
		return true
	}
	e.setJournal(key, value, r)
	return true
}

// complete says whether the whole binary value was read, or is too long.
func (j *journalState) complete() bool {
	if len(j.data) < 8 {
		return false
	}
	n := binary.LittleEndian.Uint64(j.data)
	return n > maxField || uint64(len(j.data)) > 8+n
}

func (j *journalState) value() []byte {
	n := binary.LittleEndian.Uint64(j.data)
	return j.data[8 : 8+min(n, uint64(len(j.data)-8))]
}

// setJournal takes one field of an entry.
func (e *entry) setJournal(key, value []byte, r *stampReader) {
	h := &e.header
	switch string(key) {
	case "__REALTIME_TIMESTAMP":
		var st stamp
		if readEpoch(value, &st) {
			h.stamp = st
		}
	case "PRIORITY":
		n, _ := digits(value, 1)
		h.level = syslogLevel(n)
	case "MESSAGE":
		h.message = e.addText(value)
	case "SYSLOG_IDENTIFIER":
		h.logger = e.addText(value)
	case "_SYSTEMD_UNIT":
		h.source = e.addText(value)
	}
}

// addText appends a value to the text of the entry.
func (e *entry) addText(value []byte) span {
	e.own()
	e.textStore = append(append(append(e.textStore[:0:0], e.text...), '\n'), value...)
	e.text = e.textStore
	return span{len(e.text) - len(value), len(e.text)}
}

// journalLine handles a line within an entry of the journal export format.
func (s *Scanner) journalLine(text []byte, size int64) bool {
	e := s.lastOpen()
	if e == nil || e.format == nil || e.format.Decoder != "journal" || s.skipHead {
		return false
	}
	if bytes.HasPrefix(text, []byte("__CURSOR=")) && e.journal.key == nil {
		s.closeJournal(e)
		return false
	}
	s.count(size)
	if !e.journalField(text, &s.stamps) {
		s.closeJournal(e)
	}
	return true
}

// closeJournal completes an entry whose fields were all read.
func (s *Scanner) closeJournal(e *entry) {
	if e.header.stamp.has != 0 {
		s.date(e)
	}
	s.filterFirst(e)
	e.closed = true
}
