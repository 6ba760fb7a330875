package logparse

import (
	"bytes"
	"fmt"
	"strings"
)

const (
	detectSize  = 64 << 10 // bytes from which the format is found
	detectLines = 400      // lines of them that are looked at
)

// A guess is what was found out about a log from its first lines: which formats
// are accepted, and in which order they are tried. It does not change while the
// log is read, so that parts of it can be read apart with the same result.
type guess struct {
	format   *Format // of most lines; nil: none was found
	fast     decoder // reads most lines; nil when there are carriers
	head     *layout // fast, when it is a layout
	indented bool    // first lines may begin with a space
	shaped   bool    // JSON whose first lines hold no status: time and level are enough
	carrier  string  // names of the carriers, "cri+"
	wall     int64   // of the first stamp that has a year, 0: none
	carriers [256][]candidate
	inner    [256][]candidate
}

// name returns the name of the format as it is reported.
func (g *guess) name() string {
	switch {
	case g.format != nil:
		return g.carrier + g.format.Name
	case g.carrier != "":
		return strings.TrimSuffix(g.carrier, "+")
	}
	return unknown
}

// unknown is the name of no format.
const unknown = "unknown"

// detect finds the format of a log from its first bytes. only is the name of
// the one format to accept within carriers, or empty.
func detect(head []byte, set *Formats, only string) *guess {
	v := voter{set: set, only: only, votes: map[decoder]int{}, carriers: map[*Format]int{}}
	for n := 0; n < detectLines && len(head) > 0; n++ {
		line, rest, whole := bytes.Cut(head, []byte("\n"))
		if !whole && v.lines > 0 {
			break
		}
		v.line(line)
		head = rest
	}
	return v.guess()
}

// A voter counts which formats the first lines have.
type voter struct {
	set      *Formats
	only     string
	stamps   stampReader
	votes    map[decoder]int
	carriers map[*Format]int
	order    []*Format // carriers in the order in which they were seen
	first    *Format   // of the first line that has one
	wall     int64
	status   bool // a status was seen
	lines    int  // lines that are not blank
	matched  int
}

// line counts one line.
func (v *voter) line(line []byte) {
	text := clean(nil, line)
	if len(bytes.TrimSpace(text)) == 0 {
		return
	}
	v.lines++
	for range maxDepth {
		f, inner := v.peel(text)
		if f == nil {
			break
		}
		if v.carriers[f] == 0 {
			v.order = append(v.order, f)
		}
		v.carriers[f]++
		text = inner
	}
	if len(text) == 0 {
		return
	}
	for _, c := range v.set.byFirst[text[0]] {
		var h header
		if c.format.Wrap == "hard" || v.only != "" && c.format.Name != v.only || !c.decode(text, &h, &v.stamps) {
			continue
		}
		if v.first == nil {
			v.first = c.format
		}
		v.note(&h.stamp)
		v.status = v.status || h.status != 0
		v.votes[c.decoder]++
		v.matched++
		return
	}
}

// peel takes one carrier off a line.
func (v *voter) peel(text []byte) (*Format, []byte) {
	if len(text) == 0 {
		return nil, nil
	}
	for _, c := range v.set.byFirst[text[0]] {
		var h header
		if c.format.Wrap == "hard" && c.decode(text, &h, &v.stamps) {
			v.note(&h.stamp)
			inner := h.text(nil, h.message.of(text))
			return c.format, bytes.TrimSuffix(inner, []byte("\n"))
		}
	}
	return nil, nil
}

// note keeps the first stamp that has a year.
func (v *voter) note(st *stamp) {
	if v.wall == 0 && st.has&(hasYear|hasWeekYear) == hasYear {
		v.wall = st.naive
	}
}

// guess makes up the result of the count.
func (v *voter) guess() *guess {
	g := &guess{wall: v.wall}
	best := 0
	for _, f := range v.set.list {
		sum, top := 0, 0
		var fast decoder
		for _, d := range f.decoders {
			sum += v.votes[d]
			if v.votes[d] > top {
				top, fast = v.votes[d], d
			}
		}
		if sum > best {
			best, g.format, g.fast = sum, f, fast
		}
	}
	for _, f := range v.order {
		if v.accepts(f) {
			g.carrier += f.Name + "+"
		}
	}
	if g.carrier != "" || g.format != nil && (g.format.Pair || g.format.Decoder == "journal") {
		g.fast = nil
	}
	if _, ok := g.fast.(jsonDecoder); ok {
		g.shaped = !v.status
	}
	if l, ok := g.fast.(*layout); ok {
		g.head, g.indented = l, l.spare
	}
	v.tables(g)
	return g
}

// accepts says whether lines of a format are taken in this log. A loose form
// needs to be that of a tenth of the lines, a loose carrier that of most lines.
func (v *voter) accepts(f *Format) bool {
	if f.Wrap == "hard" {
		return !f.Weak || v.carriers[f]*10 >= v.lines*8
	}
	if v.only != "" {
		return f.Name == v.only
	}
	if !f.Weak {
		return true
	}
	sum := 0
	for _, d := range f.decoders {
		sum += v.votes[d]
	}
	return f == v.first || sum > 0 && sum*10 >= v.matched
}

// tables lists, by first byte, the ways to read a line: the most frequent first.
func (v *voter) tables(g *guess) {
	accepted := map[*Format]bool{}
	for _, f := range v.set.list {
		accepted[f] = v.accepts(f)
	}
	for c := range v.set.byFirst {
		var front, back []candidate
		for _, cand := range v.set.byFirst[c] {
			switch {
			case !accepted[cand.format]:
			case cand.format.Wrap == "hard":
				g.carriers[c] = append(g.carriers[c], cand)
			case cand.format == g.format:
				front = append(front, cand)
			default:
				back = append(back, cand)
			}
		}
		g.inner[c] = append(front, back...)
	}
}

func unknownFormat(name string, set *Formats) error {
	return fmt.Errorf("unknown log format %q; known are %s", name, strings.Join(set.Names(), ", "))
}
