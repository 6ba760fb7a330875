package rules

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/capdoctor/capdoctor/series"
)

// outcomes counts the requests of the whole time whose result is unknown, by
// type, against those that were refused.
func (q *inquiry) outcomes() Ledger {
	l := Ledger{Indeterminate: math.NaN(), Refused: math.NaN(), Since: utc(q.ticks[0]), Types: map[string]float64{}}
	add := func(to *float64, v float64) { *to = zeroIfUnknown(*to) + v }
	for _, s := range q.whole("cap:expired_count") {
		if s.Labels.Get("kind") == "requests" {
			add(&l.Indeterminate, s.Value)
		}
	}
	for _, s := range q.whole("cap:expired_type_count") {
		if s.Labels.Get("kind") == "requests" && s.Value > 0 {
			l.Types[s.Labels.Get("resource")] += s.Value
		}
	}
	for _, s := range q.whole("cap:rejected_rate") {
		add(&l.Refused, math.Round(s.Value*q.length().Seconds()))
	}
	return l
}

// length is a window that sees every tick from the last one.
func (q *inquiry) length() time.Duration {
	return time.Duration(q.ticks[len(q.ticks)-1]-q.ticks[0])*time.Millisecond + q.step
}

// whole evaluates the system rules of a signal over the whole time.
func (q *inquiry) whole(signal string) []series.Sample {
	var all []series.Sample
	seen := map[string]bool{}
	for _, r := range q.rulesOf(signal) {
		if !possible(r.expr, q.exists) {
			continue
		}
		w := q.length()
		found, err := q.store.Instant(q.ctx, series.View{}, r.at(everyWindow(w)), q.ticks[len(q.ticks)-1])
		if err != nil {
			continue
		}
		for _, s := range found {
			s.Labels = resultLabels(s.Labels, r.signal, r.labels)
			if key := identity(s.Labels); !seen[key] && !math.IsNaN(s.Value) {
				seen[key] = true
				all = append(all, s)
			}
		}
	}
	return all
}

// mostEvents and mostTypes bound what is told of the events of logs.
const (
	mostEvents = 20
	mostTypes  = 5
)

// events counts what the logs tell, most frequent first.
func (q *inquiry) events() []EventCount {
	byName := map[[2]string]*EventCount{}
	for _, s := range q.store.Select(eventsMetric, q.ticks[0], q.ticks[len(q.ticks)-1]) {
		n := grown(s.Points)
		if n <= 0 {
			continue
		}
		key := [2]string{s.Labels.Get("instance"), s.Labels.Get("event")}
		e := byName[key]
		if e == nil {
			e = &EventCount{Instance: key[0], Event: key[1]}
			byName[key] = e
		}
		e.Count += n
		e.addType(s.Labels.Get("type"), n)
	}
	all := make([]EventCount, 0, len(byName))
	for _, e := range byName {
		slices.SortFunc(e.Types, func(a, b TypeCount) int {
			return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Type, b.Type))
		})
		e.Types = e.Types[:min(len(e.Types), mostTypes)]
		all = append(all, *e)
	}
	slices.SortFunc(all, func(a, b EventCount) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Event, b.Event), cmp.Compare(a.Instance, b.Instance))
	})
	all = all[:min(len(all), mostEvents)]
	for i := range all {
		q.quoteEnds(&all[i])
	}
	return all
}

func (e *EventCount) addType(name string, n float64) {
	if name == "" {
		return
	}
	i := slices.IndexFunc(e.Types, func(t TypeCount) bool { return t.Type == name })
	if i < 0 {
		i = len(e.Types)
		e.Types = append(e.Types, TypeCount{Type: name})
	}
	e.Types[i].Count += n
}

// quoteEnds finds the first and the last line of an event.
func (q *inquiry) quoteEnds(e *EventCount) {
	if q.quotes == nil {
		return
	}
	if lines := q.quotes(e.Instance, e.Event, nil, time.Time{}, time.Time{}, 2); len(lines) > 0 {
		e.First, e.Last = &lines[0], &lines[len(lines)-1]
	}
}

// grown is how much a counter grew, resets aside.
func grown(points []series.Point) float64 {
	sum := points[0].Value
	for i := 1; i < len(points); i++ {
		d := points[i].Value - points[i-1].Value
		if d < 0 {
			d = points[i].Value
		}
		sum += d
	}
	return sum
}

// restartEvents are the log events that tell of a start or a stop.
var restartEvents = []struct{ event, text string }{
	{"process_started", "started"},
	{"process_stopping", "is being stopped"},
}

// mostRestarts is how many starts and stops of one target are told.
const mostRestarts = 16

// restarts lists the starts and stops that logs and uptimes show.
func (q *inquiry) restarts() []Restart {
	var all []Restart
	if q.quotes != nil {
		for _, s := range q.store.Select(linesMetric, q.ticks[0], q.ticks[len(q.ticks)-1]) {
			if s.Labels.Get("level") != "info" {
				continue // once for each log
			}
			all = append(all, q.restartLines(s.Labels.Get("instance"))...)
		}
	}
	for _, s := range q.store.Select("cap:uptime_seconds", q.ticks[0], q.ticks[len(q.ticks)-1]) {
		for i := 1; i < len(s.Points); i++ {
			if p := s.Points[i]; p.Value < s.Points[i-1].Value {
				name := s.Labels.Get("instance")
				all = append(all, Restart{Time: utc(p.Time).Add(-seconds(p.Value)), Instance: name, Text: name + " started anew"})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b Restart) int { return a.Time.Compare(b.Time) })
	return all
}

func (q *inquiry) restartLines(instance string) []Restart {
	var all []Restart
	for _, e := range restartEvents {
		for _, l := range q.quotes(instance, e.event, nil, time.Time{}, time.Time{}, mostRestarts) {
			all = append(all, Restart{Time: l.Time, Instance: instance, Text: instance + " " + e.text, Where: &l})
		}
	}
	return all
}
