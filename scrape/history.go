package scrape

import (
	"cmp"
	"math"
	"slices"
	"sort"
	"time"

	"github.com/prometheus/prometheus/model/labels"

	"github.com/capdoctor/capdoctor/series"
)

// A History is what a server has of one target, as the scrapes that it was.
type History struct {
	Target  Target
	Results []Result // by time
}

// Histories puts stored series together to the scrapes that they came from. A
// target is what has one instance and job. The labels of its series up are those
// that the server gave it: they are taken off, so that the samples are as if the
// target had been scraped. serviceLabel names the one that becomes the label
// service; empty is none. The targets are sorted by instance.
//
// A sample counts at the time of the scrape that brought it: that of the first
// up at or after it. Where the server has no up, every time of a sample is one of
// a scrape.
func Histories(stored []Stored, serviceLabel string) []History {
	found := map[targetKey]*storedTarget{}
	for _, s := range stored {
		key := targetKey{s.Labels["instance"], s.Labels["job"]}
		t := found[key]
		if t == nil {
			t = &storedTarget{key: key, given: map[string]string{"job": key.job}}
			found[key] = t
		}
		t.add(s)
	}
	targets := make([]*storedTarget, 0, len(found))
	jobs := map[string]int{}
	for _, t := range found {
		targets = append(targets, t)
		jobs[t.key.instance]++
	}
	slices.SortFunc(targets, func(a, b *storedTarget) int {
		return cmp.Or(cmp.Compare(a.key.instance, b.key.instance), cmp.Compare(a.key.job, b.key.job))
	})
	var all []History
	for _, t := range targets {
		instance := t.key.instance
		if jobs[instance] > 1 {
			instance += "/" + t.key.job
		}
		if instance == "" {
			instance = cmp.Or(t.key.job, "unnamed")
		}
		if h := t.history(Target{Instance: instance, Service: t.given[serviceLabel]}); len(h.Results) > 0 {
			all = append(all, h)
		}
	}
	return all
}

type targetKey struct{ instance, job string }

// A storedTarget is the series of one target.
type storedTarget struct {
	key    targetKey
	given  map[string]string // labels that the server gave it
	series []Stored
	up     []series.Point
	took   []series.Point // scrape_duration_seconds
}

func (t *storedTarget) add(s Stored) {
	switch s.Labels["__name__"] {
	case "up":
		t.up, t.given = s.Points, s.Labels
	case "scrape_duration_seconds":
		t.took = s.Points
	default:
		t.series = append(t.series, s)
	}
}

// history makes the scrapes of a target.
func (t *storedTarget) history(target Target) History {
	times := t.times()
	if len(times) == 0 {
		return History{}
	}
	h := History{Target: target, Results: make([]Result, len(times))}
	for i, at := range times {
		h.Results[i] = t.result(target, at)
	}
	own := newLabeler(ParseOptions{Instance: target.Instance, Service: target.Service}.withDefaults())
	for _, s := range t.series {
		l, err := own.label(t.bare(s.Labels))
		if err != nil {
			continue // its labels are too many or not valid: a scrape would leave it out too
		}
		t.spread(h.Results, times, l, s.Points)
	}
	for i := range h.Results {
		if h.Results[i].Err != nil {
			h.Results[i].Samples = nil
		}
	}
	return h
}

// times are those of the scrapes.
func (t *storedTarget) times() []int64 {
	var times []int64
	for _, p := range t.up {
		times = append(times, p.Time)
	}
	if len(times) == 0 {
		for _, s := range t.series {
			for _, p := range s.Points {
				times = append(times, p.Time)
			}
		}
	}
	slices.Sort(times)
	return slices.Compact(times)
}

// result is the scrape at a time, without its samples.
func (t *storedTarget) result(target Target, at int64) Result {
	r := Result{Target: target, At: time.UnixMilli(at).UTC()}
	var took time.Duration // the server's, no cost of ours
	if seconds, ok := valueAt(t.took, at); ok && seconds >= 0 && seconds < 1e6 {
		took = time.Duration(seconds * float64(time.Second))
	}
	if up, ok := valueAt(t.up, at); ok && up == 0 {
		r.Err = &Error{Kind: Network, Target: target.Instance, Msg: "the server could not scrape it: up is 0", Hint: "the server's page of targets says why"}
	}
	r.Meta = newMetaLabels(target).samples(r.Err == nil, took)
	return r
}

func valueAt(points []series.Point, at int64) (float64, bool) {
	i, ok := slices.BinarySearchFunc(points, at, func(p series.Point, at int64) int { return cmp.Compare(p.Time, at) })
	if !ok {
		return math.NaN(), false
	}
	return points[i].Value, true
}

// bare are the labels of a series without those that the server gave its target.
func (t *storedTarget) bare(l map[string]string) labels.Labels {
	own := map[string]string{}
	for name, value := range l {
		if name != "instance" && (name == "__name__" || t.given[name] != value) {
			own[name] = value
		}
	}
	return labels.FromMap(own)
}

// spread gives every scrape the last sample of a series that it brought. A page
// may date its samples itself, somewhat earlier.
func (t *storedTarget) spread(results []Result, times []int64, l series.Labels, points []series.Point) {
	for i, p := range points {
		k := sort.Search(len(times), func(k int) bool { return times[k] >= p.Time })
		if k == len(times) || i+1 < len(points) && points[i+1].Time <= times[k] {
			continue // its scrape is not there yet, or brought a later one
		}
		results[k].Samples = append(results[k].Samples, series.Sample{Labels: l, Value: p.Value})
	}
}
