package logparse

import (
	"io"
	"os"
	"time"
)

// A plan says how a file is read. It is made from its first bytes.
type plan struct {
	guess   *guess
	packed  bool  // compressed
	seeks   bool  // a regular file that is not compressed
	absolve bool  // stamps stand for themselves: they have a date, and no zone with a summer time is assumed
	newest  bool  // the newest record comes first
	dated   bool  // stamps have a year
	from    int64 // where to begin: what is before lies before Since
	ended   bool  // size is where to end: what is behind lies behind Until
	size    int64
	wall    int64 // for the clock: the wall clock at the beginning, 0: not known
}

// planFile looks at a file and completes the options.
func planFile(f *os.File, path string, o *Options) (plan, error) {
	info, err := f.Stat()
	if err != nil {
		return plan{}, err
	}
	if o.Base.IsZero() && info.Mode().IsRegular() {
		o.Base = info.ModTime()
	}
	p := plan{size: info.Size()}
	if !info.Mode().IsRegular() {
		return p, nil
	}
	head := make([]byte, detectSize)
	n, err := f.ReadAt(head, 0)
	if err != nil && err != io.EOF {
		return p, err
	}
	p.seeks = compressionOf(head[:n]) == plain
	p.packed = !p.seeks
	p.look(f, path, *o)
	if p.seeks && p.absolve && !p.newest && !o.Since.IsZero() {
		p.from = findTime(f, p.size, &p, *o)
	}
	if p.seeks && p.absolve && !p.newest && !o.Until.IsZero() {
		p.endBehind(f, *o)
	}
	if !p.dated && p.wall == 0 {
		p.wall, err = firstDay(f, path, &p, *o)
		return p, err
	}
	return p, nil
}

// NewestFirst tells whether a plain file begins with its newest record, as its
// first records show, and whether their stamps stand for themselves: with a date
// and a zone, so that any part of the file can be read alone.
func NewestFirst(path string, o Options) (newest, alone bool, err error) {
	f, err := os.Open(path)
	if err != nil {
		return false, false, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return false, false, err
	}
	p := plan{size: info.Size()}
	p.look(f, path, o)
	return p.newest, p.absolve, nil
}

// endBehind ends the reading some way behind Until.
func (p *plan) endBehind(f io.ReaderAt, o Options) {
	o.Since = o.Until.Add(2 * disorder)
	at := findTime(f, p.size, p, o)
	if (at > 0 || allFrom(f, p.size, p, o)) && at+2*nearSize < p.size {
		p.size, p.ended = at+2*nearSize, true
	}
}

// look reads the first records of a file.
func (p *plan) look(f io.ReaderAt, path string, o Options) {
	r, err := decompress(io.NewSectionReader(f, 0, p.size))
	if err != nil {
		return // the reading itself reports it
	}
	defer closeAll(r)
	s := NewScanner(io.LimitReader(r, detectSize), path, Options{Format: o.Format, Formats: o.Formats, Zone: o.Zone, Base: o.Base, MaxLine: o.MaxLine})
	var rec Record
	var up, down, dated int
	var last time.Time
	for dated < 400 && s.Next(&rec) {
		switch {
		case rec.Time.IsZero():
			continue
		case dated > 0 && rec.Time.After(last):
			up++
		case dated > 0 && rec.Time.Before(last):
			down++
		}
		last = rec.Time
		dated++
	}
	p.guess = s.guess
	if p.guess == nil {
		return
	}
	c := &s.clock
	p.newest = down >= 2 && down > 4*up
	p.dated = c.used&assumedDate == 0 || p.guess.wall != 0
	p.absolve = p.guess.fast != nil && s.noted && c.used&^assumedZone == 0 && (c.used == 0 || c.loc == nil)
}

// firstDay returns the wall clock of the first stamp of a file whose stamps
// have no date: the last one is of the base's day, and every midnight before it
// counts. That takes a reading of its own.
func firstDay(f io.ReaderAt, path string, p *plan, o Options) (int64, error) {
	base := o.Base
	o.Base, o.Since, o.Until, o.Skew = time.Time{}, time.Time{}, time.Time{}, 0
	r, err := decompress(io.NewSectionReader(f, 0, p.size))
	if err != nil {
		return 0, err
	}
	defer closeAll(r)
	s := NewScanner(r, path, o)
	s.guess = p.guess
	s.filter = func([]byte) int { return -1 }
	var rec Record
	for s.Next(&rec) {
	}
	if !s.noted || s.clock.used&assumedDate == 0 || base.IsZero() {
		return 0, s.Err()
	}
	c := newClock(Options{Zone: o.Zone, Base: base})
	tod := mod(s.clock.wall, daySeconds)
	midnights := (s.clock.wall - tod) / daySeconds
	first := s.clock.opening
	return c.firstMidnight(tod) - midnights*daySeconds + first, s.Err()
}

func closeAll(r io.Reader) {
	if c, ok := r.(interface{ Close() }); ok {
		c.Close()
	}
}
