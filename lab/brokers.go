package lab

import "time"

// A BrokersConfig is everything a cluster of Brokers can be told.
type BrokersConfig struct {
	Brokers   int
	Limit     int // messages a second of the cluster
	Producers int // connections to each broker; a throttled one counts one event
	Topic     string

	// The load of each broker: Steady messages a second, evenly; and each
	// BurstEvery, Burst messages at once.
	Steady     int
	Burst      int
	BurstEvery time.Duration
}

// OrderBrokers returns five brokers with a limit of 1,000 messages a second and
// 650 of them used.
func OrderBrokers() BrokersConfig {
	return BrokersConfig{
		Brokers:   5,
		Limit:     1000,
		Producers: 2,
		Topic:     "persistent://acme/stock/moves",
		Steady:    130,
	}
}

// Brokers is a model of Pulsar brokers that throttle producers in windows of a
// second. At the start of a window a broker takes as its threshold its own use
// of the last window and what the cluster has left of the limit. When a window's
// threshold is used up the broker reads nothing more from its producers until
// the next one.
type Brokers struct {
	clock
	cfg     BrokersConfig
	brokers []*broker
	log     journal // of the producer
	peak    int64   // messages of all brokers in one window, at most
}

const (
	limitWindow = time.Second
	brokerTick  = 50 * time.Millisecond // how finely messages arrive
	ticksWindow = int(limitWindow / brokerTick)
)

// A broker is one of them, with one topic (or one partition of it).
type broker struct {
	used      int64   // messages taken in the present window
	threshold int64   // of the present window
	waiting   []batch // arrived and not taken
	closed    bool    // reads nothing more in this window
	taken     int64
	throttled int64 // events: connections that were not read from
	acks      acks
}

// A batch is messages that arrived together.
type batch struct {
	at    time.Duration
	count int64
	burst *burst // that it belongs to, if any
}

// A burst is what a producer sends at once and waits for.
type burst struct {
	sent  time.Duration
	count int64
	left  int64
}

// NewBrokers returns brokers that start at start.
func NewBrokers(c BrokersConfig, start time.Time) *Brokers {
	m := &Brokers{cfg: c, clock: clock{start: start}}
	for range c.Brokers {
		m.brokers = append(m.brokers, &broker{threshold: int64(c.Limit)})
	}
	m.agenda.after(0, nil, func() { m.tick(0) })
	if c.BurstEvery > 0 {
		m.agenda.every(c.BurstEvery, nil, m.sendBursts)
	}
	m.agenda.every(producerStatsEvery, nil, m.logStats)
	return m
}

func (m *Brokers) seed() uint64 { return 0 } // nothing is drawn

// tick lets the steady messages of a twentieth of a second arrive.
func (m *Brokers) tick(number int) {
	if number%ticksWindow == 0 {
		m.open()
	}
	i := number % ticksWindow
	share := int64(m.cfg.Steady*(i+1)/ticksWindow - m.cfg.Steady*i/ticksWindow)
	for _, b := range m.brokers {
		if share > 0 {
			b.waiting = append(b.waiting, batch{at: m.agenda.now, count: share})
		}
		m.take(b)
	}
	m.agenda.after(brokerTick, nil, func() { m.tick(number + 1) })
}

// open begins a window: thresholds follow from what was used in the last one.
func (m *Brokers) open() {
	var all int64
	for _, b := range m.brokers {
		all += b.used
	}
	m.peak = max(m.peak, all)
	left := max(0, int64(m.cfg.Limit)-all)
	for _, b := range m.brokers {
		b.threshold = b.used + left
		b.used, b.closed = 0, false
	}
}

// take takes what waits at a broker, as far as its threshold goes.
func (m *Brokers) take(b *broker) {
	for len(b.waiting) > 0 && b.used < b.threshold {
		first := &b.waiting[0]
		n := min(first.count, b.threshold-b.used)
		b.used += n
		b.taken += n
		first.count -= n
		b.acks.see(m.agenda.now, m.agenda.now-first.at, n)
		m.progress(first.burst, n)
		if first.count == 0 {
			b.waiting = b.waiting[1:]
		}
	}
	if len(b.waiting) > 0 && !b.closed {
		b.closed = true
		b.throttled += int64(m.cfg.Producers)
	}
}

// sendBursts sends one burst to each broker. They arrive with the next tick.
func (m *Brokers) sendBursts() {
	all := &burst{sent: m.agenda.now, count: int64(m.cfg.Burst * len(m.brokers)), left: int64(m.cfg.Burst * len(m.brokers))}
	m.logf("flush-1", "com.acme.stock.Flush", "sending %d messages collected in the last %d s", all.count, m.cfg.BurstEvery/time.Second)
	for _, b := range m.brokers {
		b.waiting = append(b.waiting, batch{at: m.agenda.now, count: int64(m.cfg.Burst), burst: all})
	}
}

// progress notes that messages of a burst were taken.
func (m *Brokers) progress(b *burst, n int64) {
	if b == nil {
		return
	}
	b.left -= n
	if b.left == 0 {
		m.logf("flush-1", "com.acme.stock.Flush", "%d messages acknowledged in %d ms", b.count, (m.agenda.now - b.sent + ackTime).Milliseconds())
	}
}

// BrokersStats is what brokers have done so far.
type BrokersStats struct {
	Taken     int64 // messages
	Waiting   int64 // messages that arrived and were not taken
	Throttled int64 // events
	Peak      int64 // messages of all brokers in one window, at most
	// Thresholds are those of the present window, by broker.
	Thresholds []int64
}

// Stats returns what the brokers have done so far.
func (m *Brokers) Stats() BrokersStats {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := BrokersStats{Peak: m.peak}
	for _, b := range m.brokers {
		s.Taken += b.taken
		s.Throttled += b.throttled
		for _, w := range b.waiting {
			s.Waiting += w.count
		}
		s.Thresholds = append(s.Thresholds, b.threshold)
	}
	return s
}
