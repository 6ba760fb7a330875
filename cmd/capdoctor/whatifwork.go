package main

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/capdoctor/capdoctor/lab"
	"github.com/capdoctor/capdoctor/series"
	"github.com/capdoctor/capdoctor/sizing"
)

// A work is what was completed, by whom, over time.
type work struct {
	parts         []workPart
	rateOrigin    string
	clientsOrigin string
	now           float64 // completed per second in the last minute
	clients       int     // at the end
}

// A workPart is a time between two readings of the counter of completed writes.
type workPart struct {
	from, to  int64 // milliseconds
	perSecond float64
	clients   float64 // 0 is not known
}

// seeWork reads how much was completed and how many clients there were.
func (o *observation) seeWork(ctx context.Context) (work, error) {
	var w work
	var counter, callers []series.Point
	var err error
	if counter, w.rateOrigin, err = o.firstCourse(ctx, goodput, written); err != nil {
		return w, err
	}
	if callers, w.clientsOrigin, err = o.firstCourse(ctx, workers, clients); err != nil {
		return w, err
	}
	w.parts = partsOf(counter, callers)
	if len(counter) > 0 {
		w.now = lastMinute(counter)
	}
	if len(callers) > 0 {
		w.clients = int(callers[len(callers)-1].Value)
	}
	return w, nil
}

// firstCourse is the course of the first expression that has one.
func (o *observation) firstCourse(ctx context.Context, exprs ...string) (points []series.Point, origin string, err error) {
	begin, step := o.span()
	for _, expr := range exprs {
		if points, err = o.course(ctx, expr, begin, step); err != nil || len(points) > 0 {
			return points, signalName.FindString(expr), err
		}
	}
	return nil, "", nil
}

// longestPart is how far apart two rises of a counter may be and still be one
// stretch of work, and shortestPart how far apart they must be to tell a rate.
const (
	longestPart  = 2 * time.Minute
	shortestPart = 20 * time.Second
)

// partsOf cuts the course of a counter at its rises: a log tells its counter
// every 20 s, a page at each scrape. Rises that are close to each other make one
// part, as the time of each is known to a few seconds only; and the last rise of
// a stretch of work is left out, as it may be of a part of its time.
func partsOf(counter, callers []series.Point) []workPart {
	var parts []workPart
	var stretch []series.Point // rises of the present part
	cut := func(to int) {
		if to <= 0 {
			return
		}
		from, end := stretch[0], stretch[to]
		parts = append(parts, workPart{from.Time, end.Time, (end.Value - from.Value) / (float64(end.Time-from.Time) / 1000), valueAt(callers, end.Time)})
		stretch = stretch[to:]
	}
	for i := 1; i < len(counter); i++ {
		if counter[i].Value <= counter[i-1].Value {
			continue
		}
		if n := len(stretch); n > 0 {
			if counter[i].Time-stretch[n-1].Time > longestPart.Milliseconds() {
				cut(n - 2)
				stretch = nil
			} else if stretch[n-1].Time-stretch[0].Time >= shortestPart.Milliseconds() {
				cut(n - 1)
			}
		}
		stretch = append(stretch, counter[i])
	}
	cut(len(stretch) - 2)
	return parts
}

// valueAt is the last value up to a time; 0 where there is none.
func valueAt(points []series.Point, t int64) float64 {
	v := 0.0
	for _, p := range points {
		if p.Time > t {
			break
		}
		v = p.Value
	}
	return v
}

// lastMinute is the rate of a counter over its last minute, or over what there
// is of it. A log tells the counter every now and then: what it has not told yet
// does not count as nothing.
func lastMinute(counter []series.Point) float64 {
	end := counter[len(counter)-1]
	for i := len(counter) - 1; i > 0 && end.Time-counter[i].Time < longestProgress.Milliseconds(); i-- {
		if counter[i].Value > counter[i-1].Value {
			end, counter = counter[i], counter[:i+1]
			break
		}
	}
	first := end
	for _, p := range slices.Backward(counter) {
		if end.Time-p.Time > time.Minute.Milliseconds() {
			break
		}
		first = p
	}
	if first.Time == end.Time {
		return 0
	}
	return max(0, end.Value-first.Value) / (float64(end.Time-first.Time) / 1000)
}

// longestProgress is how far apart the progress lines of a log usually are at
// most.
const longestProgress = 30 * time.Second

// span is the time that inputs cover, in steps of a scrape or of 15 s.
func (o *observation) span() (begin, step int64) {
	begin = o.ticked
	for _, in := range o.inputs {
		if !in.First.IsZero() {
			begin = min(begin, in.First.UnixMilli())
		}
	}
	step = max((o.ticked-begin)/mostSteps, 5000)
	return o.ticked - (o.ticked-begin)/step*step, step
}

// mostSteps bounds how finely the past is read.
const mostSteps = 2000

// course evaluates an expression over the time that inputs cover.
func (o *observation) course(ctx context.Context, expr string, begin, step int64) ([]series.Point, error) {
	all, err := o.store.Range(ctx, series.View{}, expr, begin, o.ticked, step)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	return slices.DeleteFunc(all[0].Points, func(p series.Point) bool { return math.IsNaN(p.Value) }), nil
}

// wellAbove is the part of the best rate that counts as working.
const wellAbove = 0.8

// best finds the clients with which most was completed, the last ones where
// several did as well, and their usual rate; nothing where that is not known.
func (k work) best() lab.Sighting {
	var rates []float64
	for _, p := range k.parts {
		if p.clients > 0 {
			rates = append(rates, p.perSecond)
		}
	}
	slices.Sort(rates)
	most, ok := sizing.NearestRank(rates, 90)
	if !ok {
		return lab.Sighting{}
	}
	var then float64
	var usual []float64
	for _, p := range k.parts {
		if p.clients == 0 || p.perSecond < wellAbove*most {
			continue
		}
		if p.clients != then {
			then, usual = p.clients, nil
		}
		usual = append(usual, p.perSecond)
	}
	slices.Sort(usual)
	median, _ := sizing.NearestRank(usual, 50)
	return lab.SightingOf(int(then), median)
}

// worked is when work was last completed at the rate of a sighting; 0 where it
// never was, or where what came next was not seen.
func (k work) worked(as lab.Sighting) int64 {
	for i, p := range slices.Backward(k.parts) {
		if p.perSecond < wellAbove*as.PerSecond {
			continue
		}
		if i+1 < len(k.parts) && k.parts[i+1].from-p.to > longestPart.Milliseconds() {
			return 0
		}
		return p.to
	}
	return 0
}

// rateAt is what was completed per second at a time; 0 where that is not known.
func (k work) rateAt(t int64) float64 {
	for _, p := range k.parts {
		if p.from < t && t <= p.to {
			return p.perSecond
		}
	}
	return 0
}

// growth is the rate of a counter from its first rise to its last one; NaN of
// fewer than two rises.
func growth(points []series.Point) float64 {
	first, last := -1, -1
	for i := 1; i < len(points); i++ {
		if points[i].Value > points[i-1].Value {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	if first == last {
		return math.NaN()
	}
	return (points[last].Value - points[first].Value) / (float64(points[last].Time-points[first].Time) / 1000)
}
