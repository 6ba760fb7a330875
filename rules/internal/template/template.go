package template

import (
	"fmt"
	"text/template/parse"
)

// maxSource bounds the text of a template, in bytes, and with it how deep it
// nests.
const maxSource = 64 << 10

// A Template is a text that was parsed. It may be executed from several
// goroutines.
type Template struct {
	tree      *parse.Tree
	functions Functions
}

// Functions are what a template can call besides the built-in functions, by
// name.
type Functions map[string]Function

// Parse reads a text. The name stands in its errors, with line and column.
func Parse(name, text string, functions Functions) (*Template, error) {
	if len(text) > maxSource {
		return nil, fmt.Errorf("template: %s: %d bytes, at most %d are read", name, len(text), maxSource)
	}
	known := map[string]any{} // the parser looks at the names only
	for n := range functions {
		known[n] = true
	}
	for n := range builtins {
		known[n] = true
	}
	trees, err := parse.Parse(name, text, "", "", known)
	if err != nil {
		return nil, err
	}
	t := &Template{trees[name], functions}
	if len(trees) > 1 {
		return nil, fmt.Errorf("template: %s: define and block are not supported", name)
	}
	if n := unsupported(t.tree.Root); n != nil {
		where, what := t.tree.ErrorContext(n)
		return nil, fmt.Errorf("template: %s: <%s> is not supported", where, what)
	}
	return t, nil
}

// unsupported finds a call of another template, or a complex number.
func unsupported(n parse.Node) parse.Node {
	switch n := n.(type) {
	case *parse.TemplateNode:
		return n
	case *parse.NumberNode:
		if n.IsComplex {
			return n
		}
	case *parse.ChainNode:
		return unsupported(n.Node)
	}
	for _, part := range parts(n) {
		if found := unsupported(part); found != nil {
			return found
		}
	}
	return nil
}

// parts are the nodes within a node.
func parts(n parse.Node) []parse.Node {
	switch n := n.(type) {
	case *parse.ListNode:
		if n == nil { // no else
			return nil
		}
		return n.Nodes
	case *parse.ActionNode:
		return []parse.Node{n.Pipe}
	case *parse.IfNode:
		return []parse.Node{n.Pipe, n.List, n.ElseList}
	case *parse.WithNode:
		return []parse.Node{n.Pipe, n.List, n.ElseList}
	case *parse.RangeNode:
		return []parse.Node{n.Pipe, n.List, n.ElseList}
	case *parse.PipeNode:
		var all []parse.Node
		for _, command := range n.Cmds {
			all = append(all, command.Args...)
		}
		return all
	}
	return nil
}
