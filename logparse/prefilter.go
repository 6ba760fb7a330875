package logparse

import (
	"encoding/binary"
	"fmt"
)

// The filter looks at gramLen bytes every stride bytes. A literal of
// MinLiteral bytes holds a whole gram at one of stride neighbouring places, so
// that one of its grams is always looked at.
const (
	gramLen = 5
	stride  = 5

	// MinLiteral is the shortest literal that a Prefilter accepts.
	MinLiteral = gramLen + stride - 1
)

// A Prefilter finds, in one pass, the places in a text where any of many
// literals stands. It looks at every five bytes, asks a table of
// 128 KiB whether a literal may hold these in its rarest part, and compares only
// then: without a hit a byte costs the same whatever the number of
// literals, up to some thousands.
//
// A Prefilter is not modified after it was made and may be shared by
// goroutines. The zero value finds nothing.
type Prefilter struct {
	literals []string
	marks    [1 << hashBits]uint8 // by the hash of a gram: the mark of the gram that is there, 0 none
	heads    [1 << headBits]int32 // by a shorter hash: index of the first entry plus one
	entries  []gramEntry
}

const (
	hashBits = 17
	headBits = 12
)

// A gramEntry says that a literal holds a gram at an offset.
type gramEntry struct {
	gram    uint64
	literal int32
	offset  int32
	next    int32 // index of the next entry plus one
}

// NewPrefilter returns a filter for literals, which must differ. It returns an
// error for a literal shorter than MinLiteral.
func NewPrefilter(literals []string) (*Prefilter, error) {
	p := &Prefilter{literals: literals}
	for i, l := range literals {
		if len(l) < MinLiteral {
			return nil, fmt.Errorf("literal %q is shorter than %d bytes", l, MinLiteral)
		}
		p.add(int32(i), l)
	}
	return p, nil
}

// add enters the grams of a literal's rarest part.
func (p *Prefilter) add(id int32, literal string) {
	from, _ := rarestWindow(literal)
	for o := from; o < from+stride; o++ {
		gram := gramAt([]byte(literal), o)
		at, mark := hashOf(gram)
		if old := p.marks[at]; old != 0 && old != mark {
			mark = anyMark
		}
		p.marks[at] = mark
		head := &p.heads[at>>(hashBits-headBits)]
		p.entries = append(p.entries, gramEntry{gram: gram, literal: id, offset: int32(o), next: *head})
		*head = int32(len(p.entries))
	}
}

// anyMark stands where several grams meet.
const anyMark = 0xFF

// gramAt returns the gram at b[i:], of which there are at least gramLen bytes;
// b has at least 8. The bytes behind the gram are above its bits and do not
// reach the hash.
func gramAt(b []byte, i int) uint64 {
	if i+8 <= len(b) {
		return binary.LittleEndian.Uint64(b[i:]) & gramMask
	}
	last := len(b) - 8
	return binary.LittleEndian.Uint64(b[last:]) >> (8 * (i - last)) & gramMask
}

const gramMask = 1<<(8*gramLen) - 1

// hashOf takes the lowest gramLen bytes of eight: the factor has as many zero
// bits at its end as the others take. The mark is another part of the product,
// and never 0.
func hashOf(eight uint64) (at uint32, mark uint8) {
	product := eight * (0x9E3779B97F << (64 - 8*gramLen))
	return uint32(product >> (64 - hashBits)), uint8(product>>(64-hashBits-8)) | 1
}

// Find returns where the first literal in b begins, or -1. A literal that is
// cut by the end of b is not found: give it whole lines.
func (p *Prefilter) Find(b []byte) int {
	for i := p.skip(b, 0); i >= 0; i = p.skip(b, i+stride) {
		gram := gramAt(b, i)
		for e := p.head(gram); e != nil; e = p.after(e) {
			if e.gram == gram && p.stands(e, b, i) {
				return i - int(e.offset)
			}
		}
	}
	return -1
}

