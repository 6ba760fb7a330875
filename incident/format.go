package incident

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// formatCase writes case.yaml: what parseCase reads into the descriptive fields
// of c.
func formatCase(c *Case) ([]byte, error) {
	root := &yaml.Node{Kind: yaml.MappingNode}
	put := func(key string, value *yaml.Node) {
		root.Content = append(root.Content, plain(key), value)
	}
	putText := func(key, s string) {
		if s != "" {
			put(key, quoted(s))
		}
	}
	putText("title", c.Title)
	putText("source", c.Source)
	if c.Confidence != "" {
		put("confidence", plain(c.Confidence))
	}
	put("start", plain(c.Start.UTC().Format(time.RFC3339Nano)))
	if len(c.Facts) > 0 {
		put("facts", factsNode(c.Facts))
	}
	if c.Expect != nil {
		put("expect", expectNode(c.Expect))
	}
	putText("why", c.Why)
	return encodeYAML(root)
}

func encodeYAML(n *yaml.Node) ([]byte, error) {
	var b bytes.Buffer
	enc := yaml.NewEncoder(&b)
	enc.SetIndent(2)
	if err := enc.Encode(n); err != nil {
		return nil, err
	}
	return b.Bytes(), enc.Close()
}

func factsNode(facts map[string]string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.MappingNode, Style: yaml.FlowStyle}
	for _, name := range slices.Sorted(maps.Keys(facts)) {
		n.Content = append(n.Content, word(name), word(facts[name]))
	}
	return n
}

func expectNode(e *Expect) *yaml.Node {
	n := &yaml.Node{Kind: yaml.MappingNode}
	find := &yaml.Node{Kind: yaml.SequenceNode}
	if len(e.Find) == 0 {
		find.Style = yaml.FlowStyle
	}
	for _, w := range e.Find {
		find.Content = append(find.Content, wantNode(w))
	}
	n.Content = append(n.Content, plain("find"), find)
	putWords(n, "not", e.Not, word)
	putWords(n, "unknown", e.Unknown, word)
	putWords(n, "advice_must", e.AdviceMust, quoted)
	putWords(n, "advice_must_not", e.AdviceMustNot, quoted)
	return n
}

func wantNode(w Want) *yaml.Node {
	n := &yaml.Node{Kind: yaml.MappingNode}
	n.Content = append(n.Content, plain("id"), word(w.ID))
	if len(w.Where) > 0 {
		where := &yaml.Node{Kind: yaml.MappingNode, Style: yaml.FlowStyle}
		for _, name := range slices.Sorted(maps.Keys(w.Where)) {
			where.Content = append(where.Content, word(name), quoted(w.Where[name]))
		}
		n.Content = append(n.Content, plain("where"), where)
	}
	putWords(n, "says", w.Says, quoted)
	return n
}

func putWords(n *yaml.Node, key string, words []string, scalar func(string) *yaml.Node) {
	if len(words) == 0 {
		return
	}
	list := &yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle}
	for _, w := range words {
		list.Content = append(list.Content, scalar(w))
	}
	n.Content = append(n.Content, plain(key), list)
}

func plain(s string) *yaml.Node { return &yaml.Node{Kind: yaml.ScalarNode, Value: s} }

func quoted(s string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Style: yaml.DoubleQuotedStyle, Value: strings.ToValidUTF8(s, "\uFFFD")}
}

// word is plain where that cannot be misread.
func word(s string) *yaml.Node {
	if plainName().MatchString(s) {
		return plain(s)
	}
	return quoted(s)
}
