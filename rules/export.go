package rules

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"
)

// ExportOptions say what of a catalogue is written for a rule server, and what
// its inputs look like there.
type ExportOptions struct {
	Interval     time.Duration // between two scrapes, and between two evaluations; more than 0
	Systems      []string      // ids; empty is all
	Diagnoses    []string      // ids; empty is all
	TargetLabels []string      // what the server puts on every series of a target beside instance: job, namespace
	ServiceLabel string        // the label that inputs which belong together share; empty is service
	Facts        []Fact        // of the same instance and name the last counts
	Goodputs     []Goodput     // their selectors may name an instance
}

// An Export is a part of a catalogue as rules that a Prometheus-compatible
// server evaluates, where no Go runs.
type Export struct {
	Interval  time.Duration
	Strata    []ExportStratum
	LogOnly   int      // rules left out because only lines of logs feed them
	NotFed    []string // ids of diagnoses left out because nothing that is kept can make one of their alerts true, sorted
	Systems   int      // with a rule
	Diagnoses int      // with an alert
}

// An ExportStratum is rules that only need each other and the strata before.
type ExportStratum struct {
	Name  string // stated, system-evento, derived, diagnoses
	Rules []ExportRule
}

// An ExportRule is one rule as a server reads it.
type ExportRule struct {
	Record, Alert string // one of them
	Expr          string
	For           time.Duration
	Labels        map[string]string
	Annotations   map[string]string
	Comment       string // what the catalogue says beside it; may be empty
}

// Alerts and Recordings count the rules.
func (e *Export) Alerts() int     { return e.count(func(r ExportRule) bool { return r.Alert != "" }) }
func (e *Export) Recordings() int { return e.count(func(r ExportRule) bool { return r.Record != "" }) }

func (e *Export) count(is func(ExportRule) bool) int {
	n := 0
	for _, s := range e.Strata {
		for _, r := range s.Rules {
			if is(r) {
				n++
			}
		}
	}
	return n
}

// Export writes the catalogue, or the part that is asked for, as rules for a
// server. The error names an id that does not exist, or a diagnosis that was
// asked for and that nothing kept can make true.
func (c *Catalog) Export(o ExportOptions) (*Export, error) {
	x, err := c.selectFor(o)
	if err != nil {
		return nil, err
	}
	w := newExportWriter(c, o, x)
	e := &Export{Interval: o.Interval, LogOnly: x.logOnly, NotFed: x.notFed}
	e.add("stated", w.stated())
	for _, id := range x.systemsInOrder() {
		e.add("system-"+id, w.system(id))
	}
	e.add("goodput", w.goodput())
	e.add("derived", w.derived())
	alerts := w.alerts()
	if len(alerts) > 0 {
		e.add("diagnoses", append(alerts, w.unknownTargetLabel()))
	}
	e.Systems = len(x.systemsInOrder())
	e.Diagnoses = countIDs(alerts)
	return e, nil
}

func (e *Export) add(name string, rules []ExportRule) {
	if len(rules) > 0 {
		e.Strata = append(e.Strata, ExportStratum{name, rules})
	}
}

func countIDs(alerts []ExportRule) int {
	ids := map[string]bool{}
	for _, a := range alerts {
		ids[a.Labels["id"]] = true
	}
	return len(ids)
}

// An exportWriter turns what was selected into rules.
type exportWriter struct {
	catalog  *Catalog
	options  ExportOptions
	selected *selection
	windows  Windows
	identity []string // labels that tell targets apart, in the order in which they are written
}

// longWatched is a time after which no window grows any more.
const longWatched = 24 * time.Hour

func newExportWriter(c *Catalog, o ExportOptions, x *selection) *exportWriter {
	w := &exportWriter{catalog: c, options: o, selected: x, windows: WindowsFor(o.Interval, longWatched)}
	w.identity = []string{"instance"}
	for _, name := range slices.Concat([]string{o.service()}, o.TargetLabels) {
		if !slices.Contains(w.identity, name) {
			w.identity = append(w.identity, name)
		}
	}
	return w
}

