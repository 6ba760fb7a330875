package logparse

import (
	"hash/fnv"
	"io"
)

// A Position is a place in a followed log, from which another Follower can go
// on: everything before it was handed out. The zero value is no place.
type Position struct {
	Path   string `json:"path"`
	Device uint64 `json:"device,omitempty"`
	Inode  uint64 `json:"inode,omitempty"`
	Offset int64  `json:"offset"`
	// Mark is a hash of the first MarkLen bytes of the file: it tells the file
	// from another one that got its inode, and finds the copy of a truncated one.
	Mark    uint64 `json:"mark"`
	MarkLen int64  `json:"markLen"`
}

// markSize is how many bytes of a file its mark is made of, when it has them.
const markSize = 1 << 10

// A mark is a fingerprint of the beginning of a file.
type mark struct {
	sum uint64
	len int64
}

// markOf returns the mark of the first n bytes of a file, at most markSize. It
// is not ok when the file has fewer.
func markOf(f io.ReaderAt, n int64) (m mark, ok bool) {
	buf := make([]byte, min(n, markSize))
	if k, _ := f.ReadAt(buf, 0); k < len(buf) {
		return mark{}, false
	}
	return markText(buf), true
}

// markText returns the mark of a file that begins with text.
func markText(text []byte) mark {
	text = text[:min(len(text), markSize)]
	h := fnv.New64a()
	h.Write(text)
	return mark{h.Sum64(), int64(len(text))}
}

// grown returns the mark of more of a file, as long as the file still begins as
// it did.
func (m mark) grown(f io.ReaderAt) mark {
	buf := make([]byte, markSize)
	n, _ := f.ReadAt(buf, 0)
	if int64(n) <= m.len || m.len > 0 && markText(buf[:m.len]) != m {
		return m
	}
	return markText(buf[:n])
}

// holds says whether a file still begins as it did.
func (m mark) holds(f io.ReaderAt) bool {
	if m.len == 0 {
		return true
	}
	now, ok := markOf(f, m.len)
	return ok && now == m
}
