package incident

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"

	"go.yaml.in/yaml/v3"
)

// An Update is a new expectation for a case that has not been written yet.
type Update struct {
	// Diff shows what changes in the expect block of case.yaml: lines that go
	// begin with -, lines that come with +. Empty when nothing changes.
	Diff string
	c    *Case
	data []byte // the new case.yaml
}

// UpdateExpect prepares to write e as the expectation of the case at path. Only
// the expect block of case.yaml changes; comments stay where the entry that they
// belong to stays. Nothing is written before Apply.
func UpdateExpect(path string, e *Expect) (*Update, error) {
	c, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	old, err := c.caseYAML()
	if err != nil {
		return nil, err
	}
	before, block, after, err := cutExpect(c.file, old)
	if err != nil {
		return nil, err
	}
	fresh, err := newBlock(c.file, old, e)
	if err != nil {
		return nil, err
	}
	if bytes.Contains(old, []byte("\r\n")) {
		fresh = bytes.ReplaceAll(fresh, []byte("\n"), []byte("\r\n"))
	}
	u := &Update{c: c, data: bytes.Join([][]byte{before, fresh, after}, nil)}
	if err := u.verify(e); err != nil {
		return nil, err
	}
	if !bytes.Equal(block, fresh) {
		u.Diff = diffLines(block, fresh)
	}
	return u, nil
}

// caseYAML returns the bytes of case.yaml.
func (c *Case) caseYAML() ([]byte, error) {
	if a, ok := c.store.(*archive); ok {
		cur, err := openCursor(a.path)
		if err != nil {
			return nil, err
		}
		defer cur.Close()
		if err := cur.skipTo(caseYAML); err != nil {
			return nil, a.wrap(err)
		}
		return io.ReadAll(io.LimitReader(cur, maxSmall))
	}
	return c.store.read(caseYAML)
}

// cutExpect splits case.yaml into what stands before the expect block, the
// block, and what stands behind it. Without a block it is empty and at the end.
func cutExpect(path string, data []byte) (before, block, after []byte, err error) {
	root, err := yamlFile{path}.root(data)
	if err != nil {
		return nil, nil, nil, err
	}
	key, _ := lookup(root, "expect")
	if key == nil {
		if !bytes.HasSuffix(data, []byte("\n")) {
			data = append(bytes.Clone(data), '\n')
		}
		return data, nil, nil, nil
	}
	lines := bytes.SplitAfter(data, []byte("\n"))
	first, last := key.Line-1, key.Line
	for i := last; i < len(lines) && isInner(lines[i]); i++ {
		if len(bytes.TrimSpace(lines[i])) > 0 {
			last = i + 1
		}
	}
	join := func(ls [][]byte) []byte { return bytes.Join(ls, nil) }
	return join(lines[:first]), join(lines[first:last]), join(lines[last:]), nil
}

// isInner reports whether a line belongs to the block of the key above it.
func isInner(line []byte) bool {
	return len(bytes.TrimSpace(line)) == 0 || line[0] == ' ' || line[0] == '-'
}

// lookup finds a key of a mapping and its value.
func lookup(n *yaml.Node, name string) (key, value *yaml.Node) {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == name {
			return n.Content[i], n.Content[i+1]
		}
	}
	return nil, nil
}

// newBlock is the expect block for e, with the comments of the old one.
func newBlock(path string, old []byte, e *Expect) ([]byte, error) {
	root, err := yamlFile{path}.root(old)
	if err != nil {
		return nil, err
	}
	key, value := lookup(root, "expect")
	fresh := expectNode(e)
	if key == nil {
		key = plain("expect")
	} else {
		keep(value, fresh)
	}
	key.HeadComment, key.FootComment = "", "" // they stand outside the block
	return encodeYAML(&yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{key, fresh}})
}

// keep gives the entries of fresh that old has too the style and the comments
// of the old ones.
func keep(old, fresh *yaml.Node) {
	fresh.HeadComment, fresh.LineComment, fresh.FootComment = old.HeadComment, old.LineComment, old.FootComment
	if old.Kind == fresh.Kind && len(fresh.Content) > 0 {
		fresh.Style = old.Style
	}
	switch {
	case old.Kind != fresh.Kind:
	case fresh.Kind == yaml.MappingNode:
		for i := 0; i+1 < len(fresh.Content); i += 2 {
			if k, v := lookup(old, fresh.Content[i].Value); k != nil {
				fresh.Content[i] = k
				keep(v, fresh.Content[i+1])
			}
		}
	case fresh.Kind == yaml.SequenceNode:
		for _, f := range fresh.Content {
			for _, o := range old.Content {
				if sameEntry(o, f) {
					keep(o, f)
				}
			}
		}
	}
}

// sameEntry reports whether two entries of a list are about the same thing.
func sameEntry(a, b *yaml.Node) bool {
	if a.Kind == yaml.MappingNode && b.Kind == yaml.MappingNode {
		_, x := lookup(a, "id")
		_, y := lookup(b, "id")
		return x != nil && y != nil && x.Value == y.Value
	}
	return a.Kind == yaml.ScalarNode && b.Kind == yaml.ScalarNode && a.Value == b.Value
}

// verify makes sure that the new case.yaml says what it should and nothing else
// has changed.
func (u *Update) verify(e *Expect) error {
	var fresh Case
	if err := parseCase(&fresh, u.c.file, u.data); err != nil {
		return err
	}
	same := fresh.Title == u.c.Title && fresh.Source == u.c.Source && fresh.Confidence == u.c.Confidence &&
		fresh.Why == u.c.Why && fresh.Start.Equal(u.c.Start) && reflect.DeepEqual(fresh.Facts, u.c.Facts)
	want, _ := encodeYAML(expectNode(e))
	got, _ := encodeYAML(expectNode(fresh.Expect))
	if !same || !bytes.Equal(want, got) {
		return fault(u.c.file, 0, "its layout does not allow to change the expectation alone; edit it by hand")
	}
	return nil
}

// Apply writes the new expectation. The old file stays until the new one is
// complete.
func (u *Update) Apply() error {
	if _, ok := u.c.store.(*archive); ok {
		return replaceFile(u.c.Dir, func(w io.Writer) error { return repack(u.c.Dir, u.data, w) })
	}
	return replaceFile(filepath.Join(u.c.Dir, caseYAML), func(w io.Writer) error {
		_, err := w.Write(u.data)
		return err
	})
}

// replaceFile writes a file beside path and renames it to path.
func replaceFile(path string, write func(io.Writer) error) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	err = errors.Join(write(f), f.Chmod(info.Mode().Perm()), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// repack copies the archive at path to w with another case.yaml.
func repack(path string, data []byte, w io.Writer) error {
	cur, err := openCursor(path)
	if err != nil {
		return err
	}
	defer cur.Close()
	sink, err := newArchiveSink(w)
	if err != nil {
		return err
	}
	for {
		name, err := cur.next()
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return sink.finish()
		}
		if err != nil {
			return err
		}
		body := data
		if name != caseYAML {
			body, err = io.ReadAll(cur)
		}
		if errors.Is(err, io.ErrUnexpectedEOF) {
			return sink.finish()
		}
		if err != nil {
			return err
		}
		if err := sink.put(name, cur.head.ModTime, body); err != nil {
			return err
		}
	}
}