// service is the label that inputs which belong together share.
func (o ExportOptions) service() string {
	if o.ServiceLabel == "" {
		return "service"
	}
	return o.ServiceLabel
}

func (w *exportWriter) system(id string) []ExportRule {
	var all []ExportRule
	own := w.ownLabels(id)
	for _, r := range w.selected.systems {
		if r.labels["system"] == id {
			all = append(all, w.recorded(r, w.systemExpr(r, own)))
		}
	}
	return all
}

func (w *exportWriter) goodput() []ExportRule {
	var all []ExportRule
	for _, r := range w.selected.goodput {
		all = append(all, w.recorded(r, w.systemExpr(r, nil)))
	}
	return all
}

func (w *exportWriter) derived() []ExportRule {
	var all []ExportRule
	for _, r := range w.selected.derived {
		text := w.fillWindows(r.rule)
		all = append(all, w.recorded(r, withoutNaN(parsed(text), text)))
	}
	return joined(all)
}

// labelField is a label of the alert in a template.
var labelField = regexp.MustCompile(`\$labels\.(\w+)`)

// portable writes labels in annotations so that one which the alert does not have
// is empty everywhere: to vmalert $labels.service is then no text.
func portable(annotations map[string]string) map[string]string {
	all := make(map[string]string, len(annotations))
	for name, text := range annotations {
		all[name] = labelField.ReplaceAllString(text, `(index $$labels "$1")`)
	}
	return all
}

// joined makes one rule of two that record the same name with the same labels,
// which servers warn of. The first one goes before the second, as in a store. It
// stays apart where something between the two reads it.
func joined(rules []ExportRule) []ExportRule {
	for i := 0; i < len(rules); i++ {
		r := rules[i]
		k := slices.IndexFunc(rules[i+1:], func(other ExportRule) bool { return other.Record == r.Record && maps.Equal(other.Labels, r.Labels) })
		if k < 0 || slices.ContainsFunc(rules[i+1:i+1+k], func(between ExportRule) bool { return strings.Contains(between.Expr, r.Record) }) {
			continue
		}
		later := &rules[i+1+k]
		later.Expr = "(\n" + indented(r.Expr) + "\n)\nor\n(\n" + indented(later.Expr) + "\n)"
		later.Comment = strings.TrimSpace(r.Comment + "\n" + later.Comment)
		rules = slices.Delete(rules, i, i+1)
		i--
	}
	return rules
}

func (w *exportWriter) recorded(r *recording, expr string) ExportRule {
	return ExportRule{Record: r.signal, Expr: expr, Labels: maps.Clone(r.labels), Comment: r.rule.comment()}
}

// alerts are those of the diagnoses. A condition holds for two ticks at least,
// as it must for a Judge.
func (w *exportWriter) alerts() []ExportRule {
	var all []ExportRule
	for _, v := range w.selected.variants {
		all = append(all, ExportRule{
			Alert: v.alert, Expr: w.fillWindows(v.rule), For: max(v.hold, w.options.Interval),
			Labels: maps.Clone(v.rule.Labels), Annotations: portable(v.rule.Annotations), Comment: v.rule.comment(),
		})
	}
	return all
}

// comment is what stands in the file beside the keys of a rule.
func (r fileRule) comment() string {
	var lines []string
	for _, n := range append([]*yamlNode{r.node}, r.node.Content...) {
		for _, text := range []string{n.HeadComment, n.LineComment} {
			for line := range strings.Lines(text) {
				lines = append(lines, strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), "#")))
			}
		}
	}
	return strings.Join(lines, "\n")
}

// unknownID is the error of a name that the catalogue does not have.
func unknownID(what, id string) error { return fmt.Errorf("no %s %q", what, id) }
