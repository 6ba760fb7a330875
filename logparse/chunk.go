package logparse

import "io"

// chunkSize is the length of the parts in which a file is read side by side.
const chunkSize = 8 << 20

// A part is what one worker found in one part of a file.
type part struct {
	stats   Stats
	clock   clock
	noted   bool
	first   moment
	latest  moment
	records []Record
	text    []byte // what the records' slices point into
	err     error
}

// scanPart reads the records whose first line begins in part n of a file, of
// which the first bytes are passed over, and the lines that belong to the last
// of them.
func scanPart(f io.ReaderAt, from, size int64, n int, s *Scanner) *part {
	start := from + int64(n)*chunkSize
	s.limit = start + chunkSize
	if s.limit >= size {
		s.limit = 0
	}
	if n > 0 {
		start--
		s.src.dropping, s.skipHead = true, true
	}
	s.src.r, s.src.base = io.NewSectionReader(f, start, size-start), start
	return scanAll(s)
}

// take takes the account of a scanner.
func (p *part) take(s *Scanner) {
	p.stats, p.clock, p.err = s.Stats(), s.clock, s.Err()
	p.noted, p.first, p.latest = s.noted, s.first, s.latest
}

// keep copies a record.
func (p *part) keep(rec *Record) {
	r := *rec
	for _, field := range []*[]byte{&r.Source, &r.Logger, &r.Thread, &r.Message, &r.Trace, &r.Raw} {
		if len(*field) == 0 {
			continue
		}
		if len(p.text)+len(*field) > cap(p.text) {
			p.text = make([]byte, 0, max(64<<10, len(*field)))
		}
		from := len(p.text)
		p.text = append(p.text, *field...)
		*field = p.text[from:len(p.text):len(p.text)]
	}
	p.records = append(p.records, r)
}
