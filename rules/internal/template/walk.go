package template

import (
	"errors"
	"fmt"
	"strings"
	"text/template/parse"
)

// Execute fills the template in. "$" and "." are data at its beginning. more
// stand before the functions that the template was parsed with.
func (t *Template) Execute(data any, more Functions) (string, error) {
	s := &state{tree: t.tree, functions: t.functions, more: more, vars: []variable{{"$", data}}, left: maxSteps}
	if err := s.walk(data, t.tree.Root); err != nil {
		return "", err
	}
	return s.out.String(), nil
}

// A state is one execution.
type state struct {
	tree            *parse.Tree
	functions, more Functions
	out             strings.Builder
	vars            []variable // the last declared one last
	node            parse.Node // being evaluated, for errors
	left            int        // steps
}

type variable struct {
	name  string
	value any
}

// These leave a range, or one turn of it.
var (
	errBreak    = errors.New("break")
	errContinue = errors.New("continue")
)

// failed says where an error arose.
func (s *state) failed(format string, args ...any) error {
	where, what := s.tree.ErrorContext(s.node)
	return fmt.Errorf("template: %s: executing %q at <%s>: %w", where, s.tree.Name, what, fmt.Errorf(format, args...))
}

func (s *state) walk(dot any, n parse.Node) error {
	s.node = n
	if err := s.spend(1); err != nil {
		return err
	}
	switch n := n.(type) {
	case *parse.ListNode:
		return s.walkList(dot, n)
	case *parse.TextNode:
		return s.write(string(n.Text))
	case *parse.ActionNode:
		return s.walkAction(dot, n)
	case *parse.IfNode:
		return s.walkBranch(dot, &n.BranchNode, false)
	case *parse.WithNode:
		return s.walkBranch(dot, &n.BranchNode, true)
	case *parse.RangeNode:
		return s.walkRange(dot, n)
	case *parse.BreakNode:
		return errBreak
	case *parse.ContinueNode:
		return errContinue
	case *parse.CommentNode:
		return nil
	}
	return s.failed("not supported")
}

func (s *state) walkList(dot any, list *parse.ListNode) error {
	if list == nil { // no else
		return nil
	}
	for _, n := range list.Nodes {
		if err := s.walk(dot, n); err != nil {
			return err
		}
	}
	return nil
}

// walkAction leaves the variables that it declares, until the next end.
func (s *state) walkAction(dot any, n *parse.ActionNode) error {
	v, err := s.pipeline(dot, n.Pipe)
	if err != nil || len(n.Pipe.Decl) > 0 {
		return err
	}
	s.node = n
	return s.print(v)
}

func (s *state) walkBranch(dot any, n *parse.BranchNode, with bool) error {
	defer s.forget(len(s.vars))
	v, err := s.pipeline(dot, n.Pipe)
	switch {
	case err != nil:
		return err
	case !truth(v):
		return s.walkList(dot, n.ElseList)
	case with:
		return s.walkList(v, n.List)
	}
	return s.walkList(dot, n.List)
}

// forget drops the variables that were declared since there were n.
func (s *state) forget(n int) { s.vars = s.vars[:n] }

func (s *state) walkRange(dot any, r *parse.RangeNode) error {
	defer s.forget(len(s.vars))
	v, err := s.pipeline(dot, r.Pipe)
	if err != nil {
		return err
	}
	declared, turns := len(s.vars), 0
	number := !isCollection(v)
	if number && v != nil && len(r.Pipe.Decl) > 1 {
		return s.failed("can't use %v to iterate over more than one variable", v)
	}
	ok, err := each(v, func(index, element any) error {
		turns++
		defer s.forget(declared)
		if err := s.setRange(r.Pipe, index, element); err != nil {
			return err
		}
		if err := s.spend(1); err != nil {
			return err
		}
		if err := s.walkList(element, r.List); err != errContinue {
			return err
		}
		return nil
	})
	switch {
	case !ok:
		return s.failed("range can't iterate over %v", v)
	case err == errBreak:
		return nil
	case err != nil || turns > 0:
		return err
	}
	return s.walkList(dot, r.ElseList)
}

func isCollection(v any) bool {
	_, isText := v.(string)
	_, ok := length(v)
	return ok && !isText
}

// setRange sets the variables of a range: of two the first is the index.
func (s *state) setRange(pipe *parse.PipeNode, index, element any) error {
	values := []any{element}
	if len(pipe.Decl) > 1 {
		values = []any{index, element}
	}
	for i, d := range pipe.Decl {
		if !pipe.IsAssign {
			s.vars[len(s.vars)-len(values)+i].value = values[i]
			continue
		}
		if err := s.assign(d.Ident[0], values[i]); err != nil {
			return err
		}
	}
	return nil
}

// assign changes the variable of that name which was declared last.
func (s *state) assign(name string, v any) error {
	for i := len(s.vars) - 1; i >= 0; i-- {
		if s.vars[i].name == name {
			s.vars[i].value = v
			return nil
		}
	}
	return s.failed("undefined variable: %s", name)
}

// lookup returns the value of a variable.
func (s *state) lookup(name string) (any, error) {
	for i := len(s.vars) - 1; i >= 0; i-- {
		if s.vars[i].name == name {
			return s.vars[i].value, nil
		}
	}
	return nil, s.failed("undefined variable: %s", name)
}
