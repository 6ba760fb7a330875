package rules

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/capdoctor/capdoctor/series"
)

// A plan says which inputs are judged at a tick and with which windows. Inputs
// with equal windows are evaluated together.
type plan struct {
	bySource   []group
	byInstance []group
	wide       group               // everything, with the windows of the input watched longest
	longest    instance            // that input
	instances  map[string]instance // every instance that something is known of
	key        []sourceWindows
}

// A group is a part of the store with one length of each window.
type group struct {
	windows Windows
	events  time.Duration // the events window without the half interval
	view    series.View
	owners  map[string]series.SourceID // instance to the source that gets its results
}

// An instance is a target or log that is judged.
type instance struct {
	name     string
	service  string
	kind     series.Kind
	source   series.SourceID // its scrapes where they are good, else its log, else what was measured about its scrapes
	watched  time.Duration
	interval time.Duration
	windows  Windows
}

type sourceWindows struct {
	id      series.SourceID
	windows Windows
}

// shortSpan and eventsSpan are the windows without the half interval that makes
// rate() exact: the time in which what they count happened.
func (in instance) shortSpan() time.Duration  { return in.windows.Short - in.interval/2 }
func (in instance) eventsSpan() time.Duration { return in.windows.Events - in.interval/2 }

// answers tells whether the last scrape of an instance, or its log, is good.
func (in instance) answers() bool { return in.name != "" && in.kind != series.Meter }

// silent tells whether a subject belongs to an instance that does not answer.
func (p plan) silent(l series.Labels) bool {
	name := l.Get("instance")
	return name != "" && !p.instances[name].answers()
}

// preferred is which of two inputs of an instance stands for it.
func preferred(k series.Kind) int {
	return slices.Index([]series.Kind{series.Scrape, series.Log, series.Meter}, k)
}

// same tells whether two ticks can be evaluated together.
func (p plan) same(q plan) bool {
	return p.wide.windows == q.wide.windows && slices.Equal(p.key, q.key)
}

// plan looks at every input as it stands at t.
func (j *Judge) plan(t int64) plan {
	p := plan{instances: map[string]instance{}}
	bySource := map[Windows][]series.SourceID{}
	good := map[string][]series.SourceID{}
	for id := range series.SourceID(j.store.Sources()) {
		st := j.store.Status(id, t)
		if !st.Good || preferred(st.Kind) < 0 {
			continue
		}
		w := windowsOf(st)
		p.key = append(p.key, sourceWindows{id, w})
		bySource[w] = append(bySource[w], id)
		good[st.Instance] = append(good[st.Instance], id)
		old, known := p.instances[st.Instance]
		if !known || preferred(st.Kind) < preferred(old.kind) {
			p.instances[st.Instance] = instance{st.Instance, st.Service, st.Kind, id, st.Watched, st.Interval, w}
		}
	}
	p.bySource = j.groups(bySource)
	p.byInstance = j.groups(p.sourcesByWindows(good))
	p.longest = p.watchedLongest()
	p.wide = j.wideGroup(p)
	return p
}

// windowsOf gives the windows of a source. Those of a log grow in steps, so that
// many points of its grid can be evaluated together.
func windowsOf(st series.Status) Windows {
	watched := st.Watched
	if st.Kind == series.Log {
		watched = rung(st.Interval, watched)
	}
	w := WindowsFor(st.Interval, watched)
	if st.Kind == series.Log {
		w.Extremes = WindowsFor(st.Interval, max(EventsWindow, 4*st.Interval)).Events
	}
	return w
}

// rungs are the lengths at which the windows of a log stop while they grow, in
// intervals. The last one is an events window of the finest grid.
var rungs = []int64{300, 240, 180, 120, 90, 60, 45, 30, 20, 15, 11, 8, 6}

