package logparse

import "os"

// lingers is for how many polls an old file is still read while the new one is
// empty: its writer may not have turned to the new one.
const lingers = 20

// tries is how often the files of a set are listed anew while they are being
// renamed.
const tries = 20

// begin makes a file the current one.
func (f *Follower) begin(g *generation) {
	stream := f.scan.src.base + int64(f.scan.src.end)
	g.first = g.offset
	g.base = stream - g.offset
	g.lines = f.scan.line - g.linesPassed()
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
