package incident

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// A yamlFile reads values from the nodes of one YAML file and says file and
// line of what is wrong.
type yamlFile struct{ path string }

// A field reads the value of one key.
type field func(value *yaml.Node) error

func (f yamlFile) errorf(n *yaml.Node, format string, args ...any) error {
	return fault(f.path, n.Line, format, args...)
}

// root parses data as exactly one document that is a mapping.
func (f yamlFile) root(data []byte) (*yaml.Node, error) {
	dec := yaml.NewDecoder(strings.NewReader(string(data)))
	var doc yaml.Node
	if err := dec.Decode(&doc); err != nil {
		return nil, f.syntax(err)
	}
	var second yaml.Node
	if err := dec.Decode(&second); err == nil {
		return nil, f.errorf(&second, "a second document; write one")
	}
	if len(doc.Content) != 1 {
		return nil, fault(f.path, 1, "empty")
	}
	return doc.Content[0], nil
}

var yamlLine = pattern(`^yaml: (?:line (\d+): )?(.*)`)

func (f yamlFile) syntax(err error) error {
	first, _, _ := strings.Cut(err.Error(), "\n")
	m := yamlLine().FindStringSubmatch(first)
	switch {
	case first == "EOF":
		return fault(f.path, 1, "empty")
	case m == nil:
		return fault(f.path, 0, "not YAML: %s", first)
	}
	line, _ := strconv.Atoi(m[1])
	return fault(f.path, line, "not YAML: %s", m[2])
}

// mapping reads each key of n with the field of that name and refuses others.
func (f yamlFile) mapping(n *yaml.Node, what string, fields map[string]field) error {
	return f.pairs(n, what, func(key string, k, value *yaml.Node) error {
		read, ok := fields[key]
		if !ok {
			return f.errorf(k, "unknown field %q in %s; known are %s", key, what, names(fields))
		}
		return read(value)
	})
}

// pairs calls visit for each key of the mapping n, in file order.
func (f yamlFile) pairs(n *yaml.Node, what string, visit func(key string, k, value *yaml.Node) error) error {
	if n.Kind != yaml.MappingNode {
		return f.errorf(n, "%s must be a mapping, not %s", what, kind(n))
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		k, v := n.Content[i], n.Content[i+1]
		if k.Kind != yaml.ScalarNode || k.Tag == "!!merge" {
			return f.errorf(k, "a key of %s must be a plain word, not %s", what, kind(k))
		}
		if seen[k.Value] {
			return f.errorf(k, "%q stands twice in %s", k.Value, what)
		}
		seen[k.Value] = true
		if err := visit(k.Value, k, v); err != nil {
			return err
		}
	}
	return nil
}

// each calls visit for each entry of the list n.
func (f yamlFile) each(n *yaml.Node, what string, visit func(i int, n *yaml.Node) error) error {
	if n.Kind != yaml.SequenceNode {
		return f.errorf(n, "%s must be a list, not %s", what, kind(n))
	}
	for i, e := range n.Content {
		if err := visit(i, e); err != nil {
			return err
		}
	}
	return nil
}

// text reads a text or a number as it is written; it must not be empty.
func (f yamlFile) text(n *yaml.Node, what string) (string, error) {
	isText := n.Kind == yaml.ScalarNode && slices.Contains([]string{"!!str", "!!int", "!!float"}, n.Tag)
	switch {
	case !isText:
		return "", f.errorf(n, "%s must be a text, not %s", what, kind(n))
	case n.Value == "":
		return "", f.errorf(n, "%s is empty", what)
	}
	return n.Value, nil
}

// kind says what a node is.
func kind(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	case yaml.AliasNode:
		return "an alias, which is not used here"
	}
	switch n.Tag {
	case "!!null":
		return "nothing"
	case "!!str":
		return fmt.Sprintf("the text %q", n.Value)
	}
	return fmt.Sprintf("%s (%s)", n.Value, strings.TrimPrefix(n.Tag, "!!"))
}

func names[V any](m map[string]V) string {
	var ns []string
	for n := range m {
		ns = append(ns, n)
	}
	slices.Sort(ns)
	return strings.Join(ns, ", ")
}
