package rules

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/common/model"
	"go.yaml.in/yaml/v3"
)

// A RuleFormat is a form of rule files.
type RuleFormat uint8

const (
	PrometheusRules    RuleFormat = iota // what Prometheus, Thanos, Mimir and vmalert load
	PrometheusOperator                   // a PrometheusRule resource of Kubernetes
)

// WriteRules writes strata as one file. Without perGroup all rules are one
// group: a server evaluates it in order, and a rule sees what those before it
// gave at the same time. Else there are groups of so many rules at most, and a
// rule may see what another group gave an evaluation before. head stands above,
// as a comment. The same input gives the same bytes.
func WriteRules(to io.Writer, format RuleFormat, head, name string, strata []ExportStratum, interval time.Duration, perGroup int) error {
	groups := sequence()
	for i, part := range ruleGroups(strata, perGroup) {
		group := name
		if perGroup > 0 {
			group = fmt.Sprintf("%s-%03d", name, i+1)
		}
		groups.Content = append(groups.Content, groupNode(group, part, interval))
	}
	doc := mapping("groups", groups)
	if format == PrometheusOperator {
		doc = mapping(
			"apiVersion", scalar("monitoring.coreos.com/v1"), "kind", scalar("PrometheusRule"),
			"metadata", mapping("name", scalar(name)), "spec", doc)
	}
	for line := range strings.Lines(head) {
		if _, err := fmt.Fprintln(to, strings.TrimRight("# "+line, " \n")); err != nil {
			return err
		}
	}
	encoder := yaml.NewEncoder(to)
	encoder.SetIndent(2)
	return cmp.Or(encoder.Encode(doc), encoder.Close())
}

// ruleGroups cuts the rules of all strata into groups.
func ruleGroups(strata []ExportStratum, perGroup int) [][]ExportRule {
	var all []ExportRule
	for _, s := range strata {
		all = append(all, s.Rules...)
	}
	if perGroup <= 0 {
		return [][]ExportRule{all}
	}
	return slices.Collect(slices.Chunk(all, perGroup))
}

func groupNode(name string, rules []ExportRule, interval time.Duration) *yaml.Node {
	list := sequence()
	written := map[string]*yaml.Node{} // annotations, by their text
	for _, r := range rules {
		list.Content = append(list.Content, r.node(written))
	}
	return mapping("name", scalar(name), "interval", scalar(model.Duration(interval).String()), "rules", list)
}

func (r ExportRule) node(written map[string]*yaml.Node) *yaml.Node {
	n := mapping()
	if r.Alert != "" {
		put(n, "alert", scalar(r.Alert))
	} else {
		put(n, "record", scalar(r.Record))
	}
	put(n, "expr", scalar(r.Expr))
	if r.For > 0 {
		put(n, "for", scalar(model.Duration(r.For).String()))
	}
	if len(r.Labels) > 0 {
		put(n, "labels", textMapping(r.Labels, sortedKeys(r.Labels)))
	}
	if len(r.Annotations) > 0 {
		put(n, "annotations", annotationsNode(r, written))
	}
	n.HeadComment = commented(r.Comment)
	return n
}

// annotationsNode writes annotations once: alerts of one diagnosis share them.
func annotationsNode(r ExportRule, written map[string]*yaml.Node) *yaml.Node {
	n := textMapping(r.Annotations, annotationOrder(r.Annotations))
	text := fmt.Sprint(r.Annotations) // maps print in the order of their keys
	if first := written[text]; first != nil {
		first.Anchor = first.Value
		return &yaml.Node{Kind: yaml.AliasNode, Value: first.Anchor, Alias: first}
	}
	n.Value = r.Alert // of a mapping without use but for its anchor
	written[text] = n
	return n
}

// annotationOrder lists the names of annotations as a reader wants them.
func annotationOrder(annotations map[string]string) []string {
	order := []string{"title", "summary", "meaning", "first", "recovery", "avoid", "differential", "explains", "sources"}
	place := func(name string) int {
		if i := slices.Index(order, name); i >= 0 {
			return i
		}
		return len(order)
	}
	return slices.SortedFunc(maps.Keys(annotations), func(a, b string) int {
		return cmp.Or(cmp.Compare(place(a), place(b)), strings.Compare(a, b))
	})
}

func commented(text string) string {
	if text == "" {
		return ""
	}
	return "# " + strings.ReplaceAll(text, "\n", "\n# ")
}

func textMapping(m map[string]string, order []string) *yaml.Node {
	n := mapping()
	for _, name := range order {
		put(n, name, scalar(m[name]))
	}
	return n
}

// mapping makes a mapping of keys and nodes in turn.
func mapping(pairs ...any) *yaml.Node {
	n := &yaml.Node{Kind: yaml.MappingNode}
	for i := 0; i+1 < len(pairs); i += 2 {
		put(n, pairs[i].(string), pairs[i+1].(*yaml.Node))
	}
	return n
}

func put(n *yaml.Node, key string, value *yaml.Node) {
	n.Content = append(n.Content, scalar(key), value)
}

func sequence() *yaml.Node { return &yaml.Node{Kind: yaml.SequenceNode} }

// scalar is a text, over several lines where it has them.
func scalar(text string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: text}
	if strings.Contains(text, "\n") {
		n.Style = yaml.LiteralStyle
	}
	return n
}
