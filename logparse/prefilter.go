package logparse

import (
	"encoding/binary"
	"fmt"
	"math/bits"
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
// literals stands. At every sixth byte it asks a table of 256 KiB whether a
// literal may hold the four bytes there in its rarest part, and compares only
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
	hashBits = 18
	headBits = 12
)

// A gramEntry says that a literal holds a gram at an offset.
type gramEntry struct {
	eight   uint64 // eight bytes of the literal, the gram among them
	before  int32  // how many of these stand before the gram
	offset  int32
	literal int32
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
		at, mark := hashOf(gramAt([]byte(literal), o))
		if old := p.marks[at]; old != 0 && old != mark {
			mark = anyMark
		}
		p.marks[at] = mark
		first := min(o, len(literal)-8)
		head := &p.heads[at>>(hashBits-headBits)]
		p.entries = append(p.entries, gramEntry{
			eight: word([]byte(literal[first:])), before: int32(o - first), offset: int32(o), literal: id, next: *head,
		})
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

// hashFactor takes the lowest gramLen bytes of eight into a product: it has as
// many zero bits at its end as the others take. The slot is the product's
// highest bits.
const (
	hashFactor = 0x9E3779B97F << (64 - 8*gramLen)
	hashShift  = 64 - hashBits
)

// hashOf returns the slot of a gram and its mark, which is another part of the
// product and never 0.
func hashOf(eight uint64) (at uint64, mark uint8) {
	product := eight * hashFactor
	return product >> hashShift, uint8(product>>(hashShift-8)) | 1
}

// Find returns where the first literal in b begins, or -1. A literal that is
// cut by the end of b is not found: give it whole lines.
func (p *Prefilter) Find(b []byte) int {
	found := -1
	p.each(b, func(e *gramEntry, i int) bool {
		found = i - int(e.offset)
		return false
	})
	return found
}

// Collect adds to set every literal that stands in b.
func (p *Prefilter) Collect(b []byte, set *LiteralSet) {
	p.each(b, func(e *gramEntry, _ int) bool {
		set.add(e.literal)
		return true
	})
}

// blockLen is what eight places reach over.
const blockLen = 7*stride + 8

// each calls f for every literal in b, with the place of its gram, until f
// says that it is enough. Places are a stride apart; the last eight are counted
// from the end of b, which only brings them closer.
func (p *Prefilter) each(b []byte, f func(e *gramEntry, i int) bool) {
	if len(b) < blockLen {
		p.eachShort(b, f)
		return
	}
	for i, marks := p.skip(b, 0); marks != 0; i, marks = p.skip(b, i+8*stride) {
		for marks != 0 {
			k := bits.TrailingZeros64(marks) / 8
			if !p.try(b, i+k*stride, f) {
				return
			}
			marks &^= 0xFF << (8 * k)
		}
	}
}

// skip returns the first eight places, from i on, of which one has a mark, and
// their marks, the first one lowest; no marks if there are none.
func (p *Prefilter) skip(b []byte, i int) (at int, marks uint64) {
	le := binary.LittleEndian // without functions in between, each of which costs an instruction
	for ; i+gramLen <= len(b); i += 8 * stride {
		i = min(i, len(b)-blockLen)
		s := (*[blockLen]byte)(b[i:])
		m0 := p.marks[le.Uint64(s[:])*hashFactor>>hashShift]
		m1 := p.marks[le.Uint64(s[stride:])*hashFactor>>hashShift]
		m2 := p.marks[le.Uint64(s[2*stride:])*hashFactor>>hashShift]
		m3 := p.marks[le.Uint64(s[3*stride:])*hashFactor>>hashShift]
		m4 := p.marks[le.Uint64(s[4*stride:])*hashFactor>>hashShift]
		m5 := p.marks[le.Uint64(s[5*stride:])*hashFactor>>hashShift]
		m6 := p.marks[le.Uint64(s[6*stride:])*hashFactor>>hashShift]
		m7 := p.marks[le.Uint64(s[7*stride:])*hashFactor>>hashShift]
		if m0|m1|m2|m3|m4|m5|m6|m7 != 0 {
			return i, uint64(m0) | uint64(m1)<<8 | uint64(m2)<<16 | uint64(m3)<<24 |
				uint64(m4)<<32 | uint64(m5)<<40 | uint64(m6)<<48 | uint64(m7)<<56
		}
	}
	return i, 0
}

// eachShort is each in a text shorter than a block.
func (p *Prefilter) eachShort(b []byte, f func(e *gramEntry, i int) bool) {
	for i := 0; i+gramLen <= len(b) && len(b) >= 8; i += stride {
		if !p.try(b, i, f) {
			return
		}
	}
}

// try calls f for the literals that stand in b with a gram at i; false means
// that f has enough.
func (p *Prefilter) try(b []byte, i int, f func(e *gramEntry, i int) bool) bool {
	at, mark := hashOf(gramAt(b, i))
	if m := p.marks[at]; m != mark && m != anyMark {
		return true
	}
	for n := p.heads[at>>(hashBits-headBits)]; n != 0; {
		e := &p.entries[n-1]
		first := i - int(e.before)
		if first >= 0 && first <= len(b)-8 && binary.LittleEndian.Uint64(b[first:]) == e.eight && p.stands(e, b, i) && !f(e, i) {
			return false
		}
		n = e.next
	}
	return true
}

// stands tells whether the literal of e stands in b with its gram at i.
func (p *Prefilter) stands(e *gramEntry, b []byte, i int) bool {
	start := i - int(e.offset)
	return start >= 0 && hasPrefix(b[start:], p.literals[e.literal])
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
