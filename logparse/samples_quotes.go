package logparse

import (
	"slices"
	"time"
)

// A Quote is a line that samples were read from.
type Quote struct {
	File  string
	Line  int64
	Time  time.Time
	Event string
	Text  string // as it stands in the log, cut to MaxQuote bytes: escape it
	label map[string]string
}

// Bounds of the quotes of one event: the first and the last ones are kept, of
// those between them every second one goes whenever there are too many.
const (
	maxQuotes  = 256
	headQuotes = 16
	tailQuotes = 64
)

// Quotes holds lines of one log as evidence. The zero value is empty.
type Quotes struct {
	lists map[string][]Quote // by event and by metric
}

// Find returns at most max quotes, newest last, of an event or a metric whose
// labels do not contradict want, within from and to; zero times are no bound.
// Of more than max the first and the last ones are returned.
func (q *Quotes) Find(eventOrMetric string, want map[string]string, from, to time.Time, max int) []Quote {
	if eventOrMetric == EventsMetric {
		eventOrMetric = want["event"]
	}
	var found []Quote
	for _, quote := range q.lists[eventOrMetric] {
		if (from.IsZero() || !quote.Time.Before(from)) && (to.IsZero() || !quote.Time.After(to)) && quote.fits(want) {
			found = append(found, quote)
		}
	}
	slices.SortStableFunc(found, func(a, b Quote) int { return a.Time.Compare(b.Time) })
	if len(found) <= max {
		return found
	}
	head := max / 2
	return slices.Concat(found[:head], found[len(found)-(max-head):])
}

// fits tells whether every label that both have is equal.
func (q *Quote) fits(want map[string]string) bool {
	for name, value := range want {
		if have, ok := q.label[name]; ok && have != value && value != "" {
			return false
		}
	}
	return true
}

// add keeps the line of an event under its name and under its metrics' names.
func (q *Quotes) add(e *Event, at int64) {
	if e.Pattern.Quiet {
		return
	}
	quote := quoteOf(e, at)
	quote.label = eventLabels(e)
	q.keep(e.Pattern.Event, quote)
	for i := range e.readings {
		r := &e.readings[i]
		quote.label = map[string]string{}
		for j, l := range r.sample.labels {
			quote.label[l.name] = r.labels[j]
		}
		q.keep(r.sample.Name, quote)
	}
}

func eventLabels(e *Event) map[string]string {
	labels := map[string]string{"event": e.Pattern.Event, "level": levelLabels[e.Level]}
	if e.Type != "" {
		labels["type"] = e.Type
	}
	if len(e.ByType) == 1 {
		labels["type"] = e.ByType[0].Type
	}
	if e.WaitsOn != "" {
		labels["waits_on"] = e.WaitsOn
	}
	return labels
}

func (q *Quotes) keep(key string, quote Quote) {
	if q.lists == nil {
		q.lists = map[string][]Quote{}
	}
	list := append(q.lists[key], quote)
	if len(list) > maxQuotes {
		list = thin(list)
	}
	q.lists[key] = list
}

// thin leaves out every second quote between the first and the last ones.
func thin(list []Quote) []Quote {
	kept := list[:headQuotes]
	for i := headQuotes; i < len(list)-tailQuotes; i += 2 {
		kept = append(kept, list[i])
	}
	return append(kept, list[len(list)-tailQuotes:]...)
}

func quoteOf(e *Event, at int64) Quote {
	t := e.Time
	if t.IsZero() {
		t = time.UnixMilli(at).UTC()
	}
	return Quote{File: e.File, Line: e.Line, Time: t, Event: e.Pattern.Event, Text: e.Text}
}
