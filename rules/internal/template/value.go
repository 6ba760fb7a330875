package template

import (
	"fmt"
	"maps"
	"slices"
)

// A Sample is one element of a query's answer, or what an annotation is about.
type Sample struct {
	Labels map[string]string
	Value  float64
}

// Format writes labels and value. Without it a list of samples would print their
// addresses.
func (s *Sample) Format(f fmt.State, verb rune) { fmt.Fprintf(f, fmt.FormatString(f, verb), *s) }

// missing is the value before the first command of a pipeline.
type missing struct{}

// empty is an element of a map[string]any without a value. Only a field of it
// is told apart from one of nil: it is an error.
type empty struct{}

// whole is a value as pipelines and functions see it.
func whole(v any) any {
	if _, ok := v.(empty); ok {
		return nil
	}
	return v
}

// element is a value as it comes out of a map[string]any.
func element(v any) any {
	if v == nil {
		return empty{}
	}
	return v
}

// truth tells whether a value is not the zero value of its type. A sample is
// always true.
func truth(v any) bool {
	switch v := whole(v).(type) {
	case nil:
		return false
	case bool:
		return v
	case int:
		return v != 0
	case uint8:
		return v != 0
	case float64:
		return v != 0
	}
	n, ok := length(v)
	return !ok || n > 0
}

// length is how many bytes or elements a value has.
func length(v any) (n int, ok bool) {
	switch v := v.(type) {
	case string:
		return len(v), true
	case []*Sample:
		return len(v), true
	case map[string]string:
		return len(v), true
	case map[string]any:
		return len(v), true
	}
	return 0, false
}

// field is a field of a sample, or the value of a key of a map.
func field(v any, name string) (any, error) {
	switch of := v.(type) {
	case nil:
		return nil, nil
	case empty:
		return nil, fmt.Errorf("nil pointer evaluating interface {}.%s", name)
	case map[string]string:
		return of[name], nil
	case map[string]any:
		return element(of[name]), nil
	case *Sample:
		switch name {
		case "Labels":
			return of.Labels, nil
		case "Value":
			return of.Value, nil
		}
	}
	return nil, fmt.Errorf("can't evaluate field %s in type %T", name, v)
}

// each calls f for the elements of a list, of a map in the order of its keys, or
// for the numbers below v. It tells whether v can be walked through.
func each(v any, f func(index, element any) error) (ok bool, err error) {
	switch v := v.(type) {
	case nil:
	case int:
		for i := 0; i < v && err == nil; i++ {
			err = f(nil, i)
		}
	case uint8:
		for i := uint8(0); i < v && err == nil; i++ {
			err = f(nil, i)
		}
	case []*Sample:
		for i := 0; i < len(v) && err == nil; i++ {
			err = f(i, v[i])
		}
	case map[string]string:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if err = f(key, v[key]); err != nil {
				break
			}
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if err = f(key, element(v[key])); err != nil {
				break
			}
		}
	default:
		return false, nil
	}
	return true, err
}
