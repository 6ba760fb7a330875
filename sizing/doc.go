// Package sizing computes what a limited system can do: how much it sustains,
// how deep a useful queue is, what a divided limit comes to. It is arithmetic
// alone: the same inputs give the same Result, with every formula shown.
//
// An input that no system can have, or inputs that exclude each other, give an
// error that says why: *MissingError, *RangeError or *ContradictionError. Nothing
// is computed from them.
//
// Units: times are seconds, rates are per second, shares are 0 to 1.
package sizing
