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
