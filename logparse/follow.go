package logparse

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"time"
)

// A Follower reads a log while it is written, across rotation by rename and by
// copy and truncate, a file that appears late, and a symbolic link that is set
// to another file. No line is lost or read twice, but for two windows in which
// no reader can help: lines written between the copying and the truncating of a
// file, and files that are deleted before they were read.
//
// A Follower is not safe for concurrent use.
type Follower struct {
	path    string
	options Options
	scan    *Scanner
	cur     *generation
	old     []*generation // those before, as long as an open record began in them
	start   Start
	sampled int64 // bytes from which the format was found
	quiet   int   // polls since a rotation was seen without anything in the new file
	opened  bool  // Start was made use of
}

// A Start says where a Follower begins.
type Start struct {
	At    Position  // where another one stopped; wins over the others
	Since time.Time // from this time on
	End   bool      // from what is written from now on; a file that appears later is read whole
}

// NewFollower returns a follower of a log, which need not exist yet. Records
// carry path as their file.
func NewFollower(path string, o Options, start Start) *Follower {
	if o.Since.IsZero() {
		o.Since = start.Since
	}
	f := &Follower{path: path, options: o, start: start}
	f.scan = NewScanner(nil, path, o)
	f.scan.growing = true
	if info, err := os.Stat(path); err != nil && errors.Is(err, fs.ErrNotExist) {
		f.start.End = false
	} else if err == nil && o.Base.IsZero() {
		f.scan.clock.base = info.ModTime().Unix()
	}
	return f
}

// Poll reads what was written since the last call and hands out the records
// that are complete: a record is when the next one begins, or by Flush.
// It says whether there was anything new.
func (f *Follower) Poll(hand func(*Record)) (news bool, err error) {
	for {
		if f.cur == nil {
			if ok, err := f.open(); !ok || err != nil {
				return news, err
			}
		}
		f.detect()
		if f.overtaken() {
			if !f.turn(hand) {
				return news, nil
			}
			news = true
			continue
		}
		read := f.cur.offset
		if err := f.drain(hand); err != nil {
			return news, err
		}
		news = news || f.cur.offset != read
		if !f.turn(hand) {
			return news, nil
		}
		news = true
	}
}

// Flush hands out the records for whose further lines a Follower is waiting.
// Call it when nothing new has come for a while.
func (f *Follower) Flush(hand func(*Record)) {
	f.scan.closeAll()
	f.hand(hand)
}

// Position returns the place up to which records were handed out.
func (f *Follower) Position() Position {
	if f.cur == nil {
		return f.start.At
	}
	at := f.scan.settled()
	g := f.fileOf(at)
	p := Position{Path: f.path, Offset: max(at-g.base, 0), Mark: g.mark.sum, MarkLen: g.mark.len}
	p.Device, p.Inode = inodeOf(g.info)
	return p
}

// Stats returns the account of what was read.
func (f *Follower) Stats() Stats { return f.scan.Stats() }

// Close closes the files.
func (f *Follower) Close() error {
	var err error
	for _, g := range append(f.old, f.cur) {
		if g != nil {
			err = errors.Join(err, g.file.Close())
		}
	}
	f.old, f.cur = nil, nil
	return err
}

// drain hands out what the current file has.
func (f *Follower) drain(hand func(*Record)) error {
	f.scan.resume()
	f.hand(hand)
	return f.scan.Err()
}

func (f *Follower) hand(hand func(*Record)) {
	var rec Record
	for f.scan.Next(&rec) {
		f.place(&rec)
		hand(&rec)
	}
	f.forget()
}

// place turns the line and the offset of a record from those of the stream into
// those of its file.
func (f *Follower) place(rec *Record) {
	g := f.fileOf(rec.Offset)
	rec.Line -= g.lines
	rec.Offset -= g.base
}

// fileOf returns the file that a place in the stream is in.
func (f *Follower) fileOf(at int64) *generation {
	g := f.cur
	for i := len(f.old) - 1; i >= 0 && at < g.base+g.first; i-- {
		g = f.old[i]
	}
	return g
}

// forget closes the files in which no open record began.
func (f *Follower) forget() {
	at := f.scan.settled()
	for len(f.old) > 0 {
		next := f.cur
		if len(f.old) > 1 {
			next = f.old[1]
		}
		if at < next.base+next.first {
			return
		}
		f.old[0].file.Close()
		f.old = f.old[1:]
	}
}

// detect finds the format from the beginning of the file, and again when the
// file is twice as long, until there is enough of it.
func (f *Follower) detect() {
	if f.sampled >= detectSize {
		return
	}
	info, err := f.cur.file.Stat()
	if err != nil || info.Size() == 0 || info.Size() < 2*f.sampled {
		return
	}
	head := make([]byte, min(info.Size(), detectSize))
	n, err := f.cur.file.ReadAt(head, 0)
	if err != nil && err != io.EOF || n == 0 {
		return
	}
	f.sampled = int64(n)
	f.scan.guessFrom(head[:n], f.options.Format)
}

// resume goes on reading a log that grows, behind what was its end.
func (s *Scanner) resume() { s.src.eof, s.src.err = false, nil }

// closeAll ends the records that wait for further lines.
func (s *Scanner) closeAll() {
	for _, e := range s.queue {
		e.closed = true
	}
}

// guessFrom finds the format anew from the beginning of a log that grows.
func (s *Scanner) guessFrom(head []byte, format string) {
	g := detect(head, s.set, format)
	if s.guess == nil || g.format != nil {
		s.ghost.open = false
		s.guess, s.started = g, true
		s.clock.hint(g.wall)
	}
}
