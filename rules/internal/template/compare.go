package template

import (
	"cmp"
	"errors"
	"fmt"
)

var (
	errBadComparison = errors.New("invalid type for comparison")
	errNoComparison  = errors.New("missing argument for comparison")
)

// equalToAny tells whether the first argument equals one of the others.
func equalToAny(args []any) (any, error) {
	if len(args) == 1 {
		return nil, errNoComparison
	}
	for _, v := range args[1:] {
		if same, err := equal(args[0], v); same || err != nil {
			return same, err
		}
	}
	return false, nil
}

// equal compares values of one kind. Nothing is converted: 1 and 1.0 are of
// different kinds, which is an error. Lists and maps are compared with nil only.
func equal(a, b any) (bool, error) {
	if order, ok := compare(a, b); ok {
		return order == 0, nil
	}
	switch {
	case a == nil || b == nil, bothLists(a, b) && (isNil(a) || isNil(b)):
		return isNil(a) && isNil(b), nil
	case bothScalars(a, b):
		return a == b, nil
	}
	return false, fmt.Errorf("incompatible types for comparison: %T and %T", a, b)
}

func bothScalars(a, b any) bool {
	switch a.(type) {
	case bool:
		_, ok := b.(bool)
		return ok
	case *Sample:
		_, ok := b.(*Sample)
		return ok
	}
	return false
}

// bothLists tells whether two values are both lists, or both maps.
func bothLists(a, b any) bool {
	_, listA := a.([]*Sample)
	_, listB := b.([]*Sample)
	return isCollection(a) && isCollection(b) && listA == listB
}

// isNil tells whether a value is nil, or a list or map that was never made.
func isNil(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case []*Sample:
		return v == nil
	case map[string]string:
		return v == nil
	case map[string]any:
		return v == nil
	}
	return false
}

// less tells whether a number or a text stands before another one.
func less(a, b any) (bool, error) {
	order, ok := compare(a, b)
	switch {
	case ok:
		return order < 0, nil
	case ordered(a) && ordered(b):
		return false, fmt.Errorf("incompatible types for comparison: %T and %T", a, b)
	}
	return false, errBadComparison
}

func lessOrEqual(a, b any) (bool, error) {
	lt, err := less(a, b)
	if lt || err != nil {
		return lt, err
	}
	return equal(a, b)
}

// unordered is the order of two numbers of which one is NaN: neither less nor
// equal.
const unordered = 2

// compare is negative, 0 or positive, or unordered. It knows no order of two
// different kinds.
func compare(a, b any) (order int, ok bool) {
	switch a := a.(type) {
	case string:
		b, ok := b.(string)
		return cmp.Compare(a, b), ok
	case float64:
		b, ok := b.(float64)
		if a != a || b != b {
			return unordered, ok
		}
		return cmp.Compare(a, b), ok
	case int:
		if b, ok := b.(uint8); ok {
			return cmp.Compare(a, int(b)), true
		}
		b, ok := b.(int)
		return cmp.Compare(a, b), ok
	case uint8:
		if b, ok := b.(uint8); ok {
			return cmp.Compare(a, b), true
		}
		b, ok := b.(int)
		return cmp.Compare(int(a), b), ok
	}
	return 0, false
}

func ordered(v any) bool {
	switch v.(type) {
	case string, int, uint8, float64:
		return true
	}
	return false
}
