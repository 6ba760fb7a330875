package main

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/capdoctor/capdoctor/report"
	"github.com/capdoctor/capdoctor/rules"
	"github.com/capdoctor/capdoctor/series"
	"github.com/capdoctor/capdoctor/sizing"
	"github.com/spf13/cobra"
)

// A place is the limited thing that values are about; empty parts match all.
type place struct{ instance, system, resource string }

func placeOf(l series.Labels) place {
	return place{l.Get("instance"), l.Get("system"), l.Get("resource")}
}

func (p place) String() string {
	if p.resource == "" {
		return p.instance
	}
	return p.instance + "/" + p.resource
}

// agrees tells whether labels may be about the place: none says otherwise.
func (p place) agrees(l series.Labels) bool {
	for _, part := range []struct{ name, want string }{{"instance", p.instance}, {"system", p.system}, {"resource", p.resource}} {
		if have := l.Get(part.name); have != "" && part.want != "" && have != part.want {
			return false
		}
	}
	return true
}

// fill takes from what was observed the values that no flag gives.
func (o *sizeOptions) fill(c *cobra.Command) error {
	ctx := c.Context()
	seen, err := o.observation(ctx, c, o.from)
	if err != nil {
		return err
	}
	at, err := o.choose(ctx, seen)
	if err != nil {
		return err
	}
	if o.tool.measured {
		o.caution = cautionOf(seen.report)
	}
	for _, f := range o.tool.fields {
		if f.into.Known() {
			continue
		}
		if *f.into, err = seen.number(ctx, at, f.from); err != nil {
			return err
		}
	}
	for _, s := range o.tool.switches {
		if *s.into {
			continue
		}
		samples, err := seen.about(ctx, at, s.from)
		if err != nil {
			return err
		}
		*s.into = len(samples) > 0
	}
	return nil
}

// cautionOf says when what was observed is an incident; empty when it is not.
func cautionOf(r *rules.Report) string {
	for _, f := range r.Findings {
		if f.State == rules.Firing && f.Severity != "info" {
			return fmt.Sprintf("The numbers were taken while %s was firing: its times and rates are those of the trouble. "+
				"Size by normal load; give what is known of it by flags.", f.ID)
		}
	}
	return ""
}

// choose finds the place that the values are about: the one that --resource
// names, else the only one, else the one of the leading finding.
func (o *sizeOptions) choose(ctx context.Context, seen *observation) (place, error) {
	samples, err := seen.query(ctx, o.tool.anchor)
	if err != nil {
		return place{}, err
	}
	var places []place
	for _, s := range samples {
		if p := placeOf(s.Labels); !slices.Contains(places, p) && p.named(o.resource) {
			places = append(places, p)
		}
	}
	switch {
	case len(places) == 1:
		return places[0], nil
	case len(samples) == 0 && o.resource != "":
		return place{}, fmt.Errorf("--resource %q: nothing that %q needs was seen", o.resource, o.tool.name)
	case len(places) == 0 && o.resource != "":
		return place{}, fmt.Errorf("--resource %q: nothing of that name; there are %s", o.resource, strings.Join(placeNames(samples), ", "))
	case len(places) == 0:
		return place{}, nil // facts and logs may be all there is
	}
	for _, f := range seen.report.Findings {
		for _, p := range places {
			if p == (place{string(f.Subject["instance"]), string(f.Subject["system"]), string(f.Subject["resource"])}) {
				return p, nil
			}
		}
	}
	if o.tool.name == "pulsar" {
		return place{}, nil // all brokers together
	}
	return place{}, hinted{fmt.Errorf("several have what %q needs: %s", o.tool.name, strings.Join(placeNames(samples), ", ")), "choose with --resource"}
}

// named tells whether --resource may mean the place: RESOURCE, NAME/RESOURCE, or
// nothing at all.
func (p place) named(text string) bool {
	return text == "" || text == p.resource || text == p.String()
}

func placeNames(samples []series.Sample) []string {
	var names []string
	for _, s := range samples {
		if name := report.Escape(placeOf(s.Labels).String()); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// about evaluates an expression and keeps what may be about a place.
func (o *observation) about(ctx context.Context, at place, expr string) ([]series.Sample, error) {
	samples, err := o.query(ctx, expr)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(samples, func(s series.Sample) bool { return !at.agrees(s.Labels) }), nil
}

// number takes the first of the expressions that gives one value for a place.
// Several places with the same value are one value.
func (o *observation) number(ctx context.Context, at place, exprs []string) (sizing.Number, error) {
	for _, expr := range exprs {
		samples, err := o.about(ctx, at, expr)
		if err != nil {
			return sizing.Number{}, err
		}
		if len(samples) == 0 {
			continue
		}
		first := samples[0]
		if !slices.ContainsFunc(samples, func(s series.Sample) bool { return s.Value != first.Value }) {
			return sizing.Given(first.Value, origin(expr, first.Labels)), nil
		}
	}
	return sizing.Number{}, nil
}

var signalName = regexp.MustCompile(`cap:[a-z_]+|capdoctor_[a-z_]+`)

// origin says where an observed value comes from.
func origin(expr string, l series.Labels) string {
	if name := l.Get("fact"); name != "" {
		return "fact " + name + ", " + l.Get("origin")
	}
	names := slices.Compact(signalName.FindAllString(expr, -1))
	text := strings.Join(names, " and ")
	if p := placeOf(l); p != (place{}) {
		text += " of " + p.String()
	}
	return report.Escape(text)
}
