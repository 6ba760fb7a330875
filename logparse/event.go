package logparse

import (
	"bytes"
	"math"
	"strings"
	"time"
)

// levelNames are the levels as the catalogue and the label level spell them.
var levelNames = map[string]Level{
	"none": NoLevel, "trace": Trace, "debug": Debug, "info": Info, "warn": Warn, "error": Error, "fatal": Fatal,
}

// levelLabels are the values of the label level, by Level.
var levelLabels = [...]string{NoLevel: "none", Trace: "trace", Debug: "debug", Info: "info", Warn: "warn", Error: "error", Fatal: "fatal"}

// An Event is a record that a pattern knows. It holds no memory of the record.
type Event struct {
	Pattern *Pattern
	Time    time.Time // zero when the record has none
	Level   Level
	File    string
	Line    int64
	Text    string // the first line, and after " | " the line of the trace that tells most; empty for quiet patterns
	Thread  string // empty for quiet patterns, as Logger is
	Logger  string
	Type    string  // may be empty
	WaitsOn string  // may be empty
	Count   float64 // how many events it stands for; 0 none
	ByType  []Typed // the parts of Count, where the line says them
	InTrace bool    // found in an exception, not in the message

	readings []reading
	facts    []factReading
	spans    []spanReading
}

// Typed is a number of events of one type.
type Typed struct {
	Type  string
	Count float64
}

// A reading is one sample of an event.
type reading struct {
	sample *SampleSpec
	labels []string // values, in the order of sample.labels
	of     string
	value  float64
}

type factReading struct {
	name  string
	value float64
}

type spanReading struct {
	span *SpanSpec
	id   string
}

// MaxQuote bounds the text that is kept of a line, in bytes.
const MaxQuote = 1024

// quoteText returns the first line of r and the line of its trace that tells
// most: the one that was matched, or the frame on top.
func quoteText(r *Record, matched []byte) string {
	if matched == nil {
		matched = topFrame(r.Trace)
	}
	quote := string(r.Raw[:min(len(r.Raw), MaxQuote)])
	if more := bytes.TrimSpace(matched); len(more) > 0 {
		quote += " | " + string(more[:min(len(more), MaxQuote)])
	}
	return strings.ToValidUTF8(quote, "\uFFFD")
}

// newEvent reads the captures of a record that p matched; inTrace is the line
// of the trace that it matched, nil when it is the message.
func newEvent(p *Pattern, r *Record, captures [][]byte, inTrace []byte) Event {
	e := Event{Pattern: p, Time: r.Time, Level: r.Level, File: r.File, Line: r.Line, InTrace: inTrace != nil}
	if !p.Quiet {
		e.Text = quoteText(r, inTrace)
		e.Thread, e.Logger = string(r.Thread), string(r.Logger)
	}
	e.Type = p.typ.expand(captures, r)
	if p.WaitsOn {
		e.WaitsOn = waitsOn(r.Trace)
	}
	e.setCount(captures)
	for i := range p.Samples {
		e.addReading(&p.Samples[i], captures, r)
	}
	for i := range p.Facts {
		if v, ok := p.Facts[i].value.value(p, captures, r.Time); ok {
			if floor := p.Facts[i].Floor; floor > 0 {
				v = math.Floor(v/floor) * floor
			}
			e.facts = append(e.facts, factReading{p.Facts[i].Name, v})
		}
	}
	for i := range p.Spans {
		e.spans = append(e.spans, spanReading{&p.Spans[i], p.Spans[i].id.expand(captures, r)})
	}
	return e
}

// setCount sets how many events the record stands for.
func (e *Event) setCount(captures [][]byte) {
	p := e.Pattern
	if p.Count == "none" {
		return
	}
	count, ok := p.count.value(p, captures, e.Time)
	if !ok || count < 0 {
		count = 1
	}
	e.Count = count
	if slot := p.count.mapSlot(p); slot >= 0 && captures[slot] != nil {
		eachEntry(captures[slot], func(key []byte, v float64) {
			if v > 0 {
				e.ByType = append(e.ByType, Typed{string(key), v})
			}
		})
	}
}

// addReading adds one sample, unless a capture that it needs is missing.
func (e *Event) addReading(s *SampleSpec, captures [][]byte, r *Record) {
	v, ok := s.value.value(e.Pattern, captures, e.Time)
	if !ok {
		return
	}
	got := reading{sample: s, value: v, of: s.of.expand(captures, r)}
	for _, l := range s.labels {
		got.labels = append(got.labels, l.value.expand(captures, r))
	}
	e.readings = append(e.readings, got)
}
