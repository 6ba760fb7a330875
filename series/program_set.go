package series

import (
	"slices"

	"github.com/prometheus/prometheus/promql/parser"
)

// signatures give the elements of two vectors one signature where they have the
// same values of the labels that a binary operator matches on.
type signatures struct {
	lefts, rights lookup[LabelSet, *signature]
	bySet         map[LabelSet]*signature
	turn          int // counts evaluations
}

// A signature is what matching elements share. turn is the evaluation in which
// an element of the right side had it, at its place; used the one in which a
// left one did.
type signature struct{ turn, at, used int }

func newSignatures(match *parser.VectorMatching) signatures {
	names := slices.Clone(match.MatchingLabels)
	keep := without
	if match.On {
		keep = only
	}
	bySet := map[LabelSet]*signature{}
	find := func(s LabelSet) *signature {
		key := keep(s, names)
		if bySet[key] == nil {
			bySet[key] = &signature{}
		}
		return bySet[key]
	}
	return signatures{newLookup(find), newLookup(find), bySet, 0}
}

// next begins an evaluation. When most signatures are not used any more, all
// are forgotten.
func (s *signatures) next() {
	s.turn++
	if len(s.bySet) > 2*(len(s.lefts.row)+len(s.rights.row))+1000 {
		clear(s.bySet)
		for _, l := range []*lookup[LabelSet, *signature]{&s.lefts, &s.rights} {
			clear(l.known)
			l.row = l.row[:0]
		}
	}
}

// claim notes the element of the right side that has the signature; it returns
// false when another one has it already.
func (s *signature) claim(turn, at int) bool {
	if s.turn == turn {
		return false
	}
	s.turn, s.at = turn, at
	return true
}

// A combined vector is and, or, unless of two.
type combined struct {
	left, right vector
	op          parser.ItemType
	signatures
	out []Element
}

func (c *combined) eval(m *moment) ([]Element, error) {
	left, err := c.left.eval(m)
	if err != nil {
		return nil, err
	}
	right, err := c.right.eval(m)
	if err != nil {
		return nil, err
	}
	c.next()
	c.out = c.out[:0]
	if c.op == parser.LOR {
		for i, e := range left {
			c.lefts.at(i, e.Set).turn = c.turn
		}
		c.out = append(c.out, left...)
		for i, e := range right {
			if c.rights.at(i, e.Set).turn != c.turn {
				c.out = append(c.out, e)
			}
		}
		return c.out, nil
	}
	for i, e := range right {
		c.rights.at(i, e.Set).turn = c.turn
	}
	for i, e := range left {
		if (c.lefts.at(i, e.Set).turn == c.turn) == (c.op == parser.LAND) {
			c.out = append(c.out, e)
		}
	}
	return c.out, nil
}
