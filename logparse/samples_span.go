package logparse

// Metrics of the times between two records that name one id.
const (
	SpanSumMetric   = "capdoctor_log_span_seconds_sum"
	SpanCountMetric = "capdoctor_log_span_seconds_count"
	SpansOpenMetric = "capdoctor_log_spans_open"
)

// maxOpen bounds the ids of one generation of open spans.
const maxOpen = 1 << 15

// spans holds the beginnings whose ends have not been seen, in two
// generations, so that the memory is bounded whatever the log says.
type spans struct {
	young, old map[spanKey]int64 // → time of the beginning, in milliseconds
	open       map[string]int
}

type spanKey struct{ name, id string }

// begin opens a span; it returns how many had to be forgotten.
func (s *spans) begin(k spanKey, at int64) (forgotten int64) {
	if s.young == nil {
		s.young, s.old, s.open = map[spanKey]int64{}, map[spanKey]int64{}, map[string]int{}
	}
	if _, again := s.young[k]; again {
		return 0
	}
	if _, again := s.old[k]; again {
		return 0
	}
	if len(s.young) >= maxOpen {
		for key := range s.old {
			s.open[key.name]--
		}
		forgotten = int64(len(s.old))
		s.young, s.old = map[spanKey]int64{}, s.young
	}
	s.young[k] = at
	s.open[k.name]++
	return forgotten
}

// end closes a span and returns when it began.
func (s *spans) end(k spanKey) (began int64, ok bool) {
	for _, generation := range []map[spanKey]int64{s.young, s.old} {
		if began, ok = generation[k]; ok {
			delete(generation, k)
			s.open[k.name]--
			return began, true
		}
	}
	return 0, false
}

// addSpan opens or closes a span and counts its length.
func (s *Sampler) addSpan(span *SpanSpec, id string, at int64) {
	key := spanKey{span.Name, id}
	if span.End {
		began, ok := s.spans.end(key)
		if !ok {
			return
		}
		s.put(s.track(countSample, SpanSumMetric, "span", key.name), at, float64(max(at-began, 0))/1000)
		s.put(s.track(countSample, SpanCountMetric, "span", key.name), at, 1)
	} else {
		s.Stats.Unjoined += s.spans.begin(key, at)
	}
	s.put(s.track(constantSample, SpansOpenMetric, "span", key.name), at, float64(s.spans.open[key.name]))
}

// repeatWithin is how long after a failure the same thread may report it again
// through another logger, in milliseconds.
const repeatWithin = 2000

// maxThreads bounds the threads that repeats remembers.
const maxThreads = 4096

// repeats finds the failures that one thread reports twice: the driver's own
// line, then the exception on its way up.
type repeats struct {
	last map[repeatKey]repeat
}

type repeatKey struct{ event, thread string }

type repeat struct {
	at     int64
	logger string
}

// seen tells whether e repeats what its thread has reported before.
func (r *repeats) seen(e *Event, at int64) bool {
	if e.Thread == "" {
		return false
	}
	key := repeatKey{e.Pattern.Event, e.Thread}
	before, ok := r.last[key]
	if ok && e.InTrace && at-before.at <= repeatWithin && before.logger != e.Logger {
		return true
	}
	if r.last == nil || len(r.last) >= maxThreads {
		r.last = map[repeatKey]repeat{}
	}
	r.last[key] = repeat{at, e.Logger}
	return false
}
