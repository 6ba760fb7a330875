package logparse

import (
	"errors"
	"io/fs"
	"os"
	"time"
)

// lingers is for how many polls an old file is still read while the new one is
// empty: its writer may not have turned to the new one.
const lingers = 20

// tries is how often the files of a set are listed anew while they are being
// renamed.
const tries = 20

// open opens the first file. It is not ok when there is none yet.
func (f *Follower) open() (ok bool, err error) {
	g, err := f.first()
	f.opened = true
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	f.begin(g)
	return true, nil
}

// first opens the file to begin with, at the place to begin. A file that was
// not there when the following began is read from its beginning.
func (f *Follower) first() (*generation, error) {
	at, s := f.start.At, f.start
	switch {
	case f.opened:
	case at.Path != "":
		if g := f.findPosition(&at); g != nil {
			return g, nil
		}
	case !s.Since.IsZero():
		return f.findSince(s.Since)
	case s.End:
		g, err := openGeneration(f.path, 0)
		if err == nil {
			g.offset = lineStart(g.file, g.info.Size())
			g.fresh = g.offset == 0
		}
		return g, err
	}
	return openGeneration(f.path, 0)
}

// findSince opens the file of a rotated set in which a time lies, near it.
func (f *Follower) findSince(since time.Time) (*generation, error) {
	path := f.path
	set := siblings(f.path)
	for i := len(set) - 1; i >= 0; i-- {
		path = set[i].path
		o := f.options
		o.Base = set[i].info.ModTime()
		if first := FirstTime(path, o); !first.IsZero() && first.Before(since) {
			break
		}
	}
	g, err := openGeneration(path, 0)
	if err != nil {
		return nil, err
	}
	o := f.options
	p, err := planFile(g.file, path, &o)
	if err == nil && p.from > 0 {
		g.offset = p.from
		g.fresh = false
	}
	return g, nil
}

// findPosition opens the file that a position is in, wherever it was renamed
// to, or its copy.
func (f *Follower) findPosition(at *Position) *generation {
	m := mark{at.Mark, at.MarkLen}
	for range tries {
		for _, s := range siblings(f.path) {
			device, inode := inodeOf(s.info)
			if device != at.Device || inode != at.Inode || inode == 0 {
				continue
			}
			if g := openMarked(s.path, m); g != nil && os.SameFile(g.info, s.info) && at.Offset <= g.info.Size() {
				return g.moveTo(at.Offset)
			}
		}
		if g := f.findCopy(m, at.Offset, nil); g != nil {
			return g
		}
	}
	return nil
}

// findCopy opens the newest file of the set with a mark, other than not, at an
// offset or at its end, if that comes before; nil if there is none.
func (f *Follower) findCopy(m mark, offset int64, not os.FileInfo) *generation {
	set := siblings(f.path)
	for i := len(set) - 1; i >= 0 && m.len > 0; i-- {
		if not != nil && os.SameFile(set[i].info, not) {
			continue
		}
		if g := openMarked(set[i].path, m); g != nil {
			return g.moveTo(min(offset, g.info.Size()))
		}
	}
	return nil
}

// openMarked opens a file if it has a mark, else it returns nil.
func openMarked(path string, m mark) *generation {
	g, err := openGeneration(path, 0)
	if err != nil {
		return nil
	}
	if !m.holds(g.file) {
		g.file.Close()
		return nil
	}
	return g
}

// moveTo sets the place to read from.
func (g *generation) moveTo(offset int64) *generation {
	g.offset, g.fresh = offset, offset == 0
	return g
}

// begin makes a file the current one.
func (f *Follower) begin(g *generation) {
	stream := f.scan.src.base + int64(f.scan.src.end)
	g.first = g.offset
	g.base = stream - g.offset
	g.lines = f.scan.line
	f.scan.src.r = g
	f.cur = g
	f.quiet = 0
}

