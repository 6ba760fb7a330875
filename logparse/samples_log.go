package logparse

import (
	"strings"
	"time"

	"github.com/capdoctor/capdoctor/series"
)

// Metrics of the records of a log: all of them by level, and those that tell of
// an HTTP request by the class of its status.
const (
	LinesMetric    = "capdoctor_log_lines_total"
	RequestsMetric = "capdoctor_log_requests_total"
)

// Bounds of what one log may yield.
const (
	maxTypes  = 32   // values of the label type of one event; further ones are "other"
	maxTracks = 2000 // series
	maxFacts  = 64   // values of one fact
)

// A Sampler takes the events of one log.
type Sampler struct {
	Stats SamplerStats

	grid     *Grid
	instance string
	service  string

	lines   lineCount
	present cells[int64] // records
	last    int64        // time of the last record, in milliseconds; 0 none yet

	requestsOf []*track // by status, from the first index that is one on
	tracks     map[string]*track
	events     map[eventKey]*track
	readings   map[readingKey]*track
	types      map[string]map[string]bool // event → types
	systems    map[string]bool
	members    map[string]map[string]float64 // series → part → size
	spans      spans
	repeats    repeats
	facts      map[string][]Fact // by name, in the order of time
	quotes     Quotes
	undated    undatedEvents

	undatedLines [len(levelLabels)]int64
	emitted      int64 // followed logs: the last point that was given out, in milliseconds
	heard        int64 // followed logs: the last cell up to emitted that holds a record
}

// SamplerStats counts what became of the events of a log.
type SamplerStats struct {
	Events   int64 // taken
	Repeated int64 // left out: the same thread had just reported the same failure through another logger
	Undated  int64 // events and lines without a time of their own
	Late     int64 // came after the points of their time had been given out
	TooLate  int64 // left out: older than a short window
	Overflow int64 // samples left out: too many series
	Unjoined int64 // ids forgotten before their end was seen
}

func newSampler(g *Grid, instance, service string) *Sampler {
	s := &Sampler{
		grid: g, instance: instance, service: service,
		tracks: map[string]*track{}, events: map[eventKey]*track{}, readings: map[readingKey]*track{}, types: map[string]map[string]bool{},
		systems: map[string]bool{}, members: map[string]map[string]float64{}, facts: map[string][]Fact{},
	}
	for _, l := range []Level{Info, Warn, Error} {
		s.track(countSample, LinesMetric, "level", levelLabels[l])
	}
	return s
}

// Instance is the label instance of everything that the log yields.
func (s *Sampler) Instance() string { return s.instance }

// lineCount holds the records of the cell that is being read.
type lineCount struct {
	cell   int64
	at     int64
	levels [len(levelLabels)]int64
	any    bool
}

// Lines counts n records of a level at the time ms, in milliseconds since the
// epoch; 0 is a record without a time, which happened when the one before it
// did. Calls with times of one second are cheap, whatever n is.
func (s *Sampler) Lines(ms int64, l Level, n int64) {
	if ms == 0 {
		s.Stats.Undated += n
		if ms = s.last; ms == 0 {
			s.undatedLines[l] += n
			return
		}
	}
	key := s.grid.cellOf(ms)
	if !s.lines.any || key != s.lines.cell {
		s.flushLines()
		if s.grid.relieve() {
			key = s.grid.cellOf(ms)
		}
		s.lines.cell, s.lines.any = key, true
	}
	s.lines.at = max(s.lines.at, ms)
	s.lines.levels[l] += n
	s.last = max(s.last, ms)
}

// Record counts a record, and the request that it tells of, if it does. Its
// events go to Add.
func (s *Sampler) Record(r *Record) {
	ms := int64(0)
	if !r.Time.IsZero() {
		ms = r.Time.UnixMilli()
	}
	s.Lines(ms, r.Level, 1)
	s.Requests(ms, r.Status, 1)
}

// Count takes what a bulk reading has counted, in place of Record for every
// record.
func (s *Sampler) Count(t *Tally) {
	for s.grid.width < t.Width().Milliseconds() {
		s.grid.flushLines()
		s.grid.coarsen()
	}
	for l, n := range t.undated.Levels {
		if n > 0 {
			s.Lines(0, Level(l), n)
		}
	}
	t.Each(func(at time.Time, c Counts) {
		for l, n := range c.Levels {
			if n > 0 {
				s.Lines(at.UnixMilli(), Level(l), n)
			}
		}
		for i, n := range c.Statuses {
			s.requests(at.UnixMilli(), i, n)
		}
	})
}

// Trouble returns how many records at warning and above were counted, for a log
// that is read to its end.
func (s *Sampler) Trouble() int64 {
	s.flushLines()
	sum := int64(0)
	for _, l := range []Level{Warn, Error, Fatal} {
		sum += s.undatedLines[l]
		if t := s.tracks[trackKey(LinesMetric, []string{"level", levelLabels[l]})]; t != nil {
			for _, c := range t.cells.values {
				sum += int64(c.value)
			}
		}
	}
	return sum
}

