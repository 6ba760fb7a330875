package template

import (
	"errors"
	"fmt"
)

// builtins are the functions of text/template. "and" and "or" have no call: not
// all of their arguments are evaluated.
var builtins = Functions{
	"and":     {least: 1, most: -1},
	"or":      {least: 1, most: -1},
	"not":     One(func(v any) (bool, error) { return !truth(v), nil }),
	"eq":      {1, -1, equalToAny},
	"ne":      Two(func(a, b any) (bool, error) { same, err := equal(a, b); return !same, err }),
	"lt":      Two(less),
	"le":      Two(lessOrEqual),
	"gt":      Two(func(a, b any) (bool, error) { le, err := lessOrEqual(a, b); return !le, err }),
	"ge":      Two(func(a, b any) (bool, error) { lt, err := less(a, b); return !lt, err }),
	"len":     One(lengthOf),
	"index":   {1, -1, index},
	"print":   Any(func(args ...any) (string, error) { return fmt.Sprint(args...), nil }),
	"println": Any(func(args ...any) (string, error) { return fmt.Sprintln(args...), nil }),
	"printf":  {1, -1, printf},
}

func printf(args []any) (any, error) {
	format, err := as[string](args[0])
	if err != nil {
		return nil, err
	}
	return fmt.Sprintf(format, args[1:]...), nil
}

func lengthOf(v any) (int, error) {
	n, ok := length(v)
	if !ok {
		return 0, fmt.Errorf("len of type %T", v)
	}
	return n, nil
}

// index is the element of a list, a map or a text, of its element, and so on. A
// key that is not there has the zero value.
func index(args []any) (any, error) {
	v := args[0]
	if v == nil {
		return nil, errors.New("index of untyped nil")
	}
	for _, at := range args[1:] {
		var err error
		if v, err = indexOne(v, at); err != nil {
			return nil, err
		}
	}
	return v, nil
}

func indexOne(v, at any) (any, error) {
	switch v := v.(type) {
	case map[string]string:
		key, err := as[string](at)
		return v[key], err
	case map[string]any:
		key, err := as[string](at)
		return v[key], err
	case string:
		i, err := position(at, len(v))
		if err != nil {
			return nil, err
		}
		return v[i], nil
	case []*Sample:
		i, err := position(at, len(v))
		if err != nil {
			return nil, err
		}
		return v[i], nil
	}
	return nil, fmt.Errorf("can't index item of type %T", v)
}

// position is an index into n elements.
func position(at any, n int) (int, error) {
	i, ok := at.(int)
	if b, isByte := at.(uint8); isByte {
		i, ok = int(b), true
	}
	switch {
	case !ok:
		return 0, fmt.Errorf("cannot index slice/array with type %T", at)
	case i < 0 || i >= n:
		return 0, fmt.Errorf("index out of range: %d", i)
	}
	return i, nil
}
