package incident

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
)

// An archive is an incident in one .capdoctor file. A small one is kept in
// memory; of a large one only the index is, and its entries are read in passes
// over the file.
type archive struct {
	path string
	mem  map[string][]byte // contents of all entries; nil in a large archive
	// cur stands behind the entry that was read last, whose content is lastBody.
	cur      *cursor
	last     string
	lastBody []byte
	files    map[string]file
}

func openArchive(c *Case) error {
	a := &archive{path: c.Dir, mem: map[string][]byte{}}
	x := newIndex(c.Dir)
	truncated, err := a.index(x)
	if err != nil {
		return err
	}
	a.files, c.Truncated = x.files, truncated
	if truncated && x.small[caseYAML] == nil {
		return fault(c.Dir, 0, "ends before its case.yaml: the file is cut off")
	}
	if err := x.build(c, a); err != nil {
		return err
	}
	if a.mem == nil {
		return a.checkOrder(c)
	}
	return nil
}

// index reads the whole archive once. A file that ends too early is an archive
// up to its last whole entry.
func (a *archive) index(x *index) (truncated bool, err error) {
	cur, err := openCursor(a.path)
	if err != nil {
		return false, err
	}
	defer cur.Close()
	for n := 0; ; n++ {
		name, err := cur.next()
		switch {
		case errors.Is(err, io.EOF):
			err := cur.drain()
			if errors.Is(err, io.ErrUnexpectedEOF) {
				return true, nil
			}
			return false, a.wrap(err)
		case errors.Is(err, io.ErrUnexpectedEOF):
			x.dropLastBody()
			return true, nil
		case err != nil:
			return false, a.wrap(err)
		case n == maxEntries:
			return false, fault(a.path, 0, "holds more than %d entries", maxEntries)
		}
		switch err := a.take(x, cur, name); {
		case errors.Is(err, io.ErrUnexpectedEOF):
			delete(x.files, name)
			x.dropLastBody()
			return true, nil
		case err != nil:
			return false, a.wrap(err)
		}
	}
}

// take reads one entry.
func (a *archive) take(x *index, cur *cursor, name string) error {
	f, err := x.add(name, cur.size())
	if err != nil {
		return err
	}
	if x.total > maxInMemory {
		a.mem = nil
	}
	if !f.small() && (a.mem == nil || f.class == otherFile) {
		_, err := io.Copy(io.Discard, cur)
		return err
	}
	body, err := io.ReadAll(cur)
	if err != nil {
		return err
	}
	if f.small() {
		x.small[name] = body
	} else {
		a.mem[name] = body
	}
	return nil
}

// dropLastBody forgets a body that ends the archive: what is said about it
// would have come behind it.
func (x *index) dropLastBody() {
	for name, f := range x.files {
		if f.order == len(x.files)-1 && f.ext == "prom" {
			delete(x.files, name)
			return
		}
	}
}

// wrap names the archive in an error that does not.
func (a *archive) wrap(err error) error {
	var named *Error
	var pathError *fs.PathError
	if err == nil || errors.As(err, &named) || errors.As(err, &pathError) {
		return err
	}
	return fault(a.path, 0, "corrupt: %v", err)
}

// checkOrder makes sure that the scrapes in order of time and the parts of each
// log are one pass over a large archive.
func (a *archive) checkOrder(c *Case) error {
	before := -1
	for _, s := range c.InOrder() {
		if s.entry == "" {
			continue
		}
		order := a.files[s.entry].order
		if order < before {
			return fault(a.path+"/"+s.entry, 0, "stands out of order of time in an archive of more than %d MB; unpack it and use the folder", maxInMemory>>20)
		}
		before = order
	}
	for _, l := range c.Logs {
		for i := 1; i < len(l.parts); i++ {
			if a.files[l.parts[i]].order < a.files[l.parts[i-1]].order {
				return fault(a.path+"/"+l.parts[i], 0, "stands before the part that it follows")
			}
		}
	}
	return nil
}

// read returns one entry. In a large archive reading backwards begins a new
// pass over the file.
func (a *archive) read(name string) ([]byte, error) {
	if a.mem != nil {
		return bytes.Clone(a.mem[name]), nil
	}
	if a.last != name {
		body, err := a.seek(name)
		if err != nil {
			return nil, a.wrap(err)
		}
		a.last, a.lastBody = name, body
	}
	return bytes.Clone(a.lastBody), nil
}

func (a *archive) seek(name string) ([]byte, error) {
	if a.cur == nil || a.last == "" || a.files[name].order < a.files[a.last].order {
		if err := a.Close(); err != nil {
			return nil, err
		}
		cur, err := openCursor(a.path)
		if err != nil {
			return nil, err
		}
		a.cur = cur
	}
	if err := a.cur.skipTo(name); err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(a.cur, maxTimed))
}

func (a *archive) open(names []string) (io.ReadCloser, error) {
	if a.mem != nil {
		next := func(name string) (io.ReadCloser, error) {
			return io.NopCloser(bytes.NewReader(a.mem[name])), nil
		}
		return &chain{names: names, next: next}, nil
	}
	cur, err := openCursor(a.path)
	if err != nil {
		return nil, err
	}
	next := func(name string) (io.ReadCloser, error) {
		return io.NopCloser(cur), a.wrap(cur.skipTo(name))
	}
	return &archivedLog{chain{names: names, next: next}, cur}, nil
}

// Close ends the present pass over the file.
func (a *archive) Close() error {
	cur := a.cur
	a.cur, a.last, a.lastBody = nil, "", nil
	if cur == nil {
		return nil
	}
	return cur.Close()
}

// An archivedLog is the parts of a log in a pass of its own.
type archivedLog struct {
	chain
	cur *cursor
}

func (l *archivedLog) Close() error { return errors.Join(l.chain.Close(), l.cur.Close()) }

// entryPath is the clean path of a tar entry, "" for a folder. Nothing but
// files and folders inside the archive is allowed.
func entryPath(h *tar.Header) (string, error) {
	name := strings.TrimPrefix(h.Name, "./")
	isDir := h.Typeflag == tar.TypeDir
	if isDir {
		name = strings.TrimSuffix(name, "/")
	}
	if isDir && (name == "" || name == ".") {
		return "", nil
	}
	bad := !fs.ValidPath(name) || name == "." || strings.ContainsAny(name, "\\\x00") || path.Clean(name) != name
	switch {
	case bad:
		return "", fmt.Errorf("the entry %q leads out of the archive or is not a clean path", h.Name)
	case isDir:
		return "", nil
	case h.Typeflag != tar.TypeReg:
		return "", fmt.Errorf("the entry %q is a link or a device, not a file", h.Name)
	}
	for key := range h.PAXRecords {
		if strings.HasPrefix(key, "GNU.sparse.") {
			return "", fmt.Errorf("the entry %q is a sparse file", h.Name)
		}
	}
	return name, nil
}
