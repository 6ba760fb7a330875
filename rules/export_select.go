package rules

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql/parser"
	"go.yaml.in/yaml/v3"
)

type yamlNode = yaml.Node

// A selection is the part of a catalogue that is exported: what can have a
// result on a server, and is read by an alert or its texts.
type selection struct {
	catalog  *Catalog
	systems  []*recording
	goodput  []*recording
	derived  []*recording
	variants []*variant
	facts    map[string][]Fact // what flags say, by name
	defaults map[string][]*System
	logOnly  int
	notFed   []string
	bySignal map[string][]*recording        // of systems, goodput and derived
	needed   map[string][][]*labels.Matcher // what is read of each signal
}

func (c *Catalog) selectFor(o ExportOptions) (*selection, error) {
	x := &selection{
		catalog: c, facts: map[string][]Fact{}, defaults: map[string][]*System{},
		bySignal: map[string][]*recording{}, needed: map[string][][]*labels.Matcher{},
	}
	if err := x.chooseSystems(o); err != nil {
		return nil, err
	}
	x.chooseDerived()
	if err := x.chooseAlerts(o.Diagnoses); err != nil {
		return nil, err
	}
	x.dropUnread()
	return x, nil
}

// chooseSystems keeps the rules of the systems that are asked for and that a
// scrape can feed.
func (x *selection) chooseSystems(o ExportOptions) error {
	for _, id := range o.Systems {
		if x.catalog.System(id) == nil {
			return unknownID("system", id)
		}
	}
	for _, f := range o.Facts {
		x.facts[f.Name] = append(x.facts[f.Name], f)
	}
	for _, s := range x.catalog.Systems {
		if !asked(o.Systems, s.ID) {
			continue
		}
		for name := range s.Facts {
			x.defaults[name] = append(x.defaults[name], s)
		}
	}
	for _, r := range x.catalog.fromSystems {
		switch {
		case !asked(o.Systems, r.labels["system"]):
		case possible(r.expr, scraped):
			x.systems = x.keep(x.systems, r)
		default:
			x.logOnly++
		}
	}
	for _, g := range o.Goodputs {
		more, err := g.recordings()
		if err != nil {
			return err
		}
		x.goodput = x.keep(x.goodput, more...)
	}
	return nil
}

// asked tells whether an id is among those asked for; none asked for is all.
func asked(ids []string, id string) bool { return len(ids) == 0 || slices.Contains(ids, id) }

// scraped tells whether a metrics page can have what a selector names. What
// lines of logs become has names of its own.
func scraped(s *parser.VectorSelector) bool { return !strings.HasPrefix(s.Name, "capdoctor_log_") }

func (x *selection) chooseDerived() {
	for _, r := range x.catalog.derived {
		if possible(r.expr, x.has) {
			x.derived = x.keep(x.derived, r)
		}
	}
}

func (x *selection) keep(all []*recording, more ...*recording) []*recording {
	for _, r := range more {
		x.bySignal[r.signal] = append(x.bySignal[r.signal], r)
	}
	return append(all, more...)
}

// has tells whether something that is kept can be what a selector names.
func (x *selection) has(s *parser.VectorSelector) bool {
	matchers := labelMatchers(s)
	switch {
	case s.Name == "cap:fact":
		return slices.ContainsFunc(x.factNames(), func(name string) bool {
			return compatible(map[string]string{"fact": name}, matchers)
		})
	case slices.Contains(statedSignals, s.Name):
		return true
	}
	return slices.ContainsFunc(x.bySignal[s.Name], func(r *recording) bool { return compatible(r.labels, matchers) })
}

// factNames lists the facts that are stated or have a default, sorted.
func (x *selection) factNames() []string {
	known := map[string]bool{}
	for name := range x.facts {
		known[name] = true
	}
	for name := range x.defaults {
		known[name] = true
	}
	return sortedKeys(known)
}

// chooseAlerts keeps the alerts that can become true.
func (x *selection) chooseAlerts(ids []string) error {
	for _, id := range ids {
		if x.catalog.Diagnosis(id) == nil {
			return unknownID("diagnosis", id)
		}
	}
	for _, d := range x.catalog.Diagnoses {
		if !asked(ids, d.ID) {
			continue
		}
		kept := len(x.variants)
		for _, v := range d.variants {
			expr, err := newParser().ParseExpr(v.rule.Expr.Value)
			if err != nil {
				return fmt.Errorf("%s: %w", d.File, err) // the catalogue was parsed when it was loaded
			}
			if possible(expr, x.has) {
				x.variants = append(x.variants, v)
			}
		}
		if len(x.variants) > kept {
			continue
		}
		x.notFed = append(x.notFed, d.ID)
		if len(ids) > 0 {
			return fmt.Errorf("diagnosis %q: none of its alerts can fire on what the chosen systems show", d.ID)
		}
	}
	return nil
}

// signalNames are the signals that a text asks for.
var signalNames = regexp.MustCompile(`\b(?:cap:|capdoctor_)[a-z_]+`)

// dropUnread drops the recordings that no alert, none of its texts and no other
// recording reads.
func (x *selection) dropUnread() {
	for _, v := range x.variants {
		if expr, err := newParser().ParseExpr(v.rule.Expr.Value); err == nil {
			x.reads(expr)
		}
		for _, text := range v.rule.Annotations {
			for _, name := range signalNames.FindAllString(text, -1) {
				x.needed[name] = append(x.needed[name], nil)
			}
		}
	}
	x.derived = x.keepRead(x.derived)
	x.goodput = x.keepRead(x.goodput)
	x.systems = x.keepRead(x.systems)
}

func (x *selection) reads(expr parser.Expr) {
	for _, s := range selectors(expr) {
		x.needed[s.Name] = append(x.needed[s.Name], labelMatchers(s))
	}
}

// keepRead keeps those that something reads, the last first: a rule is read by
// what stands below it. What a kept one reads is read too.
func (x *selection) keepRead(all []*recording) []*recording {
	var kept []*recording
	for _, r := range slices.Backward(all) {
		if x.isRead(r.signal, r.labels) {
			kept = append(kept, r)
			x.reads(r.expr)
		}
	}
	slices.Reverse(kept)
	return kept
}

func (x *selection) isRead(signal string, static map[string]string) bool {
	return slices.ContainsFunc(x.needed[signal], func(m []*labels.Matcher) bool { return compatible(static, m) })
}

// systemsInOrder lists the ids of the systems that have a rule, sorted.
func (x *selection) systemsInOrder() []string {
	ids := map[string]bool{}
	for _, r := range x.systems {
		ids[r.labels["system"]] = true
	}
	return sortedKeys(ids)
}
