package main

import (
	"fmt"
	"strings"

	"github.com/capdoctor/capdoctor/logparse"
	"github.com/capdoctor/capdoctor/rules"
)

// signs are what logs without any time say, log by log in the order of their
// lines. They are not judged: without times there is no rate and no duration.
func (l *logs) signs() []rules.EventCount {
	var all []rules.EventCount
	titles := eventTitles(l.catalog)
	for _, name := range l.names() {
		for _, s := range l.byName[name].sampler.Signs() {
			all = append(all, rules.EventCount{
				Instance: name, Event: s.Event, Title: titles[s.Event], Count: s.Count,
				First: l.unordered(name, s.First), Last: l.unordered(name, s.Last), PointsTo: l.session.judge.Catalog().PointsTo(s.Event),
			})
		}
	}
	return all
}

// Bounds from which lines that nobody knows are worth telling.
const (
	leastUnknown      = 10
	leastUnknownShare = 5 // one in so many
)

// unknownNotes says how many warnings and errors no pattern knows.
func (l *logs) unknownNotes() []string {
	var notes []string
	for _, name := range l.names() {
		all := l.byName[name].sampler.Trouble()
		if unknown := all - l.known[name]; unknown >= leastUnknown && unknown*leastUnknownShare >= all {
			notes = append(notes, fmt.Sprintf("%s: %s of %s warnings and errors are lines that no pattern knows; read them, or say with --patterns what they mean",
				name, rules.Number(float64(unknown)), rules.Number(float64(all))))
		}
	}
	return notes
}

// unordered is a line without a time.
func (l *logs) unordered(instance string, q logparse.Quote) *rules.Line {
	return &rules.Line{File: l.shown(q.File), Number: q.Line, Instance: instance, Event: q.Event, Text: q.Text}
}

// signNotes says the same in sentences.
func (l *logs) signNotes() []string {
	var notes []string
	for _, e := range l.signs() {
		note := fmt.Sprintf("without a time, so not judged: %s × %s (%s:%d to %d)", rules.Number(e.Count), e.Title, e.First.File, e.First.Number, e.Last.Number)
		if len(e.PointsTo) > 0 {
			note += "; it points to " + strings.Join(e.PointsTo, ", ")
		}
		notes = append(notes, note)
	}
	return notes
}
