package logparse

import (
	"slices"
	"time"
)

// A Quote is a line that samples were read from.
type Quote struct {
	File   string
	Line   int64
	Time   time.Time
	Event  string
	Text   string // as it stands in the log, cut to MaxQuote bytes: escape it
	label  map[string]string
	number int64 // among the quotes of its event
}

// Bounds of the quotes of one event: the first and the last ones are kept, and
// of those between them every nth.
const (
	headQuotes   = 16
	middleQuotes = 128
	tailQuotes   = 64
)

// Quotes holds lines of one log as evidence. The zero value is empty.
type Quotes struct {
	lists map[string]*quoteList // by event and by metric
}

// A quoteList is the quotes of one event or metric in the order of reading.
type quoteList struct {
	head, middle, tail []Quote
	count              int64 // of all quotes so far
	every              int64 // of the middle: every nth is kept
}

// add keeps q, which was read last.
func (l *quoteList) add(q Quote) {
	q.number = l.count
	l.count++
	if len(l.head) < headQuotes {
		l.head = append(l.head, q)
		return
	}
	l.tail = append(l.tail, q)
	if len(l.tail) <= tailQuotes {
		return
	}
	if first := l.tail[0]; first.number%l.every == 0 {
		l.middle = append(l.middle, first)
	}
	l.tail = append(l.tail[:0], l.tail[1:]...)
	if len(l.middle) > middleQuotes {
		l.every *= 2
		l.middle = slices.DeleteFunc(l.middle, func(q Quote) bool { return q.number%l.every != 0 })
	}
}

// Find returns at most max quotes, newest last, of an event or a metric whose
// labels do not contradict want, within from and to; zero times are no bound.
// Of more than max the first and the last ones are returned.
func (q *Quotes) Find(eventOrMetric string, want map[string]string, from, to time.Time, max int) []Quote {
	if eventOrMetric == EventsMetric {
		eventOrMetric = want["event"]
	}
	list := q.lists[eventOrMetric]
	if list == nil {
		return nil
	}
	var found []Quote
	for _, quote := range slices.Concat(list.head, list.middle, list.tail) {
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
		q.lists = map[string]*quoteList{}
	}
	list := q.lists[key]
	if list == nil {
		list = &quoteList{every: 1}
		q.lists[key] = list
	}
	list.add(quote)
}

func quoteOf(e *Event, at int64) Quote {
	t := e.Time
	if t.IsZero() {
		t = time.UnixMilli(at).UTC()
	}
	return Quote{File: e.File, Line: e.Line, Time: t, Event: e.Pattern.Event, Text: e.Text}
}