// Requests counts n requests that were answered with an HTTP status at the time
// ms, in milliseconds since the epoch, by the class of the status (5xx) or by the
// status itself (503) where that tells of a limit. Their records are counted by
// Lines, too.
func (s *Sampler) Requests(ms int64, status int, n int64) { s.requests(ms, statusIndex(status), n) }

// requests counts by the index of a status.
func (s *Sampler) requests(ms int64, status int, n int64) {
	if status == 0 || n == 0 {
		return
	}
	if ms == 0 {
		ms = s.last
	}
	if ms == 0 {
		return
	}
	if len(s.requestsOf) == 0 { // none is a number, too
		for _, label := range statusLabels[1:] {
			s.requestsOf = append(s.requestsOf, s.track(countSample, RequestsMetric, "status", label))
		}
	}
	s.put(s.requestsOf[status-1], ms, float64(n))
}

// flushLines moves the counted records into their series.
func (s *Sampler) flushLines() {
	if !s.lines.any {
		return
	}
	for l, n := range s.lines.levels {
		if n > 0 {
			s.put(s.track(countSample, LinesMetric, "level", levelLabels[l]), s.lines.at, float64(n))
			s.heardAt(s.lines.cell, n)
		}
	}
	s.lines = lineCount{}
}

// put stores a value of a series; a nil series was refused.
func (s *Sampler) put(t *track, at int64, v float64) {
	if t == nil {
		s.Stats.Overflow++
		return
	}
	if at = s.notBefore(at); at == 0 {
		return
	}
	switch crowded := t.cells.len() > s.grid.maxCells(); {
	case crowded && s.emitted != 0:
		s.Stats.Overflow++
		return
	case crowded:
		s.grid.crowded = true
	}
	t.put(at, s.grid.cellOf(at), v)
}

// notBefore moves what is late, because its point was given out, into the
// present; 0 is too late.
func (s *Sampler) notBefore(at int64) int64 {
	if s.emitted == 0 || at >= s.emitted {
		return at
	}
	if at < s.emitted-s.grid.window() {
		s.Stats.TooLate++
		return 0
	}
	s.Stats.Late++
	return s.emitted
}

// track returns the series of a name and pairs of labels, of which empty ones
// are left out; nil when there are too many.
func (s *Sampler) track(kind sampleKind, name string, labels ...string) *track {
	key := trackKey(name, labels)
	if t := s.tracks[key]; t != nil {
		return t
	}
	if len(s.tracks) >= maxTracks {
		return nil
	}
	set := map[string]string{"__name__": name, "instance": s.instance}
	if s.service != "" {
		set["service"] = s.service
	}
	for i := 0; i < len(labels); i += 2 {
		if labels[i+1] != "" {
			set[labels[i]] = strings.ToValidUTF8(labels[i+1], "\uFFFD")
		}
	}
	t := &track{labels: series.FromMap(set), kind: kind}
	s.tracks[key] = t
	return t
}

func trackKey(name string, labels []string) string {
	return name + "\xff" + strings.Join(labels, "\xff")
}

func (s *Sampler) coarsen() {
	for _, t := range s.tracks {
		t.coarsen()
	}
	s.present.coarsen(plus)
}

// heardAt counts records of a cell; of a log that is followed not beyond the
// bound.
func (s *Sampler) heardAt(cell, n int64) {
	if s.emitted == 0 || s.present.len() <= s.grid.maxCells() {
		plus(&s.present, cell, n)
	}
}

// plus adds to the number of a cell.
func plus(c *cells[int64], key, n int64) {
	v, _ := c.at(key)
	*v += n
}

// placeUndated gives the records of a log without any time the time at.
func (s *Sampler) placeUndated(at int64) {
	if s.last != 0 {
		at = s.last
	}
	if at == 0 {
		return
	}
	for l, n := range s.undatedLines {
		if n > 0 {
			s.Lines(at, Level(l), n)
		}
	}
	s.undatedLines = [len(levelLabels)]int64{}
	s.flushLines()
	events := s.undated.events
	s.undated = undatedEvents{}
	for _, e := range events {
		s.Stats.Undated++
		s.addAt(e, at)
	}
}

// span returns the cells that hold records, sorted, without the outliers that a
// broken clock leaves: a tail of less than a hundredth of all records that more
// than 30 days part from the rest.
func (s *Sampler) span() []int64 {
	keys, counts := s.present.keys, s.present.values
	month := (30 * 24 * time.Hour).Milliseconds() / s.grid.width
	total, head := int64(0), int64(0)
	for _, n := range counts {
		total += n
	}
	first, last := 0, len(keys)
	for i := 1; i < len(keys); i++ {
		head += counts[i-1]
		if keys[i]-keys[i-1] <= month {
			continue
		}
		if head*100 < total {
			first = i
		} else if (total-head)*100 < total {
			last = i
			break
		}
	}
	return keys[first:last]
}
