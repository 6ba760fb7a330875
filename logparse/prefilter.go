package logparse

import (
	"encoding/binary"
	"fmt"
)

// gramLen is the number of bytes that the filter looks at in one place.
const gramLen = 4

// MinLiteral is the shortest literal that a Prefilter accepts. A literal of n
// bytes holds a whole gram at one of any n-gramLen+1 neighbouring positions, so
// the shortest literal sets the stride of the scan.
const MinLiteral = 8

// A Prefilter finds, in one pass, the places in a text where any of many
// literals stands. It looks at four bytes every stride bytes (stride is
// MinLiteral-gramLen+1 or more), asks a bit set of 8 KiB whether any literal
// holds these four bytes near its start, and compares only then. The cost of a
// byte without a hit does not depend on the number of literals until they
// number thousands.
//
// A Prefilter is not modified after it was made and may be shared by
// goroutines. The zero value finds nothing.
type Prefilter struct {
	literals []string
	stride   int
	bits     [1 << 10]uint64 // by gram hash
	heads    []int32         // by gram hash, shortened: index of the first entry plus one
	entries  []gramEntry
}

// A gramEntry says that literal holds gram at offset.
type gramEntry struct {
	gram    uint32
	literal int32
	offset  int32
	next    int32 // index of the next entry plus one
}

// NewPrefilter returns a filter for literals; equal literals are one. It
// returns an error for a literal shorter than MinLiteral.
func NewPrefilter(literals []string) (*Prefilter, error) {
	p := &Prefilter{heads: make([]int32, 1<<12)}
	shortest := 0
	for _, l := range literals {
		if len(l) < MinLiteral {
			return nil, fmt.Errorf("literal %q is shorter than %d bytes", l, MinLiteral)
		}
		if shortest == 0 || len(l) < shortest {
			shortest = len(l)
		}
	}
	p.stride = min(shortest, 16) - gramLen + 1
	p.literals = literals
	for i, l := range literals {
		p.add(int32(i), l)
	}
	return p, nil
}

// add enters the grams of a literal's rarest part.
func (p *Prefilter) add(id int32, literal string) {
	from := rarestWindow(literal, p.stride+gramLen-1)
	for o := from; o < from+p.stride; o++ {
		gram := binary.LittleEndian.Uint32([]byte(literal[o : o+gramLen]))
		h := gramHash(gram)
		p.bits[h>>6] |= 1 << (h & 63)
		head := &p.heads[h>>4]
		p.entries = append(p.entries, gramEntry{gram: gram, literal: id, offset: int32(o), next: *head})
		*head = int32(len(p.entries))
	}
}

// gramHash is 16 bits wide.
func gramHash(gram uint32) uint32 { return gram * 0x9E3779B1 >> 16 }

// Find returns where the first literal in b begins, or -1. A literal that is
// cut by the end of b is not found: give it whole lines.
func (p *Prefilter) Find(b []byte) int {
	for i := p.skip(b, 0); i >= 0; i = p.skip(b, i+p.stride) {
		gram := binary.LittleEndian.Uint32(b[i:])
		for e := p.heads[gramHash(gram)>>4]; e != 0; e = p.entries[e-1].next {
			if start := p.entries[e-1].start(gram, i); start >= 0 && hasPrefix(b[start:], p.literals[p.entries[e-1].literal]) {
				return start
			}
		}
	}
	return -1
}

// Collect adds to set every literal that stands in b.
func (p *Prefilter) Collect(b []byte, set *LiteralSet) {
	for i := p.skip(b, 0); i >= 0; i = p.skip(b, i+p.stride) {
		gram := binary.LittleEndian.Uint32(b[i:])
		for e := p.heads[gramHash(gram)>>4]; e != 0; e = p.entries[e-1].next {
			literal := p.entries[e-1].literal
			if start := p.entries[e-1].start(gram, i); start >= 0 && hasPrefix(b[start:], p.literals[literal]) {
				set.add(literal)
			}
		}
	}
}

// start returns where the literal of the entry begins when gram stands at i,
// or a negative number when it is not this gram.
func (e *gramEntry) start(gram uint32, i int) int {
	if e.gram != gram {
		return -1
	}
	return i - int(e.offset)
}

// skip returns the first position at or after i, in steps of stride, whose gram
// may belong to a literal, or -1.
func (p *Prefilter) skip(b []byte, i int) int {
	stride := p.stride
	if stride == 0 {
		return -1
	}
	for ; i+3*stride+gramLen <= len(b); i += 4 * stride {
		h0 := gramHash(binary.LittleEndian.Uint32(b[i:]))
		h1 := gramHash(binary.LittleEndian.Uint32(b[i+stride:]))
		h2 := gramHash(binary.LittleEndian.Uint32(b[i+2*stride:]))
		h3 := gramHash(binary.LittleEndian.Uint32(b[i+3*stride:]))
		any := p.bits[h0>>6]>>(h0&63) | p.bits[h1>>6]>>(h1&63) | p.bits[h2>>6]>>(h2&63) | p.bits[h3>>6]>>(h3&63)
		if any&1 != 0 {
			break
		}
	}
	for ; i+gramLen <= len(b); i += stride {
		h := gramHash(binary.LittleEndian.Uint32(b[i:]))
		if p.bits[h>>6]>>(h&63)&1 != 0 {
			return i
		}
	}
	return -1
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
