package rules

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/common/model"
)

// A Quoter finds the log lines that a series of an instance was read from. name
// is an event, or the metric that a line carried. It returns at most most
// lines, newest last; it is how logs reach the evidence.
type Quoter func(instance, name string, labels map[string]string, from, to time.Time, most int) []Line

// SetQuotes gives the judge the lines behind log-born samples.
func (j *Judge) SetQuotes(q Quoter) { j.quotes = q }

// eventsMetric counts the events of a log; its label event names them.
const eventsMetric = "capdoctor_log_events_total"

// mostLines is how many lines one condition quotes.
const mostLines = 3

// lines quotes what a signal was read from, as far as it came from a log.
func (j *Judge) lines(signal string, labels model.Metric, t int64) []Line {
	if j.quotes == nil {
		return nil
	}
	var all []Line
	for _, instance := range j.lenders(signal, labels, t) {
		for _, name := range j.bornFrom(signal, string(labels["system"])) {
			all = append(all, j.quotes(instance, name, nil, utc(t).Add(-EventsWindow), utc(t), mostLines)...)
		}
	}
	slices.SortStableFunc(all, func(a, b Line) int { return a.Time.Compare(b.Time) })
	all = slices.CompactFunc(all, func(a, b Line) bool { return a.File == b.File && a.Number == b.Number })
	if len(all) > mostLines {
		all = all[len(all)-mostLines:]
	}
	return all
}

// lenders are the instances whose series a signal was made of.
func (j *Judge) lenders(signal string, labels model.Metric, t int64) []string {
	if name := string(labels["instance"]); name != "" {
		return []string{name}
	}
	found := map[string]bool{}
	for _, s := range j.store.Select(signal, t-1, t) {
		if v := s.Points[len(s.Points)-1].Value; v != 0 && s.Labels.Get("service") == string(labels["service"]) {
			found[s.Labels.Get("instance")] = true
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// bornFrom lists the events and metrics that the system rules of a signal read.
func (j *Judge) bornFrom(signal, system string) []string {
	var names []string
	for _, r := range j.catalog.recordings[signal] {
		if system != "" && r.labels["system"] != "" && r.labels["system"] != system {
			continue
		}
		for _, s := range selectors(r.expr) {
			if s.Name != eventsMetric {
				names = append(names, s.Name)
			}
		}
		names = append(names, eventsRead([]*recording{r})...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// eventsRead lists the events that rules ask for.
func eventsRead(all []*recording) []string {
	var events []string
	for _, r := range all {
		for _, s := range selectors(r.expr) {
			for _, m := range s.LabelMatchers {
				if s.Name == eventsMetric && m.Name == "event" {
					events = append(events, strings.Split(m.Value, "|")...)
				}
			}
		}
	}
	return events
}
