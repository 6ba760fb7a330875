package sizing

import "math"

// A Number is one input and where it comes from. The zero Number is not given.
type Number struct {
	Value  float64
	Origin string // "--workers", "cap:pool_max of app", "Evento's default"; empty: not given
}

// Given returns a number that is known. origin must not be empty.
func Given(v float64, origin string) Number { return Number{v, origin} }

// Known tells whether the number was given.
func (n Number) Known() bool { return n.Origin != "" }

// or returns n, or the default when n is not given.
func (n Number) or(v float64, origin string) Number {
	if n.Known() {
		return n
	}
	return Given(v, origin)
}

// most bounds all inputs: beyond it they are slips of the finger.
const most = 1e12

// A bound is what an input may be.
type bound struct {
	least    float64
	above    bool // least itself is not allowed
	upTo     float64
	whole    bool
	sentence string // what is wanted: "more than 0"
}

func positive() bound    { return bound{0, true, most, false, "more than 0"} }
func notNegative() bound { return bound{0, false, most, false, "0 or more"} }
func atLeastOne() bound  { return bound{1, false, most, true, "a whole number from 1"} }
func count() bound       { return bound{0, false, most, true, "a whole number from 0"} }
func share() bound       { return bound{0, true, 1, false, "more than 0 and at most 1"} }

func (b bound) allows(v float64) bool {
	switch {
	case math.IsNaN(v), v < b.least, b.above && v <= b.least, v > b.upTo:
		return false
	}
	return !b.whole || v == math.Trunc(v)
}

// noise is what binary arithmetic may add to a quotient of decimals: 30 ÷ 0.02
// is 1500 threads of work, not 1499.
const noise = 1e-9

func floor(v float64) float64 { return math.Floor(v + noise*max(1, math.Abs(v))) }
func ceil(v float64) float64  { return math.Ceil(v - noise*max(1, math.Abs(v))) }