// rung is the largest length, not above watched, at which windows stop: up to
// five intervals every one.
func rung(interval, watched time.Duration) time.Duration {
	n := int64(watched / interval)
	if n <= 5 || n > rungs[0] {
		return watched
	}
	for _, r := range rungs {
		if r <= n {
			return time.Duration(r) * interval
		}
	}
	return 5 * interval
}

// sourcesByWindows puts all good sources of an instance under the windows of
// the one that stands for it.
func (p plan) sourcesByWindows(good map[string][]series.SourceID) map[Windows][]series.SourceID {
	out := map[Windows][]series.SourceID{}
	for _, name := range slices.Sorted(maps.Keys(p.instances)) {
		in := p.instances[name]
		out[in.windows] = append(out[in.windows], in.source)
		for _, id := range good[name] {
			if id != in.source {
				out[in.windows] = append(out[in.windows], id)
			}
		}
	}
	return out
}

func (j *Judge) groups(by map[Windows][]series.SourceID) []group {
	var out []group
	for w, ids := range by {
		g := group{windows: w, events: w.Events - j.store.Source(ids[0]).Interval/2, view: j.store.ViewOf(append([]series.SourceID{j.rules}, ids...)...), owners: map[string]series.SourceID{}}
		for _, id := range slices.Backward(ids) {
			g.owners[j.store.Source(id).Instance] = id
		}
		out = append(out, g)
	}
	slices.SortFunc(out, func(a, b group) int {
		return cmp.Or(cmp.Compare(a.windows.Events, b.windows.Events), cmp.Compare(a.windows.Short, b.windows.Short))
	})
	return out
}

// watchedLongest is the instance that was watched longest, the coarsest among
// equals.
func (p plan) watchedLongest() instance {
	longest := instance{interval: time.Millisecond, windows: WindowsFor(time.Millisecond, 0)}
	for _, name := range slices.Sorted(maps.Keys(p.instances)) {
		in := p.instances[name]
		if in.watched > longest.watched || in.watched == longest.watched && in.interval > longest.interval {
			longest = in
		}
	}
	return longest
}

// of is the input of an instance; of a service the one watched longest.
func (p plan) of(name string) instance {
	if in, ok := p.instances[name]; ok {
		return in
	}
	return p.longest
}

// groupsFor is what an expression is evaluated over: everything at once where it
// speaks of several targets or has no windows, else one group after the other.
func (p plan) groupsFor(w windowed, wide bool, groups []group) []group {
	if wide || len(w.ranges) == 0 {
		return []group{p.wide}
	}
	return groups
}

// wideGroup sees all good inputs, with the windows of the one watched longest.
func (j *Judge) wideGroup(p plan) group {
	ids := []series.SourceID{j.rules}
	for _, k := range p.key {
		ids = append(ids, k.id)
	}
	owners := map[string]series.SourceID{}
	for name, in := range p.instances {
		owners[name] = in.source
	}
	return group{windows: p.longest.windows, events: p.longest.eventsSpan(), view: j.store.ViewOf(ids...), owners: owners}
}

// An age is how long an instance has been watched at a tick.
type age struct {
	watched time.Duration
	// few tells that a single tick may be all there is: the first two reads of a
	// target, of which one may be needed for a rate, or a line of a log.
	few bool
}

// ages are those of all instances; oldest is of the one watched longest.
type ages struct {
	by     map[string]age
	oldest age
}

func (j *Judge) agesAt(p plan, t int64) ages {
	all := ages{by: make(map[string]age, len(p.instances))}
	for name, in := range p.instances {
		d := j.store.Status(in.source, t).Watched
		a := age{d, in.kind == series.Log || d <= in.interval}
		all.by[name] = a
		if d > all.oldest.watched || d == all.oldest.watched && a.few {
			all.oldest = a
		}
	}
	return all
}

// of is the age of the input that a subject belongs to; of a service the oldest.
func (a ages) of(l series.Labels) age {
	if own, ok := a.by[l.Get("instance")]; ok {
		return own
	}
	return a.oldest
}
