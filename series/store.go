package series

import (
	"slices"
	"sync"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql"
)

// Options bound a Store.
type Options struct {
	// Raw and Signals are how long points are kept: Raw for what inputs
	// supply, Signals for what rules recorded (names that begin with cap: or
	// capdoctor_). Zero keeps everything, which suits a closed input.
	Raw, Signals time.Duration
	// MaxSeries bounds the number of series; samples of further ones are
	// refused and counted. Zero is 2,000,000.
	MaxSeries int
}

const defaultMaxSeries = 2_000_000

// A Store keeps series in memory and answers PromQL over them.
type Store struct {
	mu           sync.RWMutex
	options      Options
	engine       *promql.Engine
	sources      []*sourceState
	byHash       map[uint64][]*memSeries
	byName       map[string]*family
	names        []string // of byName, sorted
	namesVersion int      // counts the changes of names
	count        int
	refused      Appended
	swept        int64 // when ended series were last forgotten
}

// New returns an empty store.
func New(o Options) *Store {
	if o.MaxSeries == 0 {
		o.MaxSeries = defaultMaxSeries
	}
	return &Store{
		options: o,
		engine:  newEngine(),
		byHash:  map[uint64][]*memSeries{},
		byName:  map[string]*family{},
	}
}

// AddSource names a new input of the store. A Scrape gets a Meter of its own,
// under the next id.
func (s *Store) AddSource(src Source) SourceID {
	s.mu.Lock()
	defer s.mu.Unlock()
	id := SourceID(len(s.sources))
	s.addSource(src)
	if src.Kind == Scrape {
		src.Kind = Meter
		s.addSource(src)
	}
	return id
}

func (s *Store) addSource(src Source) {
	rounds := memSeries{keep: s.options.Raw.Milliseconds()}
	s.sources = append(s.sources, &sourceState{Source: src, rounds: rounds})
}

// SetInterval changes the interval of a source, from its next batch on: a target
// that answers slowly, or is spared, is asked less often. Without it the time
// between two batches would count as a gap.
func (s *Store) SetInterval(id SourceID, d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sources[id].Interval = d
	if s.sources[id].Kind == Scrape {
		s.sources[id+1].Interval = d
	}
}

// Source returns what was given to AddSource, with the interval of now.
func (s *Store) Source(id SourceID) Source {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.sources[id].Source
}

// Sources tells how many sources there are; their ids are 0 to Sources()-1.
func (s *Store) Sources() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return len(s.sources)
}

// Len is the number of series.
func (s *Store) Len() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.count
}

// Refused counts what was refused since the store was made.
func (s *Store) Refused() Appended {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.refused
}

// Has tells whether a series of that metric name exists, even one that ended.
func (s *Store) Has(name string) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.byName[name] != nil
}

// NamesVersion is another number whenever the metric names of the store are others.
func (s *Store) NamesVersion() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.namesVersion
}

// Names returns the metric names of the store, sorted.
func (s *Store) Names() []string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return slices.Clone(s.names)
}

// series returns the series of these labels, making it when it is new. It
// returns nil when the store is full. The lock is held by the caller.
func (s *Store) series(src SourceID, l Labels) *memSeries {
	hash := l.Hash()
	for _, m := range s.byHash[hash] {
		if labels.Equal(m.labels, l) {
			return m
		}
	}
	if s.count >= s.options.MaxSeries {
		return nil
	}
	name := l.Get(model.MetricNameLabel)
	m := &memSeries{labels: l, set: LabelSetOf(l), instance: l.Get(instanceLabel), source: src, keep: s.retention(name)}
	s.byHash[hash] = append(s.byHash[hash], m)
	if s.byName[name] == nil {
		at, _ := slices.BinarySearch(s.names, name)
		s.names = slices.Insert(s.names, at, name)
		s.namesVersion++
		s.byName[name] = newFamily()
	}
	s.byName[name].insert(m)
	s.count++
	return m
}

// retention is how long points of a metric are kept, in milliseconds; 0 is for ever.
func (s *Store) retention(name string) int64 {
	if isSignal(name) {
		return s.options.Signals.Milliseconds()
	}
	return s.options.Raw.Milliseconds()
}

// forget drops the series that ended longer ago than they are kept, so that a
// store that is fed for days does not fill up with what is gone. It looks once
// in a retention. The lock is held by the caller.
func (s *Store) forget(now int64) {
	raw := s.options.Raw.Milliseconds()
	if raw == 0 || now < s.swept+raw {
		return
	}
	s.swept = now
	for name, f := range s.byName {
		for _, m := range f.remove(func(m *memSeries) bool { return m.expired(now) }) {
			s.unlink(m)
		}
		if len(f.all) == 0 {
			delete(s.byName, name)
			at, _ := slices.BinarySearch(s.names, name)
			s.names = slices.Delete(s.names, at, at+1)
			s.namesVersion++
		}
	}
}

// unlink takes a series out of the index by hash.
func (s *Store) unlink(m *memSeries) {
	m.forgotten = true
	hash := m.labels.Hash()
	rest := slices.DeleteFunc(s.byHash[hash], func(other *memSeries) bool { return other == m })
	if s.byHash[hash] = rest; len(rest) == 0 {
		delete(s.byHash, hash)
	}
	s.count--
}