// Collect adds to set every literal that stands in b.
func (p *Prefilter) Collect(b []byte, set *LiteralSet) {
	for i := p.skip(b, 0); i >= 0; i = p.skip(b, i+stride) {
		gram := gramAt(b, i)
		for e := p.head(gram); e != nil; e = p.after(e) {
			if e.gram == gram && p.stands(e, b, i) {
				set.add(e.literal)
			}
		}
	}
}

// head returns the first of the entries that may hold gram, or nil.
func (p *Prefilter) head(gram uint64) *gramEntry {
	at, _ := hashOf(gram)
	return p.entry(p.heads[at>>(hashBits-headBits)])
}

func (p *Prefilter) after(e *gramEntry) *gramEntry { return p.entry(e.next) }

func (p *Prefilter) entry(n int32) *gramEntry {
	if n == 0 {
		return nil
	}
	return &p.entries[n-1]
}

// stands tells whether the literal of e stands in b with its gram at i.
func (p *Prefilter) stands(e *gramEntry, b []byte, i int) bool {
	start := i - int(e.offset)
	return start >= 0 && hasPrefix(b[start:], p.literals[e.literal])
}

// blockLen is what eight places reach over.
const blockLen = 7*stride + 8

// skip returns the next place whose gram may belong to a literal, or -1, when
// those up to i-stride have been looked at. Places are a stride apart; the last
// eight are counted from the end of b, which only brings them closer.
func (p *Prefilter) skip(b []byte, i int) int {
	if len(b) < blockLen {
		return p.skipShort(b, i)
	}
	for i+gramLen <= len(b) {
		at := min(i, len(b)-blockLen)
		s := b[at : at+blockLen]
		h0, _ := hashOf(binary.LittleEndian.Uint64(s))
		h1, _ := hashOf(binary.LittleEndian.Uint64(s[stride:]))
		h2, _ := hashOf(binary.LittleEndian.Uint64(s[2*stride:]))
		h3, _ := hashOf(binary.LittleEndian.Uint64(s[3*stride:]))
		h4, _ := hashOf(binary.LittleEndian.Uint64(s[4*stride:]))
		h5, _ := hashOf(binary.LittleEndian.Uint64(s[5*stride:]))
		h6, _ := hashOf(binary.LittleEndian.Uint64(s[6*stride:]))
		h7, _ := hashOf(binary.LittleEndian.Uint64(s[7*stride:]))
		m := &p.marks
		if m[h0]|m[h1]|m[h2]|m[h3]|m[h4]|m[h5]|m[h6]|m[h7] != 0 {
			for k := 0; k < 8; k++ {
				if at+k*stride > i-stride && p.marked(binary.LittleEndian.Uint64(s[k*stride:][:8])) {
					return at + k*stride
				}
			}
		}
		i = at + 8*stride
	}
	return -1
}

// skipShort is skip in a text shorter than a block.
func (p *Prefilter) skipShort(b []byte, i int) int {
	for ; i+gramLen <= len(b) && len(b) >= 8; i += stride {
		if p.marked(gramAt(b, i)) {
			return i
		}
	}
	return -1
}

// marked tells whether the gram at the start of eight may belong to a literal.
func (p *Prefilter) marked(eight uint64) bool {
	at, mark := hashOf(eight)
	m := p.marks[at]
	return m == mark || m == anyMark
}

func hasPrefix(b []byte, s string) bool {
	return len(b) >= len(s) && string(b[:len(s)]) == s
}

// A LiteralSet is the set of literals found in one text. The zero value is
// ready; Reset keeps its memory.
type LiteralSet struct {
	seen []uint64
	ids  []int32
}

// Reset empties the set.
func (s *LiteralSet) Reset() {
	for _, id := range s.ids {
		s.seen[id>>6] &^= 1 << (id & 63)
	}
	s.ids = s.ids[:0]
}

func (s *LiteralSet) add(id int32) {
	for int(id>>6) >= len(s.seen) {
		s.seen = append(s.seen, 0)
	}
	if s.seen[id>>6]>>(id&63)&1 == 0 {
		s.seen[id>>6] |= 1 << (id & 63)
		s.ids = append(s.ids, id)
	}
}