// turn goes on to the next file when the current one has been rotated away and
// is read to its end. It says whether it did.
func (f *Follower) turn(hand func(*Record)) bool {
	if f.overtaken() {
		return f.turnTo(f.nextOf(f.cur.after, mark{}), hand)
	}
	if f.cur.truncated() {
		return f.turnTo(f.afterTruncation(f.cur), hand)
	}
	info, err := os.Stat(f.path)
	if err != nil {
		return false
	}
	if os.SameFile(info, f.cur.info) {
		f.cur.wasLog = true
		return false
	}
	if (info.Size() == 0 || f.cur.mark.len == 0) && f.quiet < lingers {
		f.quiet++
		return false
	}
	// The new file has something in it: all that its writer wrote to the old one
	// is there by now.
	if err := f.drain(hand); err != nil {
		return false
	}
	twin := f.cur.mark
	if f.cur.wasLog {
		twin = mark{}
	}
	next := f.nextOf(f.cur.info, twin)
	if next != nil && !next.goesOn {
		// A copy that was not complete before is now.
		if err := f.drain(hand); err != nil {
			next.file.Close()
			return false
		}
	}
	return f.turnTo(next, hand)
}

// overtaken says whether the log, of which nothing was read yet, was copied and
// truncated since it was opened: then there are copies before it.
func (f *Follower) overtaken() bool {
	g := f.cur
	if !g.unread() || g.after == nil {
		return false
	}
	for range tries {
		if yes, sure := follows(siblings(f.path), g.after, g.info); sure {
			return !yes
		}
	}
	return false
}

// turnTo makes another file the current one, if there is one. A last line
// without a newline goes on there, or is complete.
func (f *Follower) turnTo(next *generation, hand func(*Record)) bool {
	if next == nil {
		return false
	}
	next.after = f.cur.info
	if f.cur.unread() && f.cur.after != nil {
		next.after = f.cur.after
	}
	next.sure = func() bool { return !f.overtaken() }
	if f.cur.torn && next.goesOn {
		next.torn = true
	} else if f.cur.torn {
		f.scan.src.breakLine()
		f.hand(hand)
	}
	f.old = append(f.old, f.cur)
	f.begin(next)
	f.forget()
	return true
}

// afterTruncation opens the copy of a file that was truncated, at the place up
// to which the file was read, or at its end, if it is shorter; without a copy it
// opens the file itself at its beginning.
func (f *Follower) afterTruncation(g *generation) *generation {
	for range tries {
		if c := f.findCopy(g.mark, g.offset, g.info); c != nil {
			c.goesOn = c.offset == g.offset
			return c
		}
	}
	again, err := openGeneration(f.path, 0)
	if err != nil {
		return nil
	}
	return again
}

// nextOf opens the file that came after another one. While names move it looks
// again: the two must stand beside each other after the opening. A next file
// with the mark twin is the log of which the other one is a copy, perhaps not
// yet complete: it is read on at the same place.
func (f *Follower) nextOf(info os.FileInfo, twin mark) *generation {
	for range tries {
		set := siblings(f.path)
		at, times := place(set, info)
		if times != 1 || at+1 >= len(set) {
			if f.elsewhere(info) {
				return f.nextWithout(info, set)
			}
			continue
		}
		next, err := openGeneration(set[at+1].path, 0)
		if err != nil {
			continue
		}
		if twin.len > 0 && twin.holds(next.file) && next.info.Size() >= f.cur.offset {
			next.moveTo(f.cur.offset)
			next.mark, next.goesOn = twin, true
		}
		if yes, sure := follows(siblings(f.path), info, next.info); yes && sure {
			return next
		}
		next.file.Close()
	}
	return nil
}

// elsewhere says whether a file is not in the set: it was deleted, or a symbolic
// link was set to a file in another folder.
func (f *Follower) elsewhere(info os.FileInfo) bool {
	for range tries {
		if _, times := place(siblings(f.path), info); times > 0 {
			return false
		}
	}
	return true
}

// nextWithout opens the next file when the one before is not in the set: the
// oldest one that was written to after it, else the log itself.
func (f *Follower) nextWithout(info os.FileInfo, set []sibling) *generation {
	path := f.path
	for _, s := range set {
		if !s.info.ModTime().Before(info.ModTime()) {
			path = s.path
			break
		}
	}
	next, err := openGeneration(path, 0)
	if err != nil {
		return nil
	}
	return next
}
