package tui

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/capdoctor/capdoctor/rules"
)

// A resource is one limited thing of a target, put together from its signals.
type resource struct {
	system, name, kind                      string
	size, core, most, busy                  float64 // NaN unknown, as all below
	waiting, capacity                       float64
	completed, deadline, inFlight, rejected float64
	from                                    map[string]signal // what it was made of, by name
}

// resourceFields are the signals that a resource is made of.
var resourceFields = map[string]func(*resource) *float64{
	"cap:pool_size":        func(r *resource) *float64 { return &r.size },
	"cap:pool_core":        func(r *resource) *float64 { return &r.core },
	"cap:pool_max":         func(r *resource) *float64 { return &r.most },
	"cap:pool_busy":        func(r *resource) *float64 { return &r.busy },
	"cap:waiting":          func(r *resource) *float64 { return &r.waiting },
	"cap:queue_capacity":   func(r *resource) *float64 { return &r.capacity },
	"cap:completed_rate":   func(r *resource) *float64 { return &r.completed },
	"cap:deadline_seconds": func(r *resource) *float64 { return &r.deadline },
	"cap:in_flight":        func(r *resource) *float64 { return &r.inFlight },
	"cap:rejected_rate":    func(r *resource) *float64 { return &r.rejected },
}

// unbounded is from where on a limit is none: schedulers and caches report the
// largest number that they can hold.
const unbounded = 1e6

// resourcesOf puts the signals of a target together, those with the most
// waiting, then the fullest, first.
func resourcesOf(signals []signal) []resource {
	type key struct{ system, name string }
	found := map[key]*resource{}
	var order []key
	for _, s := range signals {
		field, ok := resourceFields[s.name()]
		k := key{s.labels.Get("system"), s.labels.Get("resource")}
		if !ok || k.name == "" {
			continue
		}
		r := found[k]
		if r == nil {
			nan := math.NaN()
			r = &resource{k.system, k.name, s.labels.Get("kind"), nan, nan, nan, nan, nan, nan, nan, nan, nan, nan, map[string]signal{}}
			found[k] = r
			order = append(order, k)
		}
		*field(r), r.from[s.name()] = s.now, s
	}
	out := make([]resource, len(order))
	for i, k := range order {
		out[i] = found[k].bounded()
	}
	slices.SortStableFunc(out, func(a, b resource) int {
		return cmp.Or(cmp.Compare(orZero(b.waiting), orZero(a.waiting)), cmp.Compare(b.part(), a.part()), strings.Compare(a.name, b.name))
	})
	return out
}

// bounded forgets limits that are none.
func (r resource) bounded() resource {
	if r.most >= unbounded {
		r.most = math.NaN()
	}
	if r.capacity >= unbounded {
		r.capacity = math.NaN()
	}
	return r
}

// idle tells that nothing uses the resource.
func (r resource) idle() bool { return !(r.busy > 0) && !(r.waiting > 0) && !(r.inFlight > 0) }

// part is how much of the resource is in use.
func (r resource) part() float64 { return orZero(r.busy / r.bound()) }

// bound is the most that can be had; the present size where no maximum is known.
func (r resource) bound() float64 {
	if r.most > 0 {
		return r.most
	}
	return r.size
}

// reach is the most that can be had as things are: a pool that queues before it
// grows stays at its core size until its queue is full.
func (r resource) reach() float64 {
	if r.core < r.bound() && !(r.waiting >= r.capacity) {
		return math.Max(r.core, orZero(r.size))
	}
	return r.bound()
}

// binding tells whether the resource is what holds the work up.
func (r resource) binding() bool { return r.waiting > 0 && r.busy >= r.reach() }

// alive is how many of those that wait can be served before their callers give
// up, at the present rate; NaN when that is not known.
func (r resource) alive() float64 { return math.Floor(r.completed * r.deadline) }

// A gaugeLine is a bar with its name, its numbers and how it went so far.
type gaugeLine struct {
	name    string
	gauge   gauge
	text    string
	chart   chartKey
	binding bool
}

// gaugesOf draws up the bars of a target.
func gaugesOf(resources []resource) []gaugeLine {
	var out []gaugeLine
	for _, r := range resources {
		if r.bound() > 0 && !math.IsNaN(r.busy) {
			out = append(out, r.poolGauge())
		}
		if r.waiting > 0 || r.capacity > 0 && !math.IsNaN(r.waiting) {
			out = append(out, r.queueGauge())
		}
		if r.inFlight >= 0 && math.IsNaN(r.busy) {
			out = append(out, gaugeLine{name: shortResource(r.name), gauge: gauge{used: r.inFlight, most: math.NaN()},
				text: rules.Number(r.inFlight) + " in flight", chart: signalChart(r.from["cap:in_flight"])})
		}
	}
	return out
}

// used are the resources of a target that are in use, or that a finding is about;
// all where there are none.
func (s *scene) used(name string) []resource {
	all, named := resourcesOf(s.signalsOf(name)), s.named(name)
	var used []resource
	for _, r := range all {
		if !r.idle() || named[r.name] {
			used = append(used, r)
		}
	}
	if len(used) == 0 {
		return all
	}
	return used
}

// workGauges are the bars of a target as a whole: what it completes of what it
// did before, and its CPU.
func (s *scene) workGauges(name string) []gaugeLine {
	v, nan := s.vitals(name), math.NaN()
	var out []gaugeLine
	if v.done.known() {
		text := rules.Rate(v.done.now)
		if v.was.known() {
			text += ", was " + rules.Rate(v.was.now)
		}
		out = append(out, gaugeLine{name: v.title(s), text: text, chart: v.chart, gauge: gauge{used: v.done.now, reach: nan, most: math.Max(v.was.now, v.done.now), alive: nan}})
	}
	if v.cpu.known() {
		chart := chartKey{expr: fmt.Sprintf("max by (instance) (cap:cpu_busy_ratio{instance=%q})", name)}
		out = append(out, gaugeLine{name: "CPU", text: rules.Percent(v.cpu.now), chart: chart, gauge: gauge{used: v.cpu.now, reach: nan, most: 1, alive: nan}})
	}
	return out
}

func (r resource) poolGauge() gaugeLine {
	text := fmt.Sprintf("%s of %s", rules.Number(r.busy), rules.Number(r.reach()))
	if r.reach() < r.bound() {
		text += fmt.Sprintf("; %s to %s out of reach", rules.Number(r.reach()+1), rules.Number(r.bound()))
	}
	name := shortResource(r.name)
	if r.kind != "" && r.kind != "connections" && !strings.Contains(name, r.kind) {
		name += " " + r.kind
	}
	return gaugeLine{name: name, text: text, chart: signalChart(r.from["cap:pool_busy"]), binding: r.binding(), gauge: gauge{used: r.busy, reach: r.reach(), most: r.bound(), alive: math.NaN()}}
}

func (r resource) queueGauge() gaugeLine {
	text := rules.Number(r.waiting) + " waiting"
	if r.capacity > 0 {
		text = fmt.Sprintf("%s of %s", rules.Number(r.waiting), rules.Number(r.capacity))
	}
	alive := r.alive()
	if alive < r.waiting {
		text += fmt.Sprintf("; ┃ %s in time, %s dead", rules.Number(alive), rules.Number(r.waiting-alive))
	}
	return gaugeLine{name: shortResource(r.name) + " queue", text: text, chart: signalChart(r.from["cap:waiting"]), gauge: gauge{used: r.waiting, reach: math.NaN(), most: r.capacity, alive: alive}}
}
