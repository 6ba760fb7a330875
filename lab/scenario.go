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
	Name     string // [a-z-]+
	Title    string // no capital, no period
	Story    string // what happens, in full sentences
	Config   Config
	Steps    []Step
	Until    func(Stats) bool // when set, the course goes on after the last step until this holds
	Length   time.Duration    // after the last step, or after Until held
	Promises []string         // what is to be seen at the end, one sentence each
	Expect   Expect
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

// Roll returns a model that has gone through the whole course, with its clock
// at end.
func (s Scenario) Roll(end time.Time) *Model {
	m := New(s.Config, end)
	s.course(m, func(time.Duration) {})
	m.start = end.Add(-m.agenda.now)
	return m
}

// course moves a new model through the scenario. After each part of a second
// it calls at with the time gone by.
func (s Scenario) course(m *Model, at func(time.Duration)) {
	run := func(t time.Duration) {
		for m.agenda.now < t {
			m.RunTo(m.start.Add(min(m.agenda.now+rollStep, t)))
			at(m.agenda.now)
		}
	}
	for _, step := range s.Steps {
		run(step.At)
		step.Do(m)
	}
	for limit := m.agenda.now + rollLimit; s.Until != nil && !s.Until(m.Stats()) && m.agenda.now < limit; {
		run(m.agenda.now + rollStep)
	}
	run(m.agenda.now + s.Length)
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
