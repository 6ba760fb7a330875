package sizing

import (
	"math"
	"strings"
)

// A MissingError names the inputs without which nothing can be computed.
type MissingError struct{ Inputs []string }

func (e *MissingError) Error() string { return "not given: " + strings.Join(e.Inputs, ", ") }

// A RangeError is an input that no system can have.
type RangeError struct {
	Input  string
	Value  float64
	Unit   string
	Origin string
	Want   string // "more than 0"
}

func (e *RangeError) Error() string {
	if math.IsNaN(e.Value) {
		return e.Input + " (" + e.Origin + ") is not a number: want " + e.Want
	}
	return e.Input + " " + Format(e.Value, e.Unit) + " (" + e.Origin + "): want " + e.Want
}

// A ContradictionError is a set of inputs of which at least one is wrong, or
// under which the question has no answer.
type ContradictionError struct {
	Inputs []string
	Why    string // a sentence with the numbers; lower case, no period
}

func (e *ContradictionError) Error() string { return e.Why }
