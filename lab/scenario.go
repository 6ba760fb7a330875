package lab

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// A Scenario is a course of events of a model, from the start of the server to
// the moment at which somebody looks.
type Scenario struct {
	Name     string           // [a-z-]+
	Title    string           // no capital, no period
	Story    string           // what happens, in full sentences
	Config   Config           // of an Evento model
	Steps    []Step           // done to an Evento model
	Until    func(Stats) bool // when set, the course goes on after the last step until this holds; Evento only
	Length   time.Duration    // after the last step, or after Until held
	Promises []string         // what is to be seen at the end, one sentence each
	Expect   Expect
	// Other makes the model of a system that is not Evento; Config, Steps and
	// Until are not used then.
	Other func(start time.Time) System
	// Every and Span are how far apart scrapes have to be to show it, and for
	// how long; 0 is 15 s and 2 min.
	Every, Span time.Duration
}

// A Step is something that is done to the model at a time after its start.
type Step struct {
	At   time.Duration
	What string // what is done, in words
	Do   func(*Model)
}

// Expect is the right answer for a case made from a scenario: what has to be
// found, the first one leading, and what must not be.
type Expect struct {
	Find          []Found
	Not           []string
	Unknown       []string // must be reported as not judged
	AdviceMust    []string // regular expressions
	AdviceMustNot []string
	Facts         map[string]float64
	Why           string
}

// Found is a diagnosis that must be reported, and words that its text has.
type Found struct {
	ID   string
	Says []string
}

const (
	rollStep  = time.Second
	rollLimit = time.Hour // of waiting for Until
)

// Play returns a system that has gone through the whole course, with its clock
// at end.
func (s Scenario) Play(end time.Time) System {
	m := s.begin(end)
	s.course(m, func(time.Duration) {})
	m.settle(end)
	return m
}

// Roll is Play for a scenario of Evento. It must not be called for another.
func (s Scenario) Roll(end time.Time) *Model { return s.Play(end).(*Model) }

// begin returns a new model of the scenario.
func (s Scenario) begin(start time.Time) System {
	if s.Other != nil {
		return s.Other(start)
	}
	return New(s.Config, start)
}

// course moves a new model through the scenario. After each part of a second
// it calls at with the time gone by.
func (s Scenario) course(m System, at func(time.Duration)) {
	start := m.Now()
	run := func(t time.Duration) {
		for now := m.elapsed(); now < t; {
			now = min(now+rollStep, t)
			m.RunTo(start.Add(now))
			at(now)
		}
	}
	if e, ok := m.(*Model); ok {
		s.steps(e, run)
	}
	run(m.elapsed() + s.Length)
}

// steps does what is to be done to an Evento model and waits for Until.
func (s Scenario) steps(m *Model, run func(time.Duration)) {
	for _, step := range s.Steps {
		run(step.At)
		step.Do(m)
	}
	for limit := m.elapsed() + rollLimit; s.Until != nil && !s.Until(m.Stats()) && m.elapsed() < limit; {
		run(m.elapsed() + rollStep)
	}
}

// Find returns the scenario of a name. The error names the scenarios with a
// similar name, or all of them.
func Find(name string) (Scenario, error) {
	all := Scenarios()
	var names, near []string
	for _, s := range all {
		if s.Name == name {
			return s, nil
		}
		names = append(names, s.Name)
		if alike(s.Name, name) {
			near = append(near, s.Name)
		}
	}
	if len(near) > 0 {
		return Scenario{}, fmt.Errorf("no scenario %q; did you mean %s?", name, strings.Join(near, " or "))
	}
	slices.Sort(names)
	return Scenario{}, fmt.Errorf("no scenario %q; there are %s", name, strings.Join(names, ", "))
}

// alike tells whether a name may have been meant by another.
func alike(name, meant string) bool {
	if meant == "" {
		return false
	}
	return strings.Contains(name, meant) || strings.Contains(meant, name) || distance(name, meant) <= 2
}

// distance is the number of letters to insert, delete or replace.
func distance(a, b string) int {
	previous := make([]int, len(b)+1)
	for j := range previous {
		previous[j] = j
	}
	for i := range len(a) {
		next := make([]int, len(b)+1)
		next[0] = i + 1
		for j := range len(b) {
			change := previous[j]
			if a[i] != b[j] {
				change++
			}
			next[j+1] = min(change, previous[j+1]+1, next[j]+1)
		}
		previous = next
	}
	return previous[len(b)]
}
