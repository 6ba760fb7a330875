package tui

import (
	"context"
	"math"
	"time"

	"github.com/capdoctor/capdoctor/rules"
	"github.com/capdoctor/capdoctor/series"
)

// A measure is a value and that of a short window ago; NaN is unknown.
type measure struct{ now, ago float64 }

var unknown = measure{math.NaN(), math.NaN()}

func (m measure) known() bool { return !math.IsNaN(m.now) }

// trend is ↑, ↓ or =, or nothing where there is nothing to compare with.
func (m measure) trend() string {
	const noise = 0.03 // of the larger value
	switch {
	case math.IsNaN(m.now) || math.IsNaN(m.ago):
		return " "
	case math.Abs(m.now-m.ago) <= noise*math.Max(math.Abs(m.now), math.Abs(m.ago)):
		return "="
	case m.now > m.ago:
		return "↑"
	}
	return "↓"
}

// vitals are the few values that say how a target does.
type vitals struct {
	done, was        measure // work per second: the user's own counter where there is one
	waiting, expired measure // requests; expired within five minutes
	busy, size       measure // of the pool that is nearest to its end
	cpu              measure
	signal, system   string   // that the work was read from
	chart            chartKey // of the work
	service          string
	read             time.Time // the last good read; zero when there was none
}

// title is what the work of a target is called: "completions", "database uses".
func (v vitals) title(s *scene) string { return s.titleOn(v.signal, v.system) }

func unknownVitals() vitals {
	return vitals{done: unknown, was: unknown, waiting: unknown, expired: unknown, busy: unknown, size: unknown, cpu: unknown}
}

// fleet reads the vitals of all targets.
func (r reader) fleet(ctx context.Context, at time.Time) map[string]vitals {
	f := fleetReader{reader: r, ctx: ctx, at: at, out: map[string]vitals{}}
	f.work("cap:completed_rate", "cap:baseline_rate")
	f.work("cap:goodput_rate", "cap:goodput_baseline")
	f.pools()
	f.each("max by (instance) (cap:waiting)", true, func(v *vitals, m measure) { v.waiting = m })
	f.each("sum by (instance) (cap:expired_count)", false, func(v *vitals, m measure) { v.expired = m })
	f.each("max by (instance) (cap:cpu_busy_ratio)", true, func(v *vitals, m measure) { v.cpu = m })
	f.sources()
	return f.out
}

// sources takes from the store which service a target belongs to, and when it was
// last read.
func (f *fleetReader) sources() {
	for id := range series.SourceID(f.store.Sources()) {
		st := f.store.Status(id, f.at.UnixMilli())
		if st.Kind != series.Scrape && st.Kind != series.Log {
			continue
		}
		f.set(st.Instance, func(v *vitals) {
			v.service = st.Service
			if good := time.UnixMilli(st.LastGood).UTC(); st.LastGood > 0 && good.After(v.read) {
				v.read = good
			}
		})
	}
}

// A fleetReader collects the vitals of all targets.
type fleetReader struct {
	reader
	ctx context.Context
	at  time.Time
	out map[string]vitals
}

func (f *fleetReader) each(expr string, trend bool, set func(*vitals, measure)) {
	for _, s := range f.signals(f.ctx, expr, f.at, trend) {
		f.set(s.labels.Get("instance"), func(v *vitals) { set(v, measure{s.now, s.ago}) })
	}
}

func (f *fleetReader) set(instance string, change func(*vitals)) {
	v, ok := f.out[instance]
	if !ok {
		v = unknownVitals()
	}
	change(&v)
	f.out[instance] = v
}

// work takes, per target, the series that did most before, requests rather than
// uses of connections, and its level before.
func (f *fleetReader) work(rate, baseline string) {
	if !f.store.Has(rate) {
		return
	}
	levels := map[string]measure{}
	for _, s := range f.signals(f.ctx, baseline, f.at, false) {
		levels[workKey(s)] = measure{s.now, s.ago}
	}
	type choice struct {
		connections bool
		level       float64
	}
	best := map[string]choice{}
	for _, s := range f.signals(f.ctx, rate, f.at, true) {
		instance := s.labels.Get("instance")
		was, ok := levels[workKey(s)]
		if !ok {
			was = unknown
		}
		c := choice{s.labels.Get("kind") == "connections", math.Max(orZero(was.now), orZero(s.now))}
		old, seen := best[instance]
		if seen && (c.connections && !old.connections || c.connections == old.connections && c.level <= old.level) {
			continue
		}
		best[instance] = c
		f.set(instance, func(v *vitals) {
			v.done, v.was = measure{s.now, s.ago}, was
			v.signal, v.system, v.chart = s.name(), s.labels.Get("system"), signalChart(s)
		})
	}
}

func workKey(s signal) string {
	return s.labels.Get("instance") + "\xff" + s.labels.Get("system") + "\xff" + s.labels.Get("resource") + "\xff" + s.labels.Get("kind")
}

func orZero(v float64) float64 {
	if math.IsNaN(v) {
		return 0
	}
	return v
}

// pools takes, per target, the pool with the largest part in use.
func (f *fleetReader) pools() {
	sizes := map[string]measure{}
	for _, s := range f.signals(f.ctx, "cap:pool_size", f.at, false) {
		sizes[workKey(s)] = measure{s.now, s.ago}
	}
	fullest := map[string]float64{}
	for _, s := range f.signals(f.ctx, "cap:pool_busy", f.at, false) {
		instance := s.labels.Get("instance")
		size, ok := sizes[workKey(s)]
		if !ok {
			size = unknown
		}
		part := orZero(s.now / size.now)
		if old, ok := fullest[instance]; ok && part <= old {
			continue
		}
		fullest[instance] = part
		f.set(instance, func(v *vitals) { v.busy, v.size = measure{s.now, s.ago}, size })
	}
}

// short writes a value for a narrow column: rules.Number, but 12.4k from 10000 on.
func short(v float64) string {
	if math.Abs(v) >= 10_000 && math.Abs(v) < 1e6 {
		return rules.Number(math.Round(v/100)/10) + "k"
	}
	if math.Abs(v) >= 1e6 && math.Abs(v) < 1e9 {
		return rules.Number(math.Round(v/1e5)/10) + "M"
	}
	return rules.Number(v)
}
