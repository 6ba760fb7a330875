package template

import (
	"fmt"
	"text/template/parse"
)

// A Function can be called by a template. One, Two, Three and Any make some.
type Function struct {
	least, most int // arguments; most < 0 is any number
	call        func(args []any) (any, error)
}

// One makes a function of one argument.
func One[A, R any](f func(A) (R, error)) Function {
	return Function{1, 1, func(args []any) (any, error) {
		a, err := as[A](args[0])
		if err != nil {
			return nil, err
		}
		return f(a)
	}}
}

// Two makes a function of two arguments.
func Two[A, B, R any](f func(A, B) (R, error)) Function {
	return Function{2, 2, func(args []any) (any, error) {
		a, err := as[A](args[0])
		if err != nil {
			return nil, err
		}
		b, err := as[B](args[1])
		if err != nil {
			return nil, err
		}
		return f(a, b)
	}}
}

// Three makes a function of three arguments.
func Three[A, B, C, R any](f func(A, B, C) (R, error)) Function {
	return Function{3, 3, func(args []any) (any, error) {
		a, err := as[A](args[0])
		if err != nil {
			return nil, err
		}
		rest := Two(func(b B, c C) (R, error) { return f(a, b, c) })
		return rest.call(args[1:])
	}}
}

// Any makes a function of any arguments.
func Any[R any](f func(...any) (R, error)) Function {
	return Function{0, -1, func(args []any) (any, error) { return f(args...) }}
}

// as gives an argument the type that a function wants. There is no conversion
// but that of nil to no samples.
func as[A any](v any) (a A, err error) {
	if a, ok := v.(A); ok {
		return a, nil
	}
	if v == nil {
		switch any(&a).(type) {
		case *any, *[]*Sample:
			return a, nil
		}
	}
	return a, fmt.Errorf("wrong type for value; expected %s; got %T", typeName(&a), v)
}

func typeName(pointer any) string { return fmt.Sprintf("%T", pointer)[1:] }

// call calls a function. final, unless missing, is its last argument.
func (s *state) call(dot any, name *parse.IdentifierNode, whole parse.Node, words []parse.Node, final any) (any, error) {
	s.node = name
	f, ok := s.more[name.Ident]
	if !ok {
		f, ok = s.functions[name.Ident]
	}
	if !ok {
		f, ok = builtins[name.Ident]
	}
	if !ok {
		return nil, s.failed("%q is not a defined function", name.Ident)
	}
	n := len(words)
	if _, ok := final.(missing); !ok {
		n++
	}
	if n < f.least || f.most >= 0 && n > f.most {
		return nil, s.failed("wrong number of args for %s: want %s got %d", name.Ident, f.arity(), n)
	}
	if f.call == nil {
		return s.shortCircuit(dot, name.Ident == "or", words, final)
	}
	args, err := s.arguments(dot, words, final)
	if err != nil {
		return nil, err
	}
	s.node = whole
	if err := s.weigh(name.Ident, args); err != nil {
		return nil, err
	}
	v, err := f.call(args)
	if err != nil {
		return nil, s.failed("error calling %s: %w", name.Ident, err)
	}
	return v, s.weighResult(v)
}

func (f Function) arity() string {
	if f.most < 0 {
		return fmt.Sprintf("at least %d", f.least)
	}
	return fmt.Sprint(f.least)
}

// arguments evaluates the words after a function.
func (s *state) arguments(dot any, words []parse.Node, final any) ([]any, error) {
	args := make([]any, 0, len(words)+1)
	for _, n := range words {
		v, err := s.value(dot, n)
		if err != nil {
			return nil, err
		}
		args = append(args, whole(v))
	}
	if _, ok := final.(missing); !ok {
		args = append(args, final)
	}
	return args, nil
}

// shortCircuit is "or" and "and": the first argument that decides, or the last
// one.
func (s *state) shortCircuit(dot any, or bool, words []parse.Node, final any) (v any, err error) {
	for _, n := range words {
		if v, err = s.value(dot, n); err != nil || truth(v) == or {
			return v, err
		}
	}
	if _, ok := final.(missing); !ok {
		v = final
	}
	return v, nil
}
