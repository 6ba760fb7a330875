package series

// Ingest stores a batch. Series that the source had and this batch has not end
// here; when it failed, all of them do. After a gap every series of the source
// ends one interval after the last batch, so that no rate is taken across it.
// A second sample for one series and time is refused and counted; so are a
// sample of a series that another source supplies, and a whole batch that is
// not later than the one before.
func (s *Store) Ingest(b Batch) Appended {
	s.mu.Lock()
	defer s.mu.Unlock()
	got := s.ingest(s.sources[b.Source], b)
	s.refused.add(got)
	s.forget(b.Time)
	return got
}

func (s *Store) ingest(src *sourceState, b Batch) (got Appended) {
	if src.round > 0 && b.Time <= src.last {
		return Appended{OutOfOrder: len(b.Samples) + len(b.Meta)}
	}
	if src.gap(b.Time) {
		got.Stale += src.endLive(src.last + src.Interval.Milliseconds())
	}
	src.observe(b.Time, !b.Failed)
	if !b.Failed {
		s.ingestSamples(src, b, &got)
	}
	got.Stale += src.endAbsent(b.Time)
	if src.Kind == Scrape && len(b.Meta) > 0 {
		s.ingestMeta(b, &got)
	}
	return got
}

// ingestMeta gives the samples about a scrape to its meter.
func (s *Store) ingestMeta(b Batch, got *Appended) {
	s.sources[b.Source+1].observe(b.Time, true)
	for _, sample := range b.Meta {
		s.put(b.Source+1, sample, b.Time, got)
	}
}

func (s *Store) ingestSamples(src *sourceState, b Batch, got *Appended) {
	for _, sample := range b.Samples {
		m := s.series(b.Source, sample.Labels)
		switch {
		case m == nil:
			got.OverLimit++
		case m.source != b.Source && !m.ended():
			got.Duplicates++
		default:
			m.put(b.Source, sample, b.Time, got)
			src.keep(m)
		}
	}
}

// keep notes that the present batch has a series.
func (s *sourceState) keep(m *memSeries) {
	if !m.live {
		m.live = true
		s.live = append(s.live, m)
	}
	m.round = s.round
}

// put stores one sample of a series that may be new.
func (s *Store) put(src SourceID, sample Sample, t int64, got *Appended) {
	m := s.series(src, sample.Labels)
	if m == nil {
		got.OverLimit++
		return
	}
	m.put(src, sample, t, got)
}

// put appends one sample and counts what became of it.
func (m *memSeries) put(src SourceID, sample Sample, t int64, got *Appended) {
	m.source = src
	if sample.Time != 0 {
		t = sample.Time
	}
	switch ok, duplicate := m.append(t, sample.Value); {
	case ok:
		got.Stored++
	case duplicate:
		got.Duplicates++
	default:
		got.OutOfOrder++
	}
}

// A Slot remembers where a store keeps the series that one result of a rule is
// recorded as. The zero value remembers nothing yet.
type Slot struct{ series *memSeries }

// Record stores one result of a rule, always under the same labels for a slot.
// It tells whether the sample was taken: a second one for the series and time is
// refused and counted.
func (s *Store) Record(slot *Slot, src SourceID, l Labels, t int64, v float64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if slot.series == nil || slot.series.forgotten {
		slot.series = s.series(src, l)
	}
	var got Appended
	if slot.series == nil {
		got.OverLimit++
	} else {
		slot.series.put(src, Sample{Value: v}, t, &got)
	}
	s.refused.add(got)
	return got.Stored == 1
}

// End marks that what was recorded is no more from t on; nothing happens when it
// has ended already.
func (s *Store) End(slot *Slot, t int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if slot.series != nil && !slot.series.forgotten {
		slot.series.end(t)
	}
}

// endLive ends all live series of a source.
func (s *sourceState) endLive(t int64) (ended int) {
	for _, m := range s.live {
		m.live = false
		ended += m.end(t)
	}
	clear(s.live)
	s.live = s.live[:0]
	return ended
}

// endAbsent ends the live series that the last batch did not have.
func (s *sourceState) endAbsent(t int64) (ended int) {
	kept := s.live[:0]
	for _, m := range s.live {
		if m.round == s.round {
			kept = append(kept, m)
			continue
		}
		m.live = false
		ended += m.end(t)
	}
	clear(s.live[len(kept):])
	s.live = kept
	return ended
}

// end puts a stale marker at t; it returns 1 when it did.
func (m *memSeries) end(t int64) int {
	if m.ended() {
		return 0
	}
	if ok, _ := m.append(t, staleMarker); ok {
		return 1
	}
	return 0
}

func (a *Appended) add(b Appended) {
	a.Stored += b.Stored
	a.Duplicates += b.Duplicates
	a.OutOfOrder += b.OutOfOrder
	a.OverLimit += b.OverLimit
	a.Stale += b.Stale
}
