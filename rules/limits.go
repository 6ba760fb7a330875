package rules

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/capdoctor/capdoctor/series"
)

// A limitPath is the limits on the way of a request through one system
// (catalog/limits.yaml).
type limitPath struct {
	System  string       `yaml:"system"`
	Entries []limitEntry `yaml:"entries"`
}

// anySystem is the path of targets that no other path covers.
const anySystem = "any"

// A limitEntry is one limit, or with Each one for every series of a signal.
type limitEntry struct {
	Title  string      `yaml:"title"`
	InUse  string      `yaml:"in_use"`
	Each   string      `yaml:"each"`
	Max    string      `yaml:"max"`
	Buffer bool        `yaml:"buffer"` // what is in it waits for another limit: it never binds
	Notes  []limitNote `yaml:"notes"`
}

type limitNote struct {
	When string `yaml:"when"`
	Say  string `yaml:"say"`
}

func (f catalogFile) readLimits() func(*Catalog) Problems {
	var doc struct {
		Limits []limitPath `yaml:"limits"`
	}
	if err := decodeStrict(f.data, &doc); err != nil {
		return unread(Problems{yamlProblem(f.shown, err)})
	}
	var problems Problems
	for _, path := range doc.Limits {
		for _, e := range path.Entries {
			for _, expr := range e.expressions() {
				if _, err := newParser().ParseExpr(fillIn(expr, "", "")); err != nil {
					problems = append(problems, Problem{File: f.shown, Msg: fmt.Sprintf("limit %q: %s", cmp.Or(e.Title, e.Each), err)})
				}
			}
		}
	}
	return func(c *Catalog) Problems {
		c.limits = append(c.limits, doc.Limits...)
		return problems
	}
}

func (e limitEntry) expressions() []string {
	all := []string{e.InUse, e.Each, e.Max}
	for _, n := range e.Notes {
		all = append(all, n.When)
	}
	return slices.DeleteFunc(all, func(expr string) bool { return expr == "" })
}

// fillIn puts quoted names in the place of $instance and $service.
func fillIn(expr, instance, service string) string {
	return strings.NewReplacer("$instance", fmt.Sprintf("%q", instance), "$service", fmt.Sprintf("%q", service)).Replace(expr)
}

// limits lists the limits of every target that has any, and marks on each the
// binding one: of those that are used up the last on the way, because the ones
// before it wait for it.
func (a assembly) limits() []Limit {
	var all []Limit
	for _, name := range sortedKeys(a.now.plan.instances) {
		in := a.now.plan.instances[name]
		if !in.answers() {
			continue
		}
		var path []Limit
		buffers := map[int]bool{}
		for _, e := range a.catalog.path(a.systems[name]) {
			for _, l := range a.entry(e, in) {
				buffers[len(path)] = e.Buffer
				path = append(path, l)
			}
		}
		bind(path, buffers)
		all = append(all, path...)
	}
	return all
}

// path is the way of a request through the first system that has one.
func (c *Catalog) path(systems []*System) []limitEntry {
	for _, p := range c.limits {
		if p.System == anySystem || slices.ContainsFunc(systems, func(s *System) bool { return s.ID == p.System }) {
			return p.Entries
		}
	}
	return nil
}

// bind marks the last limit that is used up.
func bind(path []Limit, buffers map[int]bool) {
	for i, l := range slices.Backward(path) {
		if !buffers[i] && l.Max > 0 && l.InUse >= l.Max {
			path[i].Binding = true
			return
		}
	}
}

// entry evaluates one entry for one target. What has neither a value nor a
// bound is left out.
func (a assembly) entry(e limitEntry, in instance) []Limit {
	bounds := a.ask(e.Max, in)
	if e.Each == "" {
		l := Limit{Instance: in.name, Title: e.Title, InUse: firstValue(a.ask(e.InUse, in)), Max: firstValue(bounds), Note: a.noteOf(e, in, "")}
		if math.IsNaN(l.Max) {
			return nil
		}
		return []Limit{l}
	}
	var all []Limit
	for _, s := range a.ask(e.Each, in) {
		resource := s.Labels.Get("resource")
		l := Limit{Instance: in.name, Resource: resource, Title: strings.TrimSpace(resource + " " + e.Title), InUse: s.Value, Max: math.NaN(), Note: a.noteOf(e, in, resource)}
		for _, b := range bounds {
			if b.Labels.Get("resource") == resource && b.Labels.Get("system") == s.Labels.Get("system") {
				l.Max = b.Value
			}
		}
		if !math.IsNaN(l.Max) {
			all = append(all, l)
		}
	}
	return all
}

// noteOf is the first note whose expression has an answer for the resource.
func (a assembly) noteOf(e limitEntry, in instance, resource string) string {
	for _, n := range e.Notes {
		if slices.ContainsFunc(a.ask(n.When, in), func(s series.Sample) bool {
			return resource == "" || s.Labels.Get("resource") == resource
		}) {
			return n.Say
		}
	}
	return ""
}

// ask evaluates an expression of an entry at the last tick; no expression has
// no answer.
func (a assembly) ask(expr string, in instance) []series.Sample {
	if expr == "" {
		return nil
	}
	found, err := a.instant(a.ctx, fillIn(expr, in.name, in.service))
	if err != nil {
		return nil // a rule's fault, found by the test of the catalogue
	}
	return found
}

func firstValue(samples []series.Sample) float64 {
	if len(samples) == 0 {
		return math.NaN()
	}
	return samples[0].Value
}
