package logparse

import (
	"errors"
	"io/fs"
	"os"
	"time"
)

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
