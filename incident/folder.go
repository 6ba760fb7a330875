package incident

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
)

// A folder is an incident that is not packed. Links that lead out of it are
// refused by os.Root.
type folder struct{ root *os.Root }

func openFolder(c *Case) error {
	root, err := os.OpenRoot(c.Dir)
	if err != nil {
		return err
	}
	f := &folder{root}
	x := newIndex(c.Dir)
	if err := f.index(x); err != nil {
		return errors.Join(err, root.Close())
	}
	if err := x.build(c, f); err != nil {
		return errors.Join(err, root.Close())
	}
	return nil
}

// index looks at case.yaml and at the two levels below scrapes and logs.
func (f *folder) index(x *index) error {
	if err := f.add(x, caseYAML); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, top := range []string{"scrapes", "logs"} {
		if err := f.addAll(x, top, 2); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

func (f *folder) addAll(x *index, dir string, levels int) error {
	entries, err := fs.ReadDir(f.root.FS(), dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		info, err := f.root.Stat(name)
		if err != nil {
			return err
		}
		switch {
		case !info.IsDir():
			err = f.add(x, name)
		case levels > 1:
			err = f.addAll(x, name, levels-1)
		default:
			err = fault(x.path(name), 0, "a folder where a file belongs")
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (f *folder) add(x *index, name string) error {
	info, err := f.root.Stat(name)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fault(x.path(name), 0, "is not a regular file")
	}
	file, err := x.add(name, info.Size())
	if err != nil || !file.small() {
		return err
	}
	x.small[name], err = f.readAtMost(name, file.limit())
	return err
}

func (f *folder) read(name string) ([]byte, error) { return f.readAtMost(name, maxTimed) }

func (f *folder) readAtMost(name string, limit int64) ([]byte, error) {
	r, err := f.root.Open(name)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	b, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err == nil && int64(len(b)) > limit {
		return nil, fmt.Errorf("%s has more than %d bytes", r.Name(), limit)
	}
	return b, err
}

func (f *folder) open(names []string) (io.ReadCloser, error) {
	if len(names) == 1 {
		return f.root.Open(names[0])
	}
	return &chain{names: names, next: func(name string) (io.ReadCloser, error) { return f.root.Open(name) }}, nil
}

func (f *folder) Close() error { return f.root.Close() }

// A chain reads files one after the other and has one of them open.
type chain struct {
	names []string
	next  func(name string) (io.ReadCloser, error)
	cur   io.ReadCloser
}

func (c *chain) Read(p []byte) (int, error) {
	for {
		if c.cur == nil {
			if len(c.names) == 0 {
				return 0, io.EOF
			}
			r, err := c.next(c.names[0])
			if err != nil {
				return 0, err
			}
			c.cur, c.names = r, c.names[1:]
		}
		n, err := c.cur.Read(p)
		if !errors.Is(err, io.EOF) {
			return n, err
		}
		if n > 0 {
			return n, nil
		}
		if err := c.Close(); err != nil {
			return 0, err
		}
	}
}

func (c *chain) Close() error {
	if c.cur == nil {
		return nil
	}
	r := c.cur
	c.cur = nil
	return r.Close()
}
