package logparse

import "bytes"

// A join is a text that a carrier split over several lines (CRI tags them P,
// Docker leaves the newline out).
type join struct {
	piece piece
	raw   []byte
	text  []byte
	key   []byte
}

// maxJoins bounds the writers whose parts are waiting for their end.
const maxJoins = 64

// joinPart keeps a part and says so, or completes p with the parts before it.
func (s *Scanner) joinPart(p *piece, partial bool) bool {
	i := s.joinOf(p.key)
	if i < 0 {
		if !partial || s.skipHead {
			return false
		}
		if len(s.joins) == maxJoins {
			s.endJoin(0)
		}
		j := &join{piece: *p, raw: bytes.Clone(p.raw), text: bytes.Clone(p.text), key: bytes.Clone(p.key)}
		j.piece.size = 0
		s.joins = append(s.joins, j)
		s.count(p.size)
		return true
	}
	j := s.joins[i]
	if room := s.src.max - len(j.text); room < len(p.text) {
		j.text = append(j.text, p.text[:max(room, 0)]...)
		s.stats.Cut++
	} else {
		j.text = append(j.text, p.text...)
	}
	s.count(p.size)
	if !partial {
		s.endJoin(i)
	}
	return true
}

func (s *Scanner) joinOf(key []byte) int {
	for i, j := range s.joins {
		if bytes.Equal(j.key, key) {
			return i
		}
	}
	return -1
}

// endJoin places a joined text as if it had stood in one line.
func (s *Scanner) endJoin(i int) {
	j := s.joins[i]
	s.joins = append(s.joins[:i], s.joins[i+1:]...)
	p := j.piece
	p.raw, p.text, p.key = j.raw, clean(s.scratch.clean, j.text), j.key
	s.place(p)
}

// flushJoins places the texts whose end never came.
func (s *Scanner) flushJoins() {
	for len(s.joins) > 0 {
		s.endJoin(0)
	}
}
