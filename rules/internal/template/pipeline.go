package template

import (
	"strings"
	"text/template/parse"
)

// pipeline evaluates commands, each with the value of the one before as its last
// argument, and sets the variables of the pipeline.
func (s *state) pipeline(dot any, pipe *parse.PipeNode) (v any, err error) {
	s.node = pipe
	v = missing{}
	for _, command := range pipe.Cmds {
		if v, err = s.command(dot, command, v); err != nil {
			return nil, err
		}
		v = whole(v)
	}
	for _, d := range pipe.Decl {
		if !pipe.IsAssign {
			s.vars = append(s.vars, variable{d.Ident[0], v})
		} else if err := s.assign(d.Ident[0], v); err != nil {
			return nil, err
		}
	}
	return v, nil
}

// command evaluates a function with its arguments, or a value without any. final
// is the value of the command before.
func (s *state) command(dot any, c *parse.CommandNode, final any) (any, error) {
	if name, ok := c.Args[0].(*parse.IdentifierNode); ok {
		return s.call(dot, name, c, c.Args[1:], final)
	}
	v, err := s.value(dot, c.Args[0])
	if err != nil {
		return nil, err
	}
	if _, ok := final.(missing); len(c.Args) > 1 || !ok {
		if v == nil && hasFields(c.Args[0]) {
			return nil, nil // text/template looks at no arguments of a field of nil
		}
		return nil, s.failed("can't give argument to non-function %s", c.Args[0])
	}
	if _, ok := c.Args[0].(*parse.NilNode); ok {
		return nil, s.failed("nil is not a command")
	}
	return v, nil
}

// value evaluates one word of a command.
func (s *state) value(dot any, n parse.Node) (any, error) {
	s.node = n
	if err := s.spend(1); err != nil {
		return nil, err
	}
	switch n := n.(type) {
	case *parse.DotNode:
		return dot, nil
	case *parse.NilNode:
		return nil, nil
	case *parse.BoolNode:
		return n.True, nil
	case *parse.StringNode:
		return n.Text, nil
	case *parse.NumberNode:
		return s.number(n)
	case *parse.FieldNode:
		return s.fields(dot, n.Ident)
	case *parse.VariableNode:
		v, err := s.lookup(n.Ident[0])
		if err != nil {
			return nil, err
		}
		return s.fields(v, n.Ident[1:])
	case *parse.PipeNode:
		return s.pipeline(dot, n)
	case *parse.IdentifierNode:
		return s.call(dot, n, n, nil, missing{})
	case *parse.ChainNode:
		v, err := s.value(dot, n.Node)
		if err != nil {
			return nil, err
		}
		s.node = n
		return s.fields(v, n.Field)
	}
	return nil, s.failed("can't evaluate %q", n)
}

// fields follows names from a value.
func (s *state) fields(v any, names []string) (any, error) {
	for _, name := range names {
		var err error
		if v, err = field(v, name); err != nil {
			return nil, s.failed("%w", err)
		}
	}
	return v, nil
}

// hasFields tells whether a word ends in a field.
func hasFields(n parse.Node) bool {
	switch n := n.(type) {
	case *parse.FieldNode, *parse.ChainNode:
		return true
	case *parse.VariableNode:
		return len(n.Ident) > 1
	}
	return false
}

// number is the value of a constant: its spelling says whether it is a float64.
func (s *state) number(n *parse.NumberNode) (any, error) {
	hex := strings.HasPrefix(strings.ToLower(n.Text), "0x") && !strings.ContainsAny(n.Text, "pP")
	if n.IsFloat && !hex && n.Text[0] != '\'' && strings.ContainsAny(n.Text, ".eEpP") {
		return n.Float64, nil
	}
	if v := int(n.Int64); n.IsInt && int64(v) == n.Int64 {
		return v, nil
	}
	return nil, s.failed("%s overflows int", n.Text)
}
