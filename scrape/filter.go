package scrape

import (
	"bytes"
	"encoding/binary"
	"maps"
	"slices"
)

// A Filter is a set of metric names, made to be asked once for every line of a
// page. It is not changed after it was made and may be shared. The nil Filter
// wants every name.
type Filter struct {
	names map[string]bool
	// slots is a hash table with the names of eight bytes and more, by their
	// first eight bytes. Its length is a power of two.
	slots []slot
	shift uint
	short [256][]string          // shorter names, by their first byte
	match func(name string) bool // further names; nil for none
}

// A slot holds the names that begin with the same eight bytes.
type slot struct {
	prefix uint64
	names  []string
}

// NewFilter returns the filter that wants names: names of samples as they stand
// on the page, so x_count and x_bucket and not the x of a histogram.
func NewFilter(names []string) *Filter {
	f := &Filter{names: make(map[string]bool, len(names)), shift: 64 - 3}
	for 1<<(64-f.shift) < 4*len(names) {
		f.shift--
	}
	f.slots = make([]slot, 1<<(64-f.shift))
	for _, name := range names {
		if name != "" && !f.names[name] {
			f.names[name] = true
			f.insert(name)
		}
	}
	return f
}

func (f *Filter) insert(name string) {
	if len(name) < 8 {
		f.short[name[0]] = append(f.short[name[0]], name)
		return
	}
	prefix := binary.LittleEndian.Uint64([]byte(name))
	s := f.find(prefix)
	s.prefix = prefix
	s.names = append(s.names, name)
}

// find returns the slot of prefix, or the free one where it belongs. At least
// three slots of four are free.
func (f *Filter) find(prefix uint64) *slot {
	const golden = 0x9E3779B97F4A7C15 // 2^64 divided by the golden ratio: spreads similar prefixes
	for i := prefix * golden >> f.shift; ; i++ {
		s := &f.slots[i&uint64(len(f.slots)-1)]
		if s.prefix == prefix || s.names == nil {
			return s
		}
	}
}

// OrMatching returns a filter that also wants the names that match accepts. A
// page is searched for such names when it is first read and now and then, not
// at every line.
func (f *Filter) OrMatching(match func(name string) bool) *Filter {
	g := NewFilter(slices.Collect(maps.Keys(f.names)))
	g.match = match
	return g
}

// Wants tells whether name is one of the filter's.
func (f *Filter) Wants(name string) bool {
	return f == nil || f.names[name] || f.match != nil && f.match(name)
}

// learn returns the filter with the names of a page in the text format that
// match accepts; the filter itself when there is no new one.
func (f *Filter) learn(page []byte) *Filter {
	seen := map[string]bool{}
	var found []string
	for line := range bytes.Lines(page) {
		end := 0
		for end < len(line) && inName(line[end]) {
			end++
		}
		if end == 0 || seen[string(line[:end])] {
			continue
		}
		name := string(line[:end])
		seen[name] = true
		if !f.names[name] && f.match(name) {
			found = append(found, name)
		}
	}
	if len(found) == 0 {
		return f
	}
	g := NewFilter(append(slices.Collect(maps.Keys(f.names)), found...))
	g.match = f.match
	return g
}

// wantsLine tells whether line, which is not empty, begins with a name of the
// filter's. It looks at no more of the line than it must.
func (f *Filter) wantsLine(line []byte) bool {
	if f == nil {
		return true
	}
	if len(line) >= 8 {
		if s := f.find(binary.LittleEndian.Uint64(line)); anyBegins(line, s.names) {
			return true
		}
	}
	return anyBegins(line, f.short[line[0]])
}

// anyBegins tells whether one of names is the whole name that line begins with.
func anyBegins(line []byte, names []string) bool {
	for _, name := range names {
		end := len(name)
		if len(line) > end && !inName(line[end]) && string(line[:end]) == name {
			return true
		}
	}
	return false
}

// inName tells whether c may stand in a metric name that is not quoted.
func inName(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= ':' || c == '_'
}
