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

	texts    []string // as the pattern's
	readings []reading
	facts    []factReading
}

// Typed is a number of events of one type.
type Typed struct {
	Type  string
	Count float64
}

// A reading is one sample of an event.
type reading struct {
	sample *SampleSpec
	value  float64
}

type factReading struct {
	name  string
	value float64
}

// MaxQuote bounds the text that is kept of a line, in bytes.
const MaxQuote = 1024

// text returns a text of the event; "" for the index -1.
func (e *Event) text(i int) string {
	if i < 0 {
		return ""
	}
	return e.texts[i]
}

// newEvent reads the captures of a record that p matched; inTrace is the line
// of the trace that it matched, nil when it is the message.
func (m *Matcher) newEvent(p *Pattern, r *Record, inTrace []byte) Event {
	e := Event{Pattern: p, Time: r.Time, Level: r.Level, File: r.File, Line: r.Line, InTrace: inTrace != nil}
	if !p.Quiet {
		e.Text = quoteText(r, inTrace)
		e.Thread, e.Logger = m.memory.intern(r.Thread), m.memory.intern(r.Logger)
	}
	e.texts = m.memory.texts(len(p.texts))
	for i := range p.texts {
		m.memory.scratch = p.texts[i].append(m.memory.scratch[:0], m.captures, r)
		e.texts[i] = m.memory.intern(m.memory.scratch)
	}
	e.Type = e.text(p.typ)
	if p.WaitsOn {
		e.WaitsOn = waitsOn(r.Trace)
	}
	e.setCount(m.captures)
	e.readings = m.memory.readings(len(p.Samples))
	for i := range p.Samples {
		if v, ok := p.Samples[i].value.value(p, m.captures, r.Time); ok {
			e.readings = append(e.readings, reading{&p.Samples[i], v})
		}
	}
	e.setFacts(m.captures)
	return e
}

// longHeader is how many bytes may stand before the message of a line that is
// quoted whole.
const longHeader = 100

// quoteText returns the first line of r, without its header where that is long,
// and the line of its trace that tells most: the one that was matched, or the
// frame on top.
func quoteText(r *Record, matched []byte) string {
	if matched == nil {
		matched = topFrame(r.Trace)
	}
	quote := string(firstLine(r))
	if more := bytes.TrimSpace(matched); len(more) > 0 {
		quote += " | " + string(more[:min(len(more), MaxQuote)])
	}
	return strings.ToValidUTF8(quote, "\uFFFD")
}

// firstLine is the first line of a record, cut; of one whose message stands far
// from its beginning, or is escaped in it, the message.
func firstLine(r *Record) []byte {
	if at := bytes.Index(r.Raw, r.Message); at < 0 || at > longHeader {
		return append([]byte("... "), r.Message[:min(len(r.Message), MaxQuote)]...)
	}
	return r.Raw[:min(len(r.Raw), MaxQuote)]
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

// setFacts reads what the record says about limits.
func (e *Event) setFacts(captures [][]byte) {
	for i := range e.Pattern.Facts {
		f := &e.Pattern.Facts[i]
		v, ok := f.value.value(e.Pattern, captures, e.Time)
		if !ok {
			continue
		}
		if f.Floor > 0 {
			v = math.Floor(v/f.Floor) * f.Floor
		}
		e.facts = append(e.facts, factReading{f.Name, v})
	}
}
