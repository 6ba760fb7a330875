package logparse

import (
	"cmp"
	"slices"
	"time"
)

// A Quote is a line that samples were read from.
type Quote struct {
	File  string
	Line  int64
	Time  time.Time
	Event string
	Text  string // as it stands in the log, cut: escape it

	labels quoteLabels
	number int64 // among the quotes of its event
}

// quoteLabels are the labels of an event, or of a sample when sample is set.
type quoteLabels struct {
	level, typ, waitsOn string
	sample              *SampleSpec
	texts               []string
}

// value returns a label; ok is false where it is not known.
func (l *quoteLabels) value(name string) (value string, ok bool) {
	if l.sample != nil {
		for _, label := range l.sample.labels {
			if label.name == name {
				return l.texts[label.value], true
			}
		}
		return "", false
	}
	switch name {
	case "level":
		value = l.level
	case "type":
		value = l.typ
	case "waits_on":
		value = l.waitsOn
	}
	return value, value != ""
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
	head, middle []Quote
	tail         []Quote // a ring, whose first one is the quote number count-len(tail)
	count        int64   // of all quotes so far
	every        int64   // of the middle: every nth is kept
}

// add keeps q, which was read last.
func (l *quoteList) add(q Quote) {
	q.number = l.count
	l.count++
	switch {
	case len(l.head) < headQuotes:
		l.head = append(l.head, q)
	case len(l.tail) < tailQuotes:
		l.tail = append(l.tail, q)
	default:
		oldest := &l.tail[(q.number-headQuotes)%tailQuotes]
		if oldest.number%l.every == 0 {
			l.addMiddle(*oldest)
		}
		*oldest = q
	}
}

func (l *quoteList) addMiddle(q Quote) {
	l.middle = append(l.middle, q)
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
	slices.SortFunc(found, func(a, b Quote) int {
		return cmp.Or(a.Time.Compare(b.Time), cmp.Compare(a.number, b.number))
	})
	if len(found) <= max {
		return found
	}
	head := max / 2
	return slices.Concat(found[:head], found[len(found)-(max-head):])
}

// fits tells whether every label that both have is equal.
func (q *Quote) fits(want map[string]string) bool {
	for name, value := range want {
		if have, ok := q.labels.value(name); ok && have != value && value != "" {
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
	quote.labels = quoteLabels{level: levelLabels[e.Level], typ: e.Type, waitsOn: e.WaitsOn}
	if len(e.ByType) == 1 {
		quote.labels.typ = e.ByType[0].Type
	}
	q.keep(e.Pattern.Event, quote)
	for i := range e.readings {
		sample := e.readings[i].sample
		quote.labels = quoteLabels{sample: sample, texts: e.texts}
		q.keep(sample.Name, quote)
	}
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
