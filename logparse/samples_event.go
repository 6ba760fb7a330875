package logparse

import (
	"maps"
	"slices"
)

// Add takes one event. Its record is counted by Lines, not here.
func (s *Sampler) Add(e Event) {
	at := s.last
	if !e.Time.IsZero() {
		at = e.Time.UnixMilli()
	}
	if at == 0 {
		s.undated.add(e)
		return
	}
	s.addAt(e, at)
}

func (s *Sampler) addAt(e Event, at int64) {
	if s.repeats.seen(&e, at) {
		s.Stats.Repeated++
		return
	}
	s.Stats.Events++
	s.grid.relieve()
	s.last = max(s.last, at)
	s.systems[e.Pattern.system] = true
	s.countEvent(&e, at)
	for _, r := range e.readings {
		s.addReading(&e, r, at)
	}
	for _, f := range e.facts {
		s.addFact(f, &e, at)
	}
	for i := range e.Pattern.Spans {
		span := &e.Pattern.Spans[i]
		s.addSpan(span, e.text(span.id), at)
	}
	s.quotes.add(&e, at)
}

// countEvent counts the event by its type.
func (s *Sampler) countEvent(e *Event, at int64) {
	if e.Count == 0 {
		return
	}
	if len(e.ByType) == 0 {
		s.countType(e, at, e.Type, e.Count)
	}
	for _, t := range e.ByType {
		s.countType(e, at, t.Type, t.Count)
	}
}

func (s *Sampler) countType(e *Event, at int64, typ string, n float64) {
	key := eventKey{e.Pattern.Event, typ, e.WaitsOn, e.Level}
	t, ok := s.events[key]
	if !ok {
		t = s.track(countSample, EventsMetric, "event", key.name, "type", s.boundType(key.name, typ),
			"level", levelLabels[e.Level], "waits_on", e.WaitsOn)
		if len(s.events) < maxTracks {
			s.events[key] = t
		}
	}
	s.put(t, at, n)
}

// An eventKey finds the series of an event.
type eventKey struct {
	name, typ, waitsOn string
	level              Level
}

// boundType keeps the number of types of one event small.
func (s *Sampler) boundType(event, typ string) string {
	known := s.types[event]
	if known == nil {
		known = map[string]bool{}
		s.types[event] = known
	}
	if typ == "" || known[typ] {
		return typ
	}
	if len(known) >= maxTypes {
		return "other"
	}
	known[typ] = true
	return typ
}

// addReading stores one sample of an event.
func (s *Sampler) addReading(e *Event, r reading, at int64) {
	if r.sample.kind == memberSample || r.sample.kind == leaveSample {
		s.addMember(e, r, at)
		return
	}
	key := readingKey{sample: r.sample}
	for i, l := range r.sample.labels {
		if i < len(key.labels) {
			key.labels[i] = e.texts[l.value]
		}
	}
	t, ok := s.readings[key]
	if !ok || len(r.sample.labels) > len(key.labels) {
		t = s.track(r.sample.kind, r.sample.Name, e.labelsOf(r.sample)...)
		if len(s.readings) < maxTracks {
			s.readings[key] = t
		}
	}
	s.put(t, at, r.value)
}

// A readingKey finds the series of a sample.
type readingKey struct {
	sample *SampleSpec
	labels [4]string
}

// labelsOf returns the labels of a sample as pairs.
func (e *Event) labelsOf(sample *SampleSpec) []string {
	labels := make([]string, 0, 2*len(sample.labels))
	for _, l := range sample.labels {
		labels = append(labels, l.name, e.texts[l.value])
	}
	return labels
}

// addMember keeps the sum of the sizes of the parts that are there.
func (s *Sampler) addMember(e *Event, r reading, at int64) {
	labels := e.labelsOf(r.sample)
	key := trackKey(r.sample.Name, labels)
	parts := s.members[key]
	if parts == nil {
		parts = map[string]float64{}
		s.members[key] = parts
	}
	part := e.text(r.sample.of)
	delete(parts, part)
	if r.sample.kind == memberSample && len(parts) < maxTracks {
		parts[part] = r.value
	}
	sum := 0.0
	for _, part := range slices.Sorted(maps.Keys(parts)) {
		sum += parts[part]
	}
	s.put(s.track(constantSample, r.sample.Name, labels...), at, sum)
}

// addFact keeps the first line that states a value other than the one before.
func (s *Sampler) addFact(f factReading, e *Event, at int64) {
	known := s.facts[f.name]
	if n := len(known); n == maxFacts || n > 0 && (known[n-1].Value == f.value || known[n-1].Quote.Time.UnixMilli() > at) {
		return
	}
	s.facts[f.name] = append(known, Fact{Name: f.name, Value: f.value, Instance: s.instance, Quote: quoteOf(e, at)})
}

// Facts returns what the log says about limits, by name and in the order of
// time. It only grows at the end of each name.
func (s *Sampler) Facts() []Fact {
	var facts []Fact
	for _, name := range slices.Sorted(maps.Keys(s.facts)) {
		facts = append(facts, s.facts[name]...)
	}
	return facts
}

// Quotes returns the lines that the log's samples were read from.
func (s *Sampler) Quotes() *Quotes { return &s.quotes }

// A Fact is a limit or setting that a line states; it holds until a line states
// another value.
type Fact struct {
	Name     string
	Value    float64
	Instance string
	Quote    Quote
}
