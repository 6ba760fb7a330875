package logparse

import (
	"cmp"
	"slices"
)

// maxUndated bounds the events without a time that are kept. Of further ones
// only the last of each kind is, for all of them.
const maxUndated = 1 << 14

// undatedEvents are the events before which nothing in the log has a time.
type undatedEvents struct {
	events []Event
	last   map[*Pattern]int // index of the event that stands for the rest
	signs  map[string]*Sign
}

// A Sign is what a log without any time says: an event, how often, and between
// which lines.
type Sign struct {
	Event       string
	Count       float64 // records that say it
	First, Last Quote   // without a time
}

func (u *undatedEvents) add(e Event) {
	u.note(&e)
	if len(u.events) < maxUndated {
		u.events = append(u.events, e)
		return
	}
	if u.last == nil {
		u.last = map[*Pattern]int{}
	}
	i, ok := u.last[e.Pattern]
	if !ok {
		u.last[e.Pattern] = len(u.events)
		u.events = append(u.events, e)
		return
	}
	e.Count += u.events[i].Count
	u.events[i] = e
}

// note counts an event and keeps its first and last line.
func (u *undatedEvents) note(e *Event) {
	quote := Quote{File: e.File, Line: e.Line, Event: e.Pattern.Event, Text: e.Text}
	sign := u.signs[quote.Event]
	if sign == nil {
		if u.signs == nil {
			u.signs = map[string]*Sign{}
		}
		sign = &Sign{Event: quote.Event, First: quote}
		u.signs[quote.Event] = sign
	}
	sign.Count++
	sign.Last = quote
}

// Signs returns what the log says as long as none of its records, and no other
// log of the grid, has a time; in the order of their first lines.
func (s *Sampler) Signs() []Sign {
	var all []Sign
	for _, sign := range s.undated.signs {
		all = append(all, *sign)
	}
	slices.SortFunc(all, func(a, b Sign) int {
		return cmp.Or(cmp.Compare(a.First.File, b.First.File), cmp.Compare(a.First.Line, b.First.Line), cmp.Compare(a.Event, b.Event))
	})
	return all
}
